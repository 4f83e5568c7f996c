"""A suite for the server's tests: two models, two scenarios, twins, separate options, and texts that mean harm."""

from pathlib import Path

from holoscope.core import (
    Choice,
    Completion,
    Exchange,
    Instance,
    Measure,
    MetricSpec,
    Outcome,
    Params,
    PerturbationDescription,
    PlannedRequest,
    Reference,
    Request,
    ScenarioSpec,
    Score,
    Token,
    Trial,
    Usage,
    builtin,
    group_trials,
)
from holoscope.report.library import Library
from holoscope.store import (
    REQUESTS,
    SCORES,
    ModelSummary,
    RequestsWriter,
    ScenarioSummary,
    ScoresWriter,
    StoredRun,
    Versions,
    folder_name,
    open_run,
    run_folder,
    write_manifest,
    write_measures,
)
from store.made import manifest, spec

SUITE = "mine"
EVIL_TAG = "<script>alert('evil')</script>"
EVIL_ANSI = "\x1b[31mred\x1b[0m\x07"
EVIL_BIDI = "\u202eright to left\u202c \u2066isolate"
LONG = "word " * 210_000
"""More than a megabyte."""
EVIL = f"{EVIL_TAG} {EVIL_ANSI} {EVIL_BIDI} \x00 </textarea><img src=x onerror=alert(1)> answer: B"
MIX = PerturbationDescription(name="mild_mix", robustness=True)

QUIZ = "quiz:model="
OPEN = "tales:model="


def _quiz(number: int, answer: str, *, perturbed: bool = False, thinking: str | None = None) -> Exchange:
    question = f"Question {number}: which letter comes after A?"
    instance = Instance(
        id=f"id{number}",
        input=question.replace("which", "whcih") if perturbed else question,
        references=(Reference("A"), Reference("B", ("correct",)), Reference("C")),
        perturbation=MIX if perturbed else None,
        original_input=question if perturbed else None,
    )
    outcome = Outcome.TRUNCATED if "cut" in answer else Outcome.OK
    tokens = tuple(Token(part, -0.25 * k) for k, part in enumerate(answer[:200].split(" ")))
    return Exchange(
        PlannedRequest(instance=instance, request=Request(Params(temperature=0.0), prompt=f"Q: {instance.input}\nA:")),
        Completion(
            outcome,
            (Choice(answer, -1.0, tokens, "stop", thinking),),
            usage=Usage(12, 5),
            request_time=0.5,
            created=1.7e9,
            reason="the limit" if outcome is Outcome.TRUNCATED else "",
        ),
    )


def _scores(trial: Trial) -> list[Score]:
    text = trial.exchanges[0].completion.text
    at = text.rfind("B")
    if at < 0:
        found = Score("exact_match", None, Outcome.UNGRADABLE, "no rule found an answer")
    else:
        found = Score("exact_match", float("answer" in text), rule="last_letter", span=(at, at + 1), answer="B")
    return [found, Score("max_prob", 1 / (1 + len(trial.instance.id)))]


def answers(evil: bool = True) -> list[Exchange]:
    """The quiz's exchanges: right, wrong and unreadable, twins, thinking, harm."""
    hostile = EVIL if evil else "answer: B"
    return [
        _quiz(0, "The answer is B.", thinking="A, then B."),
        _quiz(0, "I say B", perturbed=True),
        _quiz(1, "B, but cut off"),
        _quiz(1, "no idea", perturbed=True),
        _quiz(2, hostile, thinking=hostile),
        _quiz(3, f"{LONG}{hostile}" if evil else "nothing"),
    ]


def _separate() -> list[Exchange]:
    instance = Instance(id="t/0", input="Once upon a", references=(Reference("time", ("correct",)), Reference("dime")))
    return [
        Exchange(
            PlannedRequest(
                instance=instance,
                request=Request(Params(echo_prompt=True), prompt=f"Once upon a {end}", continuation=f" {end}"),
                reference_index=index,
                request_mode="original",
            ),
            Completion(Outcome.OK, (Choice("", tokens=(Token("Once upon a"), Token(f" {end}", logprob))),)),
        )
        for index, (end, logprob) in enumerate((("time", -0.5), ("dime", -4.0)))
    ]


def _store(out: Path, name: str, scenario: str, model: str, exchanges: list[Exchange], *, passed_on: bool) -> StoredRun:
    run = spec(f"{name}{model}", scenario=ScenarioSpec(scenario, {}), metrics=(MetricSpec("exact_match"),))
    folder = run_folder(out, SUITE, run.name)
    trials = list(group_trials(exchanges))
    scored = [_scores(trial) for trial in trials]
    if scenario == "tales":
        scored = [[Score("exact_match", 1.0, rule="most_likely_option", answer="time")]]
    with RequestsWriter(folder / REQUESTS) as requests:
        requests.write(exchanges)
    with ScoresWriter(folder / SCORES) as scores:
        for trial, own in zip(trials, scored, strict=True):
            scores.write_trial(trial, own)
    values = [s.value for own in scored for s in own if s.metric == "exact_match" and s.value is not None]
    mean = sum(values) / len(values)
    write_measures(
        folder, [Measure("exact_match", "accuracy", mean, len(values), "test", low=0.1, high=0.9, method="wilson")]
    )
    kept = manifest(
        SUITE,
        run,
        scenario=ScenarioSummary(
            name=scenario,
            title=scenario.title(),
            main_metric="exact_match",
            main_split="test",
            licence="MIT",
            redistribution="yes" if passed_on else "no",
        ),
        model=ModelSummary(name=f"lab/{model}", deployment=f"lab/{model}"),
        versions=Versions(metrics={"exact_match": "1", "max_prob": "1"}, perturbations={"mild_mix": "1"}),
        outcomes={Outcome.OK: 5, Outcome.TRUNCATED: 1},
        requests=len(exchanges),
        notes=("seed was left out",),
    )
    write_manifest(folder, kept)
    return open_run(folder)


def suite(out: Path, *, evil: bool = True) -> Library:
    """The suite below `out`, and a library over it."""
    _store(out, QUIZ, "quiz", "one", answers(evil), passed_on=True)
    _store(out, QUIZ, "quiz", "two", answers(False), passed_on=True)
    _store(out, OPEN, "tales", "one", _separate(), passed_on=False)
    return Library(out, builtin())


def folder(name: str, model: str) -> str:
    """The folder's name of a run of the suite."""
    return folder_name(f"{name}{model}")
