"""Types: the package, the examples and `typed.py` as mypy and pyright see them."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import jourdain
import needs

HERE = pathlib.Path(__file__).parent.parent
CHECKED = [str(pathlib.Path(jourdain.__file__).parent), str(HERE / "examples"), str(HERE / "tests" / "typed.py")]


def check(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", *words], cwd=HERE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_finds_nothing() -> None:
    needs.module("mypy")
    check("mypy", "--config-file", str(HERE / "pyproject.toml"), *CHECKED)


def test_pyright_finds_nothing() -> None:
    needs.module("pyright")
    check("pyright", "--project", str(HERE), "--pythonpath", sys.executable, *CHECKED)
