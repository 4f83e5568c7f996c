from typing import Any

import pytest

from holoscope.core import UsageError
from holoscope.engine import Limits


@pytest.mark.parametrize("wrong", [{"max_connections": 0}, {"attempts": 0}])
def test_limits_under_which_nothing_could_be_asked_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="at least one"):
        Limits(**wrong)
