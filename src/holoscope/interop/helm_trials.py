"""HELM's `per_instance_stats.json` as a table: a row for each trial, a column for each statistic.

HELM writes an object for each metric class and instance, and in it nine numbers for each statistic, all of which follow
from one. Only that one is kept, in an array for each statistic, so that a run of 50,000 trials takes a few megabytes
however many statistics it has. What the request states say of a trial (how it ended, whether its tokens had
log-probabilities) is added as they pass by.
"""

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from holoscope.core import (
    TEST,
    Choice,
    Completion,
    Exchange,
    Instance,
    Outcome,
    Params,
    PerturbationDescription,
    PlannedRequest,
    Request,
    Score,
    StoreError,
    Trial,
    canonical,
)
from holoscope.interop.helm_import import perturbation
from holoscope.interop.helm_json import read_list

PER_INSTANCE = "per_instance_stats.json"
NO_LOGPROBS = "the model gave no log-probability, where HELM writes 0"

OF_LOGPROBS = frozenset({"max_prob", "logprob", "perplexity", "bits_per_byte", "logprob_per_byte"})
"""Statistics that mean nothing where HELM wrote 0 for a log-probability that it didn't have."""
DESCRIBING = frozenset(
    {
        *("num_references", "num_train_trials", "num_output_tokens", "num_train_instances", "prompt_truncated"),
        *("training_co2_cost", "training_energy_cost", "batch_size", "num_instances", "num_completions"),
        *(f"finish_reason_{reason}" for reason in ("length", "stop", "endoftext", "unknown")),
        *("num_requests", "num_prompt_characters", "estimated_num_tokens_cost", "max_num_output_tokens"),
        *("inference_idealized_runtime", "inference_denoised_runtime", "num_echoed_tokens"),
    }
)
"""Statistics that tell of a run without being good or bad: of the whole run only, not of each trial."""
_RENAMED = {"inference_runtime": "request_time"}
_ECHOED = {"num_completion_tokens": "num_echoed_tokens"}
"""Where a prompt is only scored, HELM counts its tokens as completed."""
PROMPT_PER_REQUEST = "num_prompt_tokens_per_request"
"""Where options are asked for one by one, HELM's prompt tokens are a mean over requests, and ours a sum."""
_ONE_BY_ONE = ("multiple_choice_separate", "ranking")
_SCORING = ("multiple_choice_separate", "language_modeling")
"""Methods that ask for each option by itself, and that have prompts scored."""
_UNKNOWN = math.nan
_SILENT = Request(Params(), prompt="")

Key = tuple[str, bytes, int]


class Trials:
    """The trials of a run and their statistics; grows as files are read."""

    def __init__(self, method: str = "") -> None:
        self._renamed = _RENAMED | (_ECHOED if method.startswith(_SCORING) else {})
        if method.startswith(_ONE_BY_ONE):
            self._renamed["num_prompt_tokens"] = PROMPT_PER_REQUEST
        self._rows: dict[Key, int] = {}
        self._trials: list[Trial] = []
        self._columns: dict[str, array[float]] = {}
        self._planned: dict[int, None] = {}
        self._perturbations: dict[bytes, PerturbationDescription | None] = {}
        self._any_logprob = False

    def __len__(self) -> int:
        return len(self._trials)

    @property
    def names(self) -> list[str]:
        """The statistics that are kept for each trial."""
        return list(self._columns)

    @property
    def has_logprobs(self) -> bool:
        """False if every log-probability is 0, which is how HELM writes that there was none."""
        return self._any_logprob or "logprob" not in self._columns

    def name(self, statistic: str) -> str:
        """Our name for a statistic of HELM."""
        return self._renamed.get(statistic, statistic)

    def add(self, given: dict[str, Any]) -> None:
        """Keep the statistics of one element of the file."""
        stats = given["stats"]
        place = stats[0]["name"] if stats else {}
        described = perturbation(given.get("perturbation"))
        index = self._index(
            Instance(
                id=str(given["instance_id"]),
                input="",
                split=place.get("split") or TEST,
                sub_split=place.get("sub_split"),
                perturbation=described,
            ),
            int(given.get("train_trial_index") or 0),
        )
        for stat in stats:
            name = self.name(stat["name"]["name"])
            if stat["count"] and name not in DESCRIBING:
                self._set(index, name, stat["sum"] / stat["count"])

    def see(self, exchange: Exchange) -> None:
        """Keep how a request ended, and its trial's place in the plan."""
        planned, completion = exchange.planned, exchange.completion
        index = self._index(planned.instance, planned.train_trial_index)
        first = index not in self._planned
        self._planned[index] = None
        known = self._trials[index].exchanges[0].completion
        if first or (known.outcome is Outcome.OK and completion.outcome is not Outcome.OK):
            bare = replace(self._trials[index].instance, cluster=planned.instance.cluster)
            self._trials[index] = Trial(bare, (_light(exchange),), planned.train_trial_index)

    def with_prompt_tokens(self, exchange: Exchange) -> Exchange:
        """The exchange with the length of its prompt, which HELM keeps as a statistic, where it is of one request."""
        planned = exchange.planned
        index = self._rows.get(self._key(planned.instance, planned.train_trial_index))
        count = None if index is None else self._value("num_prompt_tokens", index)
        if count is None:
            return exchange
        return replace(exchange, planned=replace(planned, num_prompt_tokens=round(count)))

    @property
    def instances(self) -> int:
        """Evaluation instances, perturbed ones not counted."""
        return len({trial.instance.id for trial in self._trials if trial.instance.perturbation is None})

    def in_plan_order(self) -> list[int]:
        """The rows as the requests were planned; those without a request behind them."""
        return [*self._planned, *(index for index in range(len(self)) if index not in self._planned)]

    def trial(self, index: int) -> Trial:
        return self._trials[index]

    def values(self, name: str) -> set[float]:
        """The different values of a statistic."""
        return {value for value in self._columns.get(name, ()) if not math.isnan(value)}

    def scored(self, names: Sequence[str], version: str) -> tuple[list[Trial], list[list[Score]]]:
        """The trials that have any of these statistics, or ended without an answer, each with its scores."""
        trials, scores = [], []
        for index in self.in_plan_order():
            own = list(self.scores(index, names, version))
            if own:
                trials.append(self._trials[index])
                scores.append(own)
        return trials, scores

    def scores(self, index: int, names: Iterable[str], version: str) -> Iterator[Score]:
        """The scores of one trial."""
        failure, without = self._trials[index].failure, () if self.has_logprobs else OF_LOGPROBS
        for name in names:
            value = self._value(name, index)
            if value is None:
                if failure is not None:
                    ended = failure.completion
                    yield Score(name, None, ended.outcome, ended.reason, version=version)
            elif name in without:
                yield Score(name, None, Outcome.NOT_SUPPORTED, NO_LOGPROBS, version=version)
            else:
                yield Score(name, value, version=version)

    def _index(self, instance: Instance, train_trial: int) -> int:
        key = self._key(instance, train_trial)
        if key not in self._rows:
            described = self._perturbations.setdefault(key[1], instance.perturbation)
            bare = Instance(
                id=instance.id, input="", split=instance.split, sub_split=instance.sub_split, perturbation=described
            )
            self._rows[key] = len(self._trials)
            exchange = Exchange(PlannedRequest(instance=bare, request=_SILENT), _NOT_KEPT)
            self._trials.append(Trial(bare, (exchange,), train_trial))
            for column in self._columns.values():
                column.append(_UNKNOWN)
        return self._rows[key]

    def _key(self, instance: Instance, train_trial: int) -> Key:
        return instance.id, canonical(instance.perturbation), train_trial

    def _set(self, index: int, name: str, value: float) -> None:
        if name not in self._columns:
            self._columns[name] = array("d", [_UNKNOWN]) * len(self._trials)
        if math.isnan(self._columns[name][index]):  # several of HELM's metrics may state the same
            self._columns[name][index] = value
        if name == "logprob" and value < 0:
            self._any_logprob = True

    def _value(self, name: str, index: int) -> float | None:
        value = self._columns[name][index] if name in self._columns else _UNKNOWN
        return None if math.isnan(value) else value


def read_trials(folder: Path, method: str = "") -> Trials:
    """The table of a run folder; StoreError where its file is damaged. `method` is the run's adapter's."""
    path = folder / PER_INSTANCE
    found = Trials(method)
    for element in read_list(path):
        try:
            found.add(element)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StoreError(f"cannot read {path}: not as HELM writes it ({error!r})") from error
    return found


_NOT_KEPT = Completion(Outcome.OK)
"""Of a trial without a request state: HELM gave it statistics, so it was answered."""


def _light(exchange: Exchange) -> Exchange:
    """What a measure reads of an exchange, without its texts."""
    planned, completion = exchange.planned, exchange.completion
    choices = tuple(Choice("", choice.logprob) for choice in completion.choices)
    return Exchange(
        PlannedRequest(
            instance=Instance(id=planned.instance.id, input=""),
            request=_SILENT,
            reference_index=planned.reference_index,
        ),
        Completion(completion.outcome, choices, reason=completion.reason),
    )
