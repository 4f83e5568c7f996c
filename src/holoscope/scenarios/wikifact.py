"""WikiFact: sentences made of Wikidata's facts that break off before the object, such as a place of birth.

A fact may have several right objects and an object several names: all of them are right. Five completions are drawn,
and the best of them is looked at beside the most likely.
"""

from collections.abc import Iterator
from typing import Literal

from holoscope.core import (
    CORRECT,
    TEST,
    TRAIN,
    VALID,
    AdapterSpec,
    DataError,
    Files,
    Instance,
    Reference,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH
from holoscope.scenarios.fields import text
from holoscope.scenarios.rows import Row, read_jsonl

Subject = Literal[
    "genre",
    "instrument",
    "author",
    "creator",
    "composer",
    "director",
    "applies_to_jurisdiction",
    "overrules",
    "laws_applied",
    "repealed_by",
    "majority_opinion_by",
    "plaintiff",
    "defendant",
    "movement",
    "influenced_by",
    "member_of_political_party",
    "diplomatic_relation",
    "position_held",
    "basic_form_of_government",
    "office_held_by_head_of_state",
    "head_of_state",
    "office_held_by_head_of_government",
    "head_of_government",
    "shares_border_with",
    "continent",
    "capital",
    "capital_of",
    "country",
    "twinned_administrative_body",
    "currency",
    "central_bank",
    "subsidiary",
    "stock_exchange",
    "industry",
    "statement_describes",
    "solved_by",
    "programming_language",
    "file_extension",
    "number_of_processor_cores",
    "operating_system",
    "measured_physical_quantity",
    "recommended_unit_of_measurement",
    "atomic_number",
    "electron_configuration",
    "discoverer_or_inventor",
    "time_of_discovery_or_invention",
    "location_of_discovery",
    "medical_condition_treated",
    "drug_or_therapy_used_for_treatment",
    "genetic_association",
    "therapeutic_area",
    "symptoms_and_signs",
    "place_of_birth",
    "place_of_death",
    "subclass_of",
    "official_language",
    "position_played_on_team",
    "member_of_sports_team",
    "award_received",
    "original_network",
    "educated_at",
    "named_after",
    "original_language_of_film_or_TV_show",
    "member_of",
    "field_of_work",
    "participating_team",
    "occupation",
    "has_part",
    "manufacturer",
    "developer",
    "country_of_citizenship",
    "language_of_work_or_name",
    "located_in_the_administrative_territorial_entity",
    "languages_spoken_written_or_signed",
    "employer",
    "record_label",
    "location",
    "work_location",
    "religion",
    "owned_by",
    "native_language",
    "instance_of",
    "country_of_origin",
    "headquarters_location",
    "location_of_formation",
    "part_of",
]

_PROPERTIES: dict[str, str] = {
    "genre": "P136",
    "instrument": "P1303",
    "author": "P50",
    "creator": "P170",
    "composer": "P86",
    "director": "P57",
    "applies_to_jurisdiction": "P1001",
    "overrules": "P4006",
    "laws_applied": "P3014",
    "repealed_by": "P2568",
    "majority_opinion_by": "P5826",
    "plaintiff": "P1620",
    "defendant": "P1591",
    "movement": "P135",
    "influenced_by": "P737",
    "member_of_political_party": "P102",
    "diplomatic_relation": "P530",
    "position_held": "P39",
    "basic_form_of_government": "P122",
    "office_held_by_head_of_state": "P1906",
    "head_of_state": "P35",
    "office_held_by_head_of_government": "P1313",
    "head_of_government": "P6",
    "shares_border_with": "P47",
    "continent": "P30",
    "capital": "P36",
    "capital_of": "P1376",
    "country": "P17",
    "twinned_administrative_body": "P190",
    "currency": "P38",
    "central_bank": "P1304",
    "subsidiary": "P355",
    "stock_exchange": "P414",
    "industry": "P452",
    "statement_describes": "P2384",
    "solved_by": "P1136",
    "programming_language": "P277",
    "file_extension": "P1195",
    "number_of_processor_cores": "P1141",
    "operating_system": "P306",
    "measured_physical_quantity": "P111",
    "recommended_unit_of_measurement": "P8111",
    "atomic_number": "P1086",
    "electron_configuration": "P8000",
    "discoverer_or_inventor": "P61",
    "time_of_discovery_or_invention": "P575",
    "location_of_discovery": "P189",
    "medical_condition_treated": "P2175",
    "drug_or_therapy_used_for_treatment": "P2176",
    "genetic_association": "P2293",
    "therapeutic_area": "P4044",
    "symptoms_and_signs": "P780",
    "place_of_birth": "P19",
    "place_of_death": "P20",
    "subclass_of": "P279",
    "official_language": "P37",
    "position_played_on_team": "P413",
    "member_of_sports_team": "P54",
    "award_received": "P166",
    "original_network": "P449",
    "educated_at": "P69",
    "named_after": "P138",
    "original_language_of_film_or_TV_show": "P364",
    "member_of": "P463",
    "field_of_work": "P101",
    "participating_team": "P1923",
    "occupation": "P106",
    "has_part": "P527",
    "manufacturer": "P176",
    "developer": "P178",
    "country_of_citizenship": "P27",
    "language_of_work_or_name": "P407",
    "located_in_the_administrative_territorial_entity": "P131",
    "languages_spoken_written_or_signed": "P1412",
    "employer": "P108",
    "record_label": "P264",
    "location": "P276",
    "work_location": "P937",
    "religion": "P140",
    "owned_by": "P127",
    "native_language": "P103",
    "instance_of": "P31",
    "country_of_origin": "P495",
    "headquarters_location": "P159",
    "location_of_formation": "P740",
    "part_of": "P361",
}
"""Wikidata's identifier of each relation."""
_URL = "https://worksheets.codalab.org/rest/bundles/0x8c3b60eb7c6b462e822a150f194d3b35/contents/blob/"
_SPLITS = {"train": TRAIN, "dev": VALID, "test": TEST}


def sources(subject: str) -> tuple[Source, ...]:
    return tuple(Source(path=f"{name}.jsonl", url=f"{_URL}{name}.jsonl") for name in _SPLITS)


def load(files: Files, subject: Subject) -> Iterator[Instance]:
    for name, split in _SPLITS.items():
        for row in read_jsonl(files.path(f"{name}.jsonl")):
            if text(row, "property") == _PROPERTIES[subject]:
                references = tuple(Reference(answer.strip(), (CORRECT,)) for answer in _objects(row))
                yield Instance(input=text(row, "template"), references=references, split=split)


def _objects(row: Row) -> list[str]:
    """Every name of every right object."""
    names = row.values.get("result_names")
    listed = [name for each in names if isinstance(each, list) for name in each] if isinstance(names, list) else []
    found = [name for name in listed if isinstance(name, str)]
    if not found or len(found) != len(listed):
        raise DataError(f"{row.where}: result_names should be lists of names, and is {names!r}")
    return found


CARD = Scenario(
    name="wikifact",
    title="WikiFact",
    description="Facts of Wikidata in sentences, to be completed.",
    licence="CC0-1.0 (Wikidata)",
    redistribution="yes",
    citation="https://arxiv.org/abs/2211.09110",
    main_metric="quasi_exact_match",
    main_split=TEST,
    load=load,
    sources=sources,
    helm_class="helm.benchmark.scenarios.wikifact_scenario.WIKIFactScenario",
)


def wikifact(subject: Subject, k: int = 5) -> Task:
    return Task(
        name=f"wikifact:k={k},subject={subject}",
        scenario=ScenarioSpec("wikifact", {"subject": subject}),
        adapter=AdapterSpec(
            input_prefix="",
            input_suffix="",
            output_prefix=" ",
            num_outputs=k,
            max_tokens=8,
            temperature=1.0,
            stop_sequences=("\n",),
        ),
        metrics=EXACT_MATCH,
        groups=("wikifact",),
    )


def register(registry: Registry) -> None:
    registry.scenario(CARD)
    registry.task("wikifact")(wikifact)
