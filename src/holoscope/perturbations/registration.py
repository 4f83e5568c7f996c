"""The perturbations by name; HELM's definition, where it differs from ours, by `name@helm`.

What HELM has and we do not is registered too, with the reason, so that asking for it says why it can't be had. Under
compat that goes for `name@helm` as well: ours in its place would give other prompts under HELM's name.
"""

from collections.abc import Callable
from functools import partial
from typing import NoReturn

from holoscope.core import DataError, Instance, Perturbation, Registry
from holoscope.perturbations import attacks, chinese, choices, code, descriptions, fairness, helm, korean, robustness
from holoscope.perturbations.descriptions import (
    HELM_FOLDER,
    Describe,
    fair,
    given_name,
    plain,
    swapped_gender,
    with_probability,
)
from holoscope.perturbations.rewriting import contrast_set, on_text

Apply = Callable[..., Instance]

HELM_VERSION = "helm-0.5.16"

PARAPHRASES = "paraphrases"
"""The kind of word list that a model writes (`paraphrase.py`)."""

AS_IN_HELM: dict[str, tuple[Describe, Apply]] = {
    "contrast_sets": (plain("contrast_sets"), contrast_set),
    "extra_space": (descriptions.extra_space, on_text(robustness.extra_space)),
    "filler_words": (descriptions.filler_words, on_text(robustness.filler_words)),
    "lowercase": (plain("lowercase"), on_text(robustness.lowercase)),
    "space": (descriptions.space, on_text(robustness.space)),
    "style": (descriptions.style, on_text(robustness.style)),
}

OURS: dict[str, tuple[Describe, Apply]] = {
    "chinese_gender": (swapped_gender("chinese_gender"), on_text(chinese.chinese_gender, references=True)),
    "chinese_person_name": (given_name("chinese_person_name"), chinese.chinese_person_name),
    "chinese_synonym": (descriptions.chinese_synonym, on_text(chinese.chinese_synonym)),
    "chinese_typos": (descriptions.chinese_typos, on_text(chinese.chinese_typos)),
    "cleva_mild_mix": (plain("cleva_mild_mix"), on_text(chinese.cleva_mild_mix)),
    "contraction": (plain("contraction"), on_text(robustness.contraction)),
    "dialect": (descriptions.dialect(), on_text(fairness.dialect, references=True)),
    "expansion": (plain("expansion"), on_text(robustness.expansion)),
    "gender": (descriptions.gender, on_text(fairness.gender, references=True)),
    "mandarin_to_cantonese": (fair("mandarin_to_cantonese"), on_text(chinese.mandarin_to_cantonese, references=True)),
    "mild_mix": (plain("mild_mix"), on_text(robustness.mild_mix)),
    "misspellings": (with_probability("misspellings"), on_text(robustness.misspellings)),
    "person_name": (descriptions.person_name(), fairness.person_name),
    "simplified_to_traditional": (
        fair("simplified_to_traditional"),
        on_text(chinese.simplified_to_traditional, references=True),
    ),
    "synonym": (with_probability("synonym"), on_text(robustness.synonym)),
    "typos": (with_probability("typos"), on_text(robustness.typos)),
}

BEYOND_HELM: dict[str, tuple[Describe, Apply]] = {
    "character_noise": (with_probability("character_noise"), on_text(attacks.character_noise)),
    "choice_rotation": (descriptions.choice_rotation, choices.choice_rotation),
    "code_docstring": (plain("code_docstring"), on_text(code.code_docstring)),
    "code_rename": (with_probability("code_rename"), code.code_rename),
    "homoglyphs": (with_probability("homoglyphs"), on_text(attacks.homoglyphs)),
    "keyboard": (with_probability("keyboard"), on_text(attacks.keyboard)),
    "korean_gender": (swapped_gender("korean_gender"), on_text(korean.korean_gender, references=True)),
    "korean_person_name": (given_name("korean_person_name"), korean.korean_person_name),
    "korean_spacing": (with_probability("korean_spacing"), on_text(korean.korean_spacing)),
    "korean_typos": (with_probability("korean_typos"), on_text(korean.korean_typos)),
    "paraphrase": (descriptions.paraphrase, on_text(robustness.paraphrase)),
}

HELMS: dict[str, tuple[Describe, Apply]] = {
    "contraction": (plain("contraction"), on_text(helm.contraction)),
    "dialect": (descriptions.dialect(HELM_FOLDER), on_text(helm.dialect, references=True)),
    "expansion": (plain("expansion"), on_text(helm.expansion)),
    "gender": (descriptions.gender, on_text(helm.gender, references=True)),
    "mild_mix": (plain("mild_mix"), on_text(helm.mild_mix)),
    "misspellings": (with_probability("misspellings"), on_text(helm.misspellings)),
    "person_name": (descriptions.person_name(HELM_FOLDER), helm.person_name),
    "typos": (with_probability("typos"), on_text(helm.typos)),
}

_OURS = "run without --compat helm for ours"
_CLEVA = f"HELM fetches its word lists from an address that names no licence and no version; {_OURS}"
NOT_SUPPORTED: dict[str, str] = {
    **{f"{name}@helm": _CLEVA for name in OURS if name.startswith(("chinese_", "cleva_"))},
    "mandarin_to_cantonese@helm": _CLEVA,
    "simplified_to_traditional@helm": f"HELM's result depends on the version of OpenCC that is installed; {_OURS}",
    "synonym@helm": f"HELM's result depends on the version of spaCy's tagger that is installed; {_OURS}",
    "translate": "HELM uses Google's paid translation service; there is none here",
}
"""Name -> why it can't be had."""

LEXICONS = {
    "chinese_synonym": "chinese_synonyms",
    "cleva_mild_mix": "chinese_synonyms",
    "dialect": "dialect",
    "gender": "gender",
    "mild_mix": "misspellings",
    "misspellings": "misspellings",
    "paraphrase": PARAPHRASES,
    "person_name": "names",
    "synonym": "synonyms",
}


def register(registry: Registry) -> None:
    """Add every perturbation of this package."""
    for name, (describe, apply) in (AS_IN_HELM | OURS | BEYOND_HELM).items():
        _add(registry, name, "1", describe, apply, LEXICONS.get(name, ""))
    for name, (describe, apply) in HELMS.items():
        _add(registry, f"{name}@helm", HELM_VERSION, describe, apply, LEXICONS.get(name, ""))
    for name, reason in NOT_SUPPORTED.items():
        refuse = partial(_refuse, name.removesuffix("@helm"), reason)
        card = Perturbation(name=name, version=HELM_VERSION, describe=refuse, apply=refuse, unavailable=reason)
        registry.perturbations.add(name, card)


def definition(name: str, registry: Registry, *, compat: bool) -> Perturbation:
    """The card of a perturbation: HELM's under compat, where there is one. DataError if it is known by name alone."""
    as_helm = f"{name}@helm"
    card = registry.perturbations.get(as_helm if compat and as_helm in registry.perturbations else name)
    if card.unavailable:
        _refuse(name, card.unavailable)
    return card


def _refuse(name: str, reason: str, *_: object, **__: object) -> NoReturn:
    raise DataError(f"the perturbation {name} is not supported: {reason}")


def _add(registry: Registry, name: str, version: str, describe: Describe, apply: Apply, lexicon: str) -> None:
    card = Perturbation(name=name, version=version, describe=describe, apply=apply, lexicon=lexicon)
    registry.perturbations.add(name, card)
