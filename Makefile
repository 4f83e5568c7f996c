# One target per chore. `make quickstart` and `make test` do all set-up on a machine with Python 3.11 or newer.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
CORE_TESTS := -m "not heavy and not soak"

.PHONY: quickstart test test-core test-heavy soak lint types format doctest clean help

help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:/' | column -t -s:

$(VENV)/ready: pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) not found; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -c constraints.txt -e ".[local,math,text,web]"
	@touch $@

$(VENV)/dev-ready: $(VENV)/ready
	$(PIP) install -c constraints.txt -e ".[figures,local,math,providers,sandbox,text,tokenizers,web,dev]"
	@touch $@

quickstart: $(VENV)/ready   ## environment, model weights, and the main job on a real model
	$(BIN)/holoscope models pull local/smollm2-135m-instruct
	$(BIN)/holoscope quickstart

test: $(VENV)/dev-ready lint types   ## all that CI runs: lint, types, tests
	$(BIN)/holoscope models pull local/smollm2-135m-instruct
	$(BIN)/python -m pytest $(CORE_TESTS) -n 2 --dist loadfile

test-core: $(VENV)/dev-ready   ## tests without a model
	$(BIN)/python -m pytest -m "not heavy and not soak and not model"

$(VENV)/heavy-ready: $(VENV)/dev-ready
	$(PIP) install torch==2.13.0
	$(PIP) install -c constraints.txt -e ".[transformers]"
	@touch $@

test-heavy: $(VENV)/heavy-ready   ## tests against torch, Ray, PostgreSQL or another harness
	$(BIN)/python -m pytest -m heavy

soak: $(VENV)/dev-ready   ## long runs: kill -9 twenty times
	$(BIN)/python -m pytest -m soak -s

lint: $(VENV)/dev-ready
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks

types: $(VENV)/dev-ready
	$(BIN)/mypy

format: $(VENV)/dev-ready   ## rewrite the code in the house format
	$(BIN)/ruff check --fix src tests benchmarks
	$(BIN)/ruff format src tests benchmarks

clean:           ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
