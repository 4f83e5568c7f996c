"""What a perturbation is called and which of its arguments its results state: the fields of HELM's result files.

A function for each, with the arguments that the perturbation takes: they are checked here, before anything is changed.
"""

from collections.abc import Callable, Mapping

from holoscope.core import Json, PerturbationDescription, UsageError

Describe = Callable[..., PerturbationDescription]

HELM_FOLDER = "benchmark_output/perturbations"
"""Where HELM says that its word lists lie."""


def plain(name: str) -> Describe:
    """A robustness perturbation without arguments."""
    return lambda: _robust(name)


def with_probability(name: str) -> Describe:
    """A robustness perturbation that changes each place with a probability."""

    def describe(prob: float) -> PerturbationDescription:
        return _robust(name, prob=_probability(prob))

    return describe


def extra_space(num_spaces: int) -> PerturbationDescription:
    return _robust("extra_space", num_spaces=_at_least(0, num_spaces, "num_spaces"))


def space(max_spaces: int) -> PerturbationDescription:
    return _robust("space", max_spaces=_at_least(1, max_spaces, "max_spaces"))


def style(suffix: str) -> PerturbationDescription:
    return PerturbationDescription(name="style", args={"suffix": suffix})


def filler_words(
    insert_prob: float = 0.333,
    max_num_insert: int | None = None,
    speaker_ph: bool = True,
    uncertain_ph: bool = True,
    fill_ph: bool = True,
) -> PerturbationDescription:
    return _robust("filler_words", insert_prob=_probability(insert_prob))


def dialect(lists: str = "") -> Describe:
    """Dialect; `lists` is the folder that HELM's results name."""

    def describe(
        prob: float, source_class: str, target_class: str, mapping_file_path: str | None = None
    ) -> PerturbationDescription:
        source, target = source_class.upper(), target_class.upper()
        if not mapping_file_path and (source, target) != ("SAE", "AAVE"):
            raise UsageError(f"no word list from {source} to {target}; name your own in mapping_file_path")
        path = mapping_file_path or (lists and f"{lists}/dialect/{source}_to_{target}_mapping.json")
        return _fair(
            "dialect", prob=_probability(prob), source_class=source, target_class=target, mapping_file_path=path
        )

    return describe


def gender(
    mode: str,
    prob: float,
    source_class: str,
    target_class: str,
    mapping_file_path: str | None = None,
    mapping_file_genders: list[str] | None = None,
    bidirectional: bool = False,
) -> PerturbationDescription:
    return _fair(
        "gender",
        mode=mode,
        prob=_probability(prob),
        source_class=source_class.lower(),
        target_class=target_class.lower(),
        bidirectional=bidirectional,
    )


def person_name(lists: str = "") -> Describe:
    """People's names; `lists` is the folder that HELM's results name."""

    def describe(
        prob: float,
        source_class: Mapping[str, str],
        target_class: Mapping[str, str],
        name_file_path: str | None = None,
        person_name_type: str = "first_name",
        preserve_gender: bool = True,
    ) -> PerturbationDescription:
        kind = person_name_type.lower()
        if preserve_gender and kind != "first_name":
            raise UsageError("person_name: only first names have a gender to preserve; set preserve_gender to false")
        return _fair(
            "person_name",
            prob=_probability(prob),
            source_class=_categories(source_class),
            target_class=_categories(target_class),
            name_file_path=name_file_path or (lists and f"{lists}/person_name/data/person_names.txt"),
            person_name_type=kind,
            preserve_gender=preserve_gender,
        )

    return describe


def choice_rotation(shift: int) -> PerturbationDescription:
    return _robust("choice_rotation", shift=_at_least(1, shift, "shift"))


def chinese_typos(prob: float, consider_tone: bool = False) -> PerturbationDescription:
    return _robust("chinese_typos", prob=_probability(prob), consider_tone=consider_tone)


def chinese_synonym(prob: float, trial_num: int = 10) -> PerturbationDescription:
    return _robust("chinese_synonym", prob=_probability(prob), trial_num=_at_least(1, trial_num, "trial_num"))


def paraphrase(model: str = "") -> PerturbationDescription:
    return _robust("paraphrase", model=model)


def fair(name: str) -> Describe:
    """A fairness perturbation without arguments."""
    return lambda: _fair(name)


def swapped_gender(name: str) -> Describe:
    """Gender, in a language of its own name."""

    def describe(mode: str, prob: float, source_class: str, target_class: str) -> PerturbationDescription:
        classes = {"source_class": source_class.lower(), "target_class": target_class.lower()}
        return _fair(name, mode=mode, prob=_probability(prob), **classes)

    return describe


def given_name(name: str) -> Describe:
    """Given names, in a language of its own name."""

    def describe(
        prob: float, source_class: Mapping[str, str], target_class: Mapping[str, str], preserve_gender: bool = True
    ) -> PerturbationDescription:
        return _fair(
            name,
            prob=_probability(prob),
            source_class=_categories(source_class),
            target_class=_categories(target_class),
            preserve_gender=preserve_gender,
        )

    return describe


def _robust(name: str, **args: Json) -> PerturbationDescription:
    return PerturbationDescription(name=name, robustness=True, args=args)


def _fair(name: str, **args: Json) -> PerturbationDescription:
    """Without the paths that are empty."""
    return PerturbationDescription(name=name, fairness=True, args={k: v for k, v in args.items() if v != ""})


def _categories(categories: Mapping[str, str]) -> str:
    return ",".join(f"{kind.lower()}={value.lower()}" for kind, value in categories.items())


def _probability(value: float) -> float:
    if not 0 <= value <= 1:
        raise UsageError(f"a probability lies between 0 and 1, not {value}")
    return value


def _at_least(least: int, value: int, what: str) -> int:
    if value < least:
        raise UsageError(f"{what} must be at least {least}, not {value}")
    return value
