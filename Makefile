# Everything a clone needs: JDK 17+, Maven, Python 3.10+ and make. `make help` lists the targets.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
VERSION := $(shell cat python/rockstate/VERSION)
WHEEL := dist/rockstate-$(VERSION)-py3-none-any.whl
# Jars for tests only, in no wheel: providers with faults, and local files quicker than Hadoop's own.
TEST_JARS := target/.test-jars
# Spark's classes as the JVM maps them: a Spark of the tests that starts with these takes half the time.
CLASSES := $(VENV)/spark-classes.jsa
# What the tools and libraries of .venv are pinned to.
LOCK := requirements-dev.lock

# The Spark minors, the oldest first: all that there are, those that the Python at hand runs, and that of .venv. Each of
# the others has an environment of its own, .venv-4.0 and so on, with the same wheel.
PYTHON_AT_HAND := $(firstword $(wildcard $(BIN)/python) $(PYTHON))
MINORS := $(shell $(PYTHON_AT_HAND) .ci/minors.py all)
RUN_HERE := $(shell $(PYTHON_AT_HAND) .ci/minors.py)
USUAL := $(shell sed -n 's/^pyspark==//p' $(LOCK) | cut -d. -f1-2)
OTHERS := $(filter-out $(USUAL),$(RUN_HERE))
NOT_USUAL := $(filter-out $(USUAL),$(MINORS))
# Those of which `make test` runs some tests: the oldest and the newest.
ENDS := $(filter-out $(USUAL),$(firstword $(MINORS)) $(lastword $(MINORS)))
ENDS_HERE := $(filter $(ENDS),$(OTHERS))
MINOR := $(or $(SPARK),$(USUAL))
venv_of = $(VENV)$(if $(filter-out $(USUAL),$(1)),-$(1))
ON_EACH_MINOR := tests/integration tests/minors tests/launch/test_connect.py
SOME_ON_EACH_MINOR := $(patsubst %,tests/integration/test_%.py,group_state limit) \
  tests/minors/test_golden_checkpoints.py tests/minors/test_rows_of_formats.py \
  "tests/minors/test_conformance.py::test_rockstate_conforms[Rockstate-format-2]"

# What `make compatibility` reads: pytest's reports of a minor. Those of a run that is killed must not be of an earlier one.
report_of = target/junit-$(1).xml

# What pytest says of the given tests on a minor comes in one piece: two minors may run side by side.
define pytest_on
status=0; \
$(call venv_of,$(1))/bin/python -m pytest --durations=10 $(2) > target/test-$(1).log 2>&1 || status=$$?; \
cat target/test-$(1).log; \
exit $$status
endef

ifneq ($(SPARK),$(filter $(MINORS),$(SPARK)))
$(error SPARK=$(SPARK) is not one of $(MINORS))
endif
BENCHMARKS := benchmarks/provider/target/scala-2.13/rockstate-benchmarks.jar

# What goes into the wheel; a change in one of these builds it again.
SOURCES := $(shell find jvm/{core,spark,conformance}/src/main python/rockstate -type f -not -path '*/__pycache__/*' 2>/dev/null) \
  build.sbt jvm/sbt jvm/pyspark_jars $(wildcard project/*.scala) project/build.properties project/plugins.sbt \
  pyproject.toml python/build_hook.py README.md LICENSE

.PHONY: help build jar prepare test test-all test-hadoop-files test-scala test-scala-minors test-scala-minor test-python test-apart test-unit \
  test-minor test-minors compatibility lint lint-python lint-scala docs format lock demo bench bench-full soak scale cluster-test \
  cluster-test-short clean others

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: $(VENV)/.installed ## make .venv with the wheel built from this clone, its extras and the tools

jar: ## build only the jars (an editable install picks them up); SPARK=4.1 for another minor than the usual one
	jvm/sbt $(if $(SPARK),-Drockstate.spark=$(SPARK)) spark/package conformance/package

# One part after the other, but for those of one core each, two at a time; what fails does not keep the next back.
test: ## all on the usual Spark minor, some on the oldest and the newest: formats, lints, types, documentation, tests, conformance
	status=0; \
	$(MAKE) --jobs=3 prepare || status=1; \
	$(MAKE) lint-python || status=1; \
	$(MAKE) docs || status=1; \
	$(MAKE) test-scala || status=1; \
	$(MAKE) --jobs=2 --keep-going test-python test-apart test-scala-minors test-minors || status=1; \
	exit $$status

prepare: build $(CLASSES) $(ENDS_HERE:%=$(VENV)-%/.dependencies) # sbt takes its time, and so do downloads

test-all: export ROCKSTATE_EVERY_MOVE = 1
test-all: ## everything on every Spark minor that this Python runs; docs/compatibility.md says what came of it
	status=0; \
	$(MAKE) test || status=1; \
	$(MAKE) test-hadoop-files || status=1; \
	for minor in $(NOT_USUAL); do $(MAKE) test-scala-minor SPARK=$$minor || status=1; done; \
	for minor in $(OTHERS); do $(MAKE) test-minor SPARK=$$minor || status=1; done; \
	$(MAKE) compatibility || status=1; \
	exit $$status

test-hadoop-files: build $(TEST_JARS) ## Python's integration tests on Hadoop's own local files, as users have them
	ROCKSTATE_HADOOP_FILES=1 $(BIN)/python -m pytest tests/integration

compatibility: build ## the tables of docs/compatibility.md from the reports that tests have left
	$(BIN)/python -m tests.minors.compatibility

test-scala: | target ## the tests of all Scala modules and the format of their sources
	rm -rf jvm/*/target/test-reports jvm/*/target/spark-*/test-reports
	jvm/sbt test mutants/package localfiles/package benchmarks/package "scalafixAll --check" scalafmtCheckAll shims/scalafmtCheckAll scalafmtSbtCheck 2>&1 | tee -i target/test-scala.log
	touch $(TEST_JARS) $(BENCHMARKS)

test-scala-minors: | target ## the provider's Scala tests on the oldest Spark minor and the newest
	status=0; \
	for minor in $(ENDS); do \
	  jvm/sbt -Drockstate.spark=$$minor -Drockstate.providerTests=true spark/test conformance/package 2>&1 \
	    | tee -ai target/test-scala.log || status=1; \
	done; \
	exit $$status

test-scala-minor: ## the provider's Scala tests and Spark's suites of operators on one Spark minor: SPARK=4.0
	rm -rf jvm/spark/target/spark-$(MINOR)/test-reports
	jvm/sbt -Drockstate.spark=$(MINOR) spark/test

test-python: build $(TEST_JARS) $(CLASSES) | target ## unit and integration tests against the installed wheel
	rm -f $(call report_of,$(USUAL))
	$(BIN)/python -m pytest --durations=10 --junitxml=$(call report_of,$(USUAL)) 2>&1 | tee -i target/test-python.log

test-apart: build $(TEST_JARS) $(BENCHMARKS) $(CLASSES) | target ## tests that start processes of their own: the conformance suite, the commands, the wheel, a short benchmark
	status=0; rm -f $(call report_of,$(USUAL)-apart); \
	ROCKSTATE_WHEEL=$(abspath $(WHEEL)) $(BIN)/python -m pytest --durations=10 \
	  --junitxml=$(call report_of,$(USUAL)-apart) tests/launch tests/conformance > target/test-apart.log 2>&1 || status=$$?; \
	cat target/test-apart.log; \
	exit $$status

cluster-test: build $(TEST_JARS) | target ## five queries on a Spark cluster and an HDFS of which everything is broken, the same on S3, in some 35 minutes
	status=0; \
	for storage in cluster s3; do \
	  $(BIN)/python -m pytest --durations=0 tests/cluster/test_$$storage.py 2>&1 | tee target/cluster-test-$$storage.log || status=1; \
	done; \
	exit $$status

cluster-test-short: build $(TEST_JARS) | target ## the same with two queries and a few faults, in some minutes; CI runs it
	$(BIN)/python -m pytest --durations=0 tests/cluster/test_short.py 2>&1 | tee target/cluster-test.log

test-minor: $(call venv_of,$(MINOR))/.installed $(TEST_JARS) | target ## Python's tests and conformance on one Spark minor: SPARK=4.0
	rm -f $(call report_of,$(MINOR))
	$(call pytest_on,$(MINOR),$(ON_EACH_MINOR) --junitxml=$(call report_of,$(MINOR)))

test-minors: $(ENDS_HERE:%=test-some-on-%) ## a share of these on the oldest and the newest

test-some-on-%: export ROCKSTATE_QUICK = 1
test-some-on-%: $(VENV)-%/.installed $(TEST_JARS) | target
	$(call pytest_on,$*,$(SOME_ON_EACH_MINOR))

others: # for .ci/run
	@echo $(ENDS_HERE)

test-unit: build ## the quick Python tests
	$(BIN)/python -m pytest tests/unit

lint: lint-python lint-scala ## check formats, lints and types

lint-python: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lint-scala:
	jvm/sbt scalafmtSbtCheck "scalafixAll --check" scalafmtCheckAll shims/scalafmtCheckAll

docs: build | target ## the documentation site in target/site; fails on a link or an anchor that leads nowhere
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

format: build ## rewrite sources in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	jvm/sbt scalafmtSbt scalafixAll scalafmtAll shims/scalafmtAll

lock: build ## renew requirements-dev.lock, for all Pythons, from pyproject.toml
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.10 --all-extras --no-emit-index-url \
	  --no-emit-find-links --custom-compile-command 'make lock' --output-file $(LOCK) pyproject.toml

DEMO_VENV := $(call venv_of,$(or $(SPARK),$(lastword $(RUN_HERE))))
demo: $(DEMO_VENV)/.installed ## run the demo, on the newest Spark minor that this Python runs, or on SPARK=4.0
	$(DEMO_VENV)/bin/rockstate demo

bench: build $(BENCHMARKS) ## measure Rockstate beside Spark's own providers in twelve minutes: table, JSON and plots in target/benchmarks
	$(BIN)/python -m benchmarks run --form quick

soak: build $(BENCHMARKS) ## half an hour of one process with 64 stores and 10 M keys, and the plot of what it held
	$(BIN)/python -m benchmarks run --form soak --out target/soak
	$(BIN)/python -m benchmarks soak target/soak

scale: build ## count the requests to S3 at a server on this machine, simulate a cluster: docs/scale.json, docs/scale.md
	$(BIN)/python -m benchmarks.scale all

bench-full: build $(BENCHMARKS) ## the same for every question, in hours; docs/performance.md is made from it
	$(BIN)/python -m benchmarks run --form full --resume --out target/benchmarks-full
	$(BIN)/python -m benchmarks page target/benchmarks-full

clean: ## remove everything that was built
	rm -rf $(VENV) $(MINORS:%=$(VENV)-%) dist build target project/target project/project .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find jvm benchmarks -type d -name target -prune -exec rm -rf {} +
	find python tests benchmarks -type d -name __pycache__ -prune -exec rm -rf {} +

target:
	mkdir -p $@

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip

$(WHEEL): $(SOURCES) | $(VENV)/bin/python
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .

# One sbt at a time: two of them in one folder get in each other's way.
$(TEST_JARS): $(shell find jvm/{mutants,localfiles}/src/main -type f 2>/dev/null) build.sbt | target $(WHEEL)
	jvm/sbt mutants/package localfiles/package
	touch $@

$(CLASSES): $(VENV)/.installed | target
	$(BIN)/python -m tests.class_data $@ > target/class-data.log 2>&1 || echo "Tests take longer: see target/class-data.log"

# What drives the contenders; in no wheel.
$(BENCHMARKS): $(shell find benchmarks/provider/src/main -type f 2>/dev/null) build.sbt | $(TEST_JARS)
	jvm/sbt benchmarks/package
	touch $@

# What an environment has beside the wheel: to be fetched while sbt works on that.
$(VENV)/.dependencies: $(LOCK) | $(VENV)/bin/python
	$(BIN)/pip install --quiet --requirement $(LOCK)
	touch $@

$(VENV)/.installed: $(WHEEL) $(VENV)/.dependencies
	$(BIN)/pip install --quiet --force-reinstall --no-deps $(WHEEL)
	$(BIN)/pip install --quiet --constraint $(LOCK) '$(WHEEL)[conformance,connect,demo,dev,docs]'
	touch $@

# Pinned to the same, but for PySpark: the latest release of that minor.
$(VENV)-%/.dependencies: $(LOCK)
	@[[ " $(RUN_HERE) " = *" $* "* ]] || { echo "This Python runs PySpark $(RUN_HERE), not $*: make clean, and PYTHON=python3.x make ..."; exit 1; }
	$(PYTHON_AT_HAND) -m venv $(@D)
	$(@D)/bin/pip install --quiet --upgrade pip
	grep -v '^pyspark==' $(LOCK) > $(@D)/constraints.txt
	$(@D)/bin/pip install --quiet --constraint $(@D)/constraints.txt 'pyspark[connect]==$*.*' pytest
	touch $@

$(VENV)-%/.installed: $(WHEEL) $(VENV)-%/.dependencies
	$(@D)/bin/pip install --quiet --force-reinstall --no-deps $(WHEEL)
	$(@D)/bin/pip install --quiet --constraint $(@D)/constraints.txt '$(WHEEL)[conformance,connect,demo]' 'pyspark==$*.*'
	touch $@

.SECONDARY: $(RUN_HERE:%=$(VENV)-%/.installed) $(RUN_HERE:%=$(VENV)-%/.dependencies)
