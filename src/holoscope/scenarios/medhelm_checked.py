"""MedHELM's public benchmarks whose free answers a rule can check: sums, errors in notes, hallucinations, queries.

What a rule needs beside the right answer (the range of a quantity, whether a question can be answered) lies in
`Instance.extra`.
"""

from collections.abc import Iterator

from holoscope.core import (
    TEST,
    TRAIN,
    AdapterSpec,
    Files,
    Instance,
    Json,
    Registry,
    Scenario,
    ScenarioSpec,
    Source,
    Task,
)
from holoscope.scenarios.adapters import EXACT_MATCH, IN_FILES, metrics
from holoscope.scenarios.constants import argument
from holoscope.scenarios.fields import text
from holoscope.scenarios.juries import written
from holoscope.scenarios.references import right_answer
from holoscope.scenarios.rows import Row, read_csv, read_lines, read_rows

_CLASSES = "helm.benchmark.scenarios"
_HUB, _RAW = "https://huggingface.co/datasets", "https://raw.githubusercontent.com"
_CALC = "default/test/0000.parquet"
_MEDEC = "MEDEC-MS-TestSet-with-GroundTruth-and-ErrorType.csv"
_MEDEC_URL = f"{_RAW}/abachaa/MEDEC/49c59dcba43a7af8717590a405b11a57f42b04df/MEDEC-MS/"
_HALLU = "pqa_labeled/train-00000-of-00001.parquet"
_HALLU_URL = f"{_HUB}/UTAustin-AIHealth/MedHallu/resolve/515060458a945c633debc6fd5baac7764416b724/"
_SPECS = "medhelm_run_specs.py"
_SPECS_URL = f"{_RAW}/stanford-crfm/helm/v0.5.16/src/helm/benchmark/run_specs/"
_SQL_URL = f"{_RAW}/glee4810/EHRSQL/e172ec8e61391ecae2d872c8d0ba02a622222f54/dataset/ehrsql/eicu/"
_SQL = {"train.json": TRAIN, "valid.json": TEST, "test.json": TEST}
_SCHEMA = "eicu.sql"
_NO_ERROR = "CORRECT"


def _calc_sources(version: str | None = None) -> tuple[Source, ...]:
    dataset = f"MedCalc-Bench-{version}" if version else "MedCalc-Bench"
    url = f"{_HUB}/ncbi/{dataset}/resolve/refs%2Fconvert%2Fparquet/{_CALC}"
    return (Source(path=_CALC, url=url, stand_in="medcalc_bench/test.jsonl"),)


def _calc(files: Files, version: str | None = None) -> Iterator[Instance]:
    for row in read_rows(files.path(_CALC)):
        limits: dict[str, Json] = {name: _cell(row, name) for name in ("Category", "Lower Limit", "Upper Limit")}
        asked = f"Patient note: {text(row, 'Patient Note')}\n\nQuestion: {text(row, 'Question')}\n"
        yield Instance(
            id=_cell(row, "Row Number"),
            input=asked,
            references=right_answer(_cell(row, "Ground Truth Answer")),
            split=TEST,
            groups={"category": _cell(row, "Category")},
            extra={name.lower().replace(" ", "_"): value for name, value in limits.items()},
        )


def _cell(row: Row, name: str) -> str:
    """A cell that some versions hold as a number."""
    value = row.values.get(name)
    return str(value) if isinstance(value, int | float) else text(row, name)


def _medec_sources() -> tuple[Source, ...]:
    return (Source(path=_MEDEC, url=_MEDEC_URL + _MEDEC),)


def _medec(files: Files) -> Iterator[Instance]:
    for row in read_csv(files.path(_MEDEC)):
        if row.values.get("Sentences"):
            number, corrected = (text(row, name).strip() for name in ("Error Sentence ID", "Corrected Sentence"))
            has_error = text(row, "Error Flag").strip() == "1" and corrected != "NA" and number != "-1"
            answer = f"{number} {corrected}" if has_error else _NO_ERROR
            yield Instance(input=text(row, "Sentences").strip(), references=right_answer(answer), split=TEST)


def _hallu_sources() -> tuple[Source, ...]:
    rows = Source(path=_HALLU, url=_HALLU_URL + _HALLU, stand_in="medhallu/train.jsonl")
    return rows, Source(path=_SPECS, url=_SPECS_URL + _SPECS)


def _hallu(files: Files) -> Iterator[Instance]:
    for number, row in enumerate(read_rows(files.path(_HALLU))):
        shown = str(row.values.get("Knowledge"))  # several passages as Python shows a list, as HELM's prompt has them
        for label, answer in (("0", "Ground Truth"), ("1", "Hallucinated Answer")):
            asked = f"World Knowledge: {shown}\n\nQuestion: {text(row, 'Question')}\n\nAnswer: {text(row, answer)}\n"
            yield Instance(input=asked, references=right_answer(label), split=TEST, cluster=f"question {number}")


def _hallu_instructions(files: Files) -> str:
    return str(argument(files.path(_SPECS), "get_medhallu_spec", "instructions"))


def _sql_sources() -> tuple[Source, ...]:
    return tuple(Source(path=name, url=_SQL_URL + name) for name in (_SCHEMA, *_SQL))


def _sql(files: Files) -> Iterator[Instance]:
    schema = _tables(read_lines(files.path(_SCHEMA)))
    for name, split in _SQL.items():
        for row in read_rows(files.path(name)):
            if "question" in row.values and "query" in row.values:
                asked = f"-- Database Schema:\n{schema}\n\n--{' ' * 21}Question:\n{text(row, 'question')}\n\n"
                impossible = bool(row.values.get("is_impossible", False))
                yield Instance(
                    input=asked,
                    references=right_answer(text(row, "query")),
                    split=split,
                    extra={"is_impossible": impossible},
                )


def _tables(lines: list[str]) -> str:
    """The definitions of tables in a schema, without what stands between them."""
    tables: list[str] = []
    table: list[str] = []
    for line in map(str.strip, lines):
        if line.startswith("CREATE TABLE"):
            table = [line]
        elif table:
            table.append(line)
            if line.endswith(";"):
                tables.append("\n".join(table))
                table = []
    return "\n\n".join(tables)


CARDS = (
    Scenario(
        name="medcalc_bench",
        title="MedCalc-Bench",
        description="Quantities to be computed from patients' notes, by formulas and rules that doctors use.",
        licence="CC-BY-SA-4.0",
        redistribution="yes",
        citation="https://arxiv.org/abs/2406.12036",
        main_metric="medcalc_bench_accuracy",
        main_split=TEST,
        load=_calc,
        sources=_calc_sources,
        helm_class=f"{_CLASSES}.medcalc_bench_scenario.MedCalcBenchScenario",
    ),
    Scenario(
        name="medec",
        title="MEDEC",
        description="Clinical notes with at most one medical error, to be found and corrected.",
        licence="CC-BY-4.0",
        redistribution="yes",
        citation="https://arxiv.org/abs/2412.19260",
        main_metric="medec_error_flag_accuracy",
        main_split=TEST,
        load=_medec,
        sources=_medec_sources,
        chance=0.5,
        helm_class=f"{_CLASSES}.medec_scenario.MedecScenario",
    ),
    Scenario(
        name="medhallu",
        title="MedHallu",
        description="Answers to medical questions, each of which is hallucinated or not.",
        licence="MIT",
        redistribution="yes",
        citation="https://arxiv.org/abs/2502.14302",
        main_metric="exact_match",
        main_split=TEST,
        load=_hallu,
        sources=_hallu_sources,
        instructions=_hallu_instructions,
        chance=0.5,
        helm_class=f"{_CLASSES}.medhallu_scenario.MedHalluScenario",
    ),
    Scenario(
        name="ehr_sql",
        title="EHRSQL",
        description="Questions of hospital staff, to be put as SQL to a database of intensive care.",
        licence="CC-BY-4.0",
        redistribution="yes",
        citation="https://arxiv.org/abs/2301.07695",
        main_metric="ehr_sql_execution_accuracy",
        main_split=TEST,
        load=_sql,
        sources=_sql_sources,
        helm_class=f"{_CLASSES}.ehr_sql_scenario.EhrSqlScenario",
    ),
)


def _task(name: str, adapter: AdapterSpec, *own: str, shown: str = "", groups: tuple[str, ...] = ()) -> Task:
    exact = () if name == "medec" else EXACT_MATCH
    return Task(
        name=shown or name,
        scenario=ScenarioSpec(name),
        adapter=adapter,
        metrics=(*metrics(*own), *exact),
        groups=groups or (name,),
    )


def medcalc_bench(version: str | None = None) -> Task:
    asked = "Given a patient note and a clinical question, compute the requested medical value."
    ask = "Answer only the requested quantity without units. No explanation needed: "
    task = _task("medcalc_bench", written(asked, ask=ask, max_tokens=10), "medcalc_bench_accuracy")
    if version is None:
        return task
    return Task(
        name=f"medcalc_bench:version={version}",
        scenario=ScenarioSpec("medcalc_bench", {"version": version}),
        adapter=task.adapter,
        metrics=task.metrics,
        groups=task.groups,
    )


def medec() -> Task:
    asked = (
        "The following is a medical narrative about a patient. You are a skilled medical doctor reviewing the "
        "clinical text. The text is either correct or contains one error. The text has a sentence per line. "
        "Each line starts with the sentence ID, followed by a space character then the sentence to check. Check "
        "every sentence of the text. If the text is correct return the following output: CORRECT. If the text "
        "has a medical error, return the sentence ID of the sentence containing the error, followed by a space, "
        "and a corrected version of the sentence."
    )
    adapter = written(asked, before="Clinical Note: ", ask="Answer: ", max_tokens=256)
    return _task("medec", adapter, "medec", groups=("clinical", "medec"))


def medhallu() -> Task:
    ask = (
        "Return just an integer value, '0' if the answer is factual and '1' if the answer is hallucinated.\n"
        "No letter or word, just the integer value.\n\nYour Judgment: "
    )
    return _task("medhallu", written(IN_FILES, ask=ask, max_tokens=5))


def ehr_sql() -> Task:
    asked = (
        "You are a highly skilled AI specializing in medical SQL queries. Given a database schema and a medical "
        "question, generate a valid SQL query that retrieves the required information from the database. Output only "
        "the SQL query without explanations.\n\nInput: A database schema followed by a natural language question.\n"
        "Output: A valid SQL query ending with ;. Only return SQL query, don't add additional text.\n\n"
        "If the question is unanswerable, return an empty string without additional text or comments."
    )
    adapter = written(asked, before="Medical Question + Schema: ", ask="SQL Query: ", max_tokens=1024)
    return _task("ehr_sql", adapter, "ehr_sql")


def register(registry: Registry) -> None:
    for card in CARDS:
        registry.scenario(card)
    for task in (medcalc_bench, medec, medhallu, ehr_sql):
        registry.task(task.__name__)(task)
