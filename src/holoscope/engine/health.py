"""Whether a model's endpoint answers at all, and when it may be asked next. A state machine without a clock.

One request that always fails says nothing about the endpoint; many different ones in a row do. So only first attempts
count as misses. After `MISSES` of them with no answer in between there is an outage: the works wait, without using up
their attempts, while one at a time goes out as a probe. Any answer ends it; a probe that fails after `outage_s` of
silence ends the model's part of the run. A server that says when to come back (Retry-After) is alive: if it says so
as often as there are connections, with no answer in between, nothing is sent to it until then; and if it goes on
saying so for `outage_s`, and for ten times as long as it said, the model is given up too.
"""

from holoscope.core import TransportError

MISSES = 10
_PROMISES = 10
"""How many waits of the length it named a server may let pass without an answer."""
_FIRST_PROBE_S, _LAST_PROBE_S = 1.0, 15.0


class Health:
    """What is known of one endpoint. Times are those of the event loop."""

    def __init__(self, outage_s: float, patience_s: float) -> None:
        self._outage_s, self._patience_s = outage_s, patience_s
        self.opens_at = 0.0
        """Nothing is sent before this."""
        self.outage = False
        """True: one request at a time, as a probe."""
        self._silent_since: float | None = None
        self._misses = self._put_offs = 0
        self._put_off_since = 0.0
        self._probe_s = _FIRST_PROBE_S

    def answered(self) -> None:
        """An answer came, be it a refusal of the request."""
        if self.outage:
            self.opens_at = 0.0
        self._put_offs = 0
        self._alive()

    def missed(self, error: TransportError, first: bool, sent: float, now: float, connections: int) -> str:
        """An attempt failed; the reason to give the model up, or nothing."""
        if error.retry_after is not None:
            return self._put_off(error.retry_after, now, connections)
        if self._silent_since is None:
            self._silent_since = sent
        self._misses += first
        if self._misses < MISSES or now < self.opens_at:
            return ""
        silence = now - self._silent_since
        if self.outage and silence >= self._outage_s:
            return f"no answer for {silence:.0f} s ({error})"
        self.outage = True
        self.opens_at = now + self._probe_s
        self._probe_s = min(2 * self._probe_s, _LAST_PROBE_S)
        return ""

    def _put_off(self, retry_after: float, now: float, connections: int) -> str:
        self._alive()
        self._put_offs += 1
        if self._put_offs == 1:
            self._put_off_since = now
        if self._put_offs >= connections:
            self.opens_at = max(self.opens_at, now + retry_after)
        if retry_after > self._patience_s:
            return f"asks to be left alone for {retry_after:.0f} s; run the same command after that"
        waited = now - self._put_off_since
        broken = waited >= max(self._outage_s, _PROMISES * retry_after)
        return f"puts every request off, for {waited:.0f} s now" if broken else ""

    def _alive(self) -> None:
        self.outage = False
        self._misses = 0
        self._silent_since = None
        self._probe_s = _FIRST_PROBE_S
