"""Fleets on Dask: real workers on this machine."""

import pytest

distributed = pytest.importorskip("distributed")

from faults import *  # noqa: E402, F403


@pytest.fixture(scope="module")
def client():
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1", silence_logs=50
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture()
def runner(client):
    from jourdain.fleet._dask import Dask

    client.wait_for_workers(2, timeout=60)
    return Dask(client, None)


def test_a_client_is_an_engine(client, fleet_logs):
    from jourdain import fleet

    want = fleet.identify("planar2r", fleet_logs / "robot-0").parameters
    assert fleet.identify("planar2r", fleet_logs / "robot-0", engine=client).parameters == want
    assert fleet.identify("planar2r", fleet_logs / "robot-0", engine="dask", client=client).parameters == want
