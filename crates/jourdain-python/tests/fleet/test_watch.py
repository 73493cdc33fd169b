"""Watching: worn gears and changed tools are found, healthy fleets are left alone."""

import logs
import numpy as np
import pytest

from jourdain import fleet

ROBOTS, DAYS = 6, 8


def make(folder, seed: int, worn: bool):
    for robot in range(ROBOTS):
        for day in range(DAYS):
            # Robots and days differ a little, as they do.
            random = np.random.default_rng([seed, robot, day])
            scale = 1 + 0.01 * random.standard_normal()
            up = 1.2 if worn and robot == 2 and day >= 5 else 1.0
            facts = {"viscous": (0.4 * scale, 0.25), "coulomb": (0.6 * scale * up, 0.3), "noise": 0.05}
            rows = logs.samples(10000 * seed + 100 * robot + day, count=2500, **facts)
            logs.write(folder / f"robot-{robot}" / f"2026-03-{day + 1:02d}.csv", rows)


@pytest.fixture(scope="module")
def worn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("worn")
    make(folder / "logs", 1, True)
    fleet.identify("planar2r", folder / "logs", store=folder / "store")
    return folder


def test_friction_that_rises_by_a_fifth_is_found_from_the_store_alone(worn, tmp_path):
    files = {"report": tmp_path / "w.html", "table": tmp_path / "w.csv", "plot": tmp_path / "w.svg"}
    found = fleet.watch("planar2r", store=worn / "store", **files)
    # Since it rose, it is also unlike that of the others.
    assert {entry["robot"] for entry in found.findings if entry["p_value"] < 1e-5} == {"robot-2"}
    first = next(entry for entry in found.findings if entry["kind"] == "jump")
    assert (first["robot"], first["parameter"]) == ("robot-2", "Fc1")
    assert first["day"] == "2026-03-06" and first["relative"] == pytest.approx(0.2, abs=0.05)
    assert found.report["rows"]["read"] == ROBOTS * DAYS * 2500
    page = files["report"].read_text()
    assert "robot-2" in page and "<script" not in page and "<svg" in page
    table = files["table"].read_text().splitlines()
    assert len(table) == 1 + ROBOTS * DAYS and "20260306" in table[6].replace(".0", "")
    assert files["plot"].read_text().lstrip().startswith("<svg")
    assert "robot-2: Fc1 jumps" in str(found)


def test_parameters_and_days_can_be_chosen(worn):
    found = fleet.watch("planar2r", store=worn / "store", parameters=["Fc1"], to="2026-03-05")
    assert found.report["days"][-1] == "2026-03-05" and found.report["tests"] == ROBOTS
    assert all(entry["parameter"] == "Fc1" for entry in found.findings)


@pytest.mark.parametrize("seed", [5, 6])
def test_a_healthy_fleet_raises_next_to_no_alarm(tmp_path, seed):
    make(tmp_path / "logs", seed, False)
    found = fleet.watch("planar2r", tmp_path / "logs", store=tmp_path / "store")
    assert found.report["tests"] == 2 * ROBOTS * 10
    # With a level of 5 % a healthy fleet has any finding at all in one case of twenty.
    assert len(found.findings) <= 1, (seed, found.findings)
