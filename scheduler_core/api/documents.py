"""A source's bytes into documents: encoding, format, and what is no manifest at all."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from scheduler_core.api.decode import without_nulls
from scheduler_core.api.json_reader import read_json
from scheduler_core.api.limits import Limits
from scheduler_core.api.problems import Document, Lines, Problem
from scheduler_core.api.progress import Progress
from scheduler_core.api.yaml_reader import read_yaml
from scheduler_core.errors import SYNTAX

_ARCHIVES = {
    b"\x1f\x8b": "a gzip archive",
    b"PK\x03\x04": "a zip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ\x00": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
}
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_JSON_START = re.compile(rb'[ \t\r\n]*(\{[ \t\r\n]*["}]|\[[ \t\r\n]*[\[{"\]])')
_YAML_AFTER_JSON = re.compile(rb"^---(?=\s|$)", re.MULTILINE)


class NotText(Exception):
    """The source is not text; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def to_utf8(source: str | bytes) -> bytes:
    """Returns the text as UTF-8 without a byte order mark.

    Raises:
        NotText: for a binary or an encoding other than UTF-8 and UTF-16.
    """
    if isinstance(source, str):
        return source.removeprefix("\ufeff").encode("utf-8", "replace")
    for magic, what in _ARCHIVES.items():
        if source.startswith(magic):
            raise NotText(Problem(SYNTAX, f"the file is {what}, not a manifest: unpack it first", 0, 1, 1))
    encoding = _UTF16.get(source[:2])
    try:
        if encoding:
            return source[2:].decode(encoding).encode()
        source = source.removeprefix(codecs.BOM_UTF8)
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        place = (1, 1) if encoding else Lines(source).place(error.start)
        raise NotText(Problem(SYNTAX, "the file is not UTF-8 text; is it a binary?", 0, *place)) from None
    if b"\0" in source:
        place = Lines(source).place(source.index(b"\0"))
        raise NotText(Problem(SYNTAX, "the file is a binary: it has a zero byte", 0, *place))
    return source


def is_json(data: bytes) -> bool:
    """Returns whether the text is to be read as JSON; text that also has YAML documents is not."""
    return _JSON_START.match(data) is not None and _YAML_AFTER_JSON.search(data) is None


def read_documents(
    data: bytes, limits: Limits, progress: Progress | None = None, *, keep_nulls: bool = False
) -> Iterator[Document]:
    """Yields every document of a text; fields that were null are absent, unless ``keep_nulls`` is said.

    Raises:
        LimitExceeded: before the memory is spent.
    """
    progress = progress or Progress()
    if is_json(data):
        yield from read_json(data, limits, progress, keep_nulls=keep_nulls)
        return
    for document in read_yaml(data.decode("utf-8"), limits, progress):
        yield document if keep_nulls else document._replace(value=without_nulls(document.value))
