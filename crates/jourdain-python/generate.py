"""Writes the parts of the package that follow from the engine: ``_quantities.pyi`` from its class of quantities, and
``_operations.py`` and ``_functions.py`` from the schemas of the operations.

Run it with an interpreter that has the package: ``python generate.py``. A test says when that is due.
"""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import inspect
import json
import keyword
import pathlib
import re
import textwrap
import types

TARGET = pathlib.Path(__file__).parent / "python" / "jourdain"

QUANTITIES = """# Every quantity as a method, as type checkers and editors see it. Made by generate.py from the class of the engine: do not edit.

from . import _jourdain
from ._types import Array, Vector, Wrenches

__all__ = ["Quantities"]

class Quantities:
{about}
    def __init__(self, core: _jourdain.Robot) -> None: ...
    def _function(self, name: str) -> _jourdain.Compiled: ...
"""

# What the arguments of quantities are; all others are vectors.
ARGUMENTS = {
    "link": "str",
    "wrenches": "Wrenches | None",
    "derivatives": "Vector | None",
    "out": "Array | None",
}

OPERATIONS = '''"""Every operation as a method. Made by ``generate.py`` from the schemas of the operations: do not edit."""

from __future__ import annotations

from typing import Any, Callable, Literal, Mapping, Sequence

{imports}
from ._types import Data, Law, Name, Numbers, Progress, Words
'''

FUNCTIONS = '''"""Operations as functions of the package. Made by ``generate.py`` from the schemas of the operations: do not edit."""

from __future__ import annotations

from typing import Any, Callable, Literal, Sequence

from ._load import Subject, robot_of
{imports}
from ._request import carry_out
from ._types import Data, Name, Numbers, Progress, Words
'''

# Which class has an operation, which arguments may stand without their names, and the class of the result.
RECEIVERS = {
    "Robot": (
        "robot",
        "",
        {
            "info": ((), "Info"),
            "scene": ((), "Report"),
            "eval": (("state", "quantity"), "Evaluation"),
            "derive": (("quantity", "target"), "Formula"),
            "base-parameters": ((), "BaseParameters"),
            "identify": (("data",), "Identification"),
            "excite": ((), "Excitation"),
            "simulate": ((), "Motion"),
            "trajectory": (("trajectory", "quantity"), "Evaluation"),
            "ik": (("link", "target"), "Solution"),
            "ik-path": (("path",), "Path"),
            "convert": (("to",), "Conversion"),
            "bench": ((), "Timings"),
        },
    ),
    "Elastic": (
        "robot",
        "elastic ",
        {
            "elastic simulate": ((), "Motion"),
            "elastic inverse": ((), "MotorMotion"),
            "elastic robustness": ((), "Robustness"),
            "elastic linearise": (("posture",), "Linearisation"),
        },
    ),
    "Flexible": (
        "arm",
        "flexible ",
        {
            "flexible modes": ((), "Modes"),
            "flexible eval": (("state",), "Report"),
            "flexible simulate": (("scenario",), "Motion"),
            "flexible linearise": (("at",), "Linearisation"),
            "flexible derive": (("quantity", "target"), "Formula"),
            "flexible animate": (("scenario", "out"), "Animation"),
        },
    ),
}

# Operations that are functions of the package: without a robot, and those of a robot that are there as methods, too.
LISTS = {"robots": ("kind",), "arms": (), "quantities": (), "schema": ("operation",)}
ALIASES = ("identify", "excite", "trajectory", "convert")

# Written by hand, because their arguments are the edits of a robot.
BY_HAND = ("check", "expand")

# Functions of ``jourdain.fleet``, written by hand because they run on engines of Python.
ON_ENGINES = ("fleet identify", "fleet watch")

# Where the results are.
MODULES = {
    "_animation": ("Animation",),
    "_formula": ("Formula",),
    "_motion": ("Evaluation", "Motion", "MotorMotion"),
    "_parameters": ("BaseParameters", "Excitation", "Identification"),
    "_reach": ("Path", "Solution"),
    "_report": ("Info", "Listing", "R", "Report"),
    "_systems": ("Linearisation", "Modes", "Robustness", "Timings"),
    "_texts": ("Conversion",),
}

# What Python has where the command has none.
DEFAULTS = {("derive", "target"): "latex", ("flexible derive", "target"): "latex"}

# Texts that are words or files and nothing else, which schemas do not tell.
WORDS = {"link", "to", "together", "wrenches", "output", "shard"}
FILES = {"animate", "out", "plot", "report", "factors", "bode"}

EXAMPLES = {
    "info": ("robot.info().total_mass", "3.5"),
    "eval": ('robot.eval([0.3, -0.2], "gravity").arrays["gravity"].round(3).tolist()', "[22.25, 5.855]"),
    "derive": (
        'print(robot.derive("gravity").latex.splitlines()[2])',
        "g_{2} ={}& 5.88399 \\\\, \\\\cos\\\\left(q_{1} + q_{2}\\\\right)",
    ),
    "base-parameters": ("robot.base_parameters().names", "['mXR1', 'mY1', 'ZZR1', 'mX2', 'mY2', 'ZZ2']"),
    "excite": ("robot.excite(starts=1, steps=20).count", "10"),
    "simulate": ('robot.simulate(duration=0.5, law="pd-gravity", goal=[1.0, 0.5], kp=50, kd=10).q.shape', "(501, 2)"),
    "trajectory": (
        'robot.trajectory({"duration": 2, "joints": [{"polynomial": [0, 1]}] * 2}, "gravity", samples=3).arrays["gravity"].shape',
        "(3, 2)",
    ),
    "ik": ('robot.ik("tool", [0.5, 0.5]).status', "'solved'"),
    "ik-path": ("robot.ik_path([[0.5, 0.5], [0.5, 0.4]]).q.shape", "(2, 2)"),
    "convert": ('robot.convert("urdf").text.splitlines()[1]', "'<robot name=\"planar2r\">'"),
}


def ask(asked: str, **request: object) -> object:
    return json.loads(engine().handle(asked, json.dumps(request))[0])


@functools.cache
def engine() -> types.ModuleType:
    """The engine alone: the package around it may be what is to be written."""
    folder = pathlib.Path(importlib.util.find_spec("jourdain").submodule_search_locations[0])
    names = (folder / f"_jourdain{suffix}" for suffix in importlib.machinery.EXTENSION_SUFFIXES)
    spec = importlib.util.spec_from_file_location("_jourdain", next(file for file in names if file.exists()))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def quantity(name: str, method: types.MethodDescriptorType) -> str:
    """A method of the engine with types."""
    if name != method.__name__:
        return f"    {name} = {method.__name__}"

    def written(argument: inspect.Parameter) -> str:
        if argument.name == "self":
            return "self"
        kind = ARGUMENTS.get(argument.name, "Vector")
        return f"{argument.name}: {kind}" + (" = None" if argument.default is None else "")

    arguments = list(inspect.signature(method).parameters.values())
    first = [written(argument) for argument in arguments if argument.kind != argument.KEYWORD_ONLY]
    last = [written(argument) for argument in arguments if argument.kind == argument.KEYWORD_ONLY]
    about = textwrap.indent(f'"""{method.__doc__}\n"""', "        ", lambda line: line.strip() != "")
    return f"    def {name}({', '.join([*first, '*', *last])}) -> Array:\n{about}"


def quantities() -> str:
    of = engine().Quantities
    about = textwrap.indent(f'"""{inspect.cleandoc(of.__doc__)}\n"""\n', "    ", lambda line: line.strip() != "")
    listed = ask("quantities")
    names = [name for entry in listed for name in (entry["name"].removesuffix(":L"), *entry["short"])]
    methods = [quantity(name, vars(of)[name]) for name in names]
    return QUANTITIES.replace("{about}", about.rstrip("\n")) + "\n".join(methods) + "\n"


def kind(name: str, field: dict, schema: dict) -> str:
    """The type of a field; texts may be data of every form."""
    if "$ref" in field:
        field = schema["$defs"][field["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in field:
        return kind(name, next(option for option in field["anyOf"] if option.get("type") != "null"), schema)
    choices = field.get("enum") or [option["const"] for option in field.get("oneOf", ())]
    if choices:
        return f"Literal[{', '.join(json.dumps(choice) for choice in choices if choice is not None)}]"
    types = field.get("type", "string")
    type_ = types if isinstance(types, str) else next(entry for entry in types if entry != "null")
    if type_ == "array":
        items = field.get("items", {})
        inner = kind(name, items, schema)
        if inner.startswith("Literal"):
            return f"{inner} | Sequence[{inner}]"
        return {"number": "Numbers", "integer": "Numbers"}.get(
            items.get("type"), "Words" if name == "quantity" else "Data"
        )
    if type_ == "string":
        return "str" if name in WORDS else "Name" if name in FILES else "Data"
    return {"number": "float", "integer": "int", "boolean": "bool", "object": "Data"}[type_]


class Method:
    """An operation as Python writes it."""

    def __init__(self, name: str, subject: str | None, first: tuple[str, ...], shared: set[str]) -> None:
        request = ask("schema", operation=[name])["request"]
        fields = request.get("properties", {})
        self.name, self.first, self.request = name, first, request
        self.fields = {key: field for key, field in fields.items() if key != subject and key not in shared}
        self.keys = [*first, *(key for key in self.fields if key not in first)]
        self.argument = {key: f"{key}_" if keyword.iskeyword(key) else key for key in self.fields}
        self.required = [key for key in request.get("required", ()) if key in self.fields]

    def parameter(self, key: str) -> str:
        annotation = kind(key, self.fields[key], self.request)
        # A request can name a law; Python can also give one.
        annotation += " | Law" * (key == "law")
        if (self.name, key) in DEFAULTS:
            return f"{self.argument[key]}: {annotation} = {json.dumps(DEFAULTS[self.name, key])}"
        # No argument with a default stands before one without.
        late = [other for other in self.required if (self.name, other) not in DEFAULTS]
        must = (
            key in late
            and key not in self.first
            or key in self.first
            and any(other in late for other in self.first[self.first.index(key) :])
        )
        return f"{self.argument[key]}: {annotation}" if must else f"{self.argument[key]}: {annotation} | None = None"

    def parameters(self, before: str) -> list[str]:
        named = [self.parameter(key) for key in self.keys if key not in self.first]
        progress = "progress: Progress = True"
        return [part for part in (before, *map(self.parameter, self.first), "*", *named, progress) if part]

    def document(self, indent: str, example: str = "", before: str = "") -> list[str]:
        about = " ".join(self.request["description"].split("\n\n")[0].split())
        lines = [f'{indent}"""{about}.']
        entries = [before] * bool(before)
        for key in self.keys:
            words = " ".join(self.fields[key].get("description", "").split())
            # Options of the command are arguments here.
            words = re.sub(r"--([a-z][a-z-]*)", lambda option: f"`{option[1].replace('-', '_')}`", words)
            words += "; or a function ``f(t, q, qd)`` that returns the torques, as an array or a dict by joint" * (
                key == "law"
            )
            default = self.fields[key].get("default")
            known = f" (default {default})" if default not in (None, [], False, "") else ""
            entries.append(f"{self.argument[key]} : {words}{known}")
        if entries:
            lines += ["", f"{indent}Parameters", f"{indent}----------"]
        for entry in entries:
            lines += textwrap.wrap(entry, 118, initial_indent=indent, subsequent_indent=indent + "    ")
        if example:
            lines += ["", f"{indent}Examples", f"{indent}--------", *(indent + line for line in example.splitlines())]
        return [*lines, f'{indent}"""'] if len(lines) > 1 else [lines[0] + '"""']

    def arguments(self, indent: str) -> list[str]:
        return [f'{indent}"{key}": {self.argument[key]},' for key in self.keys]


def example(name: str) -> str:
    asked, answer = EXAMPLES.get(name, ("", ""))
    if not asked:
        return ""
    lines = [">>> import jourdain as jd", '>>> robot = jd.load("planar2r")', f">>> {asked}"]
    return "\n".join([*lines, answer])


def method(name: str, group: str, subject: str, first: tuple[str, ...], result: str, shared: set[str]) -> str:
    made = Method(name, subject, first, shared)
    signature = [
        f"    def {python(name, group)}(",
        *(f"        {entry}," for entry in made.parameters("self")),
        f"    ) -> {result}:",
    ]
    body = (
        ["        fields = {", *made.arguments(" " * 12), "        }"]
        if made.keys
        else ["        fields: dict[str, Any] = {}"]
    )
    call = f'        return self._carry_out({result}, "{name}", fields, progress)'
    return "\n".join([*signature, *made.document(" " * 8, example(name)), *body, call])


def python(name: str, group: str = "") -> str:
    return name.removeprefix(group).replace("-", "_")


def imports(names: set[str]) -> str:
    found = {module: [name for name in members if name in names] for module, members in MODULES.items()}
    return "\n".join(f"from .{module} import {', '.join(members)}" for module, members in found.items() if members)


def used(text: str) -> str:
    """The text without names that are imported and not used."""
    lines = []
    for line in text.splitlines():
        if line.startswith("from ") and " import " in line and "__future__" not in line:
            module, _, names = line.partition(" import ")
            body = text.replace(line, "")
            kept = [name for name in names.split(", ") if re.search(rf"\b{name}\b", body)]
            if not kept:
                continue
            line = f"{module} import {', '.join(kept)}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def shared_fields() -> set[str]:
    """What every request about a robot has beside the robot: how it is read and edited, which is settled when it is loaded."""
    return set(ask("schema", operation=["check"])["request"]["properties"])


def operations() -> str:
    results = {result for _, _, members in RECEIVERS.values() for _, result in members.values()}
    text = OPERATIONS.replace("{imports}", imports(results | {"R"}))
    for receiver, (subject, group, members) in RECEIVERS.items():
        text += f'''

class {receiver}Operations:
    """What can be asked beside quantities."""

    def _carry_out(self, kind: type[R], operation: str, fields: Mapping[str, Any], progress: Progress) -> R:
        raise NotImplementedError
'''
        shared = shared_fields() if subject == "robot" else set()
        for name, (first, result) in members.items():
            text += "\n" + method(name, group, subject, first, result, shared) + "\n"
    return used(text)


def functions() -> str:
    members = RECEIVERS["Robot"][2]
    text = FUNCTIONS.replace("{imports}", imports({"Listing", "Report", *(members[name][1] for name in ALIASES)}))
    for name, first in LISTS.items():
        made = Method(name, None, first, set())
        result = "Report" if name == "schema" else "Listing"
        signature = [f"def {python(name)}({', '.join(map(made.parameter, first))}) -> {result}:"]
        entries = ", ".join(f'"{key}": {made.argument[key]}' for key in first)
        call = f'    return {result}._of(carry_out("{name}", {{{entries}}}, False), None, {{}})'
        text += "\n\n" + "\n".join([*signature, *made.document("    "), call]) + "\n"
    for name in ALIASES:
        first, result = members[name]
        made = Method(name, "robot", first, shared_fields())
        signature = [
            f"def {python(name)}(",
            *(f"    {entry}," for entry in made.parameters("robot: Subject")),
            f") -> {result}:",
        ]
        passed = [
            *(made.argument[key] for key in first),
            *(f"{made.argument[key]}={made.argument[key]}" for key in made.keys if key not in first),
        ]
        call = [
            f"    return robot_of(robot).{python(name)}(",
            *(f"        {entry}," for entry in passed),
            "        progress=progress,",
            "    )",
        ]
        text += (
            "\n\n"
            + "\n".join([*signature, *made.document("    ", before="robot : The robot, or its name or file"), *call])
            + "\n"
        )
    return used(text)


FILES_MADE = {"_quantities.pyi": quantities, "_operations.py": operations, "_functions.py": functions}

if __name__ == "__main__":
    for file, make in FILES_MADE.items():
        (TARGET / file).write_text(make())
