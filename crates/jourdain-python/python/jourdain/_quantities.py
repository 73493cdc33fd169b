"""Every quantity as a method of a class, which the engine makes from the registry; its types are in ``_quantities.pyi``."""

from __future__ import annotations

from ._jourdain import Quantities

__all__ = ["Quantities"]
