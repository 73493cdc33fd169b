"""Types: the package, the examples and `typed.py` as mypy and pyright see them."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import jourdain
import needs

HERE = pathlib.Path(__file__).parent.parent
PROGRAMS = [str(HERE / "examples"), str(HERE / "tests" / "typed.py")]


def check(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", *words], cwd=HERE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_finds_nothing() -> None:
    needs.module("mypy")
    # By its name: a path in a folder of installed packages would make the others part of what is checked.
    for what in (["--package", "jourdain"], PROGRAMS):
        check("mypy", "--config-file", str(HERE / "pyproject.toml"), *what)


def test_pyright_finds_nothing() -> None:
    needs.module("pyright")
    check(
        "pyright",
        "--project",
        str(HERE),
        "--pythonpath",
        sys.executable,
        str(pathlib.Path(jourdain.__file__).parent),
        *PROGRAMS,
    )
