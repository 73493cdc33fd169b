"""Writes the parts of the package that follow from the engine: ``_quantities.py`` from the registry of quantities and
``_operations.py`` from the schemas of the operations.

Run it with an interpreter that has the package: ``python generate.py``. A test says when that is due.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import keyword
import pathlib
import textwrap
import types

TARGET = pathlib.Path(__file__).parent / "python" / "jourdain"

QUANTITIES = '''"""Every quantity as a method. Made by ``generate.py`` from the registry: do not edit."""

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

OPERATIONS = '''"""Every operation as a method. Made by ``generate.py`` from the schemas of the operations: do not edit."""

from __future__ import annotations

from typing import Any, Callable

from ._report import Report
from ._types import Law
'''

# Which class has an operation, what it is called there, and which arguments may stand without their names.
RECEIVERS = {
    "Robot": ("robot", "", {
        "base-parameters": (), "derive": ("quantity", "target"), "identify": ("data",), "excite": (), "simulate": (),
        "trajectory": ("trajectory", "quantity"), "ik": ("link", "target"), "ik-path": ("path",), "convert": ("to",),
        "info": (), "bench": (),
    }),
    "Elastic": ("robot", "elastic ", {
        "elastic simulate": (), "elastic inverse": (), "elastic robustness": (), "elastic linearise": ("posture",),
    }),
    "Flexible": ("arm", "flexible ", {
        "flexible modes": (), "flexible eval": ("state",), "flexible simulate": ("scenario",), "flexible linearise": ("at",),
        "flexible derive": ("quantity", "target"), "flexible animate": ("scenario", "out"),
    }),
}


def ask(asked: str, **request: object) -> object:
    return json.loads(engine().handle(asked, json.dumps(request))[0])


@functools.cache
def engine() -> types.ModuleType:
    """The engine alone: the package around it may be what is to be written."""
    file = importlib.util.find_spec("jourdain").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("_jourdain", next(pathlib.Path(file).glob("_jourdain*.so")))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def quantity(place: int, entry: dict) -> str:
    name, of_link = entry["name"].removesuffix(":L"), entry["name"].endswith(":L")
    vectors = [key for key in entry["inputs"] if key not in ("wrenches", "derivatives")]
    extra = [key for key in ("wrenches", "derivatives") if key in entry["inputs"]]
    parameters = ["self"] + ["link: str"] * of_link + [f"{key}: Vector" for key in vectors] + ["*"]
    parameters += ["wrenches: Wrenches | None = None"] * ("wrenches" in extra)
    parameters += ["derivatives: Vector | None = None"] * ("derivatives" in extra)
    parameters += ["out: Array | None = None"]
    function = f'self._of_link("{name}", link)' if of_link else f"self._run[{place}]"
    arguments = ["out"] + [key if key in extra else "None" for key in ("wrenches", "derivatives")] + vectors
    shape = ", ".join(["…", *entry["shape"]])
    unit = f" in {entry['unit']}" if entry["unit"] else ""
    about = entry["about"]
    lines = [
        f"    def {name}({', '.join(parameters)}) -> Array:",
        f'        """{about[0].upper()}{about[1:]}.',
        "",
        f"        Shape ({shape}){unit}." + (f" {entry['equation']}." if entry["equation"] else ""),
        '        """',
        f"        return {function}({', '.join(arguments)})",
    ]
    lines += [f"\n    {short} = {name}" for short in entry["short"]]
    return "\n".join(lines)


def quantities() -> str:
    listed = ask("quantities")
    plain = [entry["name"] for entry in listed if not entry["name"].endswith(":L")]
    names = "\n".join(f'    "{name}",' for name in plain)
    methods = [quantity(plain.index(entry["name"]) if entry["name"] in plain else -1, entry) for entry in listed]
    return QUANTITIES.replace("{names}", names) + "\n" + "\n\n".join(methods) + "\n"


def kind(field: dict, schema: dict) -> str:
    """The type of a field, as loosely as lists, dicts and arrays are taken for texts."""
    if "$ref" in field:
        field = schema["$defs"][field["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in field:
        kinds = [kind(option, schema) for option in field["anyOf"]]
        return " | ".join(dict.fromkeys(k for k in kinds if k not in ("", "None")))
    if "oneOf" in field or "enum" in field:
        return "str"
    names = field.get("type", "string")
    names = [names] if isinstance(names, str) else names
    known = {"string": "Any", "number": "float", "integer": "int", "boolean": "bool", "array": "Any", "null": "None", "object": "Any"}
    kinds = [known[name] for name in names]
    return " | ".join(dict.fromkeys(k for k in kinds if k not in ("", "None")))


def operation(name: str, group: str, subject: str, first: tuple[str, ...], shared: set[str]) -> str:
    request = ask("schema", operation=[name])["request"]
    fields = {key: field for key, field in request["properties"].items() if key != subject and key not in shared}
    method = name.removeprefix(group).replace("-", "_")
    required = [key for key in request.get("required", ()) if key != subject]
    argument = {key: f"{key}_" if keyword.iskeyword(key) else key for key in fields}

    def parameter(key: str) -> str:
        annotation = kind(fields[key], request)
        if key == "law":
            annotation += " | Law"
        # No argument with a default stands before one without.
        must = key in first and any(later in required for later in first[first.index(key):])
        return f"{argument[key]}: {annotation}" if must else f"{argument[key]}: {annotation if annotation == 'Any' else annotation + ' | None'} = None"

    named = [key for key in fields if key not in first]
    parameters = ["self", *map(parameter, first), "*", *map(parameter, named), "progress: bool | Callable[[float], Any] = True"]
    about = " ".join(request["description"].split("\n\n")[0].split())
    document = [f'        """{about}.', "", "        Parameters", "        ----------"]
    for key in [*first, *named]:
        words = " ".join(fields[key].get("description", "").split())
        default = fields[key].get("default")
        known = f" (default {default})" if default not in (None, [], False, "") else ""
        if key == "law":
            words += "; or a function ``f(t, q, qd)`` that returns the torques, an array or a dict by joint"
        document += textwrap.wrap(f"{argument[key]} : {words}{known}", 118, initial_indent=" " * 8, subsequent_indent=" " * 12)
    document += ['        """']
    entries = ", ".join(f'"{key}": {argument[key]}' for key in [*first, *named])
    signature = [f"    def {method}(", *(f"        {parameter}," for parameter in parameters), "    ) -> Report:"]
    return "\n".join([*signature, *document, f'        return self._carry_out("{name}", {{{entries}}}, progress)'])


def operations() -> str:
    listed = {entry["name"] for entry in ask("schema")}
    # What every request about a robot has beside the robot: how it is read and edited, which is settled when it is loaded.
    shared = set(ask("schema", operation=["check"])["request"]["properties"])
    text = OPERATIONS
    for receiver, (subject, group, members) in RECEIVERS.items():
        text += f'''

class {receiver}Operations:
    """What can be asked beside quantities."""

    def _carry_out(self, operation: str, fields: dict[str, Any], progress: bool | Callable[[float], Any]) -> Report:
        raise NotImplementedError
'''
        for name, first in members.items():
            if name in listed:
                text += "\n" + operation(name, group, subject, first, shared - {"snap"}) + "\n"
    return text


if __name__ == "__main__":
    (TARGET / "_quantities.py").write_text(quantities())
    (TARGET / "_operations.py").write_text(operations())
