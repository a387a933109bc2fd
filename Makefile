.DEFAULT_GOAL := help
.PHONY: help run test quick learner oracle lint types layers tests spark bench wheel versions release docs notebooks clean

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
SPARK := .venv/with-spark
# Java that starts soon and does not run for long: less is compiled, and nothing beside it
JAVA := -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
NOTEBOOKS := docs/*.ipynb docs/tutorials/*.ipynb
NBCONVERT := $(BIN)/python -m nbconvert --to notebook --inplace --log-level ERROR
# a process for each core, so one thread of BLAS for each process: more would wait for each other
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n auto -q
# processes by the hundred import the package, and find it parsed
export PYTHONDONTWRITEBYTECODE :=

help: ## show this help
	@grep -E '^[a-z]+:.*## ' Makefile | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

run: .venv/run ## every learner over the embedded spam stream
	@$(BIN)/python -m budgetron

test: lint types layers tests ## all checks

quick: lint types layers ## style, types, layers, rules by hand, and one cell of each law
	@$(PYTEST) -m quick tests/rules tests/laws tests/estimators tests/saving

learner: .venv/dev ## all that concerns one learner: make learner NAME=Forgetron
	@$(PYTEST) --learner '$(NAME)' --ignore tests/times

oracle: .venv/dev ## tests of the slow reference, due when it changes
	@$(PYTEST) tests/oracle_tests
	@$(BIN)/python tests/oracle_tests/digest.py

lint: .venv/dev ## style
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: .venv/dev ## types
	@$(BIN)/mypy

layers: .venv/dev ## who may import whom
	@$(BIN)/lint-imports

tests: .venv/dev ## tests; those of time with nothing beside them
	@$(PYTEST) --ignore tests/times
	@$(BIN)/pytest -q tests/times

spark: $(SPARK)/ready ## learners on Spark, which is killed on the way; needs 500 MB and Java 17, or gets one
	@JAVA_HOME=$$($(SPARK)/bin/python scripts/java_home.py) && export JAVA_HOME && \
	export JAVA_TOOL_OPTIONS='$(JAVA)' PYSPARK_PYTHON=$(CURDIR)/$(SPARK)/bin/python && \
	$(SPARK)/bin/python -m pytest -q tests/spark/test_session.py && \
	$(SPARK)/bin/python scripts/spark_kills.py --keys 50 --rows 4000 --batch 250 --kills 4

bench: .venv/bench ## speed and mistakes beside other libraries: BENCHMARKS.md, two hours
	@$(BIN)/python -m benchmarks run
	@$(BIN)/python -m benchmarks page

wheel: .venv/dev ## a wheel that brings machine code along, into dist/, and its first use timed
	@rm -rf dist
	@BUDGETRON_SHIP_CODE=all $(BIN)/python -m hatchling build -t wheel
	@$(BIN)/python scripts/try_wheel.py dist/*.whl

versions: .venv/release ## tests at both ends of the ranges of versions: make versions PYTHONS="3.11 3.13"
	@rm -rf dist
	@$(BIN)/python -m hatchling build -t wheel
	@$(BIN)/python scripts/versions.py dist/*-none-any.whl $(PYTHONS)

release: .venv/release ## sources and wheels into dist/, each tried in an empty environment
	@rm -rf dist
	@$(BIN)/python scripts/release.py $(PYTHONS)

docs: .venv/docs ## the documentation, into site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo site/index.html

notebooks: .venv/docs ## the tutorials and the gallery, executed again
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(NBCONVERT) --execute --ExecutePreprocessor.record_timing=False $(NOTEBOOKS)
	@$(NBCONVERT) --coalesce-streams $(NOTEBOOKS)

clean: ## remove the environment and everything compiled
	rm -rf .venv site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Budgetron needs Python 3.11 or newer: make PYTHON=...")'
	@$(PYTHON) -m venv .venv

.venv/run: .venv/bin/python pyproject.toml
	@echo "setting up .venv (once)"
	@$(PIP) -e '.[cli]'
	@echo "compiling the learners (once, one or two minutes)"
	@$(BIN)/budgetron warm --rows sparse > /dev/null
	@touch $@

.venv/dev: .venv/bin/python pyproject.toml requirements-dev.lock
	@echo "setting up .venv with the developers' tools (once)"
	@{ $(PIP) uv && VIRTUAL_ENV=.venv $(BIN)/uv pip install -q -c requirements-dev.lock -e '.[dev]'; } 2> /dev/null || \
		$(PIP) -c requirements-dev.lock -e '.[dev]'
	@touch $@

# Spark and an older pandas in front of what the developers have, which is neither installed nor compiled again
$(SPARK)/ready: .venv/dev
	@echo "setting up $(SPARK) with Spark (once, a minute or two)"
	@rm -rf $(SPARK)
	@$(BIN)/python -m venv --without-pip $(SPARK)
	@$(BIN)/python -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' \
		> "$$($(SPARK)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/developers.pth"
	@sed -e '/^pandas=/d' -e 's/^pyspark-client=/pyspark=/' requirements-dev.lock > $(SPARK)/constraints.txt
	@$(SPARK)/bin/python -m pip install -q --disable-pip-version-check -c $(SPARK)/constraints.txt -e '.[spark]' || \
		{ echo "Spark could not be installed: nothing of budgetron.spark was tried on it" >&2; exit 1; }
	@touch $@

.venv/release: .venv/bin/python pyproject.toml
	@echo "setting up .venv with what builds a release (once)"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[release]'
	@touch $@

.venv/docs: .venv/bin/python pyproject.toml
	@echo "setting up .venv for the documentation (once)"
	@$(PIP) -e '.[docs]'
	@touch $@

.venv/bench: .venv/bin/python pyproject.toml
	@echo "setting up .venv with what the benchmark compares (once)"
	@$(PIP) -e '.[cli,bench]'
	@touch $@
