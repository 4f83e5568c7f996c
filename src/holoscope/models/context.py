"""The user's files and environment as resolving a model's name sees them, each read once, when first needed."""

from dataclasses import dataclass
from functools import cached_property

from holoscope.core import Settings
from holoscope.models.addresses import is_private
from holoscope.models.credentials import Credentials, load_credentials
from holoscope.models.deployments import Deployments, load_deployments
from holoscope.models.hosts import HOSTS, Host, variable_of
from holoscope.models.model import ModelCard
from holoscope.models.prices import PriceList, load_prices
from holoscope.models.tokenizers import Window, open_window


@dataclass(frozen=True)
class Context:
    """What is known of this user and machine."""

    settings: Settings

    @cached_property
    def deployments(self) -> Deployments:
        return load_deployments(self.settings)

    @cached_property
    def credentials(self) -> Credentials:
        return load_credentials(self.settings)

    @cached_property
    def prices(self) -> PriceList:
        return load_prices(self.settings)

    def base_url(self, host: Host) -> str:
        """A host's address: the environment's, HELM's `<host>BaseUrl`, or its own."""
        named = self.settings.environ.get(host.url_variable, "").strip()
        return named or self.credentials.text(f"{host.name}BaseUrl") or host.base_url

    def key_variables(self, host: str) -> tuple[str, ...]:
        """Environment variables that may hold a host's key."""
        return HOSTS[host].key_variables if host in HOSTS else (variable_of(host, "API_KEY"),)

    def can_ask(self, host: Host) -> bool:
        """True if there is a key for the host, or none is needed."""
        if host.local or is_private(self.base_url(host)):
            return True
        return self.credentials.key(host.name, "", host.key_variables) is not None

    def window(self, card: ModelCard) -> Window:
        """The window for a card, by the user's tokenizer configurations."""
        config = self.deployments.tokenizers.get(card.tokenizer)
        if config is None:
            return open_window(card.tokenizer, card.limits)
        return open_window(config.source, card.limits, prefix_token=config.prefix_token or "")
