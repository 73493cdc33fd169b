"""What arguments may be."""

from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Protocol, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Vector = Union[ArrayLike, Mapping[str, float]]
Wrenches = Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]


class HasArray(Protocol):
    """What NumPy makes an array of, such as a table of pandas."""

    def __array__(self) -> Any: ...


Name = Union[str, "os.PathLike[str]"]
"""A name or a file."""

Data = Union[str, "os.PathLike[str]", Mapping[str, Any], Sequence[Any], HasArray]
"""What a request takes as a text: a name, a file, or the data themselves."""

Numbers = Union[float, Sequence[float], HasArray]
Words = Union[str, Sequence[str]]
Law = Callable[[float, Array, Array], Any]
"""A control law: time, positions and velocities to torques, as an array or a dict by joint."""

Progress = Union[bool, Callable[[float], Any]]
"""Whether to show a bar of progress, or a function that is told how far the work is, from 0 to 1."""
