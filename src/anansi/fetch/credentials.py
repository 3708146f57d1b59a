"""What a person gives along with requests: headers and cookies; some of them are secrets, which no file may hold.

Headers go to the servers of the seeds only, cookies where their domain says. What may be secret among them is left
out of the request as it is archived, and out of `Set-Cookie` headers that give it back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from anansi.errors import UserError
from anansi.url import origin_of

LEFT_OUT: Final = b"(left out)"

_HEADER: Final = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)")
_PLAIN: Final = re.compile(r"accept(-[a-z-]+)?|user-agent|referer|from|dnt|cache-control|pragma|save-data", re.I)
"""Headers whose values are no secrets; of any other nobody can tell."""
_OURS: Final = frozenset(("host", "content-length", "transfer-encoding", "connection", "te", "upgrade", "range"))
_FIELDS: Final = (6, 7)
"""Of a cookie; many editors cut off the last one where it is empty."""
_SET_COOKIE: Final = re.compile(rb"(?im)^(set-cookie:[ \t]*([^=;\r\n]*)=)[^;\r\n]*")


class Credentials(msgspec.Struct, frozen=True):
    """Headers and cookies for requests; kept in memory only."""

    headers: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    """Where the headers go."""
    cookies: tuple[str, ...] = ()
    """Lines of a Netscape cookie file."""

    def __bool__(self) -> bool:
        return bool(self.headers or self.cookies)

    def __repr__(self) -> str:
        return f"Credentials({len(self.headers)} headers, {len(self.cookies)} cookies)"

    def headers_for(self, url: str, usual: Iterable[str]) -> list[str]:
        """Return the headers of a request: ours, and those given for its host, which go before ours."""
        own = self.headers if origin_of(url) in self.origins else ()
        given = {_name(each) for each in own}
        return [*(each for each in usual if _name(each) not in given), *own]

    def without_secrets(self, request: bytes) -> bytes:
        """Return a request as it may be archived."""
        names = {_name(each).encode() for each in self.headers if not _PLAIN.fullmatch(_name(each))}
        names |= {b"cookie"} if self.cookies else set()
        if not names:
            return request
        lines = request.split(b"\r\n")
        return b"\r\n".join(
            line[: line.index(b":") + 1] + b" " + LEFT_OUT if line.partition(b":")[0].lower() in names else line
            for line in lines
        )

    def without_cookies(self, head: list[bytes]) -> list[bytes]:
        """Return the head of an answer without the values of cookies that were given."""
        names = {each.split("\t")[5].encode() for each in self.cookies}
        if not names:
            return head
        return [
            _SET_COOKIE.sub(lambda found: found[1] + (LEFT_OUT if found[2].strip() in names else _value(found)), line)
            for line in head
        ]


NONE: Final = Credentials()


def credentials(headers: Iterable[str], cookies: str, seeds: Iterable[str]) -> Credentials:
    """Read headers as they are typed and a Netscape cookie file's text; say what is wrong with them."""
    origins = tuple(dict.fromkeys(each for seed in seeds for each in _trusted(origin_of(seed))))
    return Credentials(tuple(map(_header, headers)), origins, tuple(_cookies(cookies)))


def _trusted(origin: str) -> Iterable[str]:
    """Yield where secrets for a server may go: to it, and to the same one in safety; never back in clear text."""
    yield origin
    scheme, _, server = origin.partition("://")
    if scheme == "http" and ":" not in server:
        yield f"https://{server}"


def _header(text: str) -> str:
    found = _HEADER.fullmatch(text.strip())
    if found is None:
        # what was typed is not repeated: without its colon it may well be the secret itself
        raise UserError("--header: a header is written NAME: VALUE, as in 'Accept-Language: de'")
    if found[1].lower() in _OURS:
        raise UserError(f"--header {found[1]}: this header is Anansi's to set; leave it out")
    return f"{found[1]}: {found[2].strip()}"


def _cookies(text: str) -> Iterable[str]:
    for number, line in enumerate(text.splitlines(), 1):
        line = line.removeprefix("#HttpOnly_")
        if not line.strip() or line.startswith("#"):
            continue
        if len(line.split("\t")) not in _FIELDS or "\0" in line:
            what = "is not a cookie: seven fields with tabs between them, as browsers export `cookies.txt`"
            raise UserError(f"--cookies: line {number} {what}")
        yield line


def _name(header: str) -> str:
    return header.partition(":")[0].strip().lower()


def _value(found: re.Match[bytes]) -> bytes:
    return found[0][len(found[1]) :]
