from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.posting.posting import Posting, posting
from tests.web import ScriptedWeb, html


@pytest.fixture(scope="package")
def listening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Posting]:
    """A crawl that all tests of posting share, the hostile ones too: it must survive them and end well."""
    with ScriptedWeb() as web:
        web.add("/", html("the start"))
        folder = tmp_path_factory.mktemp("posting") / "c"
        with posting(folder, [web.url + "/"], "--delay", "0", "--include", "^http://127[.]0[.]0[.]1:1/") as crawl:
            yield crawl
            assert crawl.process.poll() is None
            assert crawl.status()["state"] == "running"
