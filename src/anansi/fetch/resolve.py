"""Names → addresses, and which addresses may be requested.

The address found here is the one the connection is made to, so a name cannot be pointed elsewhere in between.

Mutable state: `_known` (host → address and expiry, bounded), `_allowed` (private addresses where seeds are).
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Iterable

from anansi import config

LIFETIME = 3600.0  # seconds an address is believed
LIFETIME_MISSING = 60.0  # seconds a failure is believed
MOST = 200_000  # hosts remembered

REFUSED = "refused"
"""The answer for a host that must not be requested."""


class Resolver:
    """Resolves hosts, refusing private addresses unless a seed is there."""

    def __init__(self, settings: config.Fetch, allowed: Iterable[str] = ()):
        self._proxied = settings.proxy is not None
        self._private = settings.private_addresses == "allow"
        self._fixed = dict(_fixed(entry) for entry in settings.resolve)
        self._known: dict[str, tuple[str, float]] = {}
        self._allowed: set[str] = set(allowed)

    def address(self, host: str) -> str | None:
        """Return a host's address, "" when it has none or a proxy resolves it, `REFUSED`, or None: not known yet."""
        literal = _literal(host)
        if self._proxied:  # the proxy looks names up, but what is written as an address is seen here
            return REFUSED if literal is not None and self._judge(literal) == REFUSED else ""
        if host in self._fixed:
            return self._fixed[host]
        if literal is not None:
            return self._judge(literal)
        address, expiry = self._known.get(host, ("", 0.0))
        if expiry < time.monotonic():
            return None
        return self._judge(address) if address else ""

    async def find(self, host: str) -> str:
        """Return what `address` does, looking the host up if need be."""
        if (known := self.address(host)) is not None:
            return known
        address = await self.resolve(host)
        return self._judge(address) if address else ""

    @property
    def allowed(self) -> list[str]:
        """List the private addresses that may be requested."""
        return sorted(self._allowed)

    async def resolve(self, host: str) -> str:
        """Look a host up; return its address or ""."""
        address = await _look_up(host)
        if len(self._known) >= MOST:
            self._known.clear()
        lifetime = LIFETIME if address else LIFETIME_MISSING
        self._known[host] = (address, time.monotonic() + lifetime)
        return address

    async def allow(self, hosts: Iterable[str]) -> None:
        """Let the addresses of the seeds' hosts be requested even if they are private."""
        for host in set(hosts):
            literal = _literal(host)
            address = literal if literal is not None else self._fixed.get(host) or await self.resolve(host)
            if address and _is_private(address):
                self._allowed.add(address)

    def _judge(self, address: str) -> str:
        if self._private or address in self._allowed or not _is_private(address):
            return address
        return REFUSED


async def _look_up(host: str) -> str:
    loop = asyncio.get_running_loop()
    try:
        found = await asyncio.wait_for(loop.getaddrinfo(host, None, proto=6), 20)
    except (OSError, UnicodeError, TimeoutError):
        return ""
    # IPv4 first: archives note one address a capture, and many hosts of an archivist's network have no IPv6 route
    addresses = sorted((str(entry[4][0]).partition("%")[0] for entry in found), key=lambda text: ":" in text)
    return addresses[0] if addresses else ""


def _literal(host: str) -> str | None:
    bare = host.removeprefix("[").removesuffix("]")
    try:
        return str(ipaddress.ip_address(bare))
    except ValueError:
        return None


def _is_private(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    if isinstance(parsed, ipaddress.IPv4Address):
        return any(parsed in network for network in _NOT_PUBLIC_V4)
    inner = _inner(parsed)
    if inner is not None and _is_private(str(inner)):
        return True
    if inner is not None and any(parsed in network for network in _TRANSLATED):
        return False
    return parsed not in _PUBLIC_V6 or any(parsed in network for network in _NOT_PUBLIC_V6)


def _inner(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that an IPv6 address stands for, where a kernel or a gateway would go there."""
    packed = address.packed
    if any(address in network for network in _TRANSLATED) or packed[8:12] in _ISATAP:
        return ipaddress.IPv4Address(packed[-4:])
    return address.sixtofour


_NOT_PUBLIC_V4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",
            "100.64.0.0/10",  # between a carrier and its customers; Alibaba's metadata
            "127.0.0.0/8",
            "168.63.129.16/32",  # Azure's host of every virtual machine, in its public range
            "169.254.0.0/16",  # link-local; the metadata of most clouds
            "172.16.0.0/12",
            "192.0.0.0/24",  # protocol assignments; Oracle's metadata
            "192.0.2.0/24",  # documentation, with two more below
            "192.88.99.0/24",  # relays of 6to4, given up
            "192.168.0.0/16",
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
"""IANA's registry of special-purpose IPv4 addresses but for those that are reached from everywhere, multicast, and
what clouds keep for their own. A table of ours: Python's `is_global` follows the registry by its version."""
_PUBLIC_V6 = ipaddress.IPv6Network("2000::/3")
"""All that IANA gives out; what else there is (link-local, site-local, unique local, multicast …) is not public."""
_NOT_PUBLIC_V6 = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarks
            "2001:db8::/32",  # documentation
            "3fff::/20",  # documentation
        ),
    )
)
_TRANSLATED = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "::ffff:0:0/96", "::/96")))
"""Addresses that end in an IPv4 address: translated (RFC 6052), mapped, and compatible ones of old (RFC 4291)."""
_ISATAP = (bytes.fromhex("00005efe"), bytes.fromhex("02005efe"))
"""What stands before an IPv4 address that is tunnelled to within a site (RFC 5214)."""


def _fixed(entry: str) -> tuple[str, str]:
    """Read HOST:PORT:ADDRESS; the port is not told apart, since one host is one place to be polite to."""
    host, _, rest = entry.partition(":")
    return host.lower(), rest.partition(":")[2].strip("[]")
