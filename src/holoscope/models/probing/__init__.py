"""Asks a model what it can do: a dozen short questions through the same door as every other request.

So all wire formats are probed alike, and what is found is what a run would meet. What the card says is no reason not to
ask: an endpoint is asked under the options that allow everything, since a wrong assumption is what a probe is for. Each
question costs a few tokens, and what it costs is counted. A question whose way failed leaves its finding unknown; only
the first one, where nobody answers at all, ends the probe. Nothing is kept: what an endpoint can do today is for the
user to write down, by options of the model's name or in their list of cards, and a probe gives the words for both.
"""

from holoscope.models.probing.findings import Finding, Probe
from holoscope.models.probing.probe import probe

__all__ = ["Finding", "Probe", "probe"]
