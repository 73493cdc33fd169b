"""Ctrl-C: long work of every kind ends within a second, and leaves no part of a file."""

from __future__ import annotations

import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

WITHIN = 1.0
"""Seconds from Ctrl-C to the exception."""

# Work that takes far longer than a test may.
LONG = {
    "simulate": "jd.load('iiwa14').simulate(duration=1e4, step=1e-4, every=10000, out=out)",
    "law": "jd.load('planar2r').simulate(law=lambda t, q, qd: -qd, duration=1e4, method='rk4', step=1e-4, every=10000, out=out)",
    "flexible simulate": "jd.FlexibleArm('two_link_flexible').simulate(duration=1e4, step=1e-4, every=10000, out=out)",
    "elastic simulate": "jd.load('iiwa14_elastic').elastic.simulate(duration=1e4, step=1e-4, every=10000, out=out)",
    "elastic robustness": "jd.load('iiwa14_elastic').elastic.robustness(samples=100000, out=out)",
    "elastic inverse": "jd.load('iiwa14_elastic').elastic.inverse(samples=1000000, out=out)",
    "excite": "jd.load('iiwa14').excite(steps=1000000, out=out)",
    "identify": "jd.load('iiwa14').identify([log] * 6, report=out.replace('.csv', '.txt'))",
    "ik": "jd.load('iiwa14').ik('link7', points(100000))",
    "ik_path": "jd.load('iiwa14').ik_path(points(100000), link='link7', out=out)",
    "ik_path by resolved motion": "jd.load('iiwa14').ik_path(points(100000), link='link7', method='resolved-motion', out=out)",
    "trajectory": "jd.load('iiwa14').trajectory('mueller-kumar', 'mass_matrix_ddot', samples=100000, method='closed', out=out)",
    "derive": "[jd.load('iiwa14').derive('mass_matrix', target='latex', simplify=2) for _ in range(100)]",
    "base_parameters": "jd.from_text(chain(300)).base_parameters(symbolic=True)",
    "bench": "jd.load('iiwa14').bench(rounds=100000)",
    "flexible linearise": "[jd.FlexibleArm('two_link_flexible').linearise([0.001 * i, 0.5]) for i in range(200000)]",
    "flexible derive": "[jd.FlexibleArm('two_link_flexible').derive('inertia', target='c') for _ in range(1000)]",
    "load": "[jd.from_text(chain(3000)) for _ in range(1000)]",
}

PROGRAM = """
import sys
import numpy as np
import jourdain as jd

out = sys.argv[1]

def points(count):
    angle = np.linspace(0, 60, count)
    return np.stack([0.5 + 0.05 * np.cos(angle), 0.05 * np.sin(angle), 0.5 + 0 * angle], axis=1)

def chain(count):
    links = [f'''[[link]]
name = "l{{i}}"
parent = "{{'base' if i == 0 else f'l{{i - 1}}'}}"
mass = 1.0
com = [0.1, 0.02, 0.03]
inertia = [0.1, 0.2, 0.3, 0.01, 0.02, 0.03]
origin = {{{{ xyz = [0.1, 0.2, 0.3], rpy = [0.1, 0.2, 0.3] }}}}
joint = {{{{ type = "revolute", axis = [0.0, 0.0, 1.0] }}}}
''' for i in range(count)]
    return 'name = "chain"\\n' + ''.join(links)

t = np.arange(300_000) / 1000
waves = np.sin(t[:, None] * np.linspace(1, 2, 7))
log = {{"t": t, "q": waves, "tau": waves}}
jd.load('planar2r')
print('ready', flush=True)
import time
begun = time.monotonic()
try:
    {work}
except KeyboardInterrupt:
    print('interrupted', time.time(), flush=True)
    raise SystemExit(3)
print('ended by itself after', time.monotonic() - begun, flush=True)
"""


def interrupted(program: list[str], after: float) -> tuple[subprocess.Popen[str], float, str]:
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], 120)
    assert ready and process.stdout.readline() == "ready\n", process.stderr and process.stderr.read()
    time.sleep(after)
    sent = time.time()
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    return process, sent, out + error


@pytest.mark.parametrize("name", LONG)
def test_work_ends_within_a_second(name: str, tmp_path: pathlib.Path) -> None:
    program = PROGRAM.format(work=LONG[name])
    process, sent, said = interrupted([sys.executable, "-c", program, str(tmp_path / "out.csv")], after=1.5)
    found = re.search(r"interrupted ([0-9.]+)", said)
    assert found and process.returncode == 3, f"{name}: {said}"
    assert float(found[1]) - sent < WITHIN, f"{name} took {float(found[1]) - sent:.2f} s"
    assert list(tmp_path.iterdir()) == []


def test_work_that_was_left_to_itself_does_not_disturb_what_follows(tmp_path: pathlib.Path) -> None:
    program = PROGRAM.format(work=LONG["derive"]).replace(
        "raise SystemExit(3)", "print(jd.load('planar2r').info().dof)"
    )
    _, _, said = interrupted([sys.executable, "-c", program, str(tmp_path / "out.csv")], after=1.0)
    assert re.search(r"interrupted [0-9.]+\n2\n", said), said


@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "iiwa14", "--duration", "1e4", "--step", "1e-4", "--every", "10000", "--out"],
        ["excite", "iiwa14", "--steps", "1000000", "--out"],
    ],
)
def test_the_command_ends_within_a_second(words: list[str], tmp_path: pathlib.Path) -> None:
    program = "import sys; from jourdain.__main__ import main; print('ready', flush=True); sys.exit(main())"
    arguments = [sys.executable, "-c", program, *words, str(tmp_path / "out.csv")]
    process, sent, said = interrupted(arguments, after=1.5)
    assert time.time() - sent < WITHIN + 0.5 and process.returncode != 0, said
    assert list(tmp_path.iterdir()) == []
