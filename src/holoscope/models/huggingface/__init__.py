"""`transformers/PATH_OR_ID`: models of Hugging Face's transformers, computed in this process with torch.

Requests that wait at the same time are read together: what their prompts begin with in common is computed once, and the
rest in batches. The invariant: log-probabilities are those of one plain pass over each prompt (to 1e-4, which is what
the order of additions costs), whatever was asked before it or beside it. Code of a repository runs only if a flag names
it. Importing this package loads neither torch nor transformers.
"""

from holoscope.models.huggingface._model import TransformersModel, open_transformers
from holoscope.models.huggingface._options import PREFIX, TransformersOptions

__all__ = ["PREFIX", "TransformersModel", "TransformersOptions", "open_transformers"]
