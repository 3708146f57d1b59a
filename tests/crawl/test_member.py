"""Workers that are forked: what they share with the crawl's process, and what they must not."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

PROGRAM = """
import json, os, threading
from anansi.archive.record import new_id
from anansi.crawl.member import forked

def work(line):
    sent = {"id": new_id(), "open": len(os.listdir("/proc/self/fd")), "session": os.getsid(0) == os.getpid()}
    line.sendall(json.dumps(sent).encode())
    return len(line.recv(1)) or 7

lock = open(os.devnull)
started = forked(3, work)
told = [json.loads(each.line.recv(1000)) for each in started]
started[0].process.kill()
started[1].line.sendall(b"x")
codes = [started[0].process.wait(), started[1].process.wait()]
started[2].dismiss()
codes.append(started[2].process.wait())
threading.Thread(target=threading.Event().wait, daemon=True).start()
print(json.dumps({"told": told, "codes": codes, "torn": len(forked(1, work))}))
"""


def ran() -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60)
    assert not done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_forked_processes() -> None:
    found = ran()
    told = found["told"]
    assert len({each["id"] for each in told}) == 3, "records of two workers must not have one identifier"
    # the standard streams, the line and the folder that is listed: a lock that a worker kept would outlive the crawl
    assert {each["open"] for each in told} == {5}
    assert all(each["session"] for each in told), "Ctrl-C is for the hub alone"
    assert found["codes"] == [-9, 1, 7], "killed, told something, left alone"
    assert found["torn"] == 0, "nothing is forked beside another thread"
