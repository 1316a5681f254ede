"""Rules for names and label values, each answered by a list of upstream's messages.

Source: apimachinery/pkg/util/validation/validation.go, v1.34.1
"""

from __future__ import annotations

import re

_QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_LABEL_VALUE = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?"

_NAME_TEXT = (
    "must consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character"
)
_SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
    "and must start and end with an alphanumeric character"
)
_LABEL_TEXT = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
    "and must start and end with an alphanumeric character"
)
_LABEL_1035_TEXT = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
    "start with an alphabetic character, and end with an alphanumeric character"
)
_LABEL_VALUE_TEXT = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
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


def label_problems(name: str) -> list[str]:
    """Returns what is wrong with a DNS label: the name of a namespace, container or volume."""
    problems = [_too_long(63)] if len(name) > 63 else []
    if re.fullmatch(_LABEL, name) is None:
        problems.append(_explained(_LABEL_TEXT, _LABEL, "my-name", "123-abc"))
    return problems


def label_1035_problems(name: str) -> list[str]:
    """Returns what is wrong with a DNS label as a Service is named: it begins with a letter."""
    problems = [_too_long(63)] if len(name) > 63 else []
    if re.fullmatch(_LABEL_1035, name) is None:
        problems.append(_explained(_LABEL_1035_TEXT, _LABEL_1035, "my-name", "abc-123"))
    return problems


def path_segment_problems(name: str) -> list[str]:
    """Returns why a name cannot be a part of an address, which every name must be."""
    if name in (".", ".."):
        return [f"may not be '{name}'"]
    return [f"may not contain '{text}'" for text in "/%" if text in name]


def label_value_problems(value: str) -> list[str]:
    """Returns what is wrong with the value of a label."""
    problems = [_too_long(63)] if len(value) > 63 else []
    if re.fullmatch(_LABEL_VALUE, value) is None:
        problems.append(_explained(_LABEL_VALUE_TEXT, _LABEL_VALUE, "MyValue", "my_value", "12345"))
    return problems


def port_name_problems(name: str) -> list[str]:
    """Returns what is wrong with the name of a port."""
    problems = [_too_long(15)] if len(name) > 15 else []
    if re.fullmatch("[-a-z0-9]+", name) is None:
        problems.append("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
    if re.search("[a-z]", name) is None:
        problems.append("must contain at least one letter (a-z)")
    if "--" in name:
        problems.append("must not contain consecutive hyphens")
    if name.startswith("-") or name.endswith("-"):
        problems.append("must not begin or end with a hyphen")
    return problems


def _too_long(length: int) -> str:
    return f"must be no more than {length} characters"


def is_native_resource(name: str) -> bool:
    """Returns whether a resource is Kubernetes' own."""
    return "/" not in name or "kubernetes.io/" in name


def is_extended_resource(name: str) -> bool:
    """Returns whether a resource is one that a device plugin or an administrator adds."""
    if is_native_resource(name) or name.startswith("requests."):
        return False
    return not qualified_name_problems(f"requests.{name}")


def _explained(text: str, pattern: str, *examples: str) -> str:
    shown = " or ".join(f"'{example}', " for example in examples)
    return f"{text} (e.g. {shown}regex used for validation is '{pattern}')"
