"""The names that CSI drivers give to the disks of in-tree plugins.

Source: csi-translation-lib/plugins/aws_ebs.go, KubernetesVolumeIDToEBSVolumeID;
csi-translation-lib/plugins/gce_pd.go, TranslateInTreePVToCSI and getRegionFromZones; net/url, v1.34.1
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ZONE: Final = "topology.kubernetes.io/zone"
REGION: Final = "topology.kubernetes.io/region"
BETA_ZONE: Final = "failure-domain.beta.kubernetes.io/zone"
BETA_REGION: Final = "failure-domain.beta.kubernetes.io/region"
ZONE_DELIMITER: Final = "__"

_UNSPECIFIED: Final = "UNSPECIFIED"
_AWS_SCHEME: Final = "aws://"
_EBS_VOLUME_ID: Final = re.compile("vol-[^/]*")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_BAD_ESCAPE: Final = re.compile("%(?![0-9A-Fa-f]{2}).{0,2}", re.DOTALL)
_PORT: Final = re.compile("[0-9]*", re.ASCII)
_ASCII_ESCAPE: Final = re.compile("%(?!25)[0-7][0-9A-Fa-f]")
_NOT_IN_A_HOST: Final = re.compile(r"[^A-Za-z0-9\-_.~!$&'()*+,;=:\[\]<>\"%\u0080-\U0010ffff]")


class TranslationError(ValueError):
    """A volume cannot be said in the driver's terms; the message is upstream's."""


def ebs_volume_id(volume_id: str) -> str:
    """The id of an EBS volume: as it is, or the path of an address such as aws://zone/vol-1.

    Raises:
        TranslationError: what begins like an address is none, or its path is no volume's id.
    """
    if not volume_id.startswith(_AWS_SCHEME):
        return volume_id
    failed = "failed to translate Kubernetes ID to EBS Volume ID"
    if problem := _address_problem(volume_id):
        quoted = json.dumps(volume_id.partition("#")[0], ensure_ascii=False)
        raise TranslationError(f"{failed} Invalid disk name ({volume_id}): parse {quoted}: {problem}")
    found = unquote(_path(volume_id)).strip("/")
    if _EBS_VOLUME_ID.fullmatch(found) is None:
        raise TranslationError(f"{failed} Invalid format for AWS volume ({volume_id})")
    return found


def gce_disk_path(pd_name: str, labels: Mapping[str, str]) -> str:
    """The path of a Compute Engine disk: in the zone, or the region of the zones, that the labels name.

    Raises:
        TranslationError: the zones have no common region.
    """
    zones = (labels.get(BETA_ZONE) or labels.get(ZONE, "")).split(ZONE_DELIMITER)
    if len(zones) == 1:
        return f"projects/{_UNSPECIFIED}/zones/{zones[0] or _UNSPECIFIED}/disks/{pd_name}"
    return f"projects/{_UNSPECIFIED}/regions/{_region(zones)}/disks/{pd_name}"


def _region(zones: Sequence[str]) -> str:
    failed = "failed to get region from zones"
    regions = set()
    for zone in zones:
        parts = zone.split("-")
        if len(parts) != 3:
            expected = "expected: {locale}-{region}-{zone}"
            raise TranslationError(f"{failed}: zone in unexpected format, {expected}, got: {zone}")
        regions.add(f"{parts[0]}-{parts[1]}")
    if len(regions) != 1:
        shown = " ".join(f"{region}:{{}}" for region in sorted(regions))
        raise TranslationError(f"{failed}: multiple or no regions gotten from zones, got: map[{shown}]")
    return regions.pop()


def _path(address: str) -> str:
    rest = address[len(_AWS_SCHEME) :].partition("#")[0].partition("?")[0]
    _, slash, path = rest.partition("/")
    return slash + path


def _address_problem(address: str) -> str:
    """Why Go's net/url does not take an address that begins with aws://, or an empty text."""
    whole, _, fragment = address.partition("#")
    if _CONTROL.search(whole):
        return "net/url: invalid control character in URL"
    host = whole[len(_AWS_SCHEME) :].partition("?")[0].partition("/")[0].rpartition("@")[2]
    _, colon, port = host.rpartition(":")
    if colon and _PORT.fullmatch(port) is None:
        return f"invalid port {json.dumps(colon + port, ensure_ascii=False)} after host"
    if escape := _BAD_ESCAPE.search(host) or _ASCII_ESCAPE.search(host):
        return f'invalid URL escape "{escape[0]}"'
    if character := _NOT_IN_A_HOST.search(host):
        return f"invalid character {json.dumps(character[0], ensure_ascii=False)} in host name"
    if escape := _BAD_ESCAPE.search(_path(whole)) or _BAD_ESCAPE.search(fragment):
        return f'invalid URL escape "{escape[0]}"'
    return ""
