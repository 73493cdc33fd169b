"""Formulas as notebooks set them."""

from __future__ import annotations

import json
import re

import jourdain as jd

ODD = "two & {half}_links"


def test_notebooks_get_formulas_that_they_can_set() -> None:
    text = jd.load("planar2r").text.replace('"link2"', json.dumps(ODD))
    formula = jd.from_text(text).derive("gravity", parameters="symbolic")
    latex = formula._repr_latex_()
    assert latex is not None
    assert "tabular" in formula.latex and "tabular" not in latex
    assert re.findall(r"\\begin\{(.*?)\}", latex) == re.findall(r"\\end\{(.*?)\}", latex) == ["align*", "array"]
    table = latex.split(r"\begin{array}{lll}")[1].split(r"\end{array}")[0]
    rows = table.strip().split(" \\\\\n")
    assert [row.split(" & ")[0] for row in rows] == ["g", "L_{1}", "L_{2}", "m_{1}", "m_{2}"]
    assert all(len(row.split(" & ")) == 3 and "$" not in row for row in rows)
    assert rows[-1].endswith(r"\text{mass of }\texttt{two \& \{half\}\_links}")
    # As many braces open as close, those of names aside.
    bare = re.sub(r"\\[{}]", "", latex)
    assert bare.count("{") == bare.count("}")


def test_code_is_no_formula() -> None:
    code = jd.load("planar2r").derive("gravity", target="c")
    assert code._repr_latex_() is None
    assert "planar2r.c" in (code._repr_html_() or "")
