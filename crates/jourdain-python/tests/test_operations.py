"""Operations: what they give is the document of the command; progress, warnings, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import jourdain as jd
from conftest import command


def test_documents_are_those_of_the_command() -> None:
    robot = jd.load("planar3r_chang")
    target = [0.446004, 0.091514]
    cases = [
        (robot.base_parameters(), ("base-parameters", "planar3r_chang")),
        (robot.info(), ("info", "planar3r_chang")),
        (robot.ik("tool", target), ("ik", "planar3r_chang", "--link", "tool", "--target", json.dumps(target))),
        (
            robot.derive("mass_matrix", target="c"),
            ("derive", "planar3r_chang", "--quantity", "mass_matrix", "--target", "c"),
        ),
    ]
    for report, words in cases:
        assert report.to_dict() == command(*words), words


def test_a_simulation_has_its_samples() -> None:
    motion = jd.load("planar2r").simulate(duration=0.05, state={"q": [0.3, -0.2]})
    samples = motion.samples
    assert len(samples["t"]) == motion.steps + 1
    assert samples["t"][-1] == pytest.approx(0.05)
    assert motion.to_dict() == command("simulate", "planar2r", "--duration", "0.05", "--state", '{"q": [0.3, -0.2]}')
    np.testing.assert_array_equal(motion.q, np.stack([samples["q[link1]"], samples["q[link2]"]], axis=-1))
    np.testing.assert_array_equal(motion.energy, samples["energy"])
    assert motion.units["tau[link1]"] == "N m" and motion.units["qd[link2]"] == "rad/s"


def test_progress_and_what_it_raises() -> None:
    shares: list[float] = []
    robot = jd.load("iiwa14")
    robot.simulate(duration=2.0, step=1e-4, progress=shares.append)
    assert all(0 <= share <= 1 for share in shares)

    def stop(_: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        robot.simulate(duration=60.0, step=1e-4, progress=stop)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_stops_long_work(tmp_path) -> None:
    program = (
        "import jourdain as jd\n"
        "print('ready', flush=True)\n"
        f"jd.load('iiwa14').simulate(duration=1e4, step=1e-4, every=10000, out={str(tmp_path / 'samples.csv')!r})"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.wait(timeout=10)
    assert time.monotonic() - sent < 3
    assert "KeyboardInterrupt" in process.stderr.read()
    assert list(tmp_path.iterdir()) == []


def test_flexible_arms() -> None:
    arm = jd.FlexibleArm("two_link_flexible")
    assert arm.modes().to_dict() == command("flexible", "modes", "two_link_flexible")


def test_reports_are_mappings_with_attributes() -> None:
    report = jd.load("puma560").base_parameters()
    assert report.count == report["count"] == 36
    assert "count" in report and len(report) == len(report.to_dict())
    assert isinstance(report.matrix, np.ndarray)
    with pytest.raises(AttributeError, match="no `nothing`"):
        report.nothing
    assert "<table" in report._repr_html_()
    json.dumps(report.to_dict())


def test_errors_say_what_and_where(tmp_path) -> None:
    file = tmp_path / "arm.toml"
    file.write_text('name = "arm"\n[[link]]\nname = "a"\nmas = 1\n')
    with pytest.raises(jd.Error) as raised:
        jd.load(file)
    error = raised.value
    assert (error.kind, error.line, error.column) == ("unknown-key", 4, 1)
    assert error.file == str(file) and error.hint


def test_the_command_comes_along() -> None:
    done = subprocess.run([sys.executable, "-m", "jourdain", "robots"], capture_output=True, text=True)
    assert done.returncode == 0 and "puma560" in done.stdout
    assert subprocess.run([sys.executable, "-m", "jourdain", "info", "nope"], capture_output=True).returncode == 2
