"""The command that comes along: exit codes, closed pipes, terminals, Ctrl-C."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import sysconfig

import pytest

import needs

COMMAND = [sys.executable, "-m", "jourdain"]
posix = pytest.mark.skipif(os.name != "posix", reason="signals, pipes and terminals of POSIX")


def run(*words: str, command: list[str] = COMMAND) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command, *words], capture_output=True, text=True, check=False)


def script() -> list[str]:
    found = pathlib.Path(sysconfig.get_path("scripts")) / ("jourdain.exe" if os.name == "nt" else "jourdain")
    return [str(found)] if found.exists() else needs.missing("the installed command")


def test_the_script_is_the_module() -> None:
    for words in (("robots",), ("info", "planar2r", "--json"), ("info", "nope"), ("--version",)):
        one, other = run(*words, command=script()), run(*words)
        assert (one.returncode, one.stdout, one.stderr) == (other.returncode, other.stdout, other.stderr)


def test_exit_codes() -> None:
    assert run("robots").returncode == 0
    assert run("--help").returncode == 0
    for words in ((), ("info",), ("info", "nope"), ("nothing",), ("eval", "planar2r", "--quantity", "mas")):
        done = run(*words)
        assert done.returncode == 2 and done.stdout == "" and "Traceback" not in done.stderr, words


def test_arguments_are_taken_as_they_are(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "an arm, ñ.toml"
    path.write_text(run("convert", "planar2r", "--to", "toml").stdout, encoding="utf-8")
    assert json.loads(run("info", str(path), "--json").stdout)["name"] == "planar2r"


@posix
def test_a_closed_pipe_is_no_error() -> None:
    with subprocess.Popen(
        [*COMMAND, "quantities", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def in_terminal(columns: int, *words: str) -> str:
    """What the command prints in a terminal of that width."""
    import fcntl
    import pty
    import struct
    import termios

    own, other = pty.openpty()
    fcntl.ioctl(own, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    hidden = {"NO_COLOR", "COLUMNS", "CLICOLOR", "CLICOLOR_FORCE"}
    environment = {key: value for key, value in os.environ.items() if key not in hidden} | {"TERM": "xterm-256color"}
    text = b""
    with subprocess.Popen([*COMMAND, *words], stdin=other, stdout=other, stderr=other, env=environment):
        os.close(other)
        while True:
            try:
                read = os.read(own, 65536)
            except OSError:
                break
            if not read:
                break
            text += read
    os.close(own)
    return text.decode()


@posix
def test_terminals_have_colours_and_a_width() -> None:
    assert "\x1b[" in in_terminal(80, "info", "puma560")
    assert "\x1b[" not in run("info", "puma560").stdout
    for columns in (60, 100):
        lines = in_terminal(columns, "robots").splitlines()
        assert max(map(len, lines)) <= columns
    assert len(in_terminal(60, "robots").splitlines()) > len(in_terminal(100, "robots").splitlines())


@posix
def test_ctrl_c_ends_it_and_leaves_no_file(tmp_path: pathlib.Path) -> None:
    words = ["eval", "planar2r", "--state", "-", "--quantity", "gravity", "--out", str(tmp_path / "results.csv")]
    process = subprocess.Popen([*COMMAND, *words], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None and process.stderr is not None
    # More than a pipe holds: once all is written, the command is at work, and waits for more.
    process.stdin.write(b'{"q": [0.1, 0.2]}\n' * 20_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    errors = process.stderr.read()
    process.wait(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert list(tmp_path.iterdir()) == []
