"""Fleets: identification and evaluation past one machine, on the engine that is there: threads, Dask or Ray.

>>> from jourdain import fleet
>>> result = fleet.identify("planar2r", ["suite/logs/planar2r.csv"])  # doctest: +SKIP
>>> result.parameters["Fv1"]  # doctest: +SKIP

``identify`` reads every log once, keeps its factors in a store, and gives the same numbers to the last bit whatever the engine;
``watch`` finds robots that change or are unlike the others; ``evaluate`` computes quantities over tables of any size.
"""

from ._evaluate import Evaluated, evaluate
from ._identify import identify
from ._result import Result
from ._watch import Watch, watch

__all__ = ["Evaluated", "Result", "Watch", "evaluate", "identify", "watch"]
