# The commands of this project; each makes what it needs in .venv first.
#   make demo    a table of the tasks, each truth beside a Monte Carlo of it, estimates, and pictures
#   make test    all tests
#   make check   what CI runs: lint, types, tests, docs, demo

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint types docs plain bench check format clean

demo: $(VENV)/.installed
	$(BIN)/mibench tasks --check -n 200000
	$(BIN)/mibench sample 1v1-bimodal-0.75 -n 1000 --seed 0 --force -o demo/sample
	$(BIN)/mibench estimate demo/sample -e "KSG()" -e "CCA()" -e "InfoNCE()"
	$(BIN)/mibench show 1v1-bimodal-0.75 -o demo/bimodal.png
	$(BIN)/mibench show spiral-multinormal-sparse-3-3-2-2.0 -o demo/spiral.png
	@echo "pictures and a sample are in $(CURDIR)/demo"

test: $(VENV)/.test
	$(BIN)/python -m pytest

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.lint $(VENV)/.test $(VENV)/.docs
	$(BIN)/pyright --warnings --pythonpath $(BIN)/python

docs: $(VENV)/.docs
	$(BIN)/sphinx-build -W -n --keep-going -q -b html docs docs/_build/html
	@echo "the documentation is in $(CURDIR)/docs/_build/html/index.html"

# REFERENCE is the Python of a virtual environment with the reference implementation, if there is one: docs/speed.md.
bench: $(VENV)/.bench
	$(BIN)/python benchmarks/speed.py $(if $(REFERENCE),--peer $(REFERENCE))
	$(BIN)/python benchmarks/estimators.py $(if $(REFERENCE),--reference $(REFERENCE))

# A plain `pip install .`, from a wheel and without any extra, gives the library and the command line.
plain: $(VENV)/.installed
	rm -rf $(VENV)/plain
	$(PYTHON) -m venv $(VENV)/plain
	$(VENV)/plain/bin/python -m pip install --quiet --disable-pip-version-check .
	cd $(VENV)/plain && bin/mibench tasks --group embedding && bin/python -c "import mibench as mi; mi.TASKS[0].draw(10, 0)"

check: lint types test docs demo plain

format: $(VENV)/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) docs/_build docs/_generated demo

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("mibench needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.installed
	$(PIP) --editable '.[test]'
	@touch $@

$(VENV)/.lint: $(VENV)/.installed
	$(PIP) --editable '.[lint]'
	@touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(PIP) --editable '.[bench]'
	@touch $@

$(VENV)/.docs: $(VENV)/.installed
	$(PIP) --editable '.[docs]'
	@touch $@
