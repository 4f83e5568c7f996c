import csv
import io
import json

from holoscope.report import grid, to_csv, to_markdown
from report.grids import measures, registry, run, whole_grid


def test_csv_has_a_line_per_cell_under_the_names_of_the_json() -> None:
    made = whole_grid()
    rows = list(csv.DictReader(io.StringIO(to_csv(made))))
    assert len(rows) == len(made.cells)
    assert (rows[0]["scenario"], rows[0]["value"], rows[0]["low"]) == ("mmlu", "0.62", "0.51")


def test_csv_leaves_unknown_values_empty_and_writes_outcomes_as_json() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(whole_grid()))))
    empty = next(row for row in rows if row["axis"] == "fairness")
    assert (empty["value"], empty["low"]) == ("", "")
    assert json.loads(rows[0]["outcomes"]) == {"ok": 20}


def test_markdown_makes_hostile_names_harmless() -> None:
    name = "<script>|*x*"
    text = to_markdown(grid([run("gsm", "exact_match", name)], registry(), lambda _: measures("exact_match")))
    assert "\\<script\\>\\|\\*x\\*" in text
    assert len({line.count(" | ") for line in text.splitlines() if line.startswith("| ")}) == 1
