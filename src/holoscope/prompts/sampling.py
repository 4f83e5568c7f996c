"""Which evaluation instances are asked.

The sample of size k is the beginning of one permutation of the rows, so a larger sample contains every smaller one:
`-m 100` after `-m 20` pays for 80. The permutation depends on the seed and the number of rows alone, and so is the same
for every model. Seed 0 is HELM's permutation.
"""

from collections.abc import Sequence

from holoscope.core import EVAL_SPLITS, AdapterSpec, DataError, Instance


def choose_eval(
    instances: Sequence[Instance], adapter: AdapterSpec, *, compat: bool, main_split: str, seed: int
) -> list[Instance]:
    """The evaluation instances of a run: all rows of the asked splits in file order, or a sample of them.

    Under `compat`, validation and test rows share one budget, and the adapter's splits count only where there is a
    budget, as in HELM. Else only the main split is asked, unless the adapter names others.
    """
    limit = adapter.max_eval_instances
    if compat:
        splits, seed = (adapter.eval_splits if limit is not None else None) or EVAL_SPLITS, 0
    else:
        splits = adapter.eval_splits or (main_split,)
    asked = [instance for instance in instances if instance.split in splits]
    if not asked and not compat:
        raise _nothing_to_ask(instances, splits)
    if limit is None or len(asked) <= limit:
        return asked
    return [asked[position] for position in _permutation(len(asked), seed)[:limit]]


def _permutation(size: int, seed: int) -> list[int]:
    import numpy

    order: list[int] = numpy.random.RandomState(seed).permutation(size).tolist()
    return order


def _nothing_to_ask(instances: Sequence[Instance], splits: Sequence[str]) -> DataError:
    counts = {split: sum(i.split == split for i in instances) for split in EVAL_SPLITS}
    there = ", ".join(f"{split} ({count} rows)" for split, count in counts.items() if count)
    hint = f"; there are {there}: add eval_split={next(s for s in EVAL_SPLITS if counts[s])}" if there else ""
    return DataError(f"no rows in split {' or '.join(splits)}{hint}")
