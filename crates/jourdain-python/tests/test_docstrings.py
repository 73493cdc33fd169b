"""Every example in a docstring does what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import jourdain as jd

MODULES = [
    "jourdain",
    *(f"jourdain.{found.name}" for found in pkgutil.iter_modules(jd.__path__) if found.name != "_jourdain"),
]


@pytest.mark.parametrize(
    "name", [name for name in MODULES if name not in ("jourdain.__main__", "jourdain.jax", "jourdain.torch")]
)
def test_examples_do_what_they_say(name: str) -> None:
    module = importlib.import_module(name)
    done = doctest.testmod(module)
    assert done.failed == 0


def test_what_people_use_most_has_an_example() -> None:
    for known in [
        jd.load,
        jd.from_text,
        jd.from_dh,
        jd.from_screws,
        jd.check,
        jd.Motion,
        jd.Solution,
        jd.BaseParameters,
    ]:
        assert ">>>" in (known.__doc__ or ""), known
    for name in ["derive", "base_parameters", "excite", "simulate", "trajectory", "ik", "ik_path", "convert", "edit"]:
        assert ">>>" in (getattr(jd.Robot, name).__doc__ or ""), name
