"""Names become addresses, and addresses that are nobody's business are refused."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from anansi.config import Fetch
from anansi.fetch import resolve as module
from anansi.fetch.resolve import LIFETIME, LIFETIME_MISSING, REFUSED, Resolver

PUBLIC = "93.184.215.14"
PRIVATE = (
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[fe80::1]",
    "[fd00::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[::10.0.0.1]",
    "[64:ff9b::10.0.0.1]",
    "[2002:a00:1::]",
    "[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
    "[ff02::1]",
    "[::]",
)


def answers(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Let every name have these addresses (none: it has no address) and return the list of names asked for."""
    asked: list[str] = []

    async def look_up(self: Any, host: str, *_: Any, **__: Any) -> list[tuple[Any, ...]]:
        asked.append(host)
        if not addresses:
            raise socket.gaierror("no such name")
        return [(0, 0, 0, "", (address, 0)) for address in addresses]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", look_up)
    return asked


def known(resolver: Resolver, host: str) -> str | None:
    """Resolve a name, then ask for it."""
    asyncio.run(resolver.resolve(host))
    return resolver.address(host)


@pytest.mark.parametrize("host", PRIVATE)
def test_an_address_that_is_not_public_is_refused(host: str) -> None:
    assert Resolver(Fetch()).address(host) == REFUSED


@pytest.mark.parametrize("host", [PUBLIC, "[2606:2800:21f:cb07:6820:80da:af6b:8b2c]"])
def test_a_public_address_is_itself(host: str) -> None:
    assert Resolver(Fetch()).address(host) == host.strip("[]")


@pytest.mark.parametrize("host", PRIVATE)
def test_private_addresses_can_be_allowed_anywhere(host: str) -> None:
    assert Resolver(Fetch(private_addresses="allow")).address(host) != REFUSED


def test_a_name_that_points_into_the_private_network_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, "10.0.0.7")
    assert known(Resolver(Fetch()), "intranet.example") == REFUSED


def test_a_name_that_is_pointed_elsewhere_later_is_judged_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: what is connected to is what was judged, and each answer is."""
    now = [1000.0]
    monkeypatch.setattr("anansi.fetch.resolve.time.monotonic", lambda: now[0])
    resolver = Resolver(Fetch())
    answers(monkeypatch, PUBLIC)
    assert asyncio.run(resolver.find("rebound.example")) == PUBLIC
    answers(monkeypatch, "127.0.0.1")
    assert asyncio.run(resolver.find("rebound.example")) == PUBLIC
    now[0] += LIFETIME + 1
    assert asyncio.run(resolver.find("rebound.example")) == REFUSED


def test_what_one_process_allows_another_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, "10.0.0.7")
    first = Resolver(Fetch())
    asyncio.run(first.allow(["box.example"]))
    second = Resolver(Fetch(), first.allowed)
    assert asyncio.run(second.find("box.example")) == second.address("10.0.0.7") == "10.0.0.7"
    assert second.address("10.0.0.8") == REFUSED


def test_a_name_is_not_known_before_it_was_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, PUBLIC)
    resolver = Resolver(Fetch())
    assert resolver.address("example.org") is None
    assert known(resolver, "example.org") == PUBLIC


def test_ipv4_goes_before_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, "2606:2800:21f::1", PUBLIC)
    assert known(Resolver(Fetch()), "example.org") == PUBLIC


@pytest.mark.parametrize("host", ["no-such.example", "a" * 70 + ".example", "exa\udc80mple"])
def test_a_name_without_address_is_empty(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch)
    assert known(Resolver(Fetch()), host) == ""


@pytest.mark.parametrize(("addresses", "lifetime"), [((PUBLIC,), LIFETIME), ((), LIFETIME_MISSING)])
def test_what_was_found_is_believed_for_a_while(
    addresses: tuple[str, ...], lifetime: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(monkeypatch, *addresses)
    now = [1000.0]
    monkeypatch.setattr("anansi.fetch.resolve.time.monotonic", lambda: now[0])
    resolver = Resolver(Fetch())
    first = known(resolver, "example.org")
    now[0] += lifetime - 1
    assert resolver.address("example.org") == first
    now[0] += 2
    assert resolver.address("example.org") is None


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, PUBLIC)
    monkeypatch.setattr(module, "MOST", 3)
    resolver = Resolver(Fetch())
    for number in range(20):
        assert known(resolver, f"host{number}.example") == PUBLIC
    assert sum(resolver.address(f"host{number}.example") is not None for number in range(20)) <= 3


@pytest.mark.parametrize("seed", ["127.0.0.9", "box.example"])
def test_where_a_seed_is_private_addresses_may_be_requested(seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answers(monkeypatch, "127.0.0.9")
    resolver = Resolver(Fetch())
    asyncio.run(resolver.allow([seed]))
    assert resolver.address("127.0.0.9") == "127.0.0.9"
    assert resolver.address("127.0.0.10") == REFUSED


def test_a_fixed_address_needs_no_look_up_and_opens_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answers(monkeypatch, PUBLIC)
    resolver = Resolver(Fetch(resolve=["Fixed.Example:80:127.0.0.5", "six.example:443:[::1]"]))
    assert resolver.address("fixed.example") == "127.0.0.5"
    assert resolver.address("six.example") == "::1"
    assert resolver.address("127.0.0.5") == REFUSED
    assert asked == []


def test_a_seed_with_a_fixed_private_address_opens_that_address() -> None:
    resolver = Resolver(Fetch(resolve=["fixed.example:80:127.0.0.5"]))
    asyncio.run(resolver.allow(["fixed.example"]))
    assert resolver.address("127.0.0.5") == "127.0.0.5"


def test_behind_a_proxy_names_are_its_business_but_written_addresses_are_ours() -> None:
    resolver = Resolver(Fetch(proxy="http://proxy.example:3128"))
    assert resolver.address("example.org") == ""
    assert resolver.address(PUBLIC) == ""
    assert resolver.address("169.254.169.254") == REFUSED
