"""What arguments may be."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Vector = Union[ArrayLike, Mapping[str, float]]
Wrenches = Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]
Law = Callable[[float, Array, Array], Any]
