"""Rows of the hub's data sets in the one form in which it offers all of them: Parquet, by configuration and split.

The hub converts every data set that it can read, whatever files its owner keeps, and serves the result beside it; the
address follows the owner's newest rows, so it is used where no file of a fixed revision is known.
"""

from urllib.parse import quote

from holoscope.core import Source

_HUB = "https://huggingface.co/datasets"


def converted(dataset: str, config: str, *splits: str, optional: tuple[str, ...] = ()) -> tuple[Source, ...]:
    """The files of a data set's configuration, one a split, as `path_of` calls them."""
    base = f"{_HUB}/{dataset}/resolve/refs%2Fconvert%2Fparquet"
    return tuple(
        Source(
            path=path_of(config, split),
            url=f"{base}/{quote(config)}/{split}/0000.parquet",
            optional=split in optional,
        )
        for split in splits
    )


def path_of(config: str, split: str) -> str:
    """Where a split lies in the data directory."""
    return f"{config}/{split}/0000.parquet"
