"""Holistic evaluation of language models: many scenarios, seven axes, every cell a value with its uncertainty.

    entries -> specs -> scenarios -> perturbations -> prompts -> engine (models, ledger) -> metrics -> store
            -> statistics -> report

Each word is a folder, and each folder imports only from those before it (`tests/test_imports.py` holds the table).
"""

__version__ = "0.1.0"
