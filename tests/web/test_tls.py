"""TLS webs: a client that trusts their authority accepts only the good one, and says why of the others."""

from __future__ import annotations

import ssl
import time

import pytest

from tests.web import ON_CONNECT, Behaviour, ScriptedWeb, garbage, html, reset_at
from tests.web.tls import Kind
from tests.web.web import HANDSHAKE_SECONDS
from tests.web.wire import dial, ended, listen, say, soon


def shake_hands(web: ScriptedWeb, trust: ssl.SSLContext) -> ssl.SSLSocket:
    return trust.wrap_socket(dial(web), server_hostname=web.address)


def test_the_good_one_is_trusted_and_serves() -> None:
    with ScriptedWeb(tls="good") as web:
        web.add("/", html("Safe"))
        with shake_hands(web, ssl.create_default_context(cafile=web.ca_file)) as wire:
            say(wire, "/", "Connection: close")
            heard = listen(wire)
        assert web.url.startswith("https://")
        assert b"<h1>Safe</h1>" in heard.body
        assert web.count("/") == 1


@pytest.mark.parametrize(
    ("kind", "complaint"),
    [("self-signed", "self.signed"), ("expired", "expired"), ("wrong-host", "IP address mismatch")],
)
def test_each_wrong_one_is_wrong_in_its_way(kind: Kind, complaint: str) -> None:
    with ScriptedWeb(tls=kind) as web:
        web.add("/", html("Unsafe"))
        with pytest.raises(ssl.SSLCertVerificationError, match=complaint):
            shake_hands(web, ssl.create_default_context(cafile=web.ca_file))
        careless = ssl._create_unverified_context()
        with shake_hands(web, careless) as wire:
            say(wire, "/", "Connection: close")
            assert b"Unsafe" in listen(wire).body
        assert len(web.log) == 1


def test_the_good_one_is_not_trusted_by_strangers() -> None:
    with ScriptedWeb(tls="good") as web, pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(web, ssl.create_default_context())


def test_webs_of_one_run_share_an_authority_but_not_an_address() -> None:
    with ScriptedWeb(tls="good") as one, ScriptedWeb(tls="good", address="127.0.0.2") as two:
        trust = ssl.create_default_context(cafile=one.ca_file)
        with shake_hands(one, trust), shake_hands(two, trust):
            assert one.ca_file.read_bytes() == two.ca_file.read_bytes()
        with pytest.raises(ssl.SSLCertVerificationError):
            trust.wrap_socket(dial(two), server_hostname=one.address)


def test_certificates_do_not_outlive_their_web() -> None:
    with ScriptedWeb(tls="good") as web:
        file = web.ca_file
        assert file.exists()
    assert not file.parent.exists()


def test_a_web_without_tls_has_no_authority() -> None:
    with ScriptedWeb() as web, pytest.raises(RuntimeError, match="tls="):
        _ = web.ca_file


def test_a_handshake_never_finished_does_not_hold_the_web() -> None:
    with ScriptedWeb(tls="good") as web:
        silent, half = dial(web), dial(web)
        half.sendall(b"\x16\x03\x01\x02\x00\x01")
        assert soon(lambda: web.connections == 2)
        started = time.monotonic()
    assert time.monotonic() - started < HANDSHAKE_SECONDS
    for wire in (silent, half):
        with wire:
            assert ended(wire)


@pytest.mark.parametrize("spoiled", [reset_at("connect"), garbage()])
def test_a_plain_web_addressed_as_https_spoils_the_handshake(spoiled: Behaviour) -> None:
    with ScriptedWeb() as web:
        web.add(ON_CONNECT, spoiled)
        with pytest.raises((ssl.SSLError, ConnectionError)):
            shake_hands(web, ssl.create_default_context())
        assert web.log == []
