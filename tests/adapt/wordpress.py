"""WordPress from Debian's packages on loopback: its own database, its own copy of the files, any packaged theme.

Nothing of the system is touched: MariaDB runs from a temporary folder on a socket there, `php -S` serves a copy. What
WordPress would ask of the internet is blocked by its own configuration.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Self
from urllib.request import urlopen

FILES = Path("/usr/share/wordpress")
THEMES = ("twentytwentyone", "twentytwentytwo", "twentytwentythree")
POSTS = 8

_CONFIG = """<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:{socket}'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
define('WP_HOME', '{url}'); define('WP_SITEURL', '{url}');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true); define('AUTOMATIC_UPDATER_DISABLED', true);
define('WP_CONTENT_DIR', '{root}/wp-content');
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', '{root}/');
require_once ABSPATH . 'wp-settings.php';
"""
_ROUTER = """<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path !== '/' && is_file(__DIR__ . $path)) return false;
$_SERVER['SCRIPT_NAME'] = '/index.php';
require __DIR__ . '/index.php';
"""
_INSTALL = """<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '{host}'; $_SERVER['REQUEST_URI'] = '/'; $_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
require '{root}/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Harbour notes', 'mira', 'mira@harbour.example', true, '', 'secret');
update_option('permalink_structure', '/%year%/%monthnum%/%postname%/');
update_option('posts_per_page', 4);
update_option('comment_moderation', 0); update_option('comment_previously_approved', 0);
"""
_FILL = """<?php
$_SERVER['HTTP_HOST'] = '{host}'; $_SERVER['REQUEST_URI'] = '/'; $_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
require '{root}/wp-load.php';
$jon = wp_create_user('jon', 'secret', 'jon@harbour.example');
wp_update_user(array('ID' => $jon, 'role' => 'author', 'display_name' => 'Jon Reed'));
wp_delete_post(1, true);
$words = array('crane', 'jetty', 'lantern', 'anchor', 'ferry', 'signal', 'rope', 'gull', 'tide', 'mast');
for ($n = 0; $n < {posts}; $n++) {{
  $text = '';
  for ($p = 0; $p < 3; $p++) {{
    $line = array();
    for ($w = 0; $w < 30; $w++) $line[] = $words[($n * 7 + $p * 5 + $w * 3 + $w * $w) % 10];
    $line = "<p>Note $n, part $p: " . implode(' ', $line) . ".</p>";
    $text .= "<!-- wp:paragraph -->\\n$line\\n<!-- /wp:paragraph -->\\n";
  }}
  $day = sprintf('2024-0%d-%02d 1%d:2%d:00', 1 + $n % 8, 3 + 2 * $n, $n % 10, $n % 10);
  $post = wp_insert_post(array(
    'post_title' => 'The ' . $words[$n % 10] . ' and the ' . $words[($n + 3) % 10] . ' of day ' . ($n + 1),
    'post_content' => $text, 'post_status' => 'publish', 'post_author' => $n % 3 ? 1 : $jon,
    'post_date' => $day, 'post_category' => array(1), 'tags_input' => array($words[$n % 10])));
  for ($c = 0; $c <= $n % 3; $c++) {{
    wp_insert_comment(array(
      'comment_post_ID' => $post, 'comment_author' => array('Ada', 'Bo', 'Cem')[($n + $c) % 3],
      'comment_author_email' => "c$c@reader.example", 'comment_approved' => 1,
      'comment_content' => "Remark $c on note $n: the " . $words[($n + $c * 2) % 10] . ' was late again.',
      'comment_date' => sprintf('2024-0%d-%02d 1%d:3%d:00', 1 + $n % 8, 4 + 2 * $n, $c, $c)));
  }}
}}
flush_rewrite_rules();
"""
_SWITCH = """<?php
$_SERVER['HTTP_HOST'] = '{host}'; $_SERVER['REQUEST_URI'] = '/'; $_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
require '{root}/wp-load.php';
switch_theme('{theme}');
echo get_stylesheet();
"""


def missing() -> str:
    """Say what keeps WordPress from running here; nothing when it can."""
    wanted = {"wordpress": FILES / "wp-includes/version.php", **{f"wordpress-theme-{t}": _theme(t) for t in THEMES}}
    packages = [name for name, path in wanted.items() if not path.exists()]
    packages += [name for name, tool in (("mariadb-server", "mariadbd"), ("php-cli", "php")) if not _tool(tool)]
    return f"Debian's packages {', '.join(packages)} are not installed" if packages else ""


def _theme(name: str) -> Path:
    return FILES / "wp-content" / "themes" / name / "style.css"


def _tool(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin")


class WordPress:
    """A running WordPress. Use it in a `with` block."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._root = folder / "site"
        self._socket = folder / "db.sock"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.host = f"127.0.0.1:{free.getsockname()[1]}"
        self.url = f"http://{self.host}/"
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        try:
            self._database()
            shutil.copytree(FILES, self._root, symlinks=False, ignore_dangling_symlinks=True)
            config = _CONFIG.format(socket=self._socket, url=self.url.rstrip("/"), root=self._root)
            (self._root / "wp-config.php").write_text(config)
            (self._root / "router.php").write_text(_ROUTER)
            self._php(_INSTALL)
            self._php(_FILL)
            self._serve()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self._processes):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def switch(self, theme: str) -> None:
        """Choose a theme."""
        assert self._php(_SWITCH, theme=theme).endswith(theme)

    def _php(self, script: str, theme: str = "") -> str:
        path = self._folder / "script.php"
        path.write_text(script.format(host=self.host, root=self._root, theme=theme, posts=POSTS))
        done = subprocess.run(
            [_tool("php") or "php", str(path)], capture_output=True, text=True, timeout=120, check=False
        )
        if done.returncode:
            raise RuntimeError(f"php failed: {done.stdout[-800:]} {done.stderr[-800:]}")
        return done.stdout.strip()

    def _database(self) -> None:
        data = self._folder / "db"
        user = ["--user=root"] if os.geteuid() == 0 else []
        install = [_tool("mariadb-install-db") or "mariadb-install-db", "--no-defaults", f"--datadir={data}", *user]
        more = ["--auth-root-authentication-method=normal", "--skip-test-db"]
        subprocess.run([*install, *more], capture_output=True, timeout=120, check=True)
        server = [
            _tool("mariadbd") or "mariadbd",
            "--no-defaults",
            f"--datadir={data}",
            f"--socket={self._socket}",
            *user,
        ]
        options = ["--skip-networking", f"--pid-file={self._folder / 'db.pid'}", "--innodb-flush-log-at-trx-commit=0"]
        self._start([*server, *options])
        client = [_tool("mariadb") or "mariadb", "--no-defaults", f"--socket={self._socket}", "-u", "root", "-e"]
        for _ in range(120):
            done = subprocess.run([*client, "CREATE DATABASE wordpress"], capture_output=True, check=False)
            if done.returncode == 0:
                return
            time.sleep(0.25)
        raise RuntimeError(f"MariaDB did not start: {done.stderr.decode()[-500:]}")

    def _serve(self) -> None:
        router = str(self._root / "router.php")
        self._start([_tool("php") or "php", "-S", self.host, "-t", str(self._root), router])
        for _ in range(120):
            try:
                with urlopen(self.url, timeout=10) as answer:
                    answer.read()
                return
            except OSError:
                time.sleep(0.25)
        raise RuntimeError("php -S did not answer")

    def _start(self, command: list[str]) -> None:
        environment = {**os.environ, "PHP_CLI_SERVER_WORKERS": "2"}
        log = (self._folder / f"{Path(command[0]).name}.log").open("wb")
        self._processes.append(subprocess.Popen(command, stdout=log, stderr=log, env=environment))
