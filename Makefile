# Each target works as the first command on a machine with Python 3.11 or newer and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Nobody who tries this out needs to hear that pip has a newer version, or who runs it.
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

.PHONY: demo test lint bench notebooks docs clean

demo: $(VENV)/demo.stamp
	@echo "gridproof verify examples/*.txt    (two of the lines are malformed on purpose)"
	@echo
	@# 2 is the exit code for malformed input
	@$(BIN)/gridproof verify examples/*.txt || test $$? -eq 2
	@echo
	@echo "Try next:"
	@echo "    source $(BIN)/activate"
	@echo "    gridproof explain examples/no-solution.txt"
	@echo "    gridproof solve $$(tail -n 1 examples/two-solutions.txt)"
	@echo "    gridproof --help"

test: $(VENV)/test.stamp
	$(BIN)/python -m pytest

lint: $(VENV)/lint.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/bench.stamp
	$(BIN)/python -m benchmarks

notebooks: $(VENV)/test.stamp
	$(BIN)/python notebooks/execute.py

# The API pages, made from the docstrings, in site/; docs/rules.md and its pictures from what the kinds of rules say.
ROOMS = $(subst /,.,$(patsubst src/%,%,$(patsubst %/__init__.py,%,$(wildcard src/gridproof/*/__init__.py)))) \
	$(subst /,.,$(patsubst src/%.py,%,$(wildcard src/gridproof/[a-z]*.py)))

docs: $(VENV)/docs.stamp
	$(BIN)/python docs/make_rules.py
	$(BIN)/python -m pdoc --docformat numpy --output-directory site $(ROOMS)

# An extra's stamp is newer than the project file it was installed from; what it needs may be installed already.
$(VENV)/demo.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/%.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[$*]"
	touch $@

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "gridproof needs Python 3.11 or newer; say make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

clean:
	rm -rf $(VENV) site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
