"""Rules for names and label values, each answered by a list of upstream's messages.

Source: apimachinery/pkg/util/validation/validation.go, v1.34.1
"""

from __future__ import annotations

import re

_QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"

_NAME_TEXT = (
    "must consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character"
)
_SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
    "and must start and end with an alphanumeric character"
)
_NAME_EXAMPLES = ("MyName", "my.name", "123-abc")


def qualified_name_problems(name: str) -> list[str]:
    """Returns what is wrong with a label key or the like: a name with an optional domain before a slash."""
    *prefixes, name_part = name.split("/")
    if len(prefixes) > 1:
        text = f"a qualified name {_explained(_NAME_TEXT, _QUALIFIED, *_NAME_EXAMPLES)}"
        return [f"{text} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
    problems = []
    if prefixes:
        if not prefixes[0]:
            problems.append("prefix part must be non-empty")
        else:
            problems.extend(f"prefix part {problem}" for problem in subdomain_problems(prefixes[0]))
    if not name_part:
        problems.append("name part must be non-empty")
    elif len(name_part) > 63:
        problems.append("name part must be no more than 63 characters")
    if re.fullmatch(_QUALIFIED, name_part) is None:
        problems.append(f"name part {_explained(_NAME_TEXT, _QUALIFIED, *_NAME_EXAMPLES)}")
    return problems


def subdomain_problems(name: str) -> list[str]:
    """Returns what is wrong with a DNS subdomain."""
    problems = []
    if len(name) > 253:
        problems.append("must be no more than 253 characters")
    if re.fullmatch(_SUBDOMAIN, name) is None:
        problems.append(_explained(_SUBDOMAIN_TEXT, _SUBDOMAIN, "example.com"))
    return problems


def is_native_resource(name: str) -> bool:
    """Returns whether a resource is Kubernetes' own."""
    return "/" not in name or "kubernetes.io/" in name


def is_extended_resource(name: str) -> bool:
    """Returns whether a resource is one that a device plugin or an administrator adds."""
    if is_native_resource(name) or name.startswith("requests."):
        return False
    return not qualified_name_problems(f"requests.{name}")


def _explained(text: str, pattern: str, *examples: str) -> str:
    shown = " or ".join(f"'{example}', " for example in examples).removesuffix(", ")
    return f"{text} (e.g. {shown}, regex used for validation is '{pattern}')"
