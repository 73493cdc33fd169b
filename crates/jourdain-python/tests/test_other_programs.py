"""The pages for users of other programs: their Python gives what the command says.

The tables of these pages are compared with the other programs by ``just compare-names``.
"""

from __future__ import annotations

import importlib.util
import pathlib
import sys

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[3] / "suite" / "peers" / "same_names.py"
if not SCRIPT.exists():
    pytest.skip("not in a checkout of the repository", allow_module_level=True)


PEERS = ["pinocchio", "mujoco", "rtb"]


@pytest.mark.parametrize("title", PEERS)
def test_the_pages_for_users_of_other_programs_spell_quantities_right(title: str) -> None:
    spec = importlib.util.spec_from_file_location("same_names", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert sorted(module.PAGES) == sorted(PEERS)
    file, _, robots = module.PAGES[title]
    assert module.compare_python(module.Jourdain(sys.executable, "-m", "jourdain"), file, robots) == []
