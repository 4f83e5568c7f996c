"""Where a report's numbers come from: scenarios with their licences and data, models, definitions, software."""

from collections.abc import Sequence

from holoscope.report.grid import Row
from holoscope.report.markup import Markup, element
from holoscope.store import Manifest

_PASSED_ON = {"yes": "yes", "ids-only": "ids only", "no": "no"}


def sources(rows: Sequence[Row]) -> Markup:
    """The section that says so; what several runs share stands there once."""
    manifests = [row.manifest for row in rows]
    return element(
        "section",
        element("h2", "Sources and versions"),
        table("Scenarios", ("scenario", "version", "licence", "texts may be passed on"), _scenarios(manifests)),
        table("Data", ("scenario", "file", "sha256, or the list's name"), _data(manifests)),
        table("Models", ("model", "property", "value"), _models(manifests)),
        table("Definitions", ("kind", "name", "version"), _definitions(manifests)),
        table("Software", ("name", "version"), _software(manifests)),
        class_="sources",
    )


def table(caption: str, heads: Sequence[str], lines: Sequence[tuple[str, ...]]) -> Markup:
    """A plain table of texts; nothing where it has no line."""
    if not lines:
        return Markup()
    head = element("thead", element("tr", *(element("th", name, scope="col") for name in heads)))
    body = (element("tr", *(element("td", value) for value in line)) for line in lines)
    made = element("table", element("caption", caption), head, element("tbody", *body), class_="plain")
    return element("div", made, class_="scroll", role="region", aria_label=caption, tabindex="0")


def _scenarios(manifests: Sequence[Manifest]) -> list[tuple[str, ...]]:
    cards = dict.fromkeys(manifest.scenario for manifest in manifests)
    return [(c.name, c.version, c.licence or "unknown", _PASSED_ON[c.redistribution]) for c in cards]


def _data(manifests: Sequence[Manifest]) -> list[tuple[str, ...]]:
    """Each file with its hash; a word list goes by its name."""
    return list(
        dict.fromkeys((m.scenario.name, path, found) for m in manifests for path, found in sorted(m.data.items()))
    )


def _models(manifests: Sequence[Manifest]) -> list[tuple[str, ...]]:
    lines: dict[tuple[str, ...], None] = {}
    for model in (manifest.model for manifest in manifests):
        facts = {"deployment": model.deployment, "served as": model.served_model or "", "address": model.base_url}
        for name, value in {**facts, **model.identity}.items():
            if value:
                lines[model.name, name, value] = None
    return list(lines)


def _definitions(manifests: Sequence[Manifest]) -> list[tuple[str, ...]]:
    found = {("prompt", manifest.spec.adapter.method, manifest.versions.prompt) for manifest in manifests}
    for versions in (manifest.versions for manifest in manifests):
        found |= {("metric", name, version) for name, version in versions.metrics.items()}
        found |= {("perturbation", name, version) for name, version in versions.perturbations.items()}
    return sorted(found)


def _software(manifests: Sequence[Manifest]) -> list[tuple[str, ...]]:
    found: dict[tuple[str, ...], None] = {}
    for made in (manifest.provenance for manifest in manifests):
        own = {"holoscope": made.holoscope, "Python": made.python, "platform": made.platform}
        commit = {"commit of the folder it ran in": made.git_commit or ""}
        read = made.imported
        origin = {f"read from the files of {read.tool}": read.version or "version not stated"} if read else {}
        found |= dict.fromkeys(pair for pair in {**own, **made.packages, **commit, **origin}.items() if pair[1])
    return list(found)
