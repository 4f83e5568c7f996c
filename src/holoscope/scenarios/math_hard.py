"""MATH's hardest level, asked for a worked solution as the Open LLM Leaderboard asks it.

Its four examples are problems of MATH itself, whose rows were taken down, so they are drawn from the user's own copy of
the training rows; the prompt around them and the reading of the answer are the same.
"""

from typing import Literal

from holoscope.core import AdapterSpec, Registry, ScenarioSpec, Task
from holoscope.scenarios.adapters import metrics
from holoscope.scenarios.competition_math import Subject


def math_hard(subject: Subject) -> Task:
    level: Literal[5] = 5
    return Task(
        name=f"math_hard:subject={subject}",
        scenario=ScenarioSpec(
            "math",
            {"subject": subject, "level": level, "use_official_examples": False, "use_chain_of_thought": True},
        ),
        adapter=AdapterSpec(
            input_prefix="Problem:\n",
            input_suffix="\n\n",
            output_prefix="Solution: ",
            output_suffix="\n",
            max_train_instances=4,
            num_outputs=1,
            max_tokens=1024,
            temperature=0.0,
            stop_sequences=("Problem:",),
        ),
        metrics=metrics("math_equiv_chain_of_thought"),
        groups=("math_hard", f"math_hard_{subject}"),
    )


def register(registry: Registry) -> None:
    registry.task("math_hard")(math_hard)
