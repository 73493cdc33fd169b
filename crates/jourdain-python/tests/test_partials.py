"""The table of derivatives: what follows from names in the registry, and the page that lists it."""

from __future__ import annotations

from derivatives import PAGE
from jourdain._partials import differentiable, quantities


def test_names_in_the_registry_mean_derivatives() -> None:
    """``X_dq`` and ``X_dqd`` have the axes of ``X``, then one for the variable, and read no more than it."""
    known = quantities()
    found = 0
    for name, entry in known.items():
        for argument in ("q", "qd"):
            if derivative := known.get(f"{name}_d{argument}"):
                assert derivative.shape == (*entry.shape, "nv"), derivative.name
                assert set(derivative.inputs) <= set(entry.inputs), derivative.name
                assert argument in differentiable()[name]
                found += 1
    assert found >= 12


def test_the_page_lists_what_there_is() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    table = {}
    for row in rows:
        name, by = (cell.strip() for cell in row.strip("|").split("|")[:2])
        table[name.strip("`")] = tuple(by.replace("`", "").split(", "))
    assert {name: by for name, by in table.items() if name in quantities()} == differentiable()
