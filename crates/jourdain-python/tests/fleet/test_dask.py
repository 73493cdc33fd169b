"""Fleets on Dask: real workers on this machine."""

import pytest

distributed = pytest.importorskip("distributed")

from faults import *  # noqa: E402, F403


class Workers:
    """Two workers; new ones where a test has killed more than their keeper starts again."""

    def __init__(self):
        self.cluster = self.client = None

    def start(self):
        self.cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1", silence_logs=50
        )
        self.client = distributed.Client(self.cluster)

    def stop(self):
        if self.client is not None:
            self.client.close()
            self.cluster.close()

    def ready(self):
        try:
            if self.client is None:
                raise TimeoutError
            self.client.wait_for_workers(2, timeout=5)
        except TimeoutError:
            self.stop()
            self.start()
        return self.client


@pytest.fixture(scope="module")
def workers():
    workers = Workers()
    yield workers
    workers.stop()


@pytest.fixture()
def client(workers):
    return workers.ready()


@pytest.fixture()
def runner(client):
    from jourdain.fleet._dask import Dask

    return Dask(client, None)


def test_a_client_is_an_engine(client, fleet_logs):
    from jourdain import fleet

    want = fleet.identify("planar2r", fleet_logs / "robot-0").parameters
    assert fleet.identify("planar2r", fleet_logs / "robot-0", engine=client).parameters == want
    assert fleet.identify("planar2r", fleet_logs / "robot-0", engine="dask", client=client).parameters == want
