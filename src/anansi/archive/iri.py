"""Addresses from the Web → IRIs that RDF allows.

Addresses hold characters that an IRI must not hold (spaces, braces, quotes, a lone `%`). Each becomes its percent
escape, as a browser would send it; what is an IRI already stays as it is.
"""

from __future__ import annotations

import re
from hashlib import sha1
from ipaddress import IPv6Address
from typing import Final
from urllib.parse import quote

LONGEST: Final = 8192
"""Characters of an IRI; of a longer address the beginning is kept, and its digest."""

_CHARACTERS: Final = r"A-Za-z0-9._~!$&'()*+,;=:@/\-"
_ESCAPE: Final = "%[0-9A-Fa-f]{2}"
_USUAL: Final = re.compile(
    rf"https?://[A-Za-z0-9.\-]++(?::[0-9]++)?(?:/(?:[{_CHARACTERS}]++|{_ESCAPE})*+)?"
    rf"(?:\?(?:[{_CHARACTERS}?]++|{_ESCAPE})*+)?(?:\#(?:[{_CHARACTERS}?]++|{_ESCAPE})*+)?"
)
_PARTS: Final = re.compile(
    r"([A-Za-z][A-Za-z0-9+.\-]*+):(?://([^/?\#]*+))?([^?\#]*+)(?:\?([^\#]*+))?(?:\#(.*+))?", re.DOTALL
)
_AUTHORITY: Final = re.compile(r"(?:(.*)@)?(\[[^\]]*\]|[^:\[\]]*)(:[0-9]*)?", re.DOTALL)
_BAD_IN_PATH: Final = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{_CHARACTERS}%]", re.DOTALL)
_BAD_IN_QUERY: Final = re.compile(rf"%(?![0-9A-Fa-f]{{2}})|[^{_CHARACTERS}?%]", re.DOTALL)
_BAD_IN_NAME: Final = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=%\-]", re.DOTALL)
_BAD_IN_USER: Final = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:%\-]", re.DOTALL)
_CUT_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]?$")


def node(address: str) -> bytes:
    """Write an address as N-Quads writes an IRI, in angle brackets."""
    return f"<{iri(address)}>".encode()


def iri(address: str) -> str:
    """Return the IRI that an address stands for; a text that is no address stands for itself, as a `data` IRI."""
    if len(address) <= LONGEST and _USUAL.fullmatch(address):
        return address
    parts = _PARTS.fullmatch(address)
    return _bounded(f"data:,{quote(address, safe='', errors='replace')}" if parts is None else _mended(parts))


def _mended(parts: re.Match[str]) -> str:
    scheme, authority, path, query, fragment = parts.groups()
    mended = f"{scheme}:"
    if authority is not None:
        mended += "//" + _authority(authority)
    mended += _BAD_IN_PATH.sub(_escape, path)
    if query is not None:
        mended += "?" + _BAD_IN_QUERY.sub(_escape, query)
    if fragment is not None:
        mended += "#" + _BAD_IN_QUERY.sub(_escape, fragment)
    return mended


def _authority(text: str) -> str:
    parts = _AUTHORITY.fullmatch(text)
    if parts is None:
        return _BAD_IN_NAME.sub(_escape, text)
    user, host, port = parts.groups()
    before = "" if user is None else _BAD_IN_USER.sub(_escape, user) + "@"
    return before + (host if _is_ipv6(host) else _BAD_IN_NAME.sub(_escape, host)) + (port or "")


def _is_ipv6(host: str) -> bool:
    if not host.startswith("[") or "%" in host:  # a zone is not part of an IRI
        return False
    try:
        IPv6Address(host[1:-1])
    except ValueError:
        return False
    return True


def _escape(found: re.Match[str]) -> str:
    return quote(found[0], safe="", errors="replace")


def _bounded(text: str) -> str:
    """Cut an IRI that is too long, and add its digest, so that it still stands for one thing."""
    if len(text) <= LONGEST:
        return text
    return (
        f"{_CUT_ESCAPE.sub('', text[: LONGEST - 50])}-sha1-{sha1(text.encode(), usedforsecurity=False).hexdigest()}"
    )
