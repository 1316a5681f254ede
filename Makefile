# Everything stays inside this folder. `make` lists the targets; ARGS= is handed on to the tool behind one.
SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON ?= python3
PORT ?= 8000
ARGS ?=
ONLY ?=
SEED ?= 1
FILES ?=
IGNORE ?=
N ?= 10
AREA ?=
OUT ?= var/fuzz.jsonl.gz

ROOT := $(CURDIR)
BIN := $(ROOT)/.venv/bin
export PATH := $(BIN):$(PATH)
export PIP_CACHE_DIR := $(ROOT)/.cache/pip
export UV_CACHE_DIR := $(ROOT)/.cache/uv
export UV_PYTHON_DOWNLOADS := never
export UV_PYTHON_PREFERENCE := only-system
export npm_config_cache := $(ROOT)/.cache/npm
export npm_config_update_notifier := false
export XDG_CACHE_HOME := $(ROOT)/.cache
# Temporary files stay inside too, unless a socket's path would grow too long for the system there.
TMP_INSIDE := $(shell [ $$(printf %s "$(ROOT)" | wc -c) -le 48 ] && mkdir -p "$(ROOT)/.cache/tmp" && echo "$(ROOT)/.cache/tmp")
ifneq ($(TMP_INSIDE),)
export TMPDIR := $(TMP_INSIDE)
endif

.PHONY: help setup packages run test check format conformance fuzz mutations bench bench-micro bench-growth bench-web bench-page bench-bombs screenshots e2e locks clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9_-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install everything into this folder and build the front end (once, then at once)
	@$(PYTHON) scripts/bootstrap.py

packages: ## install the Python packages only
	@$(PYTHON) scripts/bootstrap.py packages

run: setup ## serve on http://127.0.0.1:8000 (PORT=) with the examples loaded; Ctrl-C ends it
	@exec $(BIN)/python manage.py serve --port $(PORT)

test: setup ## run every test (ARGS= for pytest)
	@failed=0; \
	stage() { $(BIN)/pytest -q "$$@" $(ARGS) || [ $$? = 5 ] || failed=1; }; \
	stage -n 2 --dist loadfile -m "not browser and not serial"; \
	stage -n 2 --dist loadfile -m "browser and not serial"; \
	stage -m serial; \
	exit $$failed

check: setup ## format, lint, types, imports, sizes, snippets of the docs, front end
	@$(BIN)/ruff format --quiet --check . || { echo "not formatted: make format"; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/mypy
	@$(BIN)/python manage.py makemigrations --check --dry-run
	@$(BIN)/pytest -q tests/architecture
	@cd frontend && XDG_DATA_HOME=$(ROOT)/.cache/data $(BIN)/npm run --silent check

format: packages ## format the Python code and mend what ruff can mend
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .

conformance: packages ## compare with kube-scheduler's recorded decisions (FILES= IGNORE=)
	@$(BIN)/python -m tests.conformance --files "$(FILES)" --ignore "$(IGNORE)"

fuzz: packages ## write fresh clusters as recorded cases, to compare with a real scheduler (N= SEED= AREA= OUT=)
	@$(BIN)/python -m tests.fuzz write --number "$(N)" --seed "$(SEED)" --area "$(AREA)" --out "$(OUT)"

mutations: packages ## try 10,000 mutated manifests and every recorded case redacted and exported (minutes)
	@MUTATIONS=10000 ALL_EXAMPLES=1 $(BIN)/pytest -q tests/core/api/test_mutations.py \
		tests/properties/test_redaction.py tests/properties/test_export.py $(ARGS)

bench-web: setup ## measure how long people wait: import, first event, end of a run
	@$(BIN)/python -m tests.bench.web $(ARGS)

bench-bombs: setup ## measure what hostile and oversized uploads cost: answer, time, memory
	@$(BIN)/python -m tests.bench.bombs

bench-page: setup ## measure the run page in the browser: frames, seeks, memory, events a second (needs Chromium)
	@$(BIN)/python -m tests.bench.page $(ARGS)

bench: packages ## measure pods per second against kube-scheduler's figures (ONLY= SEED= ARGS=)
	@ONLY="$(ONLY)" SEED="$(SEED)" $(BIN)/python -m tests.bench $(ARGS)

bench-micro: packages ## measure the hot functions against their thresholds
	@$(BIN)/python -m tests.bench.micro

bench-growth: packages ## measure how cost grows with nodes and pods, and draw docs/images/growth.svg
	@$(BIN)/python -m tests.bench.growth --svg docs/images/growth.svg

e2e: setup ## the browser journeys only (needs Chromium)
	@$(BIN)/pytest -q tests/e2e $(ARGS)

screenshots: setup ## take pictures of all pages into var/screenshots (ARGS=--readme: into docs/images)
	@$(BIN)/python scripts/screenshots.py $(ARGS)

clean: ## remove all that was installed, built or cached; the database in var/ stays
	rm -rf .venv .cache frontend/node_modules frontend/dist staticfiles test-results

locks: packages ## resolve requirements/*.in anew into *.lock (ARGS=--upgrade for newer versions)
	@cd requirements && for name in bootstrap runtime dev; do \
		uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
			--no-emit-find-links --custom-compile-command "make locks" $(ARGS) -o $$name.lock $$name.in || exit 1; done
