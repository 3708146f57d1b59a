"""A crawl that listens, and ways to post to it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anansi.archive.layout import Collection
from tests.service.running import PATIENCE, Answered, Running

HURRIED = (
    "import sys\n"
    "sys.argv = ['posting', *sys.argv[1:]]\n"
    "from anansi.service import bodies, server\n"
    "server.IDLE, server.HEAD_SECONDS, bodies.BODY_SECONDS, bodies.LINGER = 3, 1.0, 1.0, 0.3\n"
    "from anansi.service.posting_process import main\n"
    "main()"
)
"""The posting process with less patience than it has for people; put in the place of its module by `PATIENT`."""

_CRAWL = (
    "import subprocess, sys\n"
    "real = subprocess.Popen\n"
    "def start(command, **more):\n"
    "    if 'anansi.service.posting_process' in command:\n"
    "        command = [command[0], '-c', {process!r}, *command[3:]]\n"
    "    return real(command, **more)\n"
    "from anansi.crawl import posted\n"
    "posted.subprocess.Popen = start\n"
    "from anansi.cli import main\n"
    "main()"
)


class Posting(Running):
    """A crawl in a process of its own that listens."""

    def __init__(self, process: subprocess.Popen[str], url: str, name: str, collection: Collection, token: str):
        super().__init__(process, url)
        self.name, self.collection, self.token = name, collection, token

    @property
    def place(self) -> str:
        return f"/v1/crawls/{self.name}"

    @property
    def entitled(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

    def raw(self, body: bytes | str, **headers: str) -> Answered:
        """Post bytes."""
        return self.ask("POST", f"{self.place}/urls", body, {**self.entitled, **headers})

    def give(self, *entries: Any) -> Answered:
        """Post URLs."""
        return self.raw(json.dumps({"urls": entries}))

    def states(self, *entries: Any) -> list[str]:
        """Post URLs that are good; return what became of each."""
        answered = self.give(*entries)
        assert answered.status == 200, answered.body
        return [each["state"] for each in answered.json["urls"]]

    def status(self) -> dict[str, Any]:
        answered = self.ask("GET", self.place, headers=self.entitled)
        assert answered.status == 200, answered.body
        found: dict[str, Any] = answered.json
        return found


@contextmanager
def posting(
    folder: Path, seeds: Sequence[str], *options: str, definition: str = "", **environment: str
) -> Iterator[Posting]:
    """Run a crawl that listens and waits for what is posted."""
    collection = Collection(folder)
    arguments = ["crawl", *seeds, "-o", str(folder), "--listen", "127.0.0.1:0", "--stay", "--json", "--workers", "1"]
    arguments.append("--no-requisites")
    if definition:
        file = folder.with_suffix(".yaml")
        file.write_text(definition)
        arguments += ["--config", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-c", _CRAWL.format(process=HURRIED), *arguments, "--strategy", "blind", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise AssertionError(process.communicate(timeout=PATIENCE)[1])
        ready = json.loads(line)
        token = environment.get("ANANSI_TOKEN") or (collection.state / "token").read_text().strip()
        yield Posting(process, ready["url"], ready["id"], collection, token)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=PATIENCE)
