"""Arabic benchmarks of multiple choice behind one shape: exams, knowledge, grammar, trust and translated MMLU.

They differ in the columns of their rows, in one sentence of instructions, and in what picks a part of them. Options are
labelled by the Arabic letters in which exams label them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from holoscope.core import (
    TEST,
    TRAIN,
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
from holoscope.scenarios.adapters import EXACT_MATCH, JOINT
from holoscope.scenarios.arabic_parts import AlGhafa, Category, ExamSubject, Madinah, SchoolSubject
from holoscope.scenarios.fields import integer, text, texts
from holoscope.scenarios.hub import converted, path_of
from holoscope.scenarios.mmlu import Subject
from holoscope.scenarios.references import right_position
from holoscope.scenarios.rows import Row, read_parquet

Read = Callable[[Row], Instance | None]
"""One row as an instance, of any split; None where it names no answer."""

_LETTERS = ("أ", "ب", "ج", "د", "هـ")
_ALEF_WITHOUT_HAMZA = "ا"
_WITH_ANSWERS: Final = "الأسئلة التالية هي أسئلة متعددة الإختيارات مع الجواب الصحيح"
_CHOOSE: Final = "السؤال التالي هو سؤال متعدد الإختيارات. اختر الإجابة الصحيحة"


def _adapter(instructions: str) -> AdapterSpec:
    return AdapterSpec(
        method=JOINT,
        instructions=f"{instructions}\n",
        input_prefix="السؤال: ",
        reference_prefix_characters=_LETTERS,
        output_prefix="الإجابة: ",
        temperature=0.0,
        stop_sequences=("\n",),
        output_mapping_pattern=f"({'|'.join(_LETTERS)})",
    )


def _alghafa(row: Row) -> Instance:
    numbers = sorted(int(name.removeprefix("sol")) for name in row.values if name.startswith("sol"))
    return _chosen(row, text(row, "query"), [text(row, f"sol{n}") for n in numbers], int(str(row.values.get("label"))))


def _numbered(row: Row) -> Instance:
    """Columns `Option 1` to `Option 5`, some empty, and the letter of one."""
    cells = [row.values.get(f"Option {number}") for number in range(1, 6)]
    kept = [(position, str(cell)) for position, cell in enumerate(cells) if cell]
    right = ord(text(row, "Answer Key")) - ord("A")
    positions = [position for position, _ in kept]
    place = positions.index(right) if right in positions else -1
    return _chosen(row, text(row, "Question"), [option for _, option in kept], place)


def _after_its_context(row: Row) -> Instance:
    context = row.values.get("Context")
    asked = text(row, "Question")
    shown = f"{context}\n\n{asked}" if isinstance(context, str) and context.strip() else asked
    return _numbered(Row(row.where, {**row.values, "Question": shown}))


def _exam(row: Row) -> Instance | None:
    letter = "ABCD".find(text(row, "answer")) if len(text(row, "answer")) == 1 else -1
    if letter < 0:
        return None  # a few rows name no option
    return _chosen(row, text(row, "question"), [text(row, name) for name in "ABCD"], letter)


def _translated(row: Row) -> Instance:
    return _chosen(row, text(row, "question"), texts(row, "choices"), integer(row, "answer"))


def _trust(row: Row) -> Instance:
    """Options that begin with their own letter, in the row's spelling of it."""
    cells = [text(row, name) for name in "ABC" if row.values.get(name)]
    options = [cell.partition(")")[2].strip() for cell in cells]
    answer = text(row, "Answer").strip().replace(_ALEF_WITHOUT_HAMZA, _LETTERS[0])
    return _chosen(row, text(row, "Question"), options, _LETTERS.index(answer) if answer in _LETTERS else -1)


def _chosen(row: Row, asked: str, options: Sequence[str], right: int) -> Instance:
    if not 0 <= right < len(options) or not all(options):
        raise DataError(f"{row.where}: the answer names none of the {len(options)} options")
    references: tuple[Reference, ...] = right_position(options, right)
    return Instance(input=asked, references=references)


class Shape(NamedTuple):
    """Where a benchmark's rows are, how one is read, and which of them an entry's one argument picks."""

    title: str
    dataset: str
    splits: dict[str, str]
    read: Read
    argument: str
    instructions: str
    licence: str
    citation: str
    helm_class: str
    config_of: Callable[[str], str] = str
    is_of: Callable[[Row, str], bool] = lambda row, value: True


def _spaced(value: str) -> str:
    return value.replace("_", " ")


def _default(value: str) -> str:
    return "default"


def _is_of_subject(row: Row, value: str) -> bool:
    return value == "all" or text(row, "id").split("-")[0] == _spaced(value)


def _is_of_category(row: Row, value: str) -> bool:
    return value == "all" or text(row, "Category") == _spaced(value)


SHAPES: dict[str, Shape] = {
    "alghafa": Shape(
        "AlGhafa",
        "OALL/AlGhafa-Arabic-LLM-Benchmark-Native",
        {"validation": TRAIN, "test": TEST},
        _alghafa,
        "subset",
        _WITH_ANSWERS,
        "not stated",
        "https://aclanthology.org/2023.arabicnlp-1.21",
        "alghafa_scenario.AlGhafaScenario",
    ),
    "arabic_exams": Shape(
        "EXAMS, Arabic",
        "OALL/Arabic_EXAMS",
        {"validation": TRAIN, "test": TEST},
        _exam,
        "subject",
        _CHOOSE,
        "CC-BY-SA-4.0 (EXAMS)",
        "https://aclanthology.org/2020.emnlp-main.438",
        "arabic_exams_scenario.ArabicEXAMSScenario",
        _default,
        _is_of_subject,
    ),
    "arabic_mmlu": Shape(
        "ArabicMMLU",
        "MBZUAI/ArabicMMLU",
        {"dev": TRAIN, "test": TEST},
        _numbered,
        "subset",
        _CHOOSE,
        "CC-BY-NC-4.0 (its card)",
        "https://aclanthology.org/2024.findings-acl.334",
        "arabic_mmlu_scenario.ArabicMMLUScenario",
        _spaced,
    ),
    "aratrust": Shape(
        "AraTrust",
        "asas-ai/AraTrust",
        {"test": TEST},
        _trust,
        "category",
        _WITH_ANSWERS,
        "not stated",
        "https://arxiv.org/abs/2403.09017",
        "aratrust_scenario.AraTrustScenario",
        _default,
        _is_of_category,
    ),
    "madinah_qa": Shape(
        "MadinahQA",
        "MBZUAI/MadinahQA",
        {"dev": TRAIN, "test": TEST},
        _after_its_context,
        "subset",
        _CHOOSE,
        "CC-BY-NC-4.0 (its card)",
        "https://huggingface.co/datasets/MBZUAI/MadinahQA",
        "madinah_qa_scenario.MadinahQAScenario",
        _spaced,
    ),
    "mbzuai_human_translated_arabic_mmlu": Shape(
        "MMLU, translated into Arabic by people",
        "MBZUAI/human_translated_arabic_mmlu",
        {"test": TEST},
        _translated,
        "subject",
        _CHOOSE,
        "not stated; MMLU is MIT",
        "https://huggingface.co/datasets/MBZUAI/human_translated_arabic_mmlu",
        "mbzuai_human_translated_arabic_mmlu.MBZUAIHumanTranslatedArabicMMLUScenario",
    ),
}


def _card(name: str) -> Scenario:
    shape = SHAPES[name]

    def sources(**args: str) -> tuple[Source, ...]:
        return converted(shape.dataset, shape.config_of(args[shape.argument]), *shape.splits)

    def load(files: Files, **args: str) -> Iterator[Instance]:
        value = args[shape.argument]
        for part, split in shape.splits.items():
            for row in read_parquet(files.path(path_of(shape.config_of(value), part))):
                found = shape.read(row) if shape.is_of(row, value) else None
                if found is not None:
                    yield replace(found, split=split)

    return Scenario(
        name=name,
        title=shape.title,
        description="Questions in Arabic with options to choose from.",
        licence=shape.licence,
        redistribution="ids-only",
        citation=shape.citation,
        main_metric="exact_match",
        main_split=TEST,
        load=load,
        sources=sources,
        helm_class=f"helm.benchmark.scenarios.{shape.helm_class}",
    )


def _task(name: str, value: str, *groups: str) -> Task:
    shape = SHAPES[name]
    return Task(
        name=f"{name}:{shape.argument}={value}",
        scenario=ScenarioSpec(name, {shape.argument: value}),
        adapter=_adapter(shape.instructions),
        metrics=EXACT_MATCH,
        groups=(name, *groups),
    )


def alghafa(subset: AlGhafa) -> Task:
    return _task("alghafa", subset, f"alghafa_{subset}")


def arabic_exams(subject: ExamSubject) -> Task:
    return _task("arabic_exams", subject)


def arabic_mmlu(subset: SchoolSubject) -> Task:
    return _task("arabic_mmlu", subset)


def aratrust(category: Category) -> Task:
    return _task("aratrust", category)


def madinah_qa(subset: Madinah) -> Task:
    return _task("madinah_qa", subset)


def mbzuai_human_translated_arabic_mmlu(subject: Subject) -> Task:
    return _task("mbzuai_human_translated_arabic_mmlu", subject)


def register(registry: Registry) -> None:
    for name in SHAPES:
        registry.scenario(_card(name))
    for task in (alghafa, arabic_exams, arabic_mmlu, aratrust, madinah_qa, mbzuai_human_translated_arabic_mmlu):
        registry.task(task.__name__)(task)
