"""Amounts of a resource as Kubernetes writes them: "500m", "1.5Gi", "2e3".

Source: apimachinery/pkg/api/resource/quantity.go, suffix.go, v1.34.1
"""

from __future__ import annotations

import functools
import re

ERR_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
ERR_NUMERIC = "unable to parse numeric part of quantity"
ERR_SUFFIX = "unable to parse quantity's suffix"

DECIMAL_SI = "DecimalSI"
BINARY_SI = "BinarySI"
DECIMAL_EXPONENT = "DecimalExponent"

NANOS = 10**9
NANOS_PER_MILLI = 10**6
MAX_INT64 = 2**63 - 1
MIN_INT64 = -(2**63)

_DECIMAL_EXPONENTS = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY_EXPONENTS = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIXES = {exponent: suffix for suffix, exponent in _DECIMAL_EXPONENTS.items()}

# Every part may be empty, as upstream's scanner has it: "Gi" and "." are zero.
_SCANNER = re.compile(r"([+-]?)0*([0-9]*)(?:(\.)([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)", re.ASCII)
_EXPONENT = re.compile(r"[eE]([+-]?[0-9]+)", re.ASCII)
# Far outside int64 on either side: a larger exponent changes nothing but the memory it takes.
_MAX_EXPONENT = 1000
_MAX_DIGITS = 4000


class QuantityError(ValueError):
    """The text is not a quantity; the message is upstream's."""


@functools.total_ordering
class Quantity:
    """An exact amount, in whole nanos; equal and hashed by amount, whatever the notation.

    Args:
        nanos: the amount times 10**9.
        notation: the family of suffixes it was written with, kept for output.
    """

    __slots__ = ("nanos", "notation")

    nanos: int
    notation: str

    def __init__(self, nanos: int, notation: str = DECIMAL_SI) -> None:
        object.__setattr__(self, "nanos", nanos)
        object.__setattr__(self, "notation", notation)

    @classmethod
    def from_int(cls, value: int, notation: str = DECIMAL_SI) -> Quantity:
        """Returns the quantity of `value` whole units."""
        return cls(value * NANOS, notation)

    @classmethod
    def from_milli(cls, value: int, notation: str = DECIMAL_SI) -> Quantity:
        """Returns the quantity of `value` thousandths."""
        return cls(value * NANOS_PER_MILLI, notation)

    def value(self) -> int:
        """Returns whole units, rounded away from zero, as int64."""
        return to_int64(_divide_away(self.nanos, NANOS))

    def milli_value(self) -> int:
        """Returns thousandths, rounded away from zero, as int64."""
        return to_int64(_divide_away(self.nanos, NANOS_PER_MILLI))

    def is_whole_in_milli(self) -> bool:
        """Returns whether the amount is not finer than a thousandth."""
        return self.nanos % NANOS_PER_MILLI == 0

    def rounded_up_to_milli(self) -> Quantity:
        """Returns the quantity the API server stores in a ResourceList: nothing finer than a thousandth."""
        if self.is_whole_in_milli():
            return self
        return Quantity(_divide_away(self.nanos, NANOS_PER_MILLI) * NANOS_PER_MILLI, self.notation)

    def is_zero(self) -> bool:
        """Returns whether the amount is nothing."""
        return self.nanos == 0

    def format(self, notation: str | None = None) -> str:
        """Returns the canonical text: no fraction, the largest suffix that loses nothing."""
        if self.nanos == 0:
            return "0"
        wanted = notation or self.notation
        if wanted == BINARY_SI and self.nanos % NANOS == 0 and abs(self.nanos) >= 1024 * NANOS:
            return _format_binary(self.nanos // NANOS)
        return _format_decimal(self.nanos, exponents=wanted == DECIMAL_EXPONENT)

    def __add__(self, other: Quantity) -> Quantity:
        return Quantity(self.nanos + other.nanos, self.notation if self.nanos else other.notation)

    def __sub__(self, other: Quantity) -> Quantity:
        return Quantity(self.nanos - other.nanos, self.notation if self.nanos else other.notation)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.nanos == other.nanos

    def __lt__(self, other: Quantity) -> bool:
        return self.nanos < other.nanos

    def __hash__(self) -> int:
        return hash(self.nanos)

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"Quantity({self.format()!r})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Quantity is immutable: cannot set {name!r}")

    def __reduce__(self) -> tuple[type[Quantity], tuple[int, str]]:
        return (Quantity, (self.nanos, self.notation))


def parse_quantity(value: str | int | float) -> Quantity:
    """Reads a quantity as the API server reads it from JSON, numbers included.

    Raises:
        QuantityError: with upstream's message.
    """
    if isinstance(value, str):
        return _parse(value.strip(" \t\n\v\f\r\x85\xa0"))
    if isinstance(value, bool):
        raise QuantityError(ERR_FORMAT)
    if isinstance(value, int):
        return _parse(str(value)) if -(10**18) < value < 10**18 else _parse_large_int(value)
    if isinstance(value, float):
        return _parse(repr(value))
    raise QuantityError(ERR_FORMAT)


def to_int64(number: int) -> int:
    """Brings an amount into int64 as upstream does: nothing of a short mantissa, else the low 64 bits."""
    if MIN_INT64 <= number <= MAX_INT64:
        return number
    mantissa = abs(number)
    while mantissa % 10 == 0:
        mantissa //= 10
    if mantissa < 10**18:
        return 0
    return (number - MIN_INT64) % 2**64 + MIN_INT64


@functools.lru_cache(maxsize=65536)
def _parse(text: str) -> Quantity:
    if not text:
        raise QuantityError(ERR_FORMAT)
    match = _SCANNER.fullmatch(text)
    if match is None:
        raise QuantityError(ERR_FORMAT)
    sign, whole, _, fraction, suffix = match.groups(default="")
    if len(whole) + len(fraction) > _MAX_DIGITS:
        raise QuantityError(ERR_NUMERIC)
    negative = sign == "-"
    if suffix in _BINARY_EXPONENTS:
        if suffix == "Ei" and not any(character.isdigit() for character in text):
            raise QuantityError(ERR_NUMERIC)
        return _binary(negative, whole, fraction, _BINARY_EXPONENTS[suffix])
    exponent = _DECIMAL_EXPONENTS.get(suffix)
    notation = DECIMAL_SI
    if exponent is None:
        exponent, notation = _decimal_exponent(suffix), DECIMAL_EXPONENT
    return Quantity(_signed(negative, _decimal(whole, fraction, exponent)), notation)


def _parse_large_int(value: int) -> Quantity:
    if abs(value) >= 10**_MAX_DIGITS:
        raise QuantityError(ERR_NUMERIC)
    return Quantity(value * NANOS)


def _decimal_exponent(suffix: str) -> int:
    match = _EXPONENT.fullmatch(suffix)
    if match is None or len(match[1]) > 19:
        raise QuantityError(ERR_SUFFIX)
    return int(match[1])


def _decimal(whole: str, fraction: str, exponent: int) -> int:
    mantissa = int(whole + fraction or "0")
    if mantissa == 0:
        return 0
    shift = exponent - len(fraction) + 9
    if shift >= 0:
        return mantissa * _power_of_ten(min(shift, _MAX_EXPONENT))
    if -shift > len(whole) + len(fraction):
        return 1
    return -(-mantissa // _power_of_ten(-shift))


def _binary(negative: bool, whole: str, fraction: str, exponent: int) -> Quantity:
    mantissa = int(whole + fraction or "0") << exponent
    nanos = -(-mantissa * NANOS // _power_of_ten(len(fraction)))
    nanos = min(nanos, MAX_INT64 * NANOS)
    notation = DECIMAL_SI if 0 < nanos < NANOS else BINARY_SI
    return Quantity(_signed(negative, nanos), notation)


def _power_of_ten(exponent: int) -> int:
    return int(10**exponent)


def _signed(negative: bool, nanos: int) -> int:
    return -nanos if negative else nanos


def _divide_away(number: int, by: int) -> int:
    return -(-number // by) if number >= 0 else number // by


def _format_binary(units: int) -> str:
    for suffix, exponent in reversed(_BINARY_EXPONENTS.items()):
        if units % (1 << exponent) == 0:
            return f"{units >> exponent}{suffix}"
    return str(units)


def _format_decimal(nanos: int, *, exponents: bool) -> str:
    exponent = -9
    while nanos % 1000 == 0:
        nanos //= 1000
        exponent += 3
    if exponents or exponent > 18:
        return f"{nanos}e{exponent}" if exponent else str(nanos)
    return f"{nanos}{_DECIMAL_SUFFIXES[exponent]}"
