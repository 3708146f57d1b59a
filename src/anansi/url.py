"""URLs: resolve what a page says, name what it means, group what looks alike.

1. `resolve` turns the text of a link into an absolute URL (WHATWG), or None.
2. `canonical` makes the key under which two spellings of one resource meet.
3. `site_of`, `host_of` and `origin_of` say whose it is.
4. `surt` makes the key under which replay tools look it up.
5. `pattern` makes the shape that the pages of a trap share.

Every function takes any text without raising; all but `resolve` and `has_credentials` expect what `resolve` returned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final
from urllib.parse import quote_from_bytes, unquote_to_bytes

import ada_url
from publicsuffixlist import PublicSuffixList

from anansi.errors import UserError

LIMIT: Final = 4096
"""Characters of the longest URL accepted; servers and caches rarely take more than 8 KiB of request line."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SESSION_PARAMETERS: Final = _words(
    """phpsessid jsessionid aspsessionid* aspxautodetectcookiesupport cfid cftoken oscsid xtcsid zenid
    bv_sessionid bv_engineid s sid sesc sess sessid session sessionid session_id"""
)

TRACKING_PARAMETERS: Final = _words(
    """utm_* pk_campaign pk_kwd pk_source pk_medium mtm_* fbclid fb_action_ids fb_action_types fb_source fb_ref
    gclid gclsrc dclid gbraid wbraid msclkid yclid ysclid twclid ttclid igshid igsh mc_cid mc_eid mkt_tok
    _ga _gl _hsenc _hsmi __hstc __hssc __hsfp hsctatracking vero_id vero_conv oly_anon_id oly_enc_id rb_clickid
    wickedid _openstat xtor at_medium at_campaign ref_src guccounter guce_referrer guce_referrer_sig wprov"""
)

# Names that carry a session in one application and content in another: `s` is vBulletin's session and WordPress's
# search, `sid` phpBB's session and PHP-Nuke's story. Only the look of the value, or its absence, tells them apart.
_HASH: Final = re.compile(r"(?:[0-9a-f]{32})?", re.I)
_TOKEN: Final = re.compile(r"(?:[0-9a-f]{32}|(?=[a-z]*[0-9])(?=[0-9]*[a-z])[0-9a-z]{20,128})?", re.I)
_TOKEN_NAMES: Final = _words("sid sess sessid session sessionid session_id")
_SESSION_VALUES: Final = dict.fromkeys(("s", "sesc"), _HASH) | dict.fromkeys(_TOKEN_NAMES, _TOKEN)

# A URL that WHATWG parsing leaves as it is and in whose path `canonical` mends escapes at most: group 1 goes up to
# the path, group 2 is the query. Recognising one takes a third of the time of parsing it, and most links are such.
# Final labels that begin with a digit, unless four numbers are an address, ports of five digits, those that a scheme
# has anyway, and segments that begin with a dot are left to the parser.
_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_PLAIN: Final = re.compile(
    rf"(https?://(?:(?:[a-z0-9_-]{{1,63}}\.)*+[a-z][a-z0-9-]{{0,62}}+|(?:{_BYTE}\.){{3}}{_BYTE}(?=[/:]))"
    r"(?::(?!80/|443/)[1-9][0-9]{0,3}+)?+"
    r"(?:/(?:(?!%2[eE])[\w~!$&'*+,=:@%-][\w~!$&'*+,=:@%.-]*+)?+)++)"
    r"(?:\?([\w~!$&()*+,;=:@./?%\[\]-]*+))?+(?:#.*)?",
    re.ASCII | re.DOTALL,
)
_PUNYCODE: Final = "xn--"  # such labels can be invalid: only the parser knows

_PARTS: Final = re.compile(r"(https?)://(\[[^\]]*\]|[^/:]*)(?::([0-9]+))?(/[^?]*)(?:\?(.*))?", re.DOTALL)
_ORIGIN: Final = re.compile(r"(https?://)(?:[^/?#@]*@)?((\[[^\]/]*\]|[^/?#:@]+)(?::[0-9]+)?)", re.I)
_USERINFO: Final = re.compile(r"^(https?://)[^/?]*@")
# The standard lets through what no DNS can hold: empty labels, and labels of more than 63 characters.
_NAMEABLE: Final = re.compile(r"https?://(?:\[|(?:[^./:]{1,63}\.)*+(?:[^./:]{1,63})?+[/:])")


def resolve(raw: str, base: str | None = None) -> str | None:
    """Return the absolute http(s) URL that `raw` means on the page `base`, without fragment and credentials."""
    if len(raw) > LIMIT:
        return None
    url = raw if raw.startswith(("http://", "https://")) else _joined(raw, base)
    if len(url) <= LIMIT and _PUNYCODE not in url and _PLAIN.fullmatch(url):
        return url.partition("#")[0] if "#" in url else url
    return _parse(raw, base)


def _joined(raw: str, base: str | None) -> str:
    """Join the relative forms that need no parser; the empty text for all others."""
    frame = _frame(base) if base else None
    if frame is None:
        return ""
    scheme, origin, directory, page = frame
    if raw.startswith("/"):
        return (scheme if raw.startswith("//") else origin) + raw
    if raw.startswith("./"):
        return directory + raw[2:]
    if raw.startswith("?"):
        return page + raw
    return directory + raw if raw[:1].isalnum() and ":" not in raw else ""


@lru_cache(maxsize=256)
def _frame(base: str) -> tuple[str, str, str, str] | None:
    """Cut a plain base into scheme, origin, directory and page (the URL without its query)."""
    match = _PLAIN.fullmatch(base)
    if match is None or _PUNYCODE in base:
        return None
    page: str = match[1]
    start = page.index("//")
    return page[:start], page[: page.index("/", start + 2)], page[: page.rindex("/") + 1], page


def _parse(raw: str, base: str | None) -> str | None:
    try:
        href: str = ada_url.normalize_url(raw) if base is None else ada_url.join_url(base, raw)
    except ValueError:
        return None if base is None else _parse(raw, None)  # a bad base does not spoil an absolute link
    href = href.partition("#")[0]
    if "@" in href:
        href = _USERINFO.sub(r"\1", href)
    return href if _NAMEABLE.match(href) and len(href) <= LIMIT else None


def has_credentials(raw: str) -> bool:
    """Tell whether the URL carries a user name or a password, which `resolve` removes."""
    if "@" not in raw:
        return False
    try:
        parsed = ada_url.URL(raw, base="http://base.invalid/")
    except ValueError:
        return False
    return bool(parsed.username or parsed.password)


@dataclass(frozen=True, slots=True)
class Rules:
    """What `canonical` takes for noise.

    Parameter names are compared without case; a name that ends in `*` stands for all that begin so. Names in `drop`
    go whatever their value; session names that are ambiguous (`s`, `sid`, …) go only when the value is a session id.
    Rewrites (regular expression, replacement) run in order on the canonical URL; where they make no URL, or one that
    they would rewrite again, they are not applied.
    """

    sort_query: bool = True
    session_parameters: frozenset[str] = SESSION_PARAMETERS
    tracking_parameters: frozenset[str] = TRACKING_PARAMETERS
    drop: tuple[str, ...] = ()
    rewrites: tuple[tuple[str, str], ...] = ()
    _names: frozenset[str] = field(init=False, repr=False, compare=False)
    _prefixes: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _by_value: dict[str, re.Pattern[str]] = field(init=False, repr=False, compare=False)
    _compiled: tuple[tuple[re.Pattern[str], str], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        session = {name.lower() for name in self.session_parameters}
        always = {name.lower() for name in (*self.tracking_parameters, *self.drop)}
        by_value = {name: _SESSION_VALUES[name] for name in session & _SESSION_VALUES.keys() - always}
        names = (session - by_value.keys()) | always
        put = object.__setattr__  # the fields derived here are as frozen as the ones given
        put(self, "_names", frozenset(name for name in names if not name.endswith("*")))
        put(self, "_prefixes", tuple(sorted(name[:-1] for name in names if name.endswith("*"))))
        put(self, "_by_value", by_value)
        put(self, "_compiled", tuple(_compile(*rewrite) for rewrite in self.rewrites))

    def drops(self, parameter: str) -> bool:
        """Tell whether a `name=value` of a query is noise."""
        name, _, value = parameter.partition("=")
        name = name.lower()
        if name in self._names or name.startswith(self._prefixes):
            return True
        return name in self._by_value and self._by_value[name].fullmatch(value) is not None

    def rewrite(self, url: str) -> str:
        """Apply every rewrite once."""
        for expression, replacement in self._compiled:
            url = expression.sub(replacement, url)
        return url


def _compile(expression: str, replacement: str) -> tuple[re.Pattern[str], str]:
    try:
        compiled = re.compile(expression)
        # An empty alternative makes the pattern match, so that a bad group reference shows now and not in the crawl.
        re.compile(expression + "\n|").sub(replacement, "")
    except (re.error, IndexError) as error:
        message = f"rewrite {expression!r} → {replacement!r}: {error}; correct the regular expression"
        raise UserError(message) from error
    return compiled, replacement


DEFAULT: Final = Rules()

# The escapes that are not yet normal: lower-case digits, unreserved characters, and the bare "%", which is escaped
# itself or "%%34%31" would turn into another escape when decoded.
_ESCAPE: Final = re.compile(
    "%(?![0-9A-F]{2})(?:[0-9A-Fa-f]{2})?|%(?:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])"
)
_UNRESERVED: Final = re.compile(r"[A-Za-z0-9._~-]")
_SERVLET_SESSION: Final = re.compile(r";(?:jsessionid|phpsessid)=[^/;]*", re.I)
_ASP_SESSION: Final = re.compile(r"/\((?:[a-z]\([0-9a-z]{24}\))+\)(?=/)", re.I)


def canonical(url: str, rules: Rules = DEFAULT) -> str:
    """Return the key under which all spellings of a resource meet; itself a URL that `resolve` leaves alone."""
    key = _key(url, rules)
    if key is None or len(key) > LIMIT:  # escaping a bare "%" lengthens
        return url
    return _rewritten(key, rules) if rules.rewrites else key


def _key(url: str, rules: Rules) -> str | None:
    match = _PLAIN.fullmatch(url)
    if match is not None and _PUNYCODE not in url:
        head, query = match.groups()
        if "%" in head:
            head = _ESCAPE.sub(_escape, head)
    else:
        parts = _PARTS.fullmatch(resolve(url) or "")
        if parts is None:
            return None
        head, query = _head(parts), parts[5]
    query = query and _query(query, rules)
    return f"{head}?{query}" if query else head


def _head(parts: re.Match[str]) -> str:
    """Return origin and path without trailing dot, needless escapes and session ids."""
    scheme, host, port, path, _ = parts.groups()
    path = _ASP_SESSION.sub("", _SERVLET_SESSION.sub("", _ESCAPE.sub(_escape, path)))
    head = f"{scheme}://{host.rstrip('.')}{':' + port if port else ''}{path}"
    # Taking the session id from "/..;jsessionid=1/" leaves a dot segment.
    return (resolve(head) or head) if "/." in path else head


def _escape(match: re.Match[str]) -> str:
    code = int(match[0][1:] or "25", 16)
    return chr(code) if _UNRESERVED.match(chr(code)) else f"%{code:02X}"


def _query(query: str, rules: Rules) -> str:
    """Return the parameters that count, sorted by name, those of one name in their order."""
    if "%" in query:
        query = _ESCAPE.sub(_escape, query)
    drops = rules.drops
    kept = query.split("&")
    if ";" in query:  # SMF separates by ";" what belongs together: "PHPSESSID=…;topic=5.0"
        kept = [";".join([part for part in piece.split(";") if not drops(part)]) for piece in kept]
    kept = [piece for piece in kept if piece and not drops(piece)]
    if rules.sort_query and len(kept) > 1:
        kept.sort(key=lambda piece: piece.partition("=")[0])
    return "&".join(kept)


def _rewritten(key: str, rules: Rules) -> str:
    """Return the rewritten key if it is one that the rules leave alone, else the key."""
    changed = _key(rules.rewrite(key), rules) or key
    settled = len(changed) <= LIMIT and _key(rules.rewrite(changed), rules) == changed
    return changed if settled else key


def host_of(url: str) -> str:
    """Return the host, an IPv6 address in its brackets; empty when the text is no http(s) URL."""
    match = _ORIGIN.match(url)
    return match[3].lower() if match else ""


def origin_of(url: str) -> str:
    """Return `scheme://host` and the port if it is given; empty when the text is no http(s) URL."""
    match = _ORIGIN.match(url)
    return (match[1] + match[2]).lower() if match else ""


def site_of(url: str) -> str:
    """Return the registered domain, or the host when it is an IP address, a single label or a public suffix.

    Suffixes of the private section count: the users of `github.io` or `blogspot.com` are separate sites.
    """
    match = _ORIGIN.match(url)
    return _registered(match[3]) if match else ""


@lru_cache(maxsize=65_536)
def _registered(host: str) -> str:
    host = host.lower().rstrip(".")
    if host.startswith("[") or host.rpartition(".")[2].isdigit():
        return host
    return _suffixes().privatesuffix(host) or host


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()  # 45 ms: only those who ask for a site pay it


# The rules of SURT keys are those of the Internet Archive's Java and Python libraries, odd corners included (the "&"
# that a removed session id leaves sorts first): a key that differs is a record that replay does not find.
_SURT_WWW: Final = re.compile(r"^www[0-9]*\.")
_SURT_SLASHES: Final = re.compile("//+")
_SURT_SAFE: Final = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
_SURT_PATH_SESSIONS: Final = (
    re.compile(r"(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)"),
    re.compile(r"(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)"),
)
_SURT_QUERY_SESSIONS: Final = (
    re.compile(r"(.*)jsessionid=[0-9a-z]{32}(?:&(.*))?"),
    re.compile(r"(.*)phpsessid=[0-9a-z]{32}(?:&(.*))?"),
    re.compile(r"(.*)sid=[0-9a-z]{32}(?:&(.*))?"),
    re.compile(r"(.*)aspsessionid[a-z]{8}=[a-z]{24}(?:&(.*))?"),
    re.compile(r"(.*)cfid=[^&]+&cftoken=[^&]+(?:&(.*))?"),
)
_SURT_SESSION: Final = re.compile("sid=|sessionid|sessid=|cftoken=")


def surt(url: str) -> str:
    """Return the sort-friendly key of CDXJ indexes: `http://www.x.org/A?b=1` → `org,x)/a?b=1`."""
    parts = _PARTS.fullmatch(resolve(url) or "")
    if parts is None:
        return url
    _, host, port, path, query = parts.groups()
    labels = _SURT_WWW.sub("", host.strip("[].")).split(".")
    number = f":{int(port)}" if port and int(port) else ""
    query = _surt_query(query) if query else ""
    return f"{','.join(reversed(labels))}{number}){_surt_path(path)}{'?' + query if query else ''}"


def _surt_path(path: str) -> str:
    if "%" in path:
        path = quote_from_bytes(_without_dots(_fully_decoded(path)), safe=_SURT_SAFE)
    path = _SURT_SLASHES.sub("/", path).lower()
    if ".aspx" in path:
        for expression in _SURT_PATH_SESSIONS:
            path = expression.sub(r"\1\2", path, count=1)
    return path.removesuffix("/") or "/"


def _without_dots(path: bytes) -> bytes:
    """Remove the dot segments that decoding laid open; a ".." above the root stays, as in other SURT makers."""
    kept: list[bytes] = []
    for segment in path.split(b"/")[1:]:
        if segment == b".." and kept:
            kept.pop()
        elif segment != b".":
            kept.append(segment)
    return b"/" + b"/".join(kept)


def _surt_query(query: str) -> str:
    if "%" in query:
        query = quote_from_bytes(_fully_decoded(query), safe=_SURT_SAFE)
    query = query.lower()
    if _SURT_SESSION.search(query):
        for expression in _SURT_QUERY_SESSIONS:
            if match := expression.fullmatch(query):
                query = match[1] + (match[2] or "")
    if "&" in query:
        query = "&".join(sorted(query.split("&"), key=lambda piece: piece.split("=", 1)))
    return query


def _fully_decoded(text: str) -> bytes:
    data = text.encode()
    while (decoded := unquote_to_bytes(data)) != data:
        data = decoded
    return data


# Escapes (left alone), UUIDs, and words that hold a digit; a word is tried at its beginning only, to stay linear.
_VARYING: Final = re.compile(
    r"%[0-9A-Fa-f]{2}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
    r"|(?:(?<![0-9A-Za-z])|(?<=%[0-9A-Fa-f]{2}))[A-Za-z]*+[0-9][0-9A-Za-z]*+"
)
_HEXADECIMAL: Final = re.compile(r"(?=[0-9]*[a-f])[0-9a-f]{16,}", re.I)  # digits alone are a number
_DIGITS: Final = re.compile("[0-9]+")
_NUMBER_OR_DATE: Final = re.compile(r"(?=[^0-9]*[0-9])(?:[0-9.,:/+TZ-]|%2[0CF]|%3A)+", re.I)
_KIND: Final = re.compile("[a-z_-]{1,16}")


def pattern(url: str) -> str:
    """Return the shape of a URL: `http://x.org/cal.php?month=3&year=2031` → `x.org/cal.php?month=#&year=#`."""
    origin = _ORIGIN.match(url)
    authority, rest = (origin[2].lower(), url[origin.end() :]) if origin else ("", url)
    path, _, query = rest.partition("#")[0].partition("?")
    shape = authority + _VARYING.sub(_varying, path)
    # A set: a parameter that repeats once more is no new kind of page.
    parameters = {_parameter_shape(piece) for piece in query.split("&") if piece}
    return f"{shape}?{'&'.join(sorted(parameters))}" if parameters else shape


def _varying(match: re.Match[str]) -> str:
    text = match[0]
    if text[0] == "%":
        return text
    if "-" in text or _HEXADECIMAL.fullmatch(text):
        return "*"
    shape, runs = _DIGITS.subn("#", text)
    # Base64 ids mix cases and scatter their digits; a camel-case page name has one number at most.
    return "*" if runs > 1 and len(text) >= 20 and not (text.islower() or text.isupper()) else shape


def _parameter_shape(parameter: str) -> str:
    name, equals, value = parameter.partition("=")
    name = _VARYING.sub(_varying, name)
    if not value or _KIND.fullmatch(value):
        return name + equals + value
    return f"{name}=#" if _NUMBER_OR_DATE.fullmatch(value) else f"{name}=*"
