"""Writes ``python/jourdain/_quantities.py``: every quantity of the registry as a typed method.

Run it with an interpreter that has the package: ``python generate.py``. A test says when that is due.
"""

from __future__ import annotations

import json
import pathlib

HERE = pathlib.Path(__file__).parent
TARGET = HERE / "python" / "jourdain" / "_quantities.py"

HEAD = '''"""Every quantity as a method. Made by ``generate.py`` from the registry: do not edit."""

from __future__ import annotations

from typing import Any, Callable

from ._types import Array, Vector, Wrenches

NAMES: tuple[str, ...] = (
{names}
)


class Quantities:
    """The quantities of a robot.

    Vectors are anything NumPy makes an array of, with any leading shape: ``q`` of shape (…, nq) gives (…, shape). A dict
    from joints to numbers will do for one state. With ``out=`` the result is written there and returned.
    """

    _run: list[Callable[..., Any]]

    def _of_link(self, name: str, link: str) -> Callable[..., Any]:
        raise NotImplementedError
'''


def method(place: int, quantity: dict) -> str:
    name, of_link = quantity["name"].removesuffix(":L"), quantity["name"].endswith(":L")
    vectors = [key for key in quantity["inputs"] if key not in ("wrenches", "derivatives")]
    extra = [key for key in ("wrenches", "derivatives") if key in quantity["inputs"]]
    parameters = ["self"] + ["link: str"] * of_link + [f"{key}: Vector" for key in vectors] + ["*"]
    parameters += ["wrenches: Wrenches | None = None"] * ("wrenches" in extra)
    parameters += ["derivatives: Vector | None = None"] * ("derivatives" in extra)
    parameters += ["out: Array | None = None"]
    function = f'self._of_link("{name}", link)' if of_link else f"self._run[{place}]"
    arguments = ["out"] + [key if key in extra else "None" for key in ("wrenches", "derivatives")] + vectors
    shape = ", ".join(["…", *quantity["shape"]])
    unit = f" in {quantity['unit']}" if quantity["unit"] else ""
    about = quantity["about"]
    lines = [
        f"    def {name}({', '.join(parameters)}) -> Array:",
        f'        """{about[0].upper()}{about[1:]}.',
        "",
        f"        Shape ({shape}){unit}." + (f" {quantity['equation']}." if quantity["equation"] else ""),
        '        """',
        f"        return {function}({', '.join(arguments)})",
    ]
    lines += [f"\n    {short} = {name}" for short in quantity["short"]]
    return "\n".join(lines)


def text() -> str:
    from jourdain import _jourdain

    quantities = json.loads(_jourdain.handle("quantities", "{}")[0])
    plain = [quantity for quantity in quantities if not quantity["name"].endswith(":L")]
    places = {quantity["name"]: place for place, quantity in enumerate(plain)}
    names = "\n".join(f'    "{name}",' for name in places)
    methods = [method(places.get(quantity["name"], -1), quantity) for quantity in quantities]
    return HEAD.replace("{names}", names) + "\n" + "\n\n".join(methods) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text())
