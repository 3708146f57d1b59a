"""A real forum on loopback: django-machina, with boards, topics, posts, its own styles, scripts and fonts.

Run as a program it makes its database in a folder and serves it: `python -m tests.replay.forum FOLDER PORT`.
"""

from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self
from urllib.request import urlopen

BOARDS, TOPICS, POSTS = 3, 6, 14

_URLS = """
from django.urls import include, path
urlpatterns = [path("forum/", include("machina.urls"))]
"""


def missing() -> str:
    """Say what keeps the forum from running here; nothing when it can."""
    return "" if importlib.util.find_spec("machina") else "the package django-machina is not installed"


class Forum:
    """A running forum. Use it in a `with` block."""

    def __init__(self, folder: Path):
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}/forum/"

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.replay.forum", str(self._folder), str(self._port)]
        with (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        for _ in range(240):
            try:
                with urlopen(self.url, timeout=10) as answer:
                    answer.read()
                return self
            except OSError:
                time.sleep(0.25)
        self.__exit__()
        raise RuntimeError(f"the forum did not start: {(self._folder / 'log').read_text()[-2000:]}")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _settings(folder: Path) -> dict[str, Any]:
    import machina

    apps = ["admin", "auth", "contenttypes", "sessions", "messages", "staticfiles"]
    forum = ["", *(f".apps.forum{each}" for each in ("", "_conversation", "_feeds", "_moderation", "_search"))]
    forum += [f".apps.forum_{each}" for each in ("tracking", "member", "permission")]
    parts = ["forum_conversation.forum_attachments", "forum_conversation.forum_polls"]
    context = ["debug", "request"]
    processors = [f"django.template.context_processors.{each}" for each in context]
    processors += [
        "django.contrib.auth.context_processors.auth",
        "django.contrib.messages.context_processors.messages",
    ]
    middle = ["sessions.middleware.Session", "auth.middleware.Authentication", "messages.middleware.Message"]
    return {
        "DEBUG": True,
        "SECRET_KEY": "a test's",
        "ALLOWED_HOSTS": ["*"],
        "ROOT_URLCONF": "forum_urls",
        "STATIC_URL": "/static/",
        "MEDIA_URL": "/media/",
        "MEDIA_ROOT": str(folder / "media"),
        "STATICFILES_DIRS": [machina.MACHINA_MAIN_STATIC_DIR],
        "DEFAULT_AUTO_FIELD": "django.db.models.AutoField",
        "DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "forum.sqlite")}},
        "CACHES": {
            "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
            "machina_attachments": {
                "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
                "LOCATION": str(folder / "cache"),
            },
        },
        "HAYSTACK_CONNECTIONS": {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
        "INSTALLED_APPS": [
            *(f"django.contrib.{app}" for app in apps),
            *("mptt", "haystack", "widget_tweaks"),
            *(f"machina{each}" for each in forum),
            *(f"machina.apps.{each}" for each in parts),
        ],
        "MIDDLEWARE": [
            *(f"django.contrib.{each}Middleware" for each in middle),
            "machina.apps.forum_permission.middleware.ForumPermissionMiddleware",
        ],
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "DIRS": [machina.MACHINA_MAIN_TEMPLATE_DIR],
                "APP_DIRS": True,
                "OPTIONS": {"context_processors": [*processors, "machina.core.context_processors.metadata"]},
            }
        ],
        "MACHINA_DEFAULT_AUTHENTICATED_USER_FORUM_PERMISSIONS": ["can_see_forum", "can_read_forum"],
    }


def _fill() -> None:
    """Write boards, topics and posts, for everybody to read."""
    from django.contrib.auth.models import User
    from machina.core.db.models import get_model

    forum, topic, post = (get_model(*each) for each in (("forum", "Forum"), *_CONVERSATION))
    permission, own = (get_model("forum_permission", each) for each in ("ForumPermission", "UserForumPermission"))
    users = [User.objects.create_user(name, password="x") for name in ("ada", "bo", "cem")]
    for number in range(BOARDS):
        board = forum.objects.create(name=f"Board {number}", type=forum.FORUM_POST, description=f"About {number}")
        for name in ("can_see_forum", "can_read_forum"):
            what = permission.objects.get(codename=name)
            own.objects.create(permission=what, forum=board, anonymous_user=True, has_perm=True)
        for each in range(TOPICS):
            poster = users[each % 3]
            subject = f"Topic {number}.{each}: lanterns and ropes"
            thread = topic.objects.create(
                forum=board, subject=subject, poster=poster, type=topic.TOPIC_POST, status=topic.TOPIC_UNLOCKED
            )
            for said in range(1 + (POSTS if each == 0 else each)):
                words = (
                    f"Post {said} of topic {number}.{each}. The ferry was late, said *{users[said % 3].username}*."
                )
                post.objects.create(topic=thread, subject=subject, content=words, poster=users[said % 3])


_CONVERSATION = (("forum_conversation", "Topic"), ("forum_conversation", "Post"))


def main(folder: Path, port: str) -> None:
    """Make the database and serve the forum."""
    import django
    from django.conf import settings
    from django.core.management import call_command

    (folder / "forum_urls.py").write_text(_URLS)
    sys.path.insert(0, str(folder))
    settings.configure(**_settings(folder))
    django.setup()
    call_command("migrate", verbosity=0)
    _fill()
    call_command("runserver", f"127.0.0.1:{port}", "--noreload")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
