"""Fleets on Ray: real workers on this machine. It takes minutes to start, so it runs where ``JOURDAIN_RAY`` is set."""

import os

import pytest

if not os.environ.get("JOURDAIN_RAY"):
    pytest.skip("JOURDAIN_RAY is not set", allow_module_level=True)
pytest.importorskip("ray")

from faults import *  # noqa: E402, F403


@pytest.fixture(scope="module")
def runner():
    import ray

    from jourdain.fleet._ray import Ray

    runner = Ray(None, 2)
    yield runner
    ray.shutdown()
