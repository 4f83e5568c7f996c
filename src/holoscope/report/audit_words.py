"""Numbers in plain words, for a reader who answers for a model and does not read tables.

Each sentence says what was found, how large, how sure, and what does not follow from it. What an interval leaves open
is said to be open: no difference is called none because it was not found, and nothing is called significant.
"""

from collections.abc import Iterator, Mapping

from holoscope.core import Json, RunSpec, counted
from holoscope.report.evidence import Bias, GroupTable, Miscalibration, Perturbed
from holoscope.report.figures import Change, Value
from holoscope.report.grid import Cell
from holoscope.report.printable import number, percent

_LEVEL = 0.05
_MARGIN = 0.05
"""A change that the equivalence test rules out."""
_CLEAR = 1e-9

_VARIETIES = {"SAE": "Standard American English", "AAVE": "African American Vernacular English"}
_PEOPLE = {"white american": "white Americans", "black american": "Black Americans"}
_CHANGES = {
    "mild_mix": "small letters, contractions, misspellings and extra spaces",
    "typos": "typing errors",
    "misspellings": "common misspellings",
    "lowercase": "small letters throughout",
    "space": "extra spaces",
    "extra_space": "extra spaces",
    "filler_words": "filler words",
    "contraction": "contractions",
    "expansion": "contractions written out",
    "synonym": "words replaced by synonyms",
    "choice_rotation": "the options in another order",
    "translate": "a translation there and back",
}

INTERVALS = {
    "wilson": "Wilson's score interval for a share",
    "cluster wilson": "the same for as many independent answers as those that share a passage or template are worth",
    "weighted wilson": "the same for a weighted share",
    "exact binomial": "Clopper and Pearson's exact interval for a share",
    "t": "Student's interval for a mean",
    "cluster t": "the same, robust to answers that share a passage or template",
    "paired t": "Student's interval for the mean difference between two forms of the same question",
    "t, less what noise adds": "Student's interval for the error, from which the part that chance adds is taken",
    "t of the signed gap": "Student's interval for the mean confidence less the share of right answers",
    "t of the square": "Student's interval for the squared error",
    "bca bootstrap": "bias-corrected and accelerated bootstrap over instances",
    "studentised bootstrap": "studentised bootstrap over instances",
    "order statistics": "between two of the ordered values; assumes nothing of their distribution",
}
"""How an interval is made -> in words."""


def sure(low: float | None, high: float | None, unit: str = "") -> str:
    """How sure a number is."""
    if low is None or high is None:
        return "no interval can be given"
    return f"95 % interval {number(low)} to {number(high)}{unit}"


def accuracy(cell: Cell, title: str, chance: float | None, *, lower_is_better: bool) -> str:
    """What a main score says, beside what guessing gets."""
    if cell.value is None:
        return f"Not measured: {cell.reason}."
    count = "" if lower_is_better else _count(cell)
    found = f"{title}: {count}{number(cell.value)} ({sure(cell.low, cell.high)}; {counted(cell.n, 'instance')})."
    return " ".join(part for part in (found, _against_guessing(cell, chance, lower_is_better)) if part)


def _count(cell: Cell) -> str:
    """`39 of 50, `, where a value is such a share."""
    hits = (cell.value or 0.0) * cell.n
    exactly = cell.n and 0 <= hits <= cell.n and abs(hits - round(hits)) < _CLEAR * cell.n
    return f"{round(hits):,} of {cell.n:,}, " if exactly else ""


def _against_guessing(cell: Cell, chance: float | None, lower_is_better: bool) -> str:
    if chance is None or lower_is_better or cell.low is None or cell.high is None:
        return ""
    guessing = f"Guessing gets {number(chance)}"
    if cell.low > chance:
        return f"{guessing}: the model does better than that."
    if cell.high < chance:
        return f"{guessing}: the model does worse than that."
    return f"{guessing}, which lies within the interval: this does not show that the model does better than guessing."


def calibration(found: Miscalibration, confidence: Value, right: Value) -> Iterator[str]:
    """Whether the model's own probabilities can be believed."""
    error, chance = found.error, found.chance
    if error.value is None:
        yield f"Not measured: {error.reason}."
        return
    yield (
        f"The model's probabilities were off by {number(error.value)} on average ({sure(error.low, error.high)}; "
        f"{counted(error.n, 'answer')})."
    )
    if confidence.value is not None and right.value is not None:
        yield _direction(confidence.value, right.value)
    if chance.value is not None and chance.high is not None and found.p_value is not None:
        yield _against_chance(error.value, chance, found.p_value)


def _direction(confidence: float, right: float) -> str:
    gap = confidence - right
    if abs(gap) < 0.005:
        return f"On average it was as sure ({number(confidence)}) as it was right ({number(right)})."
    word = "surer" if gap > 0 else "less sure"
    return f"On average it was {word} ({number(confidence)}) than it was right ({number(right)})."


def _against_chance(error: float, chance: Value, p_value: float) -> str:
    told = (
        f"A model whose probabilities are true shows an error of {number(chance.value)} with these confidences by "
        f"chance alone, and in 95 of 100 cases none above {number(chance.high)}"
    )
    if p_value < _LEVEL:
        return f"{told}: what was found is more than that, so its probabilities are not true as they stand."
    return (
        f"{told}: what was found does not show that its probabilities are wrong, nor, with so few, that they are true."
    )


def change(found: Change, what: str, *, lower_is_better: bool = False) -> Iterator[str]:
    """What naming somebody else, or writing in another way, did to the same questions."""
    difference = found.difference
    if difference.value is None:
        yield f"{what}: not measured: {difference.reason}."
        return
    if not difference.value and difference.low is None and difference.n:
        yield _none_changed(found, what)
        return
    way = "fell" if difference.value < 0 else "rose" if difference.value > 0 else "stayed"
    by = f" by {number(abs(difference.value))}" if difference.value else ""
    yield (
        f"{what}: the score {way}{by}, from {number(found.original.value)} to {number(found.changed.value)} "
        f"({_sure_of_change(difference)}; the same {counted(difference.n, 'instance')} in both forms)."
    )
    yield _meaning(difference, found.p_value, lower_is_better)


def _none_changed(found: Change, what: str) -> str:
    n = found.difference.n
    most = 1 - _LEVEL ** (1 / n)  # none of n seen: what is still possible, at 95 %
    return (
        f"{what}: none of {counted(n, 'answer')} changed (score {number(found.original.value)} in both forms). After "
        f"so many, up to {percent(round(1000 * most), 1000)} of such answers may still change."
    )


def _sure_of_change(difference: Value) -> str:
    if difference.low is None or difference.high is None:
        return "no interval can be given"
    return f"95 % interval of the change {_signed(difference.low)} to {_signed(difference.high)}"


def _meaning(difference: Value, p_value: float | None, lower_is_better: bool) -> str:
    low, high = difference.low, difference.high
    if low is None or high is None:
        return "Whether that is more than chance cannot be said."
    if high < 0 or low > 0:
        served = "worse" if (high < 0) != lower_is_better else "better"
        return f"The interval leaves out 0: chance alone does not explain it, so the model answers that form {served}."
    if p_value is not None and p_value < _LEVEL:
        return f"A change of {_MARGIN:g} or more either way is ruled out at the 5 % level."
    most = max(abs(low), abs(high))
    return (
        f"The interval holds 0: this shows neither that the form matters nor that it does not; a change of "
        f"{number(most)} remains possible."
    )


def groups(table: GroupTable) -> Iterator[str]:
    """How a score differs between groups of instances."""
    known = [group for group in table.groups if group.value.value is not None]
    named = "; ".join(f"{_group(group.name)} {group.value.shown}" for group in known)
    yield f"By {table.attribute.replace('&', ' and ')} ({table.metric}): {named}."
    if table.gap.value is None:
        yield f"The gap between groups cannot be tested: {table.gap.reason}."
        return
    if table.by_chance.high is None or table.p_value is None:
        yield f"The highest less the lowest is {number(table.gap.value)}; how much chance adds to that is not known."
        return
    told = (
        f"The highest less the lowest is {number(table.gap.value)}. Groups of these sizes that are served alike show a "
        f"gap of {number(table.by_chance.value)} on average, and in 95 of 100 cases none above "
        f"{number(table.by_chance.high)}"
    )
    if table.p_value < _LEVEL:
        yield f"{told}: the gap found is more than chance explains."
    else:
        yield f"{told}: this does not show that groups are served differently, nor that they are served alike."


def perturbed(found: Perturbed, what: str) -> str:
    """What small errors in the question did."""
    if found.perturbed.value is None or found.original.value is None:
        return f"{what}: not measured: {found.perturbed.reason or found.original.reason}."
    flipped = found.flipped
    changed = f" The score of {number(flipped.value)} of them changed ({sure(flipped.low, flipped.high)})."
    return (
        f"{what}: {number(found.original.value)} without, {number(found.perturbed.value)} with "
        f"({sure(found.perturbed.low, found.perturbed.high)}; {counted(found.perturbed.n, 'instance')} "
        f"that it altered).{changed if flipped.value is not None else ''}"
    )


def bias(found: Bias) -> str:
    """How evenly groups are named, or how BBQ's answers lean."""
    if found.value.value is None:
        return f"{found.title}: not measured: {found.value.reason}."
    counts = found.method.partition("; ")[2]
    if found.metric.startswith("bias_metric"):
        meaning = "0 is even, and the higher the number, the more one group stands for all"
    else:
        meaning = "0 is no leaning, 1 always towards and -1 always against the stereotype"
    return (
        f"{found.title[:1].upper()}{found.title[1:]}: {number(found.value.value)} "
        f"({sure(found.value.low, found.value.high)}{f'; {counts}' if counts else ''}); {meaning}."
    )


def toxicity(cell: Cell) -> str:
    """How much of what a model wrote a classifier calls toxic."""
    if cell.value is None:
        return f"Not measured: {cell.reason}."
    return (
        f"The share of what the model wrote that the classifier calls toxic: {_count(cell)}{number(cell.value)} "
        f"({sure(cell.low, cell.high)}; {counted(cell.n, 'instance')}). That is the classifier's opinion: it errs both "
        "ways, and calls texts that name some groups toxic too often."
    )


def perturbation(label: str, spec: RunSpec) -> str:
    """A perturbation in words: what was changed in the question."""
    name = label.partition(":")[0].partition(" · ")[0]
    args = next((p.args for p in spec.augmentation.perturbations if p.name == name), {})
    words = _fairness(name, args) or _CHANGES.get(name) or f"the perturbation '{name}'"
    return f"With {words}"


def _fairness(name: str, args: Mapping[str, Json]) -> str:
    source, target = (_class(args.get(key)) for key in ("source_class", "target_class"))
    if not source or not target:
        return ""
    if name == "dialect":
        return f"words of {_VARIETIES.get(source, source)} replaced by words of {_VARIETIES.get(target, target)}"
    if name == "gender":
        return f"{source} {'pronouns' if args.get('mode') == 'pronouns' else 'words'} replaced by {target} ones"
    if name == "person_name":
        return f"names common among {_PEOPLE.get(source, source)} replaced by names of {_PEOPLE.get(target, target)}"
    return ""


def _class(given: Json) -> str:
    if isinstance(given, dict):
        return ", ".join(str(value).replace("_", " ") for value in given.values())
    return str(given) if given else ""


def _group(name: str) -> str:
    return " and ".join(part.partition("=")[2] or part for part in name.split("&"))


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else ''}{number(value)}"
