# Each target works as the first command on a machine with Python 3.11 or newer and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Each core takes tests of a contiguous part, whose fixtures it then makes once, and helps another when it is done.
PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal

# Nobody who tries this out needs to hear that pip has a newer version, or who runs it.
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

.PHONY: demo test quick fuzz lint bench notebooks docs page clean

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
	$(PYTEST) --durations=30

# For the edit loop: what starts no processes and takes no time.
quick: $(VENV)/test.stamp
	$(PYTEST) -q -m "not (process or notebook or packaging or cluster or slow)"

# The properties alone, with other and many more examples than usual; lanes, SAT and the reference on 100,000 boards;
# ten times as many random rules of each kind.
fuzz: $(VENV)/test.stamp
	HYPOTHESIS_PROFILE=fuzz $(PYTEST) -m hypothesis --durations=30
	GRIDPROOF_TESTS=all $(PYTEST) tests/lanes/test_lanes.py tests/contract/test_rule_contract.py -k "agree_on_many or hold"

lint: $(VENV)/lint.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/bench.stamp
	$(BIN)/python -m benchmarks

notebooks: $(VENV)/test.stamp
	$(BIN)/python notebooks/execute.py

# The API pages, made from the docstrings, in site/; docs/rules.md and its pictures from what the kinds of rules say.
docs: $(VENV)/docs.stamp
	$(BIN)/python docs/make_rules.py
	$(BIN)/python docs/make_api.py

# The board in a browser tab, in site/page/: any web server can serve it. Pyodide and the wheels are taken once.
page: $(VENV)/demo.stamp build/pyodide/package
	$(BIN)/gridproof page site/page --force --pyodide build/pyodide/package
	@echo "python3 -m http.server -d site/page    shows it at http://localhost:8000"

build/pyodide/package:
	@command -v npm >/dev/null || { echo "make page takes Pyodide with npm, which is not installed: install Node.js" >&2; exit 1; }
	mkdir -p build/pyodide
	cd build/pyodide && npm pack --silent pyodide && tar xzf pyodide-*.tgz

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
