"""A few rows of benchmarks with images, made up, in the layout in which upstream publishes them."""

import base64
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

from holoscope.core import Json
from scenarios.upstream import write_json

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
"""One pixel."""
JPEG = b"\xff\xd8\xff\xe0" + b"\0" * 16


def write_parquet(path: Path, rows: list[dict[str, object]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path)


def mmmu_row(number: int, question: str, options: str, answer: str, kind: str, images: int) -> dict[str, object]:
    cells = {
        f"image_{n}": {"bytes": PNG + bytes([number, n]), "path": f"{n}.png"} if n <= images else None
        for n in range(1, 8)
    }
    row = {"id": f"validation_Art_{number}", "question": question, "options": options, "answer": answer}
    return {**row, "question_type": kind, "subfield": "Drawing", **cells}


def mmmu(root: Path) -> None:
    rows = [
        mmmu_row(1, "Who drew <image 1> and <image 2>?", "['Dürer', \"Rubens' son\"]", "B", "multiple-choice", 2),
        mmmu_row(2, "Which is <image 1> mirrored?", "['<image 2>', '<image 3>']", "A", "multiple-choice", 3),
        mmmu_row(3, "What year is on <image 1>?", "[]", "1514", "open", 1),
        mmmu_row(4, "How many in <image 1>? See <image 3>", "[]", "['4', 'four']", "open", 1),
    ]
    write_parquet(root / "mmmu/Art/validation-00000-of-00001.parquet", rows)


def math_vista_row(pid: str, kind: str, grade: str, answer: str, unit: str | None) -> dict[str, object]:
    return {
        "pid": pid,
        "question": f"How much is {pid}?",
        "image": f"images/{pid}.jpg",
        "decoded_image": {"bytes": JPEG + pid.encode(), "path": None},
        "choices": ["3", "4"] if kind == "multi_choice" else None,
        "unit": unit,
        "answer": answer,
        "question_type": kind,
        "metadata": {"grade": grade, "task": "geometry"},
    }


def math_vista(root: Path) -> None:
    rows = [
        math_vista_row("1", "multi_choice", "high school", "4", None),
        math_vista_row("2", "free_form", "high school", "1.5", "cm"),
        math_vista_row("3", "free_form", "high school", "7", None),
        math_vista_row("4", "free_form", "daily life", "9", None),
    ]
    write_parquet(root / "math_vista/data/testmini-00000-of-00001-725687bf7a18d64b.parquet", rows)


def vqa(root: Path) -> None:
    questions: list[Json] = [
        {"image_id": 42, "question": "What is it?", "question_id": 42000},
        {"image_id": 7, "question": "How many?", "question_id": 7000},
    ]
    said = {42000: ["net", "net", "fence"], 7000: ["2", "2", "3"]}
    answers: list[Json] = [
        {
            "image_id": number // 1000,
            "question_id": number,
            "answer_type": "other",
            "answers": [{"answer": answer, "answer_id": n} for n, answer in enumerate(given, 1)],
        }
        for number, given in said.items()
    ]
    write_json(root / "vqa/v2_OpenEnded_mscoco_val2014_questions.json", {"questions": questions})
    write_json(root / "vqa/v2_mscoco_val2014_annotations.json", {"annotations": answers})
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as zipped:
        zipped.writestr("val2014/COCO_val2014_000000000042.jpg", JPEG + b"42")
    (root / "vqa/val2014.zip").write_bytes(packed.getvalue())


PICTURED: dict[str, Callable[[Path], None]] = {"mmmu": mmmu, "math_vista": math_vista, "vqa": vqa}
