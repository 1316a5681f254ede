#!/bin/sh
# Prints the one line that makes a complete snapshot of a cluster: every kind that scheduling reads, and the time at
# which it was read. It only reads; what it needs is `get` and `list`. Run the line, or this: sh export-snapshot.sh | sh
#
#   sh examples/export-snapshot.sh [FILE]          FILE: where the snapshot goes (snapshot.json)
set -eu

file=${1:-snapshot.json}
kinds=nodes,pods,namespaces,priorityclasses,runtimeclasses,limitranges,resourcequotas
kinds=$kinds,persistentvolumes,persistentvolumeclaims,storageclasses,csinodes,csidrivers,csistoragecapacities
kinds=$kinds,volumeattachments,poddisruptionbudgets,services,replicasets,statefulsets,replicationcontrollers
kinds=$kinds,deployments,daemonsets,jobs,cronjobs,horizontalpodautoscalers,controllerrevisions

head='{"apiVersion":"playground/v1","kind":"Snapshot","capturedAt":"%s"}\n'
printf '%s\n' "{ printf '$head' \"\$(date -u +%Y-%m-%dT%H:%M:%SZ)\" && kubectl get $kinds -A -o json; } > $file"
