"""A tar, read as a stream.

Only headers and regular files are looked at, so that neither a link nor a header that claims gigabytes can do harm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.archives.budget import MAX_FILES, Budget, Member, Wanted, is_safe, too_many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.archives.unpacked import Unpacked

BLOCK: Final = 512
_MAX_NAME: Final = 64 * 1024
_LONG_NAME, _PAX = b"L", b"x"
_REGULAR: Final = (b"0", b"\0", b"7")


def is_tar(block: bytes) -> bool:
    """Returns whether a block is a tar's header, by its checksum."""
    if len(block) < BLOCK:
        return False
    try:
        told = _number(block[148:156])
    except ValueError:
        return False
    return told == sum(block[:148]) + 8 * ord(" ") + sum(block[156:]) and any(block)


def read_tar(
    name: str, stream: Unpacked, block: bytes, wanted: Wanted, budget: Budget, *, keep: bool = True
) -> Iterator[Member]:
    """Yields the wanted files, empty ones unless their contents are to be kept.

    Raises:
        ManifestError: when they are too large or too many.
        ValueError: when the tar is damaged, or EOFError.
    """
    long_name, count = "", 0
    while len(block) == BLOCK and any(block):
        if not is_tar(block):
            raise ValueError("a header is wrong")
        count += 1
        if count > MAX_FILES:
            raise too_many(name)
        size, kind = _number(block[124:136]), block[156:157]
        padding = -size % BLOCK
        if kind in (_LONG_NAME, _PAX):
            if size > _MAX_NAME:
                raise ValueError("a name is too long")
            long_name = _long_name(kind, stream.read(size)) or long_name
            stream.skip(padding)
        else:
            path, long_name = long_name or _short_name(block), ""
            if kind in _REGULAR and is_safe(path) and wanted(path):
                if size > budget.room:
                    raise budget.exceeded(name)
                budget.keep(name, size)
                yield Member(path, _contents(stream, size, keep=keep))
                stream.skip(padding)
            elif size:
                stream.skip(size + padding)
        block = stream.read(BLOCK)


def _contents(stream: Unpacked, size: int, *, keep: bool) -> bytes:
    if not keep:
        stream.skip(size)
        return b""
    data = stream.read(size)
    if len(data) < size:
        raise EOFError("it ends too early")
    return data


def _short_name(block: bytes) -> str:
    parts = [block[345:500] if block[257:263] == b"ustar\0" else b"", block[:100]]
    return "/".join(part.split(b"\0")[0].decode("utf-8", "replace") for part in parts if part.strip(b"\0"))


def _long_name(kind: bytes, data: bytes) -> str:
    if kind == _LONG_NAME:
        return data.split(b"\0")[0].decode("utf-8", "replace")
    for line in data.split(b"\n"):
        key, _, value = line.partition(b" ")[2].partition(b"=")
        if key == b"path":
            return value.decode("utf-8", "replace")
    return ""


def _number(field: bytes) -> int:
    if field[0] & 0x80:
        return int.from_bytes(bytes([field[0] & 0x7F, *field[1:]]), "big")
    return int(field.strip(b" \0") or b"0", 8)
