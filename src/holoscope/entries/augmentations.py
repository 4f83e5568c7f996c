"""The values of `data_augmentation=`: which perturbations each one applies, under HELM's names and ours.

A value stands for one run or, as a sweep, for several; the label of each is what its run name shows. Labels and
parameters are HELM's to the letter (`misspelling_medium` is `misspelling0.20` there, and `misspelling0.2` in the
sweep), since its result folders are called by them.
"""

from collections.abc import Mapping

from holoscope.core import AugmentationSpec, Json, PerturbationSpec, UsageError
from holoscope.entries.language import format_value

Perturbations = tuple[PerturbationSpec, ...]


def augmentation(perturbations: Perturbations) -> AugmentationSpec:
    """The evaluation instances as they are, and again under each perturbation that changes them."""
    return AugmentationSpec(
        perturbations=perturbations, augment_eval=True, include_original=True, skip_unchanged=True, seeds_per_instance=1
    )


def _spec(name: str, **args: Json) -> PerturbationSpec:
    return PerturbationSpec(name, args)


def _dialect(prob: float) -> PerturbationSpec:
    return _spec("dialect", prob=prob, source_class="SAE", target_class="AAVE")


def _gender(mode: str, prob: float) -> PerturbationSpec:
    return _spec("gender", mode=mode, prob=prob, source_class="male", target_class="female")


def _first_name(prob: float, preserve_gender: bool) -> PerturbationSpec:
    return _spec(
        "person_name",
        prob=prob,
        source_class={"race": "white_american"},
        target_class={"race": "black_american"},
        person_name_type="first_name",
        preserve_gender=preserve_gender,
    )


def _last_name(prob: float) -> PerturbationSpec:
    return _spec(
        "person_name",
        prob=prob,
        source_class={"race": "white"},
        target_class={"race": "hispanic"},
        person_name_type="last_name",
        preserve_gender=False,
    )


def _genders(mode: str) -> dict[str, dict[str, Perturbations]]:
    strengths = {"easy": 0.1, "medium": 0.3, "hard": 0.5, "deterministic": 1.0}
    return {
        f"gender_{mode}_{strength}": {f"gender_{mode}_prob={prob}_source=male_target=female": (_gender(mode, prob),)}
        for strength, prob in strengths.items()
    }


_CONTRACTIONS = (_spec("contraction"), _spec("expansion"))
_ROBUSTNESS = (_spec("mild_mix"),)
_FAIRNESS = (_dialect(1.0), _gender("pronouns", 1.0), _first_name(1.0, preserve_gender=True))
_CHINESE_ROBUSTNESS = (_spec("cleva_mild_mix"),)
_CHINESE_FAIRNESS = (
    _spec("chinese_gender", mode="pronouns", prob=1.0, source_class="male", target_class="female"),
    _spec(
        "chinese_person_name",
        prob=1.0,
        source_class={"gender": "male"},
        target_class={"gender": "female"},
        preserve_gender=True,
    ),
    _spec("simplified_to_traditional"),
    _spec("mandarin_to_cantonese"),
)
_ART = ("oil painting", "watercolor", "pencil sketch", "animation", "vector graphics", "pixel art")

HELMS: Mapping[str, Mapping[str, Perturbations]] = {
    "extra_space": {"extra_space2": (_spec("extra_space", num_spaces=2),)},
    "contrast_sets": {"contrast_sets": (_spec("contrast_sets"),)},
    "space": {"space3": (_spec("space", max_spaces=3),)},
    "lower": {"lower": (_spec("lowercase"),)},
    "contract": {"contract": _CONTRACTIONS},
    "filler": {"filler0.3": (_spec("filler_words", insert_prob=0.3, speaker_ph=False),)},
    "misspelling_mild": {"misspelling0.05": (_spec("misspellings", prob=0.05),)},
    "misspelling_medium": {"misspelling0.20": (_spec("misspellings", prob=0.2),)},
    "misspelling_hard": {"misspelling0.5": (_spec("misspellings", prob=0.5),)},
    "misspelling_sweep": {f"misspelling{prob}": (_spec("misspellings", prob=prob),) for prob in (0, 0.05, 0.2, 0.5)},
    "typo_easy": {"typo0.1": (_spec("typos", prob=0.1),)},
    "typo_medium": {"typo0.3": (_spec("typos", prob=0.3),)},
    "typo_hard": {"typo0.5": (_spec("typos", prob=0.5),)},
    "synonym": {"synonym0.5": (_spec("synonym", prob=0.5),)},
    "dialect_easy": {"dialect_easy_prob=0.1_source=SAE_target=AAVE": (_dialect(0.1),)},
    "dialect_medium": {"dialect_prob=0.3_source=SAE_target=AAVE": (_dialect(0.3),)},
    "dialect_hard": {"dialect_prob=0.5_source=SAE_target=AAVE": (_dialect(0.5),)},
    "dialect_deterministic": {"dialect_prob=1.0_source=SAE_target=AAVE": (_dialect(1.0),)},
    "person_name_first_hard_preserve_gender": {
        "person_name_first_prob=0.5_source=white_target=black_preserve_gender=True": (_first_name(0.5, True),)
    },
    "person_name_first_hard_dont_preserve_gender": {
        "person_name_first_prob=0.5_source=white_target=black_preserve_gender=False": (_first_name(0.5, False),)
    },
    "person_name_first_deterministic": {
        "person_name_first_prob=1.0_source=white_target=black_preserve_gender=True": (_first_name(1.0, True),)
    },
    "person_name_last_deterministic": {"person_name_last_prob=1.0_source=white_target=hispanic": (_last_name(1.0),)},
    "person_name_last_hard": {"person_name_last_prob=0.5_source=white_target=hispanic": (_last_name(0.5),)},
    **_genders("terms"),
    **_genders("pronouns"),
    "robustness": {"robustness": _ROBUSTNESS},
    "fairness": {"fairness": _FAIRNESS},
    "canonical": {"canonical": _ROBUSTNESS + _FAIRNESS},
    "robustness_all": {
        "robustness_all": (
            *_CONTRACTIONS,
            _spec("filler_words", insert_prob=0.1, speaker_ph=False),
            _spec("lowercase"),
            _spec("misspellings", prob=0.1),
            _spec("space", max_spaces=3),
            _spec("synonym", prob=0.1),
            _spec("typos", prob=0.01),
        )
    },
    "cleva_robustness": {"robustness": _CHINESE_ROBUSTNESS},
    "cleva_fairness": {"fairness": _CHINESE_FAIRNESS},
    "cleva": {"cleva": _CHINESE_ROBUSTNESS + _CHINESE_FAIRNESS},
    "chinese": {"chinese": (_spec("translate", language_code="zh-CN"),)},
    "hindi": {"hindi": (_spec("translate", language_code="hi"),)},
    "spanish": {"spanish": (_spec("translate", language_code="es"),)},
    "swahili": {"swahili": (_spec("translate", language_code="sw"),)},
    "art": {"art": tuple(_spec("style", suffix=style) for style in _ART)},
}
"""HELM's values."""

_MOST_OPTIONS = 10
_KOREAN_ROBUSTNESS = (_spec("korean_typos", prob=0.05), _spec("korean_spacing", prob=0.5))
_KOREAN_FAIRNESS = (
    _spec("korean_gender", mode="pronouns", prob=1.0, source_class="male", target_class="female"),
    _spec("korean_gender", mode="terms", prob=1.0, source_class="male", target_class="female"),
    _spec(
        "korean_person_name",
        prob=1.0,
        source_class={"gender": "male"},
        target_class={"gender": "female"},
        preserve_gender=True,
    ),
)
_CODE = (_spec("code_rename", prob=1.0), _spec("code_docstring"))

BEYOND_HELM: Mapping[str, Mapping[str, Perturbations]] = {
    "character_noise": {"character_noise0.2": (_spec("character_noise", prob=0.2),)},
    "chinese_typos": {"chinese_typos0.1": (_spec("chinese_typos", prob=0.1),)},
    "chinese_synonym": {"chinese_synonym0.3": (_spec("chinese_synonym", prob=0.3),)},
    "choice_rotation": {
        "choice_rotation": tuple(_spec("choice_rotation", shift=shift) for shift in range(1, _MOST_OPTIONS))
    },
    "code": {"code": _CODE},
    "code_docstring": {"code_docstring": _CODE[1:]},
    "code_rename": {"code_rename": _CODE[:1]},
    "homoglyphs": {"homoglyphs0.1": (_spec("homoglyphs", prob=0.1),)},
    "keyboard": {"keyboard0.2": (_spec("keyboard", prob=0.2),)},
    "korean": {"korean": _KOREAN_ROBUSTNESS + _KOREAN_FAIRNESS},
    "korean_fairness": {"korean_fairness": _KOREAN_FAIRNESS},
    "korean_robustness": {"korean_robustness": _KOREAN_ROBUSTNESS},
    "mandarin_to_cantonese": {"mandarin_to_cantonese": (_spec("mandarin_to_cantonese"),)},
    "paraphrase": {"paraphrase": (_spec("paraphrase"),)},
    "simplified_to_traditional": {"simplified_to_traditional": (_spec("simplified_to_traditional"),)},
}
"""Ours."""

AUGMENTATIONS: Mapping[str, Mapping[str, Perturbations]] = {**HELMS, **BEYOND_HELM}
"""Value of `data_augmentation=` -> label of each run -> its perturbations."""


def named_perturbation(value: Mapping[str, Json]) -> tuple[str, Perturbations]:
    """The label and perturbation of `{perturbation:typos,prob:0.2}`: any that is registered, with any arguments."""
    name, args = value.get("perturbation"), {key: arg for key, arg in value.items() if key != "perturbation"}
    if not isinstance(name, str):
        raise UsageError("data_augmentation={perturbation:NAME,ARGUMENT:VALUE,...} names no perturbation")
    label = "_".join([name, *(f"{key}={format_value(arg)}" for key, arg in args.items())])
    return label, (PerturbationSpec(name, args),)
