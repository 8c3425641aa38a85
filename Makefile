# make demo     a network learns backgammon for two or three minutes, then the shipped one shows its opening plays
# make test     all tests that take seconds
# make lint     style and types
# make check    everything that takes minutes: long comparisons, strength and speed beside other programs
#
# Each makes the environment first if it is missing or out of date. Variables: PYTHON (3.11 or newer), VENV, MODEL.

PYTHON ?= python3
VENV ?= .venv
MODEL ?= $(lastword $(sort $(wildcard models/[0-9]*)))

BIN := $(VENV)/bin
READY := $(VENV)/.ready
PEERS := $(VENV)/.peers
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
START := 4HPwATDgc/ABMA
OPENING := 31 42 53 61 64 65 21 41 51 32 43 54 52 62 63

.DEFAULT_GOAL := help
.PHONY: help demo test lint check strength speed curve env clean

help:
	@sed -n '/^# make/s/^# //p' Makefile

demo: $(READY)
	@$(BIN)/bgai train configs/demo.toml --out runs/demo-$$(date +%Y%m%d-%H%M%S)
	@echo && echo "The network that comes with bgai, asked about 3-1, then about every opening roll:"
	@$(BIN)/bgai move $(START) 31 --top 3
	@for roll in $(OPENING); do echo $(START) $$roll; done | $(BIN)/bgai move --file -

# Tests on a cluster run by themselves: Ray ends the whole process when it has lost the machine it runs on.
test: $(READY)
	$(BIN)/pytest --ignore=tests/test_cluster.py
	$(BIN)/pytest --capture=sys --verbose tests/test_cluster.py

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

check: $(READY) $(PEERS)
	$(BIN)/pytest -m check
	$(MAKE) strength speed curve

strength: $(READY) $(PEERS)
	$(BIN)/python benchmarks/strength.py $(MODEL) --bench

speed: $(READY) $(PEERS)
	$(BIN)/python benchmarks/speed.py $(MODEL)

curve: $(READY) $(PEERS)
	$(BIN)/python benchmarks/curve.py $(MODEL)

env: $(READY)

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "bgai needs Python 3.11 or newer, $(PYTHON) is $$($(PYTHON) --version 2>&1 | head -n 1)." \
	         "Name another: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(READY): requirements/dev.txt pyproject.toml | $(BIN)/python
	@echo "Installing what bgai needs into $(VENV): some minutes the first time."
	@$(PIP) install -r requirements/dev.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(PEERS): requirements/peers.txt $(READY)
	@$(PIP) install -r $<
	@touch $@
