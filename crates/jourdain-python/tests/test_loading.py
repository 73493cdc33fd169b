"""Robots as they are loaded: edits, texts, what is wrong with them."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


def test_edits_are_those_of_the_command() -> None:
    arm = jd.load("iiwa14")
    loaded = jd.load("iiwa14", payload={"tool": (2.5, [0, 0, 0.1])}, lock={"link4": 0.3}, gravity=[0, 0, -9.81])
    assert (arm.nv, loaded.nv) == (7, 6)
    q = np.full(7, 0.2)
    q[3] = 0.3
    rest = np.delete(q, 3)
    np.testing.assert_allclose(loaded.pose("tool", rest), arm.pose("tool", q), atol=1e-12)
    # What the payload adds is its weight times the rate at which its point rises.
    bare = jd.load("iiwa14", lock={"link4": 0.3}, gravity=[0, 0, -9.81])
    point = loaded.pose("tool", rest) @ [0, 0, 0.1, 1]
    step = 1e-6
    rates = [((loaded.pose("tool", rest + step * e) @ [0, 0, 0.1, 1]) - point)[2] / step for e in np.eye(6)]
    np.testing.assert_allclose(loaded.gravity(rest) - bare.gravity(rest), 2.5 * 9.81 * np.array(rates), atol=1e-4)
    assert jd.load("iiwa14", floating=True).nq == 14
    assert jd.load("a1", fixed=True).nv == 12
    assert jd.load("a1", without=["FR_hip", "FL_hip"]).nv == 12


def test_what_cannot_be_edited_is_said() -> None:
    with pytest.raises(jd.Error, match="no joint `elbo`"):
        jd.load("iiwa14", lock={"elbo": 0})
    with pytest.raises(TypeError, match="there is no edit 'locked'"):
        jd.from_text(jd.load("planar2r").text, locked={"a": 1})
