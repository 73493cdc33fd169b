"""The store: each log once, whatever happens in between."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import logs
import pytest

import jourdain as jd
from jourdain import fleet

HERE = pathlib.Path(__file__).parent


@pytest.fixture()
def some(tmp_path):
    folder = tmp_path / "logs"
    logs.fleet(folder, robots=2, days=3, count=800)
    return folder


def test_a_second_run_reads_nothing_and_gives_the_same_bits(some, tmp_path):
    want = fleet.identify("planar2r", some).parameters
    first = fleet.identify("planar2r", some, store=tmp_path / "store")
    assert first.report["stored"] == 0 and first.parameters == want
    again = fleet.identify("planar2r", some, store=tmp_path / "store")
    assert again.report["stored"] == 6 and again.parameters == want
    assert again.report["rows"] == first.report["rows"]
    # The logs themselves are not needed any more.
    shutil.rmtree(some)
    assert fleet.identify("planar2r", store=tmp_path / "store").parameters == want


def test_a_log_that_comes_late_is_the_only_one_that_is_read(some, tmp_path):
    late = some / "robot-1" / "2026-01-02.csv"
    kept = late.read_bytes()
    late.unlink()
    fleet.identify("planar2r", some, store=tmp_path / "store")
    late.write_bytes(kept)
    result = fleet.identify("planar2r", some, store=tmp_path / "store")
    assert result.report["stored"] == 5
    assert result.parameters == fleet.identify("planar2r", some).parameters


def test_the_first_log_chooses_for_all_runs_to_come(tmp_path):
    def positions(path, seed):
        logs.write(path, logs.samples(seed)[:, [0, 1, 2, 7, 8]], ["t", "q1", "q2", "tau1", "tau2"])

    positions(tmp_path / "r" / "b.csv", 1)
    first = fleet.identify("planar2r", tmp_path / "r", store=tmp_path / "store").report
    positions(tmp_path / "r" / "a.csv", 2)
    second = fleet.identify("planar2r", tmp_path / "r", store=tmp_path / "store").report
    assert (second["cutoff_hz"], second["cutoff_from"]) == (first["cutoff_hz"], first["cutoff_from"])
    assert second["stored"] == 1


def test_a_changed_log_is_read_again(some, tmp_path):
    fleet.identify("planar2r", some, store=tmp_path / "store")
    logs.write(some / "robot-0" / "2026-01-01.csv", logs.samples(77, count=900))
    result = fleet.identify("planar2r", some, store=tmp_path / "store")
    assert result.report["stored"] == 5 and result.parameters == fleet.identify("planar2r", some).parameters


def test_damage_in_the_store_is_found_and_mended(some, tmp_path):
    want = fleet.identify("planar2r", some, store=tmp_path / "store").parameters
    first, second = sorted((tmp_path / "store").glob("*/factors/*.jdf"))[:2]
    broken = bytearray(first.read_bytes())
    broken[len(broken) // 2] ^= 1
    first.write_bytes(broken)
    second.write_bytes(second.read_bytes()[:100])
    result = fleet.identify("planar2r", some, store=tmp_path / "store")
    assert result.report["stored"] == 4 and result.parameters == want
    assert fleet.identify("planar2r", some, store=tmp_path / "store").report["stored"] == 6


def test_a_window_is_the_days_in_it_without_their_logs(some, tmp_path):
    fleet.identify("planar2r", some, store=tmp_path / "store")
    want = fleet.identify("planar2r", some.glob("*/2026-01-0[23].csv")).parameters
    shutil.rmtree(some)
    window = fleet.identify("planar2r", store=tmp_path / "store", from_="2026-01-02", to="2026-01-03")
    assert window.parameters == want and window.report["logs"] == 4


def test_a_log_under_two_names_is_one_in_the_store(some, tmp_path, monkeypatch):
    want = fleet.identify("planar2r", some, store=tmp_path / "store").parameters
    monkeypatch.chdir(some)
    assert fleet.identify("planar2r", "robot-*/*.csv", store=tmp_path / "store").report["stored"] == 0
    assert fleet.identify("planar2r", store=tmp_path / "store").parameters == want


def test_other_settings_are_kept_apart(some, tmp_path):
    fleet.identify("planar2r", some, store=tmp_path / "store")
    other = fleet.identify("planar2r", some, store=tmp_path / "store", friction="viscous")
    assert other.report["stored"] == 0 and "Fc1" not in other.parameters["robot-0"]


def run(program: str, **words):
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    return subprocess.Popen(
        [sys.executable, "-c", program],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **words,
    )


def test_a_program_that_was_killed_goes_on_where_it_was(tmp_path):
    folder, store = tmp_path / "logs", tmp_path / "store"
    logs.fleet(folder, robots=1, days=12, count=20000)
    program = (
        f"from jourdain import fleet; fleet.identify('planar2r', {str(folder)!r}, store={str(store)!r}, workers=1)"
    )
    process = run(program)
    deadline = time.monotonic() + 60
    while len(list(store.glob("*/shards/*.json"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    there = len(list(store.glob("*/shards/[0-9a-f]*.json")))
    assert 2 <= there < 12, "killed in the middle"
    result = fleet.identify("planar2r", folder, store=store)
    assert result.report["stored"] == there
    assert result.parameters == fleet.identify("planar2r", folder).parameters


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit on files")
@pytest.mark.parametrize("on_error", ["raise", "collect"])
def test_a_full_disk_ends_the_run_and_names_the_store(some, tmp_path, on_error):
    store = tmp_path / "store"
    program = (
        "import resource, jourdain as jd; from jourdain import fleet\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        f"try: fleet.identify('planar2r', {str(some)!r}, store={str(store)!r}, on_error={on_error!r})\n"
        "except jd.Error as error: print(error.kind, error.file)"
    )
    done, errors = run(program).communicate()
    assert done.startswith("cannot-store") and str(store) in done, (done, errors)
    assert not list(store.glob("*/factors/*.jdf")), "nothing that is not whole"
    result = fleet.identify("planar2r", some, store=store)
    assert result.parameters == fleet.identify("planar2r", some).parameters


def test_an_object_store_serves_logs(some, tmp_path):
    """S3 as moto serves it on this machine."""
    server = pytest.importorskip("moto.server")
    s3fs = pytest.importorskip("s3fs")
    with_port = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    with_port.start()
    try:
        host, port = with_port.get_host_and_port()
        names = {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_ENDPOINT_URL": f"http://{host}:{port}"}
        os.environ.update(names, AWS_DEFAULT_REGION="us-east-1")
        system = s3fs.S3FileSystem(endpoint_url=names["AWS_ENDPOINT_URL"])
        system.mkdir("fleet")
        for file in some.glob("*/*.csv"):
            system.put(str(file), f"fleet/{file.parent.name}/{file.name}")
        want = fleet.identify("planar2r", some).parameters
        for stored in (0, 6):
            result = fleet.identify("planar2r", "s3://fleet/*/*.csv", store=tmp_path / "store")
            assert result.parameters == want and result.report["stored"] == stored
    finally:
        with_port.stop()


def test_notes_in_the_store_are_documents(some, tmp_path):
    fleet.identify("planar2r", some, store=tmp_path / "store")
    note = json.loads(next((tmp_path / "store").glob("*/shards/*.json")).read_text())
    assert {"shard", "stamp", "content"} <= set(note) and note["shard"]["robot"].startswith("robot-")
    assert jd.identify(
        "planar2r", merge=[str(f) for f in (tmp_path / "store").glob("*/factors/*.jdf")], fit="base", progress=False
    )
