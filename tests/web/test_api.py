from typing import Any

import msgspec
import pytest
from fastapi import FastAPI

from holoscope.report import cells_json
from holoscope.report.library import Library
from holoscope.store import REQUESTS, read_exchanges
from web.asking import ask
from web.made import OPEN, QUIZ, folder

ONE, TWO, TALES = folder(QUIZ, "one"), folder(QUIZ, "two"), folder(OPEN, "one")


def encoded(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


RUN = f"/api/suites/mine/runs/{ONE}"


def test_suites_are_listed(app: FastAPI) -> None:
    (found,) = ask(app, "/api/suites").json["suites"]
    assert (found["name"], found["runs"], found["models"]) == ("mine", 3, ["lab/one", "lab/two"])


def test_a_suite_lists_its_runs(app: FastAPI) -> None:
    found = ask(app, "/api/suites/mine").json
    assert sorted(run["folder"] for run in found["runs"]) == sorted([ONE, TWO, TALES])


def test_cells_are_those_of_the_grid(app: FastAPI, library: Library) -> None:
    assert ask(app, "/api/suites/mine/cells").json == msgspec.json.decode(cells_json(library.suite("mine").grid))


def test_cells_can_be_narrowed(app: FastAPI) -> None:
    found = ask(app, "/api/suites/mine/cells?axis=accuracy&model=lab/one&headlines=true").json["cells"]
    assert [(cell["axis"], cell["model"], cell["scenario"]) for cell in found] == [
        ("accuracy", "lab/one", "quiz"),
        ("accuracy", "lab/one", "tales"),
    ]


def test_a_run_gives_its_manifest(app: FastAPI) -> None:
    found = ask(app, RUN).json
    assert found["manifest"]["spec"]["name"] == "quiz:model=one"
    assert found["progress"] is None


def test_a_run_can_be_named_by_its_mark(app: FastAPI) -> None:
    assert ask(app, f"/api/suites/mine/runs/{ONE[-12:]}").json["folder"] == ONE


def test_instances_come_a_page_at_a_time(app: FastAPI) -> None:
    found = ask(app, "/api/suites/mine/instances?limit=2&offset=1&score=wrong").json
    assert (found["total"], found["offset"]) == (4, 1)
    assert [each["trial_of"]["instance_id"] for each in found["instances"]] == ["id1", "id0"]
    assert [each["folder"] for each in found["instances"]] == [ONE, TWO]


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=1000", "offset=-1", "low=inf", "score=x", "text=" + 1001 * "x", "sort=up"]
)
def test_a_parameter_out_of_range_is_refused(app: FastAPI, query: str) -> None:
    assert ask(app, f"/api/suites/mine/instances?{query}").status == 422


def test_a_pattern_that_cannot_be_read_is_one_line(app: FastAPI) -> None:
    reply = ask(app, "/api/suites/mine/instances?regex=true&text=(")
    assert reply.status == 400
    assert reply.json["detail"].startswith("cannot read the pattern '('")


def test_an_instance_is_whole(app: FastAPI, library: Library) -> None:
    found = ask(app, f"{RUN}/instances/id0").json
    stored = [e for e in read_exchanges(library.run("mine", ONE).path / REQUESTS) if e.planned.instance.id == "id0"]
    assert [t["instance"]["input"] for t in found["trials"]] == [e.planned.instance.input for e in stored]
    assert found["trials"][0]["exchanges"][0]["completion"] == encoded(stored[0].completion)
    assert [s["metric"] for s in found["trials"][1]["scores"]] == ["exact_match", "max_prob"]


def test_an_instance_may_have_a_slash_in_its_name(app: FastAPI) -> None:
    found = ask(app, f"/api/suites/mine/runs/{TALES}/instances/t%2F0").json
    assert found["instance_id"] == "t/0"


def test_a_comparison_is_that_of_the_command_line(app: FastAPI) -> None:
    found = ask(app, "/api/suites/mine/comparison?a=lab/one&b=lab/two").json
    assert (found["a"], found["b"], len(found["pairs"])) == ("lab/one", "lab/two", 1)


def test_a_comparison_follows_its_suite(own: FastAPI) -> None:
    address = f"/api/suites/mine/comparison?a={ONE}&b={TWO}"
    before = ask(own, address).json
    library: Library = own.state.holoscope.library
    path = library.run("mine", ONE).path / "run.json"
    path.write_bytes(path.read_bytes().replace(b'"seed": 0', b'"seed": 7'))
    after = ask(own, address).json
    assert before["pairs"][0]["warnings"] == []
    assert after["pairs"][0]["warnings"] == ["other seed: 7 and 0"]


@pytest.mark.parametrize(
    "address",
    [
        "/api/suites/x",
        "/api/suites/mine/runs/x",
        f"{RUN}/instances/x",
        f"{RUN}/progress",
        "/api/suites/mine/annotations?folder=x",
    ],
)
def test_what_is_not_there_is_said_in_a_line(app: FastAPI, address: str) -> None:
    reply = ask(app, address)
    assert reply.status == 404
    assert "\n" not in reply.json["detail"]


def test_the_document_names_no_other_server(app: FastAPI) -> None:
    document = ask(app, "/api/openapi.json")
    assert b"http://" not in document.body.replace(b"http://json-schema.org", b"")
    assert document.json["openapi"].startswith("3.")


def test_a_damaged_run_hides_no_other(own: FastAPI) -> None:
    library: Library = own.state.holoscope.library
    path = library.run("mine", ONE).path / "scores.parquet"
    path.write_bytes(path.read_bytes()[:-200])
    found = ask(own, "/api/suites/mine/instances").json
    assert {each["folder"] for each in found["instances"]} == {TWO, TALES}
    assert ONE in found["warnings"][0]
    assert ask(own, f"/s/mine/run/{ONE}/instance/id0").status == 409
