"""How many rows a benchmark has, where its publishers say so: known before anything is fetched."""

from functools import cache
from importlib.resources import files


@cache
def known_sizes() -> dict[str, int]:
    """Scenario -> rows of its main split, over all of its subjects, tasks or languages."""
    import yaml

    content: dict[str, int] = yaml.safe_load((files("holoscope.scenarios") / "sizes.yaml").read_text(encoding="utf-8"))
    return content
