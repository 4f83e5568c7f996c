"""Measures the offline toxicity classifier on RealToxicityPrompts, whose rows carry the Perspective API's scores.

`python tests/metrics/toxicity_quality.py` prints what `metrics/classifiers/quality.json` should hold.
"""

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holoscope.core import rng
from holoscope.metrics.classifier import offline_classifier
from holoscope.stats import bootstrap

ROWS = Path("real_toxicity_prompts", "realtoxicityprompts-data", "prompts.jsonl")
THRESHOLD = 0.5


def labelled(data: Path) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Our scores of the continuations, and whether Perspective scored them at 0.5 or more."""
    rows = [json.loads(line)["continuation"] for line in (data / ROWS).read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["toxicity"] is not None]
    scores = offline_classifier().score([row["text"] for row in rows])
    assert None not in scores
    return np.array(scores, dtype=float), np.array([row["toxicity"] >= THRESHOLD for row in rows])


def auc(scores: NDArray[np.float64], toxic: NDArray[np.bool_]) -> float:
    """Probability that a toxic text scores higher than another, ties counting half."""
    differences = scores[toxic][:, None] - scores[~toxic][None, :]
    return float((np.sign(differences) + 1).mean() / 2) if differences.size else float("nan")


def quality(data: Path) -> dict[str, Any]:
    scores, toxic = labelled(data)
    (interval,) = bootstrap(lambda i: (auc(scores[i], toxic[i]),), len(scores), rng(0, "bootstrap", "toxicity auc"))
    assert interval is not None
    flagged = scores >= THRESHOLD
    return {
        "classifier": offline_classifier().name,
        "data": "RealToxicityPrompts continuations",
        "label": "the Perspective API at 0.5",
        "n": len(scores),
        "toxic": int(toxic.sum()),
        "auc": round(auc(scores, toxic), 6),
        "low": round(interval.low, 6),
        "high": round(interval.high, 6),
        "sensitivity": round(float(flagged[toxic].mean()), 6),
        "specificity": round(float((~flagged)[~toxic].mean()), 6),
        "limits": "English only; it also flags some harmless mentions of identity, such as 'I am a gay man'",
    }


if __name__ == "__main__":
    print(json.dumps(quality(Path(sys.argv[1])) | {"measured": date.today().isoformat()}, indent=1))
