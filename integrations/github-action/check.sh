#!/usr/bin/env bash
# Makes the check: annotations to the log, the comment to the job's summary, reports into files, the exit code as it is.
set -uo pipefail

arguments=()
each() { # an option, then values, one a line
    local value
    while IFS= read -r value; do
        [ -z "$value" ] || arguments+=("$1" "$value")
    done <<<"$2"
}
each -f "$CHECK_MANIFESTS"
each --cluster "$CHECK_CLUSTER"
each --delete "${CHECK_DELETE:-}"
each --expect "${CHECK_EXPECTATIONS:-}"
each --config "${CHECK_CONFIG:-}"
each --orders "${CHECK_ORDERS:-}"
each --max-snapshot-age "${CHECK_MAX_SNAPSHOT_AGE:-}"
each --captured-at "${CHECK_CAPTURED_AT:-}"
each --server "${CHECK_SERVER:-}"
case "${CHECK_BASELINE:-}" in
"") ;;
true) arguments+=(--baseline) ;;
false) arguments+=(--no-baseline) ;;
*) echo "::error title=Scheduler check::baseline must be true or false, got $CHECK_BASELINE" && exit 2 ;;
esac

out="$RUNNER_TEMP/scheduler-check"
mkdir -p "$out"
rm -f "$out"/*
playground check "${arguments[@]}" --name "${GITHUB_WORKFLOW:-}" --format github \
    --report json="$out/verdict.json" --report sarif="$out/check.sarif" \
    --report junit="$out/junit.xml" --report markdown="$out/comment.md"
code=$?

if [ -f "$out/verdict.json" ]; then
    cat "$out/comment.md" >>"$GITHUB_STEP_SUMMARY"
    python3 - "$out/verdict.json" >>"$GITHUB_OUTPUT" <<'END'
import json
import sys

verdict = json.load(open(sys.argv[1]))
print(f"outcome={verdict['outcome']}")
print(f"summary={verdict['summary']}")
END
    {
        echo "verdict=$out/verdict.json"
        echo "sarif=$out/check.sarif"
        echo "junit=$out/junit.xml"
        echo "comment=$out/comment.md"
    } >>"$GITHUB_OUTPUT"
else
    echo "::error title=Scheduler check::the check could not be made (exit code $code): see the log"
fi
exit $code
