"""Closed-form robot models."""

from ._error import Error

__all__ = ["Error"]

