"""How far an operation is: a bar in terminals, a function of the caller's, or nothing."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys

import pytest

import jourdain as jd

# A law that takes its time makes work of known length.
LONG = """
import time, jourdain as jd
def law(t, q, qd):
    time.sleep(0.005)
    return 0 * q
jd.load('planar2r').simulate(law=law, sample=100, duration={}, method='rk4', step=0.01{})
"""


def in_terminal(program: str) -> str:
    """What a terminal of 80 columns shows."""
    import fcntl
    import pty
    import termios

    process, terminal = pty.fork()
    if process == 0:
        os.execv(sys.executable, [sys.executable, "-c", program])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    said = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        said += part
    assert os.waitpid(process, 0)[1] == 0, said
    return said.decode()


@pytest.mark.skipif(os.name != "posix", reason="terminals")
def test_a_bar_grows_to_its_end_and_goes_away() -> None:
    pytest.importorskip("tqdm")
    text = in_terminal("import jourdain._progress as p; p._DELAY = 0.1\n" + LONG.format(2.5, ""))
    shown = [int(number) for number in re.findall(r"simulate +(\d+) %", text)]
    assert len(shown) > 2 and shown == sorted(shown) and shown[-1] == 100, text
    assert all(len(line) <= 80 for line in text.replace("\n", "\r").split("\r"))
    assert text.rstrip("\r\n").endswith(" " * 40), "the line is cleared"


@pytest.mark.skipif(os.name != "posix", reason="terminals")
def test_no_bar_where_none_is_wanted_or_the_work_is_short() -> None:
    assert in_terminal("import jourdain._progress as p; p._DELAY = 0.1\n" + LONG.format(2.0, ", progress=False")) == ""
    assert in_terminal(LONG.format(0.05, "")) == ""


def test_without_tqdm_it_is_silent() -> None:
    program = "import sys; sys.modules['tqdm'] = sys.modules['tqdm.auto'] = None\n" + LONG.format(2.0, "")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_function_is_told_and_may_stop_the_work() -> None:
    shares: list[float] = []
    robot = jd.load("iiwa14")
    robot.simulate(duration=2.0, step=1e-4, every=100, method="rk4", progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1.0 and 0 <= shares[0]

    def stop(share: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        robot.simulate(duration=1e4, step=1e-4, every=10000, progress=stop)
