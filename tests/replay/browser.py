"""Debian's Chromium, headless, spoken to over a pipe: what a page loads, and how it looks.

with Browser(tmp_path) as browser:
    seen = browser.visit("http://127.0.0.1:8000/")
    assert seen.loaded and different(seen.picture, other.picture) < 0.01
"""

from __future__ import annotations

import base64
import io
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from PIL import Image, ImageChops

WIDTH, HEIGHT = 1000, 800
QUIET = 0.7  # seconds without a request after which a page counts as loaded
PATIENCE = 30.0
SLIGHT = 24  # of 255: what smoothing of letters and colours may differ by

_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--mute-audio"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"),
    *("--remote-debugging-pipe", "--force-device-scale-factor=1", "--disable-dev-shm-usage", "--disable-extensions"),
)


def missing() -> str:
    """Say what keeps a browser from running here; nothing when it can."""
    return "" if _chromium() else "Chromium is not installed: apt-get install chromium"


def _chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@dataclass(slots=True)
class Seen:
    """What a visit to a page showed. Mutable while the page loads."""

    loaded: dict[str, int] = field(default_factory=dict)
    """Address → status, of all that came over HTTP."""
    failed: list[str] = field(default_factory=list)
    picture: bytes = b""


class Browser:
    """One browser with one tab. Use it in a `with` block."""

    def __init__(self, folder: Path):
        self._profile = folder / "chromium"
        self._number = 0
        self._buffer = b""
        self._session = ""
        self._seen = Seen()

    def __enter__(self) -> Self:
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()

        def place() -> None:  # Chromium reads commands from descriptor 3 and answers on 4
            reader, writer = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(reader, 3)
            os.dup2(writer, 4)

        command = [_chromium() or "chromium", *_FLAGS, f"--user-data-dir={self._profile}", "about:blank"]
        self._process = subprocess.Popen(
            [*command, f"--window-size={WIDTH},{HEIGHT}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=place,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Network", "Page"):
            self._ask(f"{domain}.enable")
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        self._ask("Emulation.setDeviceMetricsOverride", **size)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)

    def visit(self, url: str, *, until: Callable[[Seen], bool] = lambda _seen: True) -> Seen:
        """Open a page, wait until nothing more is loaded and it is as expected, or long enough; take a picture."""
        self._seen = Seen()
        self._ask("Network.setCacheDisabled", cacheDisabled=True)
        self._ask("Page.navigate", url=url)
        end = time.monotonic() + PATIENCE
        while True:
            self._settle(end)
            taken = self._ask("Page.captureScreenshot", format="png")["data"]
            self._seen.picture = base64.b64decode(taken)
            if until(self._seen) or time.monotonic() > end:
                return self._seen

    def _settle(self, end: float) -> None:
        quiet = time.monotonic() + QUIET
        while (now := time.monotonic()) < min(end, quiet):
            message = self._read(quiet - now)
            if message is not None and self._hear(message):
                quiet = time.monotonic() + QUIET

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            answer = self._read(1.0)
            if answer is not None and answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            if answer is not None:
                self._hear(answer)
        raise RuntimeError(f"Chromium did not answer {method}")

    def _hear(self, message: dict[str, Any]) -> bool:
        """Take notice of what the page does; tell whether it loads something."""
        method, about = message.get("method", ""), message.get("params", {})
        if method == "Network.responseReceived":
            response = about["response"]
            if response["url"].startswith("http"):
                self._seen.loaded[response["url"]] = response["status"]
        elif method == "Network.loadingFailed" and not about.get("canceled"):
            self._seen.failed.append(about.get("errorText", ""))
        return bool(method.startswith("Network."))

    def _read(self, seconds: float) -> dict[str, Any] | None:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from], [], [], max(0.0, seconds))
            if not ready:
                return None
            self._buffer += os.read(self._from, 1 << 20)
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found


def different(one: bytes, other: bytes) -> float:
    """Return the share of a picture that looks different in another."""
    left, right = (Image.open(io.BytesIO(each)).convert("RGB") for each in (one, other))
    if left.size != right.size:
        return 1.0
    worst = ImageChops.difference(left, right).split()
    most = ImageChops.lighter(ImageChops.lighter(worst[0], worst[1]), worst[2])
    histogram = most.histogram()
    return sum(histogram[SLIGHT:]) / (left.size[0] * left.size[1])
