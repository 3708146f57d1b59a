"""The words beside a number that counts what people wrote below something: "126 comments", "Antworten: 12".

A word counts comments, replies (which leave out what they reply to) or posts (which do not).
"""

from __future__ import annotations

import re
from typing import Final

COMMENTS: Final = (
    *(
        "comments?",
        "commentaires?",
        "kommentare?",
        "kommentarer?",
        "comentarios?",
        "comentários?",
        "commenti",
        "commento",
    ),
    *(
        "reacties?",
        "komentarz[ey]?",
        "komentarzy",
        "komentář[eů]?",
        "komentáre",
        "yorum",
        "комментари[йяев]+",
        "коментар[іив]*",
    ),
    *("hozzászólás", "kommenttia?", "σχόλια", "تعليقات?", "תגובות", "コメント", "评论", "評論", "留言", "댓글"),
    *("bình luận", "komentar", "ความคิดเห็น", "comentarii", "comentaris"),
)
REPLIES: Final = (
    *(
        "repl(?:y|ies)",
        "responses?",
        "réponses?",
        "antwort(?:en)?",
        "respuestas?",
        "respostas?",
        "risposte?",
        "antwoord(?:en)?",
    ),
    *(
        "svar",
        "odpowied[zźi]+",
        "odpověd[ií]",
        "cevap",
        "yanıt",
        "ответ[аов]*",
        "відповід[ьіей]+",
        "回复",
        "回覆",
        "返信",
        "답글",
    ),
)
POSTS: Final = (
    "posts?",
    "messages?",
    "beiträge",
    "beitrag",
    "mensajes?",
    "mensagens",
    "messaggi",
    "сообщени[йяе]",
    "post[yó]w?",
)

KINDS: Final = (("comment", COMMENTS, 0), ("post", REPLIES, 1), ("post", POSTS, 0))
"""The kind of object that is counted, the words for it, and how many more there are than the number says."""

_WORD: Final = "|".join(word for _, words, _ in KINDS for word in words)
NUMBER: Final = r"\d{1,2}(?:,\d{2})+,\d{3}(?!\d)|\d{1,3}(?:[.,'\u2019\u066c\s]\d{3})+(?!\d)|\d+"
"""A whole number, in the digits of any script and grouped as people do, in India, too: 1.234, 1 234, 1,23,456."""
ROUNDED: Final = r"[.,٫]?\d*\s?(?:[kKmMкК](?!\w)|(?i:тыс|млн|tsd|mln|mil|mio|bin)\b|[千万萬亿億천만억])"
"""What follows a number that is not told to the last digit: 1.2K, 3 тыс., 1万."""
_COUNTER: Final = r"\s*(?:[件条條个個개건則则篇](?:の)?)?\s*"
"""What stands in some languages between a number and what is counted."""
_LABEL: Final = re.compile(r">\s*([^<>\d]{0,24}\d[^<>]{0,24})<")
_COUNT: Final = re.compile(
    rf"(?:({NUMBER}){_COUNTER}({_WORD})|({_WORD})\s*[:：(（]\s*({NUMBER}){_COUNTER}[)）]?|"
    rf"({_WORD})\s+({NUMBER})\s*[件条條个個개건則则篇])\s*:?\s*",
    re.I,
)
_HEADING: Final = re.compile(r"<h[1-6]\b", re.I)
_TAG: Final = 300  # characters of a tag that are looked at
_WORDS: Final = tuple((kind, re.compile("|".join(words), re.I), plus) for kind, words, plus in KINDS)


def counted(source: str) -> dict[str, int]:
    """Return kind → number, where the markup of a page has an element that says nothing but a number of them.

    A heading comes before other elements; numbers that do not agree say nothing. Posts are counted beside names of
    those who wrote them, too, so only a heading tells how many there are.
    """
    found: dict[tuple[str, bool], set[int]] = {}
    for label in _LABEL.finditer(source):
        said = _COUNT.fullmatch(label[1])
        if said is None:
            continue
        first, after, before, second, ahead, third = said.groups("")
        tag = source.rfind("<", max(0, label.start() - _TAG), label.start())
        word, number = after or before or ahead, first or second or third
        kind, plus = next((kind, plus) for kind, words, plus in _WORDS if words.fullmatch(word))
        count = int("".join(filter(str.isdecimal, number))) + plus
        heading = _HEADING.match(source, tag) is not None
        if kind == "post" and not plus and not heading:
            continue
        found.setdefault((kind, heading), set()).add(count)
    agreed = {key: next(iter(counts)) for key, counts in found.items() if len(counts) == 1}
    kinds = dict.fromkeys(kind for kind, _ in agreed)
    return {kind: agreed.get((kind, True), agreed.get((kind, False), 0)) for kind in kinds}
