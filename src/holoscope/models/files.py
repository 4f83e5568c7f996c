"""Reading the user's YAML: as UTF-8 wherever we run, and with errors that name the file."""

from pathlib import Path

from holoscope.core import ConfigError


def read_yaml(path: Path) -> dict[str, object]:
    """The mapping in a YAML file; empty if there is no such file."""
    if not path.is_file():
        return {}
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        tree = yaml.load(path.read_text(encoding="utf-8-sig"), Loader=loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"cannot read {path}: {' '.join(str(error).split())}") from None
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise ConfigError(f"{path}: expected names and values at the top, found a {type(tree).__name__}")
    return tree
