"""Runs the notebooks of this folder and writes what they show as pages of the book, ``docs/notebooks``.

    python examples/notebooks/render.py [NAME …]      run, and write pages and pictures
    python examples/notebooks/render.py --clean       only take outputs and whatever a machine left there out of the notebooks

Notebooks are kept without outputs. A page has the cells of its notebook, word for word but for links, and what they showed, between two
comments: what is left of a page without that follows from the notebook alone, and so ``is_stale`` can say when a page is old.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import pathlib
import re
import sys
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
PAGES = HERE.parent.parent / "docs" / "notebooks"
SHOWN = "<!-- shown -->\n{}<!-- -->\n"
# Needed to run any of them; others are what they import.
PACKAGES = ("nbformat", "nbclient", "ipykernel", "matplotlib", "pandas")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# Pictures as SVG, without the date.
SETUP = """
from matplotlib_inline.backend_inline import set_matplotlib_formats
set_matplotlib_formats("svg", metadata={"Date": None})
%matplotlib inline
"""


def notebooks() -> list[pathlib.Path]:
    """All notebooks, in order."""
    return sorted(HERE.glob("*.ipynb"))


def nbformat() -> Any:
    return importlib.import_module("nbformat")


def read(path: pathlib.Path) -> Any:
    return nbformat().read(path, as_version=4)


def clean(notebook: Any) -> Any:
    """The notebook without outputs, counters and what machines and editors leave there."""
    notebook.metadata = METADATA
    for cell in notebook.cells:
        cell.metadata = {key: cell.metadata[key] for key in ("tags",) if cell.metadata.get(key)}
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def missing(notebook: Any) -> list[str]:
    """Packages that the notebook needs and that are not here."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    imported = re.findall(r"^\s*(?:import|from) (\w+)", code, re.MULTILINE)
    known = {path.stem for path in HERE.glob("*.py")}
    wanted = [*PACKAGES, *(name for name in dict.fromkeys(imported) if name not in known)]
    return [name for name in wanted if importlib.util.find_spec(name) is None]


def run(notebook: Any) -> Any:
    """The notebook with what it shows. Raises where a cell does, or says something on standard error."""
    nbclient: Any = importlib.import_module("nbclient")
    work = nbformat().from_dict(notebook)
    work.cells.insert(0, nbformat().v4.new_code_cell(SETUP))
    before = os.environ.get("TQDM_DISABLE")
    os.environ["TQDM_DISABLE"] = "1"
    try:
        nbclient.NotebookClient(work, timeout=300, resources={"metadata": {"path": str(HERE)}}).execute()
    finally:
        os.environ.pop("TQDM_DISABLE") if before is None else os.environ.update(TQDM_DISABLE=before)
    del work.cells[0]
    for cell in work.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "stream" and output.name == "stderr":
                raise RuntimeError(f"a cell says on standard error:\n{output.text}\nThe cell:\n{cell.source}")
    return work


def page(notebook: Any, name: str) -> tuple[str, dict[str, str]]:
    """The page of a notebook, and its pictures by file name."""
    pictures: dict[str, str] = {}
    parts = []
    heading = name
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading = next(iter(re.findall(r"^#+ (.+)", cell.source, re.MULTILINE)), heading).replace("$", "")
            parts.append(_linked(cell.source) + "\n")
            continue
        parts.append(f"```python\n{cell.source}\n```\n")
        shown = "".join(_shown(output, name, heading, pictures) for output in _joined(cell.get("outputs", [])))
        if shown:
            parts.append(SHOWN.format(shown))
    source = f"[The notebook](../../examples/notebooks/{name}.ipynb) · [all notebooks](README.md)\n"
    return "\n".join([*parts, "---\n", source]), pictures


def _linked(text: str) -> str:
    """Links as they lead from the page: to other pages instead of notebooks, to the documentation beside it."""
    return re.sub(r"\]\(([\w-]+)\.ipynb\)", r"](\1.md)", text).replace("](../../docs/", "](../")


def _joined(outputs: list[Any]) -> list[Any]:
    """Streams that were written in pieces, in one."""
    joined: list[Any] = []
    for output in outputs:
        if joined and output.output_type == joined[-1].output_type == "stream":
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def _shown(output: Any, name: str, heading: str, pictures: dict[str, str]) -> str:
    if output.output_type == "stream":
        return f"```text\n{output.text.rstrip()}\n```\n"
    if output.output_type == "error":
        return f"```text\n{output.ename}: {output.evalue}\n```\n"
    data = output.data
    if "image/svg+xml" in data:
        file = f"{name}-{len(pictures) + 1}.svg"
        pictures[file] = _tidy(data["image/svg+xml"])
        return f"![{heading}: figure {len(pictures)}]({file})\n"
    if "text/latex" in data:
        return _math(data["text/latex"])
    return f"```text\n{data['text/plain'].rstrip()}\n```\n"


def _math(latex: str) -> str:
    """Displayed formulas as Markdown has them: those that are complete in LaTeX become parts of one."""
    formulas = [formula.strip("$\n ") for formula in latex.strip().split("\n\n")]
    return "\n".join(f"$$\n{formula.replace('align*', 'aligned')}\n$$\n" for formula in formulas)


def _tidy(svg: str) -> str:
    """The picture without what only its maker reads, and with a hundredth of a point as its finest detail."""
    svg = re.sub(r"<metadata>.*?</metadata>\n?", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL)
    # Markers of one curve have one style, and short names: there are many of them.
    svg = re.sub(r"<g( clip-path=\S+)>(\s*(?:<use [^>]*>\s*)+)</g>", _group, svg)
    for number, name in enumerate(dict.fromkeys(re.findall(r'"#(m[0-9a-f]{10})"', svg)), 1):
        svg = svg.replace(name, f"m{number}")
    svg = re.sub(r"-?\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), svg)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def _group(markers: re.Match[str]) -> str:
    styles = set(re.findall(r' style="[^"]*"', markers[2]))
    if len(styles) != 1:
        return markers[0]
    (style,) = styles
    return f"<g{markers[1]}{style}>{markers[2].replace(style, '')}</g>"


def is_stale(path: pathlib.Path) -> bool:
    """Whether the page of a notebook is missing or has other cells."""
    target = PAGES / f"{path.stem}.md"
    if not target.exists():
        return True
    shown = re.escape(SHOWN).replace(r"\{\}", ".*?") + "\n"
    return (
        re.sub(shown, "", target.read_text(encoding="utf-8"), flags=re.DOTALL) != page(clean(read(path)), path.stem)[0]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the notebooks and write what they show.")
    parser.add_argument("names", nargs="*", help="some of them, such as 01-first-robot")
    parser.add_argument("--clean", action="store_true", help="only take outputs out of the notebooks")
    words = parser.parse_args()
    PAGES.mkdir(exist_ok=True)
    for path in notebooks():
        if words.names and path.stem not in words.names:
            continue
        notebook = clean(read(path))
        nbformat().write(notebook, path)
        if words.clean:
            continue
        if lacking := missing(notebook):
            print(f"{path.stem}: left out, {', '.join(lacking)} missing")
            continue
        text, pictures = page(run(notebook), path.stem)
        for old in PAGES.glob(f"{path.stem}-*.svg"):
            old.unlink()
        for file, picture in pictures.items():
            (PAGES / file).write_text(picture, encoding="utf-8")
        (PAGES / f"{path.stem}.md").write_text(text, encoding="utf-8")
        sizes = ", ".join(f"{len(picture) / 1000:.0f} kB" for picture in pictures.values())
        print(f"{path.stem}: {len(notebook.cells)} cells, pictures {sizes or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
