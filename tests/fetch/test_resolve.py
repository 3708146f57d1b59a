"""Names become addresses, and addresses that are nobody's business are refused."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from typing import Any

import pytest

from anansi.config import Fetch
from anansi.fetch import resolve as module
from anansi.fetch.resolve import LIFETIME, LIFETIME_MISSING, REFUSED, Resolver

PUBLIC = "93.184.215.14"
PRIVATE = (
    # IANA's registry of special-purpose IPv4 addresses: the first and the last of each block
    *("0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255"),
    *("127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.255.255", "172.16.0.0", "172.31.255.255"),
    *("192.0.0.0", "192.0.0.8", "192.0.0.9", "192.0.0.170", "192.0.0.255", "192.0.2.0", "192.0.2.255"),
    *("192.88.99.0", "192.88.99.255", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255"),
    *("198.51.100.0", "198.51.100.255", "203.0.113.0", "203.0.113.255", "240.0.0.0", "255.255.255.255"),
    *("224.0.0.1", "239.255.255.255"),
    # what clouds tell their machines about themselves: most, Alibaba, Oracle, Azure, AWS, Google
    *("169.254.169.254", "100.100.100.200", "192.0.0.192", "168.63.129.16", "[fd00:ec2::254]", "[fd20:ce::254]"),
    # IANA's registry of special-purpose IPv6 addresses
    *("[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "[::ffff:168.63.129.16]", "[::ffff:0:10.0.0.1]"),
    *("[64:ff9b::10.0.0.1]", "[64:ff9b:1::1]", "[64:ff9b:1:ffff:ffff:ffff:ffff:ffff]", "[100::1]", "[100:0:0:1::1]"),
    *("[2001:0:4136:e378:8000:63bf:3fff:fdd2]", "[2001:1::1]", "[2001:2::1]", "[2001:3::1]", "[2001:4:112::1]"),
    *("[2001:10::1]", "[2001:20::1]", "[2001:30::1]", "[2001:1ff::1]", "[2001:db8::1]", "[2002:a00:1::]"),
    *("[2002:a83f:8110::]", "[3fff::1]", "[3fff:fff::1]", "[5f00::1]", "[fc00::1]", "[fd00::1]"),
    *("[fe80::1]", "[febf::1]", "[fec0::1]", "[feff::1]", "[ff02::1]", "[ff0e::1]", "[4000::1]", "[1fff::1]"),
    # IPv4 addresses inside others: compatible ones of old, and tunnels within a site
    *("[::10.0.0.1]", "[2606:2800::5efe:10.0.0.1]", "[2606:2800::200:5efe:192.168.0.1]"),
)
OPEN = (
    *(PUBLIC, "1.0.0.1", "100.63.255.255", "100.128.0.1", "168.63.129.17", "172.15.255.255", "172.32.0.1"),
    *("192.0.1.1", "192.31.196.1", "192.52.193.1", "192.175.48.1", "198.17.255.255", "198.20.0.1", "223.255.255.255"),
    *("[2606:2800:21f:cb07:6820:80da:af6b:8b2c]", "[2001:200::1]", "[2620:4f:8000::1]", "[3ffe::1]"),
    *("[::ffff:93.184.215.14]", "[64:ff9b::93.184.215.14]", "[2002:5db8:d70e::1]"),
)
"""Public ones, next to those that are not."""


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


@pytest.mark.parametrize("host", OPEN)
def test_a_public_address_is_itself(host: str) -> None:
    assert Resolver(Fetch()).address(host) == str(ipaddress.ip_address(host.strip("[]")))


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
