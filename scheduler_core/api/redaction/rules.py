"""Which field holds what kind of text, by its JSON name; a text under any other name is renamed."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.meta import names
from scheduler_core.api.unread import UNREAD

KEPT: Final = names(
    # What Kubernetes itself defines.
    "apiVersion kind operator effect type phase status reason policy whenUnsatisfiable nodeAffinityPolicy "
    "nodeTaintsPolicy preemptionPolicy restartPolicy protocol accessModes volumeMode medium fsType qosClass resize "
    "completionMode podManagementPolicy podReplacementPolicy concurrencyPolicy timeZone whenDeleted whenScaled action "
    "unhealthyPodEvictionPolicy persistentVolumeReclaimPolicy reclaimPolicy "
    "volumeBindingMode volumeLifecycleModes resourceName scopeName scopes schedule containerRuntimeVersion "
    "$patch kubeletVersion operatingSystem architecture declaredFeatures schedulerName os fieldPath resourceVersion "
    # Times.
    "creationTimestamp deletionTimestamp startTime timeAdded lastHeartbeatTime lastProbeTime lastTransitionTime "
    "lastUpdateTime lastScaleTime lastScheduleTime lastSuccessfulTime completionTime disruptedPods "
    # Amounts.
    "requests limits allocatable hard used max min default defaultRequest maxLimitRequestRatio overhead podFixed "
    "allocatedResources capacity maximumVolumeSize sizeLimit minAvailable maxUnavailable maxSurge "
    "completedIndexes failedIndexes succeededIndexes "
    # Drivers and what they are called by resources.
    "driver provisioner attacher"
)

LEFT_OUT: Final = names(
    "generateName message nodeID providerID podCIDR podCIDRs osImage kernelVersion imageID clusterIP parameters "
    "mountOptions description handler metrics behavior serviceName managedBy"
)

LABEL_MAPS: Final = frozenset({"labels", "matchLabels", "nodeSelector"})
SELECTORS: Final = frozenset({"selector"})
KEYS: Final = frozenset({"key", "topologyKey", "topologyKeys", "matchLabelKeys", "mismatchLabelKeys"})
IMAGES: Final = frozenset({"image", "reference"})
HANDLES: Final = frozenset({"volumeHandle", "volumeID", "pdName", "diskName", "diskURI", "path"})
ADDRESSES: Final = frozenset({"hostIP"})

ANNOTATIONS: Final = {
    UNREAD: True,
    "volume.kubernetes.io/selected-node": True,
    "volume.beta.kubernetes.io/storage-class": True,
    "pv.kubernetes.io/bind-completed": False,
    "pv.kubernetes.io/bound-by-controller": False,
    "pv.kubernetes.io/provisioned-by": False,
    "pv.kubernetes.io/migrated-to": False,
    "volume.kubernetes.io/storage-provisioner": False,
    "volume.beta.kubernetes.io/storage-provisioner": False,
    "storage.alpha.kubernetes.io/migrated-plugins": False,
    "batch.kubernetes.io/job-completion-index": False,
    "deployment.kubernetes.io/revision": False,
    "deployment.kubernetes.io/desired-replicas": False,
    "deployment.kubernetes.io/max-replicas": False,
    "scheduler-playground/desired-replicas": False,
    "scheduler-playground/start-delay": False,
    "scheduler-playground/ready-delay": False,
    "scheduler-playground/run-time": False,
    "scheduler-playground/exit-code": False,
    "scheduler-playground/stop-time": False,
    "scheduler-playground/kubelet": False,
}
"""The annotations that are read, and whether their value is a name; all others are left out."""

KEPT_VALUES: Final = frozenset(
    f"{beta}kubernetes.io/{name}" for beta in ("", "beta.") for name in ("os", "arch")
)
"""The labels of which every value is Kubernetes' own."""

_OWN_DOMAINS: Final = ("kubernetes.io", "k8s.io")
_USUAL_KEYS: Final = frozenset(
    {"app", "component", "env", "role", "tier", "version", "zone", "region", "k8s-app"}
)
_USUAL_KEYS_OF_CONTROLLERS: Final = frozenset({"pod-template-hash", "controller-revision-hash"})


def is_kept_key(key: str) -> bool:
    """Returns whether a label's or taint's key tells nothing: Kubernetes' own, or one that everybody has."""
    domain, slash, _ = key.rpartition("/")
    if slash:
        return domain in _OWN_DOMAINS or domain.endswith(tuple(f".{own}" for own in _OWN_DOMAINS))
    return key in _USUAL_KEYS or key in _USUAL_KEYS_OF_CONTROLLERS


def is_own_finalizer(name: str) -> bool:
    """Returns whether a finalizer is one of Kubernetes' own; others are renamed: what they hold stays held."""
    return name in ("foregroundDeletion", "orphan", "kubernetes") or ("/" in name and is_kept_key(name))


def is_own_volume_type(segment: str) -> bool:
    """Returns whether a part of a volume's handle is a word of its cloud, not a name."""
    return segment in _HANDLE_WORDS


_HANDLE_WORDS: Final = frozenset(
    {"", "aws:", "subscriptions", "resourceGroups", "providers", "Microsoft.Compute", "disks", "projects"}
    | {"zones", "regions", "UNSPECIFIED"}
)
