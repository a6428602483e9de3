# Everything is installed into .venv from the locks in requirements/, with Python, git and make alone.
# `make` alone lists the targets.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v $$p; break; }; done)
WHEELS ?= --only-binary :all:
# Tests wait for browsers and servers for a third of the time: one worker more than there are cores.
JOBS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1)))

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install
INSTALL := $(PIP) --no-deps --no-compile --require-hashes $(WHEELS)

# Browser tests run if a browser is installed. If AUDIT_BROWSER_TESTS is set, they may not be skipped.
CHROMIUM := $(shell command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome)
TESTED_WITH := .venv/.test $(if $(CHROMIUM)$(AUDIT_BROWSER_TESTS),.venv/.browser)

# Bar, skips with their reasons, and the slowest ten. A worker that has finished takes tests from another.
# A test that does not end fails after five minutes, with the place where it waits.
PYTEST := $(BIN)/python -m pytest --timeout 300 -n $(JOBS) --dist worksteal --tqdm-no-face --tqdm-no-chart -rs --durations=10

# What a command imports is compiled once, and not again for every command that a test starts.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup installed replay test prove check bench screenshots compiled test-compiled serve table site clients words format lock clean
.NOTPARALLEL:

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

replay: .venv/.audit cli.py replays/samples/dispute.jsonl ## step through a sample dispute
	@$(BIN)/audit replay replays/samples/dispute.jsonl --step || test $$? -eq 1

test: installed ## run all tests but the long proofs
	@$(PYTEST) -m "not prove"

prove: installed ## run the long proofs, before a release
	@$(PYTEST) --timeout 7200 -m prove

installed: .venv/.audit $(TESTED_WITH)

check: .venv/.audit .venv/.test ## run ruff and mypy --strict
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@cd commands/new_ruleset/template && MYPYPATH="$(CURDIR)" "$(abspath $(BIN))/mypy" --explicit-package-bases

screenshots: installed ## take pictures of the pages, at every size, light and dark, into build/screenshots
	@$(BIN)/python -m tests.browser.screenshots build/screenshots
	@$(BIN)/python -m tests.browser.differences build/screenshots
	@$(BIN)/python -m tests.browser.step_time

bench: .venv/.audit .venv/.test .venv/.bench ## run the accuracy and speed benchmarks
	@$(BIN)/python -m bench

# Machine code lies in build/native and is used while the source is what it was made from. Tests use the source alone.
compiled: .venv/.audit .venv/.test ## compile the auditor to machine code (setup.py), if its source has changed
	@$(BIN)/python setup.py --quiet compile_here

# These try a copy of the source, or the words beside it: the second time they would show the same.
OF_THE_SOURCE := tests/compile/test_new_protocol.py $(addprefix tests/, $(addsuffix /test_catalogue.py, compile altered lotr_reveal))

test-compiled: .venv/.audit .venv/.test ## run the tests of the engine against the machine code
	@AUDIT_BUILD=native $(BIN)/python setup.py --quiet compile_here
	@AUDIT_BUILD=native $(PYTEST) -m "not prove" $(OF_THE_SOURCE:%=--ignore=%) tests/compile tests/altered tests/lotr_reveal tests/test_properties.py \
		tests/test_trust.py tests/test_conformance.py tests/test_fuzz.py tests/test_compiled_build.py tests/test_new_ruleset.py

serve: .venv/.audit cli.py ## start the viewer, on this machine only
	@$(BIN)/audit serve

table: .venv/.audit cli.py ## open the page for the table in a browser: ask about a position, record a game
	@$(BIN)/audit serve --table

site: .venv/.audit cli.py ## write the viewer as static files that work without a network, into build/site
	@$(BIN)/audit site -o build/site

setup: compiled ## make .venv, and compile the auditor where there is a C compiler

words: .venv/.base ## compile the labels of the pages (web/translations/*/LC_MESSAGES/messages.po)
	@$(BIN)/pybabel -q compile -d web/translations

format: .venv/.test ## sort imports and format the code
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

.venv/.python:
	@test -n "$(PYTHON)" || { echo "audit needs Python 3.11 or later; none was found (make PYTHON=/path/to/python)" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@touch $@

# Bytecode is made at once: where PYTHONDONTWRITEBYTECODE is set, every start would compile the source again.
.venv/.base: .venv/.python requirements/base.txt
	@echo "setting up .venv: what audit needs"
	@$(INSTALL) -r requirements/base.txt
	@$(BIN)/python -m compileall -q -j 0 .venv/lib
	@touch $@

.venv/.test: .venv/.base requirements/test.txt
	@echo "setting up .venv: what the tests need"
	@$(INSTALL) -r requirements/test.txt
	@touch $@

.venv/.browser: .venv/.test requirements/browser.txt
	@echo "setting up .venv: what the browser tests need"
	@$(INSTALL) -r requirements/browser.txt
	@touch $@

.venv/.clients: .venv/.test requirements/clients.txt
	@echo "setting up .venv: what makes clients of the API"
	@$(INSTALL) -r requirements/clients.txt
	@touch $@

# Clients of the API are generated, both at once. npm installs what is locked in requirements/clients.
CLIENTS := build/clients
clients: .venv/.audit .venv/.clients ## make clients of the API, in Python and TypeScript, into build/clients
	@mkdir -p $(CLIENTS)/typescript
	@$(BIN)/audit schema --api >$(CLIENTS)/openapi.json
	@$(BIN)/openapi-python-client generate --path $(CLIENTS)/openapi.json --config requirements/clients/python.yaml \
		--meta none --overwrite --output-path $(CLIENTS)/python/audit_client >/dev/null & generating=$$!; \
	if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(CLIENTS)/typescript/client.js; \
	else echo "there is no npm: no client in TypeScript"; fi && wait $$generating

$(CLIENTS)/typescript/node_modules/.lock: requirements/clients/package-lock.json
	@cp requirements/clients/*.json $(CLIENTS)/typescript
	@cd $(CLIENTS)/typescript && npm ci --silent --no-audit --no-fund
	@touch $@

$(CLIENTS)/typescript/client.js: $(CLIENTS)/typescript/node_modules/.lock $(CLIENTS)/openapi.json tests/web/client.ts
	@cp tests/web/client.ts $(CLIENTS)/typescript
	@cd $(CLIENTS)/typescript && npx --no-install openapi-typescript ../openapi.json --default-non-nullable=false -o api.d.ts >/dev/null
	@cd $(CLIENTS)/typescript && npx --no-install tsc

.venv/.bench: .venv/.base requirements/bench.txt
	@echo "setting up .venv: what the measurements need"
	@$(INSTALL) --no-binary chess --no-build-isolation -r requirements/bench.txt  # chess has no wheel
	@touch $@

.venv/.audit: .venv/.base pyproject.toml
	@$(PIP) --no-deps --no-index --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q -j 0 -x new_ruleset/template audit commands replays web cli.py cli_start.py
	@touch $@

# The locks: pinned, hashed, for every platform, without a registry. Each adds only what the earlier ones lack.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
TESTED := pyproject.toml --group build --group test --group lint --group store \
	--extra cluster --extra pictures --extra postgres --extra production --extra rulebooks --extra stamps \
	--extra statistics
beside = -c requirements/$(1).txt $$(sed -n 's/^\([a-z0-9-]*\)==.*/--no-emit-package \1/p' requirements/$(1).txt)

lock: .venv/.python ## choose newer dependencies and write requirements/
	@$(BIN)/uv --version >/dev/null 2>&1 || $(INSTALL) -r requirements/lock.txt
	@rm -f requirements/*.txt
	@$(COMPILE) --group lock -o requirements/lock.txt
	@$(COMPILE) pyproject.toml --group build -o requirements/base.txt
	@$(COMPILE) $(TESTED) $(call beside,base) -o requirements/test.txt
	@$(COMPILE) pyproject.toml --group compile $(call beside,base) -c requirements/test.txt -o requirements/compile.txt
	@$(COMPILE) pyproject.toml --extra production --extra pictures $(call beside,base) -c requirements/test.txt \
		-o requirements/production.txt
	@$(COMPILE) $(TESTED) --group browser $(call beside,base) $(call beside,test) -o requirements/browser.txt
	@$(COMPILE) $(TESTED) --group clients $(call beside,base) $(call beside,test) -o requirements/clients.txt
	@$(COMPILE) $(TESTED) --group bench $(call beside,base) $(call beside,test) -o requirements/bench.txt

clean: ## remove .venv and generated files
	rm -rf .venv build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .schemathesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
