# Everything stays inside this folder. `make` lists the targets; ARGS= is handed on to the tool behind one.
SHELL := /bin/sh
.DEFAULT_GOAL := help
PYTHON ?= python3
PORT ?= 8000
ARGS ?=
FILES ?=
IGNORE ?=

ROOT := $(CURDIR)
BIN := $(ROOT)/.venv/bin
export PATH := $(BIN):$(PATH)
export PYTHONDONTWRITEBYTECODE :=
export PIP_CACHE_DIR := $(ROOT)/.cache/pip
export UV_CACHE_DIR := $(ROOT)/.cache/uv
export UV_PYTHON_DOWNLOADS := never
export UV_PYTHON_PREFERENCE := only-system
export npm_config_cache := $(ROOT)/.cache/npm
export npm_config_update_notifier := false
export XDG_CACHE_HOME := $(ROOT)/.cache

.PHONY: help setup packages run test check format conformance bench screenshots e2e locks clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9_-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install everything into this folder, build the front end, migrate (done once, then at once)
	@$(PYTHON) scripts/bootstrap.py

packages: ## install the Python packages only
	@$(PYTHON) scripts/bootstrap.py packages

run: setup ## serve on http://127.0.0.1:8000 (PORT=) with the examples loaded; Ctrl-C ends it
	@exec $(BIN)/python manage.py serve --port $(PORT)

clean: ## remove all that was installed, built or cached; the database in var/ stays
	rm -rf .venv .cache frontend/node_modules frontend/dist staticfiles test-results

locks: packages ## resolve requirements/*.in anew into *.lock (ARGS=--upgrade for newer versions)
	@cd requirements && for name in bootstrap runtime dev; do \
		uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
			--no-emit-find-links --custom-compile-command "make locks" $(ARGS) -o $$name.lock $$name.in || exit 1; done
