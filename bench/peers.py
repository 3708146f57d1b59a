"""The programs that Anansi is measured beside: nginx serves, wget and Scrapy crawl."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from measure import ended, give_up

HERE = Path(__file__).resolve().parent
ANANSI = Path(sys.executable).with_name("anansi")
STARTUP = 10.0  # seconds in which a server must answer


def require(*names: str) -> None:
    """End with the command that installs what is missing."""
    packages = {"nginx": "nginx-light", "wget": "wget"}
    missing = [name for name in names if _found(name) is None]
    if missing:
        wanted = " ".join(packages[name] for name in missing)
        give_up(f"needs {' and '.join(missing)}: apt-get install {wanted}")
    if not ANANSI.exists():
        give_up(f"needs {ANANSI}: run inside .venv (python3 dev.py run python bench/…)")


def require_scrapy(python: str) -> None:
    """End with what keeps Scrapy from running in that interpreter."""
    tried = subprocess.run([python, "-c", "import scrapy.cmdline"], capture_output=True, text=True)
    if tried.returncode:
        why = "".join(tried.stderr.strip().splitlines()[-1:])
        give_up(f"{python} cannot import Scrapy ({why}): install the `bench` extra, or name another with --scrapy")


def _found(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str) -> None:
    """Wait until a server answers."""
    give_up_at = time.monotonic() + STARTUP
    while time.monotonic() < give_up_at:
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.05)
    give_up(f"{url} did not answer within {STARTUP:.0f} s")


# ── nginx ────────────────────────────────────────────────────────────────────────────────────────────────────────

_NGINX = """{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 1024; }}
http {{
  types {{ text/html html; }}
  default_type application/octet-stream;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 60;
  keepalive_requests 1000000;
  open_file_cache max=20000 inactive=600s;
  log_format short "$status $uri";
  access_log {folder}/access.log short buffer=64k flush=200ms;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ listen 127.0.0.1:{port} backlog=1024; root {root}; charset utf-8; }}
}}
"""


@dataclass(frozen=True, slots=True)
class Server:
    """A running nginx and its log."""

    url: str
    log: Path

    def fetched(self, skip: int) -> set[str]:
        """Return the paths that were answered with 200 after `skip` bytes of the log."""
        time.sleep(0.5)  # more than nginx holds lines back
        with self.log.open("rb") as file:
            file.seek(skip)
            lines = file.read().decode().splitlines()
        return {line[4:].replace("index.html", "") for line in lines if line.startswith("200 ")}

    def position(self) -> int:
        """Return how long the log is now."""
        return self.log.stat().st_size


@contextmanager
def nginx(root: Path, folder: Path) -> Iterator[Server]:
    """Serve a folder with nginx: one process, connections kept open."""
    port = free_port()
    user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
    configuration = folder / "nginx.conf"
    configuration.write_text(_NGINX.format(user=user, folder=folder, root=root, port=port))
    command = [
        _found("nginx") or "nginx",
        "-p",
        str(folder),
        "-c",
        str(configuration),
        "-e",
        str(folder / "error.log"),
    ]
    with ended(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)):
        server = Server(f"http://127.0.0.1:{port}/", folder / "access.log")
        wait_for(server.url)
        yield server


# ── crawlers ─────────────────────────────────────────────────────────────────────────────────────────────────────


def anansi(url: str, folder: Path, strategy: str = "blind", command: Path = ANANSI) -> list[str | Path]:
    """Return the command that archives a site with Anansi: every link followed, or all pages looked at first."""
    return [
        command,
        "crawl",
        url,
        "-o",
        folder / "collection",
        "--delay",
        "0",
        "--workers",
        "2",
        "--strategy",
        strategy,
        "--no-requisites",
    ]


def wget(url: str, folder: Path) -> list[str | Path]:
    """Return the command that archives a site with wget."""
    return ["wget", "-r", "-l", "inf", "-q", f"--warc-file={folder / 'wget'}", "--delete-after", url]


def scrapy(url: str, python: str) -> list[str | Path]:
    """Return the command that crawls a site with Scrapy; it writes no archive."""
    settings = {
        "AUTOTHROTTLE_ENABLED": "False",
        "DOWNLOAD_DELAY": "0",
        "CONCURRENT_REQUESTS": "16",
        "CONCURRENT_REQUESTS_PER_DOMAIN": "16",
        "LOG_ENABLED": "False",
        "ROBOTSTXT_OBEY": "False",
        "TELNETCONSOLE_ENABLED": "False",
    }
    flags = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    return [python, "-m", "scrapy", "runspider", HERE / "scrapy_spider.py", "-a", f"url={url}", *flags]
