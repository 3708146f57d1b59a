"""What changes on a page without anyone having changed it: counters, times ago, buttons, tokens in addresses."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from anansi.feeds.settings import SETTINGS
from anansi.url import Rules, canonical

LONGEST: Final = 300
"""Characters of a line that is looked through for counters and times."""

_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_COUNT: Final = r"(?:\d[\d.,'\u00a0\u202f ]*[kKmM]?|no|one|an?)\+?"
_UNITS: Final = (
    r"(?:sec(?:ond)?s?|min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|years?|yrs?|mos?|[smhdwy]"
    r"|Sekunden?|Minuten?|Stunden?|Tag(?:en?)?|Wochen?|Monat(?:en?)?|Jahr(?:en?)?"
    r"|secondes?|heures?|jours?|semaines?|mois|ans?|années?"
    r"|segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?|dias|anos?"
    r"|secondi|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]"
    r"|seconden|minuten|uur|uren|dagen|weken|maanden|jaar)\b"
)
_WORD_COUNT: Final = rf"(?:{_COUNT}|einer?|einem|une?|una?|een)"
_AGO: Final = (
    rf"(?:about |almost |over |less than )?{_WORD_COUNT}\s*{_UNITS}(?:,? (?:and )?{_WORD_COUNT}\s*{_UNITS})?"
    rf"\s*(?:ago|geleden|fa|atrás|ago\.)|(?:vor|il y a|hace|há) {_WORD_COUNT}\s*{_UNITS}"
    r"|just now|moments? ago|a (?:moment|while) ago"
    r"|(?:today|yesterday|heute|gestern)(?:,? (?:at )?\d\d?:\d\d(?: ?[ap]m)?)?"
)
_THINGS: Final = (
    r"(?:page ?|unique |total |times )?(?:views?|reads?|visits?|visitors?|hits?|comments?|repl(?:y|ies)|responses?"
    r"|shares?|likes?|tweets?|retweets?|reposts?|claps?|reactions?|upvotes?|downvotes?|readers?"
    r"|followers?|subscribers?|members? online|users? online|guests?|minutes? read|min read|Aufrufe|Kommentare?"
    r"|Antworten|commentaires?|vues|comentarios?|visitas|commenti|reacties)"
)
_COUNTED: Final = (
    rf"{_COUNT}\s*{_THINGS}|{_THINGS}\s*:?\s*\(?{_COUNT}\)?(?:\s*times?)?|(?:read|viewed|seen) {_COUNT} times?"
)
_BUTTONS: Final = (
    r"(?:share(?: this| on \w+)?|tweet(?: this)?|pin(?: it)?|e-?mail(?: this)?|print|like|reply|quote|report|edit"
    r"|flag|permalink|bookmark|follow|subscribe|save|more|less|copy link|facebook|twitter|linkedin|reddit|whatsapp"
    r"|telegram|pinterest|mastodon|antworten|répondre|responder|rispondi|log in to reply|leave a (?:comment|reply))"
    r"(?:\s*\(?[\d.,]+[kKmM]?\)?)?"
)
_WHEN: Final = (
    r"(?:on|at|um|am|the|times?|in total|edited|[,:;-]|\d[\d:./-]*(?:st|nd|rd|th)?|[ap]\.?m\.?|UTC|GMT"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]{0,8})"
)
_EDITED: Final = (
    r"(?:this (?:post|message|entry|page|article) (?:was|has been) )?(?:last )?(?:edited|modified|updated)"
    rf"(?: by [^.;|:]{{1,40}}?)?(?:\s*+(?>{_WHEN}))++\.?"
)
_TODAY: Final = (
    r"(?:today is|it is now|current time|the time (?:is )?now(?: is)?|page generated in|heute ist)\b.{0,60}"
)
_LEAD: Final = r"(?:posted|published|updated|last updated|last seen|by|on|at|commented|said|wrote)?:?\s*"
_GAP: Final = r"[\s|·•,;:/()\[\]–—-]*+"
# atomic: the first way to read a piece is the only one, or a line of pieces takes exponential time
_PIECE: Final = rf"(?>{_LEAD}(?:{_AGO})|{_COUNTED}|{_BUTTONS})"
_LINE: Final = re.compile(rf"{_GAP}(?:{_PIECE}(?:{_GAP}{_PIECE})*+|{_EDITED}|{_TODAY}){_GAP}", re.I)
_LATELY: Final = re.compile(rf"(?<!\d){_LEAD}(?:{_AGO}){_GAP}(?:{_BUTTONS})?$", re.I)
_WITHIN: Final = re.compile(rf"(?<![\w]){_LEAD}(?:{_AGO}|{_COUNTED})(?![\w])", re.I)

_TOKENS: Final = tuple(
    """_wpnonce nonce csrf csrf_token csrftoken csrfmiddlewaretoken token _token securitytoken authenticity_token
    timestamp ts cb cachebuster cachebust rnd rand random nocache _""".split()  # noqa: SIM905 - a word list
)
_RULES: Final = Rules(drop=_TOKENS)
_SHOWN: Final = Rules(
    drop=(
        *_TOKENS,
        *"""ver v w h width height resize fit quality q ssl crop dpr auto fm format strip zoom autoplay rel origin
        feature wmode version modestbranding""".split(),  # noqa: SIM905 - a word list
    )
)
_FILE: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp)$", re.I)
_SIZE: Final = re.compile(r"[-_]\d{2,4}x\d{2,4}(?=\.\w+$)|-scaled(?=\.\w+$)")
_SHARD: Final = re.compile(r"^([a-z-]+)\d{1,2}(?=\.)")
_PROXY: Final = re.compile(r"^i\.wp\.com/")


def plain(text: str) -> str:
    """Return what a text says: one space between words, lines that nobody wrote left out."""
    lines = [line for each in _folded(text).split("\n") if (line := " ".join(each.split()))]
    last = len(lines) - SETTINGS.edge
    kept = [line for at, line in enumerate(lines) if SETTINGS.edge <= at < last or not is_noise(line)]
    return " ".join(
        head(line) if at < len(kept) - 1 and at < SETTINGS.heads else line for at, line in enumerate(kept)
    )


def said(text: str) -> str:
    """Return a text in which template and words are mixed without its noise, wherever it stands."""
    lines = (" ".join(each.split()) for each in _folded(text).split("\n"))
    return "\n".join(
        head(byline(line)) if len(line) <= SETTINGS.head else line for line in lines if line and not is_noise(line)
    )


def head(line: str) -> str:
    """Return the line above a text without the time ago at its end: `Ada Lind 3 hours ago`."""
    return line if len(line) > SETTINGS.head else _LATELY.sub("", line).strip()


def is_noise(line: str) -> bool:
    """Tell whether a line is a counter, a time ago, a button or a note of the software."""
    return len(line) <= SETTINGS.short and _LINE.fullmatch(line) is not None


def byline(text: str) -> str:
    """Return what stands between title and text, without the counters and times ago in it."""
    line = " ".join(_folded(text).split())
    if len(line) > LONGEST:
        return line
    return "" if is_noise(line) else " ".join(_WITHIN.sub(" ", line).split())


def is_relative(wording: str) -> bool:
    """Tell whether a date is worded as seen from today: it names no year."""
    return re.search(r"(?<!\d)(?:1[89]|20|21)\d\d(?!\d)|\d\d?[./-]\d\d?[./-]\d\d(?!\d)", wording) is None


def reference(url: str) -> str:
    """Return where a link leads, without what varies from visit to visit."""
    return canonical(url, _RULES).partition("://")[2]


def shown(url: str) -> str:
    """Return which image, sound or film an address means, in whatever size and from whichever server it comes."""
    key = canonical(url, _SHOWN).partition("://")[2]
    path, _, query = key.partition("?")
    path = _PROXY.sub("", _SHARD.sub(r"\1", path))
    return _SIZE.sub("", path) if _FILE.search(path) else f"{path}?{query}"


def _folded(text: str) -> str:
    return text.translate(_INVISIBLE) if text.isascii() else unicodedata.normalize("NFC", text).translate(_INVISIBLE)
