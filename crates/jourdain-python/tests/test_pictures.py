"""Pictures: the curves hold the numbers of the result, and nothing is left unnamed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jourdain as jd

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
pyplot = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _closed() -> Any:
    yield
    pyplot.close("all")


def curves(panel: Any) -> list[np.ndarray[Any, Any]]:
    """The numbers of what was drawn; helping lines have two points."""
    return [line.get_ydata() for line in panel.lines if len(line.get_ydata()) > 2]


def words(panel: Any) -> set[str]:
    return {text.get_text() for text in panel.texts}


def test_motions_are_drawn_by_kind_and_unit() -> None:
    motion = jd.load("planar2r").simulate(duration=0.2, law="pd-gravity", goal=[1.0, 0.5], kp=50, kd=10)
    axes = motion.plot()
    assert [panel.get_title(loc="left") for panel in axes] == [
        "Position (rad)",
        "Velocity (rad/s)",
        "Torque (N m)",
        "Energy (J)",
    ]
    np.testing.assert_array_equal(curves(axes[0])[0], motion.q[:, 0])
    np.testing.assert_array_equal(curves(axes[0])[2], motion.reference[:, 0])
    np.testing.assert_array_equal(curves(axes[2])[1], motion.tau[:, 1])
    assert words(axes[1]) == {"link1", "link2"} and words(axes[3]) == {"kinetic", "potential", "energy", "work"}
    assert axes[-1].get_xlabel() == "Time (s)"
    # Drives that do nothing are not drawn unasked.
    still = jd.load("planar2r").simulate(duration=0.05)
    assert "Torque (N m)" not in [panel.get_title(loc="left") for panel in still.plot()]
    assert len(still.plot("tau")) == 1


def test_columns_and_axes_can_be_chosen() -> None:
    motion = jd.load("planar2r").simulate(duration=0.05)
    _, own = pyplot.subplots(2)
    axes = motion.plot(["q", "energy"], ax=own)
    assert axes[0] is own[0] and axes[1] is own[1]
    np.testing.assert_array_equal(curves(own[1])[0], motion.energy)
    np.testing.assert_array_equal(curves(motion.plot("q[link2]")[0])[0], motion.q[:, 1])
    with pytest.raises(ValueError, match="no column 'torque', but t, q, qd, tau"):
        motion.plot("torque")
    with pytest.raises(ValueError, match="ax has 2 axes, but the picture has 3 panels"):
        motion.plot(["q", "qd", "energy"], ax=own)


def test_no_panel_has_more_than_four_joints() -> None:
    axes = jd.load("iiwa14").simulate(duration=0.01, state={"q": [0.1] * 7}).plot("q")
    assert [len(curves(panel)) for panel in axes] == [4, 3]
    assert axes[0].get_ylim() == axes[1].get_ylim()
    colours = [line.get_color() for panel in axes for line in panel.lines if len(line.get_ydata()) > 2]
    assert len(set(colours)) == 7


def test_units_are_kept_apart() -> None:
    axes = jd.load("scara").excite(starts=1, steps=1).plot()
    assert [panel.get_title(loc="left") for panel in axes[:2]] == ["Position (rad)", "Position (m)"]


def test_the_other_pictures() -> None:
    robot, arm = jd.load("planar3r_chang"), jd.FlexibleArm("two_link_flexible")
    path = robot.ik_path([[1.2, 0.6], [1.2, 0.5], [9.0, 9.0], [1.2, 0.4]])
    panel = path.plot()[0]
    np.testing.assert_array_equal(curves(panel)[1], path.q[:, 1])
    assert (
        sum(len(line.get_ydata()) == 2 and line.get_alpha() == 0.5 for line in panel.lines)
        == int((~path.solved).sum())
        > 0
    )
    modes = arm.modes()
    axes = modes.plot()
    details = arm.modes(details=True)["links"]
    for panel, link in zip(axes, details):
        for curve, mode in zip(curves(panel), link["modes"]):
            assert curve[0] == 0 and curve[-1] == pytest.approx(mode["phi_e"], rel=1e-9)
    poles = arm.linearise()
    drawn = poles.plot().lines[-1]
    np.testing.assert_array_equal(drawn.get_xdata() + 1j * drawn.get_ydata(), poles.poles)
    elastic = jd.load("planar2r_elastic").elastic
    motors = elastic.inverse(trajectory="waves", samples=9)
    np.testing.assert_array_equal(curves(motors.plot()[2])[0], motors.torque[:, 0])
    study = elastic.robustness(trajectory="waves", samples=2, duration=0.02)
    assert len(curves(study.plot())[0]) == len(study.bandwidth)
    line = {"duration": 2, "joints": [{"polynomial": [0.1, 1]}] * 3}
    along = robot.trajectory(line, "mass_matrix", samples=5)
    axes = along.plot()
    assert sum(len(curves(panel)) for panel in axes) == 6, "elements of a symmetric matrix once"
    assert axes[0].get_title(loc="left") == "mass_matrix (kg m²)"


def test_identification_is_judged(tmp_path: Any) -> None:
    robot = jd.load("planar2r")
    t = np.linspace(0, 10, 301)
    q, qd, qdd = robot.excite(starts=1, steps=20).at(t)
    tau = robot.inverse_dynamics(q, qd, qdd) + np.random.default_rng(1).normal(0, 0.05, q.shape)
    header = ",".join(
        ["t", *(f"{kind}[{joint}]" for kind in ("q", "qd", "qdd", "tau") for joint in robot.names.joints)]
    )
    np.savetxt(tmp_path / "log.csv", np.column_stack([t, q, qd, qdd, tau]), delimiter=",", header=header, comments="")
    found = robot.identify(tmp_path / "log.csv")
    known, met = found.plot()
    assert [label.get_text() for label in known.get_yticklabels()] == found.names
    np.testing.assert_allclose(
        [bar.get_width() for bar in met.patches], [100 * error for error in found.errors.values()]
    )
