"""Tables of any size: whole or not there, and none twice."""

import os

import logs
import pytest

import jourdain as jd
from jourdain import fleet


def test_tables_are_those_of_eval_and_none_is_computed_twice(tmp_path):
    for part in range(3):
        logs.write(tmp_path / "in" / f"{part}.csv", logs.samples(part, count=100)[:, :7], logs.COLUMNS[:7])
    words = ("planar2r", str(tmp_path / "in" / "*.csv"), ["mass_matrix"], tmp_path / "out")
    first = fleet.evaluate(*words, format="csv")
    assert first.report == {"tables": 3, "computed": 3, "states": 300}
    jd.load("planar2r").eval(str(tmp_path / "in" / "1.csv"), "mass_matrix", out=tmp_path / "one.csv", progress=False)
    assert (tmp_path / "out" / "1.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()
    assert fleet.evaluate(*words, format="csv").report["computed"] == 0
    # A table that was changed, one that is gone, and other quantities are computed anew.
    logs.write(tmp_path / "in" / "0.csv", logs.samples(9, count=90)[:, :7], logs.COLUMNS[:7])
    os.remove(tmp_path / "out" / "2.csv")
    assert fleet.evaluate(*words, format="csv").report == {"tables": 3, "computed": 2, "states": 190}
    assert fleet.evaluate(*words[:2], ["gravity"], words[3], format="csv").report["computed"] == 3


def test_what_cannot_be_is_told(tmp_path):
    logs.write(tmp_path / "a" / "x.csv", logs.samples(0, count=10))
    logs.write(tmp_path / "b" / "x.csv", logs.samples(1, count=10))
    with pytest.raises(jd.Error, match="two tables"):
        fleet.evaluate("planar2r", str(tmp_path / "*" / "x.csv"), "gravity", tmp_path / "out")
    (tmp_path / "bad.csv").write_text("q1,q2\n1,no\n")
    with pytest.raises(jd.Error):
        fleet.evaluate("planar2r", tmp_path / "bad.csv", "gravity", tmp_path / "out")
    assert not (tmp_path / "out" / "bad.parquet").exists()
