"""`helm-create-plots`, without the browser that draws."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from holoscope.cli.helm_compat import helm_create_plots
from holoscope.report import images
from holoscope.report.figures import Figure
from report.evidence.runs import Made, measure, write


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> dict[Path, Figure]:
    """What would be drawn, by path."""
    found: dict[Path, Figure] = {}

    def keep(figures: Mapping[Path, Figure], **how: object) -> None:
        found.update(figures)

    monkeypatch.setattr(images, "write_images", keep)
    return found


def run(*words: str) -> int | str | None:
    with pytest.raises(SystemExit) as ended:
        helm_create_plots(words)
    return ended.value.code


def suite(out: Path) -> None:
    own = [measure("exact_match", "accuracy", 0.5), measure("ece_10_bin", "calibration", 0.1)]
    write(out, *(Made(model, "gsm", measures=own) for model in ("a", "b")))


def test_plots_go_into_the_suite_under_helms_names(
    tmp_path: Path, written: dict[Path, Figure], capsys: pytest.CaptureFixture[str]
) -> None:
    suite(tmp_path)
    assert run("-o", str(tmp_path), "--suite", "mine") == 0
    assert {path.parent for path in written} == {tmp_path / "runs" / "mine" / "plots"}
    assert {"accuracy_v_x.png", "model_ranking_all.png", "generic_summary.png"} <= {path.name for path in written}
    assert f"Written: {tmp_path / 'runs' / 'mine' / 'plots' / 'accuracy_v_x.png'}" in capsys.readouterr().out


def test_what_is_not_drawn_is_named_with_the_reason(
    tmp_path: Path, written: dict[Path, Figure], capsys: pytest.CaptureFixture[str]
) -> None:
    suite(tmp_path)
    run("-o", str(tmp_path), "--suite", "mine", "--plot-format", "pdf")
    said = capsys.readouterr().err.splitlines()
    assert "not drawn: copyright: no run of copyright" in said
    names = {path.stem for path in written} | {line.split(": ")[1] for line in said if line.startswith("not drawn")}
    assert len(names) == len(written) + sum(line.startswith("not drawn") for line in said)


def test_a_suite_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("-o", str(tmp_path), "--suite", "mine") == 2
    said = capsys.readouterr().err
    assert "no runs of suite 'mine'" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("words", [(), ("--suite", "mine", "--plot-format", "gif")])
def test_flags_are_helms(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words) == 2
    assert "helm-create-plots --help" in capsys.readouterr().err
