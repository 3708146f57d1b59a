"""Broken connections: what came before the break is read, then RST or FIN, as asked."""

from __future__ import annotations

import time

import pytest

from tests.web import ON_CONNECT, STAGES, ScriptedWeb, accept, close_at, hang, html, in_turn, reset_at
from tests.web.breaks import SENT_BEFORE, Stage
from tests.web.wire import Heard, dial, ended, get, listen, say


def broken(stage: Stage, *, reset: bool) -> tuple[Heard, int]:
    """Meet a break at a stage; return what was heard and how many requests were."""
    behaviour = reset_at(stage) if reset else close_at(stage)
    with ScriptedWeb() as web:
        web.add(ON_CONNECT if stage == "connect" else "/", behaviour)
        return meet(web, speak=stage != "connect"), len(web.log)


def meet(web: ScriptedWeb, *, speak: bool) -> Heard:
    """Connect, ask when that is wanted, and listen; RST may come as early as in `connect` itself."""
    try:
        wire = dial(web)
    except ConnectionResetError:
        return Heard(b"", reset=True)
    with wire:
        if speak:
            say(wire, "/")
        return listen(wire)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("reset", [True, False])
def test_a_break_comes_at_its_stage_and_in_its_way(stage: Stage, reset: bool) -> None:
    heard, requests = broken(stage, reset=reset)
    assert heard.data == SENT_BEFORE[stage]
    assert heard.reset is reset
    assert requests == (stage != "connect")


def test_the_stages_are_further_and_further_into_the_answer() -> None:
    sent = [SENT_BEFORE[stage] for stage in STAGES]
    assert [len(data) for data in sent] == sorted(len(data) for data in sent)
    assert sent[2] == b"HTTP/1.1 20"
    assert b"\r\n" in sent[3]
    assert b"\r\n\r\n" not in sent[3]
    assert sent[4].endswith(b"\r\n\r\n")
    assert sent[5].startswith(sent[4])


def test_a_site_may_refuse_twice_and_then_let_in() -> None:
    with ScriptedWeb() as web:
        url = web.add("/", html("In"))
        web.add(ON_CONNECT, in_turn(reset_at("connect"), close_at("connect"), accept()))
        for _ in range(2):
            with pytest.raises(ConnectionError):
                get(url)
        assert get(url).status == 200
        assert web.count("/") == 1
        assert web.connections == 3


def test_a_hanging_server_says_nothing_until_it_ends() -> None:
    with ScriptedWeb() as web:
        web.add("/", hang())
        wire = dial(web)
        say(wire, "/")
        started = time.monotonic()
        assert listen(wire, seconds=0.3) == Heard(b"", reset=False)
        assert time.monotonic() - started >= 0.3
    with wire:
        assert ended(wire)
