"""Names of the array types that columns are made of."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

Int64Array = NDArray[np.int64]
UInt64Array = NDArray[np.uint64]
Int32Array = NDArray[np.int32]
BoolArray = NDArray[np.bool_]
RowIndex = NDArray[np.intp]
"""Rows, or positions in an array of rows."""


@functools.lru_cache(maxsize=None, typed=True)
def constant(value: float) -> NDArray[Any]:
    """A number for arithmetic with small arrays: numpy takes twice as long where it has to convert it first.

    Shapes: → int64[] or float64[], not to be written to
    """
    array = np.array(value)
    array.flags.writeable = False
    return array


def where(flags: NDArray[np.generic]) -> RowIndex:
    """The positions at which something is true or not 0.

    Shapes: [n] → intp[at most n]
    """
    positions: RowIndex = flags.nonzero()[0]
    return positions
