from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service.running import Running, service


@pytest.fixture(scope="session")
def helper() -> Iterator[Running]:
    """A service that all tests of a session share, the hostile ones too: it must survive them."""
    with service("--workers", "2") as running:
        yield running
        assert running.health()["status"] == "ok"
        code, told = running.stop()
        assert (code, told["event"]) == (0, "ended")
