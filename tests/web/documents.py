"""Documents that are hard to read: charsets, false types, monstrous and broken HTML."""

from __future__ import annotations

import html as escaping
import struct
import zlib
from typing import Literal, get_args

from tests.web.exchange import Reply
from tests.web.replies import HTML, markup

RUSSIAN = "Съешь ещё этих мягких французских булок, да выпей чаю"
JAPANESE = "いろはにほへと ちりぬるを わかよたれそ つねならむ"
FRENCH = "Voix ambiguë d’un cœur qui, au zéphyr, préfère les jattes de kiwis"


def charset(text: str, *, actual: str, declared_http: str = "", meta: str = "", bom: bytes = b"") -> Reply:
    """Answer with a page in one encoding that declares another, or none, in HTTP and in its head."""
    kind = f"text/html; charset={declared_http}" if declared_http else "text/html"
    declaration = f'<meta charset="{meta}">' if meta else ""
    page = (
        f"<!DOCTYPE html>\n<html><head>{declaration}<title>{text}</title></head>\n<body><p>{text}</p></body></html>\n"
    )
    return Reply(200, (("Content-Type", kind),), bom + page.encode(actual))


CHARSETS: dict[str, tuple[str, Reply]] = {
    "windows-1251 in http": (RUSSIAN, charset(RUSSIAN, actual="windows-1251", declared_http="windows-1251")),
    "windows-1251 in meta": (RUSSIAN, charset(RUSSIAN, actual="windows-1251", meta="windows-1251")),
    "windows-1251 undeclared": (RUSSIAN, charset(RUSSIAN, actual="windows-1251")),
    "koi8-r in meta": (RUSSIAN, charset(RUSSIAN, actual="koi8-r", meta="koi8-r")),
    "shift_jis in http": (JAPANESE, charset(JAPANESE, actual="shift_jis", declared_http="Shift_JIS")),
    "shift_jis in meta": (JAPANESE, charset(JAPANESE, actual="shift_jis", meta="shift_jis")),
    "euc-jp in meta": (JAPANESE, charset(JAPANESE, actual="euc-jp", meta="euc-jp")),
    "utf-16le with bom": (FRENCH, charset(FRENCH, actual="utf-16-le", bom=b"\xff\xfe")),
    "utf-16be with bom": (FRENCH, charset(FRENCH, actual="utf-16-be", bom=b"\xfe\xff")),
    "utf-16 in http, without bom": (FRENCH, charset(FRENCH, actual="utf-16-le", declared_http="utf-16le")),
    "utf-8 with bom, http says latin-1": (
        FRENCH,
        charset(FRENCH, actual="utf-8", declared_http="iso-8859-1", bom=b"\xef\xbb\xbf"),
    ),
    "latin-1 in name, windows-1252 in bytes": (FRENCH, charset(FRENCH, actual="windows-1252", meta="iso-8859-1")),
    "http right, meta wrong": (RUSSIAN, charset(RUSSIAN, actual="utf-8", declared_http="utf-8", meta="windows-1251")),
    "http wrong, meta right": (RUSSIAN, charset(RUSSIAN, actual="utf-8", declared_http="windows-1251", meta="utf-8")),
    "declared utf-8, is windows-1251": (
        RUSSIAN,
        charset(RUSSIAN, actual="windows-1251", declared_http="utf-8", meta="utf-8"),
    ),
    "unknown name": (FRENCH, charset(FRENCH, actual="utf-8", declared_http="x-no-such-charset", meta="utf-8")),
}
"""What the page says, and the page."""
MISDECLARED = frozenset({"windows-1251 undeclared", "http wrong, meta right", "declared utf-8, is windows-1251"})
"""Those of `CHARSETS` that a reader who believes the declarations gets wrong, but must not fall over."""

PDF = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF\n"
)


def _png_part(name: bytes, data: bytes) -> bytes:
    """Write one part of a PNG file: length, name, data, checksum."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + _png_part(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + _png_part(b"IDAT", zlib.compress(b"\x00\xff\x00\x00"))
    + _png_part(b"IEND", b"")
)
"""One red pixel."""

Lie = Literal[
    "pdf as html", "html as plain", "html as octet-stream", "png as html", "html without type", "html as png"
]
LIES: tuple[Lie, ...] = get_args(Lie)
_TRUE_HTML = markup("Not what it says", ["/behind-the-lie"]).encode()
_LIE_PARTS: dict[Lie, tuple[str, bytes]] = {
    "pdf as html": ("text/html", PDF),
    "html as plain": ("text/plain", _TRUE_HTML),
    "html as octet-stream": ("application/octet-stream", _TRUE_HTML),
    "png as html": ("text/html", PNG),
    "html without type": ("", _TRUE_HTML),
    "html as png": ("image/png", _TRUE_HTML),
}


def mime_lie(lie: Lie, body: bytes | None = None) -> Reply:
    """Answer with one kind of document under the type of another; the HTML ones link to /behind-the-lie."""
    kind, usual = _LIE_PARTS[lie]
    return Reply(200, (("Content-Type", kind),) if kind else (), usual if body is None else body)


def many_links(count: int = 100_000, *, prefix: str = "/link/") -> Reply:
    """Answer with a page of `count` links."""
    return Reply(200, (HTML,), markup("Many links", (f"{prefix}{n}" for n in range(count))).encode())


def deep_html(depth: int = 200_000, *, tag: str = "div", link: str = "/at-the-bottom") -> Reply:
    """Answer with tags nested `depth` deep, a link at the bottom and one (`/after`) behind them."""
    opening, closing = f"<{tag}>" * depth, f"</{tag}>" * depth
    inner = f'{opening}<a href="{link}">bottom</a>{closing}<a href="/after">after</a>'
    return Reply(200, (HTML,), f"<!DOCTYPE html>\n<html><body>{inner}</body></html>\n".encode())


def nul_html(link: str = "/after-nul") -> Reply:
    """Answer with NUL bytes in text, in a tag, in an attribute; then a link."""
    page = (
        b"<html><head><title>NUL\x00 in title</title></head><body>\x00<p>be\x00fore</p>"
        b'<a href="/nul\x00in-href">in an attribute</a><a hr\x00ef="/nul-in-name">in a name</a>'
        b'\x00\x00\x00<p><a href="%s">after</a></p></body></html>' % link.encode()
    )
    return Reply(200, (HTML,), page)


BROKEN_HREFS = (
    "http://[::1",
    "http://[::1]:99999/",
    "http://a b/",
    "http://",
    "http:///no-host",
    "//",
    "///",
    "javascript:alert(1)",
    "JavaScript:void(0)",
    "mailto:someone@example.com",
    "data:text/html,<a href='/inside'>x</a>",
    "tel:+33123456789",
    "",
    "#",
    "?",
    "%",
    "/%zz%",
    "/a\tb\nc",
    "http://user:pass@127.0.0.1:0/",
    "http://127.0.0.1:port/",
    "http://exa\x00mple/",
    "http://\ud7ff\uffff/",
    "http://xn--/",
    "http://" + "a" * 300 + "/",
    "ht!tp://x/",
    "\\\\server\\share",
    "/" + "long" * 25_000,
)
"""Addresses that are wrong each in its own way; the last is 100 kB long and may be asked for."""


def broken_hrefs(*more: str, good: str = "/good") -> Reply:
    """Answer with all the broken addresses, and a good one behind them that must still be found."""
    anchors = (f'<p><a href="{escaping.escape(href)}">x</a></p>' for href in (*BROKEN_HREFS, *more, good))
    return Reply(200, (HTML,), f"<html><body>{''.join(anchors)}</body></html>".encode())
