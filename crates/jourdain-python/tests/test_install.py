"""The package as it is installed: what it brings, what it needs, what it loads."""

from __future__ import annotations

import doctest
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys

import numpy
import pytest

import jourdain
import needs

HERE = pathlib.Path(__file__).parent.parent
ROOT = HERE.parent.parent
PACKAGE = pathlib.Path(jourdain.__file__).parent


def installed() -> importlib.metadata.Distribution:
    try:
        return importlib.metadata.distribution("jourdain")
    except importlib.metadata.PackageNotFoundError:
        needs.missing("an installed wheel")


@pytest.fixture
def alone(tmp_path: pathlib.Path) -> dict[str, str]:
    """An environment in which `python -S` finds the package and NumPy, and nothing else that is installed."""
    site = pathlib.Path(numpy.__file__).parent.parent
    for folder in (PACKAGE, site / "numpy", site / "numpy.libs"):
        if folder.exists():
            (tmp_path / folder.name).symlink_to(folder)
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def run_alone(program: str, environment: dict[str, str]) -> str:
    words = [sys.executable, "-S", "-s", "-W", "error", "-c", program]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_licences_types_and_the_command_come_along() -> None:
    distribution = installed()
    about = distribution.metadata
    assert about["License-Expression"] == "MIT OR Apache-2.0"
    assert about["Requires-Python"] == ">=3.10"
    assert about["Description-Content-Type"].startswith("text/markdown")
    needed = [words for words in distribution.requires or [] if "extra ==" not in words]
    assert [words.partition(">")[0] for words in needed] == ["numpy"]
    files = {pathlib.PurePosixPath(file).name: file for file in distribution.files or []}
    for licence in ("LICENSE-MIT", "LICENSE-APACHE"):
        assert files[licence].locate().read_bytes() == (ROOT / licence).read_bytes()
    assert "py.typed" in files and "_jourdain.pyi" in files
    assert not [name for name in files if name.endswith((".rs", ".toml"))]
    (script,) = distribution.entry_points.select(group="console_scripts")
    assert script.name == "jourdain"


@pytest.mark.skipif(sys.platform != "linux", reason="reads files of Linux")
def test_the_engine_is_for_every_python_and_links_the_c_library_only() -> None:
    installed()
    (engine,) = PACKAGE.glob("_jourdain*.so")
    assert engine.name == "_jourdain.abi3.so"
    read = needs.program("readelf", "binutils")
    done = subprocess.run([read, "--dynamic", str(engine)], capture_output=True, text=True, check=True)
    needed = {line.split("[")[1].rstrip("]") for line in done.stdout.splitlines() if "(NEEDED)" in line}
    loader = {"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    assert needed <= {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libpthread.so.0", "libdl.so.2", *loader}


def cells() -> list[str]:
    """The first cell of the README, and that of the first notebook."""
    example = doctest.DocTestParser().get_examples((HERE / "README.md").read_text(encoding="utf-8"))
    found = ["".join(part.source for part in example[:3])]
    for notebook in sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))[:1]:
        code = [
            cell for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"
        ]
        found.append("".join(code[0]["source"]))
    return found


@pytest.mark.parametrize("cell", cells())
def test_the_first_cell_needs_numpy_alone(cell: str, alone: dict[str, str]) -> None:
    assert "jourdain" in cell
    assert run_alone("import sys\nsys.displayhook = lambda value: print(repr(value))\n" + cell, alone) is not None


def test_importing_loads_little(alone: dict[str, str]) -> None:
    program = """
import sys
import numpy
before = set(sys.modules)
import jourdain
print(*sorted(set(sys.modules) - before))
"""
    loaded = run_alone(program, alone).split()
    # Parts of the standard library that take several milliseconds.
    heavy = {
        "asyncio",
        "concurrent",
        "ctypes",
        "dataclasses",
        "email",
        "http",
        "importlib.metadata",
        "inspect",
        "logging",
    }
    heavy |= {"multiprocessing", "socket", "ssl", "subprocess", "tempfile", "unittest", "xml", "zipfile"}
    assert not heavy & {*loaded, *(name.partition(".")[0] for name in loaded)}
    others = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert others <= {"jourdain", "numpy"}
    assert not [name for name in loaded if name.startswith("numpy.") and "typing" not in name]
    assert "jourdain._jourdain" in loaded


def test_examples_of_the_readme_hold() -> None:
    failed, tried = doctest.testfile(str(HERE / "README.md"), module_relative=False)
    assert tried > 5 and not failed
