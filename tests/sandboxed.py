"""A mark that skips, saying so, where model-written code can't be run: namespaces are off, or bubblewrap is absent."""

import pytest

from holoscope.sandbox import Sandbox

SANDBOX = Sandbox()

needs_sandbox = pytest.mark.skipif(not SANDBOX.is_safe, reason=SANDBOX.reason or "no sandbox")
