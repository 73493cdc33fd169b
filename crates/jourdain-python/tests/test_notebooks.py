"""The notebooks: each runs without a warning, is kept without outputs, and its page in the book has its cells."""

from __future__ import annotations

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
from typing import Any

import pytest

import needs

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "examples" / "notebooks"
if not FOLDER.is_dir():
    pytest.skip("not in a checkout of the repository", allow_module_level=True)

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def render() -> Any:
    """The script that writes the pages, as a module."""
    needs.module("nbformat")
    spec = importlib.util.spec_from_file_location("render", FOLDER / "render.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_eight() -> None:
    assert len(NOTEBOOKS) == 8


@each
def test_it_runs_and_says_nothing_on_standard_error(path: pathlib.Path) -> None:
    script = render()
    notebook = script.clean(script.read(path))
    for package in script.missing(notebook):
        # Pinocchio is no small thing to install: without it, that notebook is left out.
        pytest.skip("the package pinocchio is missing") if package == "pinocchio" else needs.module(package)
    shown = script.run(notebook)
    assert any(cell.get("outputs") for cell in shown.cells)


@each
def test_it_is_kept_without_outputs_and_traces_of_a_machine(path: pathlib.Path) -> None:
    script = render()
    notebook = script.read(path)
    script.nbformat().validate(notebook)
    assert path.read_text(encoding="utf-8") == script.nbformat().writes(script.clean(script.read(path))) + "\n"
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert 8 <= len(notebook.cells) <= 24


@each
def test_its_page_has_its_cells(path: pathlib.Path) -> None:
    assert not render().is_stale(path), "run `just notebooks`"


@each
def test_its_page_shows_real_results(path: pathlib.Path) -> None:
    script = render()
    page = (script.PAGES / f"{path.stem}.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page)
    assert page.count("<!-- shown -->") >= 2
    assert pictures and sorted(pictures) == sorted(file.name for file in script.PAGES.glob(f"{path.stem}-*.svg"))
    for picture in pictures:
        text = (script.PAGES / picture).read_text(encoding="utf-8")
        assert len(text) < 60_000 and "<date>" not in text and "<image" not in text
    assert str(pathlib.Path.home()) not in page and "Traceback" not in page


def test_a_page_is_stale_as_soon_as_a_cell_differs(tmp_path: pathlib.Path) -> None:
    script = render()
    notebook = json.loads(NOTEBOOKS[0].read_text(encoding="utf-8"))
    code = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    changed = tmp_path / NOTEBOOKS[0].name
    changed.write_text(json.dumps(notebook), encoding="utf-8")
    assert not script.is_stale(changed)
    code["source"] = [*code["source"], "  # changed"]
    changed.write_text(json.dumps(notebook), encoding="utf-8")
    assert script.is_stale(changed)


def test_the_first_cell_needs_numpy_alone() -> None:
    notebook = json.loads((FOLDER / "01-first-robot.ipynb").read_text(encoding="utf-8"))
    cell = "".join(next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")["source"])
    assert cell.splitlines()[0] == "import jourdain as jd"
    optional = ("pandas", "xarray", "matplotlib", "tqdm", "jax", "torch", "scipy", "IPython")
    program = f"import sys\nfor name in {optional!r}: sys.modules[name] = None\n{cell}"
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
