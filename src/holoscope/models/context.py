"""The user's files and environment as resolving a model's name sees them, each read once, when first needed."""

from dataclasses import dataclass
from functools import cached_property

from holoscope.core import Settings
from holoscope.models.addresses import is_private
from holoscope.models.aliases import alias_table
from holoscope.models.cards import CardList, load_cards
from holoscope.models.credentials import Credentials, load_credentials
from holoscope.models.deployments import Deployments, load_deployments
from holoscope.models.endpoint import Endpoint
from holoscope.models.hosts import HOSTS, Host, variable_of
from holoscope.models.keychain import kept_key
from holoscope.models.model import ModelCard
from holoscope.models.prices import PriceList, load_prices
from holoscope.models.tokenizers import Window
from holoscope.models.vocabularies import require_tokenizer, window_for


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

    @cached_property
    def cards(self) -> CardList:
        return load_cards(self.settings)

    def base_url(self, host: Host) -> str:
        """A host's address: the environment's, HELM's `<host>BaseUrl`, or its own."""
        named = self.settings.environ.get(host.url_variable, "").strip()
        written = self.credentials.text(f"{host.name}BaseUrl") or self.credentials.text(f"{host.name}Endpoint")
        return named or written or host.base_url

    def key_variables(self, host: str) -> tuple[str, ...]:
        """Environment variables that may hold a host's key."""
        return HOSTS[host].key_variables if host in HOSTS else (variable_of(host, "API_KEY"),)

    def can_ask(self, host: Host) -> bool:
        """True if there is a key for the host, or none is needed."""
        if host.local or not host.needs_key or is_private(self.base_url(host)):
            return True
        written = self.credentials.key(host.name, "", host.key_variables)
        return (written or kept_key((*host.key_variables, host.name), self.settings)) is not None

    def require_tokenizer(self, name: str) -> None:
        """Raise UsageError for a tokenizer typed by the user that can't be had, unless it is configured."""
        if name not in self.deployments.tokenizers:
            require_tokenizer(name, self.settings)

    def window(self, card: ModelCard, endpoint: Endpoint) -> Window:
        """The window of a served model, by the user's tokenizer configurations, or HELM's."""
        config = self.deployments.tokenizers.get(card.tokenizer)
        if config is None and card.tokenizer:
            config = alias_table().tokenizers.get(card.tokenizer)
        name, prefix = (config.source, config.prefix_token or "") if config else (card.tokenizer, "")
        return window_for(card, name, prefix, endpoint, self.settings)
