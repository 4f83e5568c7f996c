"""schemathesis asks whatever the OpenAPI document allows: no 500, and every answer as the document says."""

import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from holoscope.web import create_app
from web.made import QUIZ, SUITE, folder, suite

KNOWN = {"suite": SUITE, "folder": folder(QUIZ, "one"), "instance_id": "id0"}


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Any:
    import schemathesis

    out: Path = tmp_path_factory.mktemp("schema")
    return schemathesis.openapi.from_asgi("/api/openapi.json", create_app(suite(out), hosts=["testserver"]))


@pytest.mark.parametrize("names_are_known", [True, False])
@pytest.mark.filterwarnings("default")
def test_whatever_is_asked_is_answered_as_the_document_says(schema: Any, names_are_known: bool) -> None:
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 10
    for operation in operations:
        _try(operation, names_are_known)


def _try(operation: Any, names_are_known: bool) -> None:
    from schemathesis.checks import CHECKS

    checks = CHECKS.get_by_names(["not_a_server_error", "response_schema_conformance"])
    quiet = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

    @settings(max_examples=15, deadline=None, database=None, derandomize=True, suppress_health_check=quiet)
    @given(case=operation.as_strategy())
    def run(case: Any) -> None:
        if names_are_known:
            for name in case.path_parameters or {}:
                case.path_parameters[name] = KNOWN[name]
            if isinstance(case.body, dict) and "instance_id" in case.body:
                case.body["instance_id"] = KNOWN["instance_id"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            case.validate_response(case.call(), checks=checks)

    run()
