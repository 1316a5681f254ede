#!/usr/bin/env bash
# Installs the command line, in an environment of its own: the copy of the repository that the action came with, or
# what PLAYGROUND names as pip takes it.
set -euo pipefail

venv="$RUNNER_TEMP/scheduler-playground"
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check "${PLAYGROUND:-$GITHUB_ACTION_PATH/../..}"
echo "$venv/bin" >>"$GITHUB_PATH"
