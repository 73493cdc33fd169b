"""The Python of ``docs/python.md`` runs: its blocks one after the other, in an empty folder.

Blocks marked ``python`` are run as they are; in those marked ``pycon`` what is shown is compared as well. A block that imports a
package that is not installed is left out.
"""

from __future__ import annotations

import doctest
import importlib.util
import pathlib
import re
import warnings
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "python.md"
if not PAGE.exists():
    pytest.skip("not in a checkout of the repository", allow_module_level=True)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: str) -> list[tuple[int, str, str]]:
    """Line, kind and text of every block of Python."""
    found = re.finditer(r"^```(python|pycon)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    return [(page.count("\n", 0, block.start()) + 2, block[1], block[2]) for block in found]


def test_its_python_runs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {"__name__": "__main__"}
    found = blocks(PAGE.read_text(encoding="utf-8"))
    assert found
    for line, kind, text in found:
        imported = re.findall(r"^(?:>>> )?(?:import|from) (\w+)(?:\.(\w+))?", text, re.MULTILINE)
        packages = [part if package == "jourdain" and part else package for package, part in imported]
        if any(importlib.util.find_spec(package) is None for package in packages):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            if kind == "python":
                exec(compile("\n" * (line - 1) + text, str(PAGE), "exec"), scope)
            else:
                examples = doctest.DocTestParser().get_doctest(text, scope, PAGE.name, str(PAGE), line)
                outcome: list[str] = []
                doctest.DocTestRunner(optionflags=OPTIONS).run(examples, out=outcome.append, clear_globs=False)
                assert not outcome, "".join(outcome)
                scope = examples.globs


def test_a_wrong_result_is_noticed(tmp_path: pathlib.Path) -> None:
    line, kind, text = blocks("# Page\n\n```pycon\n>>> 1 + 1\n3\n```\n")[0]
    assert (line, kind) == (4, "pycon")
    examples = doctest.DocTestParser().get_doctest(text, {}, "page", None, line)
    assert doctest.DocTestRunner(verbose=False).run(examples, out=lambda _: None).failed == 1
