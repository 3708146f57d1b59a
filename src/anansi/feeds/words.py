"""Words that carry meaning: stop words out, the others cut to their stems, in the language of the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final

import snowballstemmer

_LISTS: Final[dict[str, str]] = {
    "ar": "في من على إلى عن أن إن هذا هذه التي الذي كان كانت لا ما مع هو هي و أو ثم لم لن قد كل بعد قبل",
    "da": """og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde
        ham hun nu over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev kunne ind
        når""",
    "de": """der die das den dem des ein eine einer eines einem einen und oder aber als auch auf aus bei bis da damit
        dann dass daß denn dir du durch er es für hat haben hatte ich ihr ihm ihn im in ist ja kann kein keine man
        mehr mein mich mir mit nach nicht noch nur ob sein seine sehr sich sie sind so über um uns unter vom von vor
        war waren was wenn wer wie wieder will wir wird wurde zu zum zur""",
    "en": """a about after all also am an and any are as at be because been before being but by can could did do does
        doing for from had has have having he her here hers him his how i if in into is it its just me more most my no
        not now of off on once only or other our out over own re s same she should so some such t than that the their
        them then there these they this those through to too under up ve very was we were what when where which while
        who whom why will with would you your ll d m don""",
    "es": """a al algo ante como con contra cual cuando de del desde donde dos el ella ellos en entre era es esa ese
        eso esta este esto está fue ha hasta hay la las le les lo los más me mi muy no nos o para pero por porque que
        qué se sea ser si sí sin sobre son su sus también te tiene todo todos tu un una uno unos y ya yo""",
    "fi": """ja on ei se että joka hän oli mutta kun niin ovat kuin minä sinä me te he tämä nämä ne myös tai jos vain
        mitä nyt sen siitä sitä ole olla hänen ollut""",
    "fr": """a à ai au aux avec c ça ce ces cette d dans de des du elle en es est et été être eu il ils j je l la le
        les leur leurs lui m ma mais me même mes moi mon n ne nos notre nous on ont ou où par pas plus pour qu quand
        que quel quelle qui s sa sans se ses si son sont sur t ta te tes toi ton tout tous très tu un une vos votre
        vous y fait comme cela donc""",
    "it": """a ad al alla alle agli ai anche che chi ci come con cosa da dal dalla de dei del della delle di dove e è
        ed era gli ha hanno ho i il in io la le lei li lo loro lui ma mi mia mio nel nella noi non o per perché più
        quando quello questa questo se sei si sono su sua sul suo ti tra tu tutti un una uno vi""",
    "nl": """aan al alles als bij dan dat de der deze die dit doch door dus een en er ge geen had heb hebben heeft het
        hem hier hij hoe hun ik in is ja je kan maar me meer men met mij mijn na naar niet nog nu of om omdat ook op
        over te tot uit van veel voor want waren was wat we wel werd wie wij wordt zal ze zich zij zijn zo zou""",
    "no": """og i jeg det at en et den til er som på de med han av for ikke der var meg seg men har om vi min hadde
        hun nå over da fra du ut sin dem oss opp man hans hvor eller hva skal selv her alle vil ble kunne inn når""",
    "pt": """a ao aos as até com como da das de dela dele do dos e é ela ele eles em entre era essa esse esta este eu
        foi há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós o os ou para pela pelo por
        qual quando que quem são se sem ser seu sua só também te tem um uma você""",
    "ru": """и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от
        меня еще нет о из ему теперь когда даже ну если уже или ни быть был него до вас они тут где есть для мы их чем
        была сам без это этот эта""",
    "sv": """och i att det som en på är av för med den till inte har de om ett var men jag sig från vi så kan han hon
        när också eller nu efter man ska skulle där vid mot ut här hade alla vara blev dem du min sin över bara""",
}
_STEMMERS: Final = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ru": "russian",
    "sv": "swedish",
}
_SAME: Final = {"nb": "no", "nn": "no"}
_MEMO: Final = 50_000

STOP_WORDS: Final[dict[str, frozenset[str]]] = {code: frozenset(each.split()) for code, each in _LISTS.items()}
_SPEAKING: Final = {
    word: tuple(code for code, words in STOP_WORDS.items() if word in words)
    for word in frozenset().union(*STOP_WORDS.values())
}
"""The languages that each stop word is of."""
LEAST_TOLD: Final = 2
"""Stop words of a language that must stand in a text for it to be taken as written in it."""


def language_of(words: Sequence[str], *, declared: str = "") -> str:
    """Return the two letters of a language: as declared, else as the stop words tell; empty when nothing does."""
    code = declared.strip().lower().replace("_", "-").partition("-")[0]
    code = _SAME.get(code, code)
    if code in STOP_WORDS:
        return code
    told = Counter(name for word in words for name in _SPEAKING.get(word, ()))
    best, count = max(told.items(), key=lambda each: each[1], default=("", 0))
    return best if count >= LEAST_TOLD else ""


@cache
def _stemmer(language: str) -> Any:
    return snowballstemmer.stemmer(_STEMMERS[language])


@lru_cache(_MEMO)
def stem(word: str, language: str) -> str:
    """Return the stem of a word; the word itself in a language without rules."""
    return str(_stemmer(language).stemWord(word)) if language in _STEMMERS else word


def is_stop_word(word: str, language: str) -> bool:
    """Tell whether a word says nothing of what a text is about."""
    return word in STOP_WORDS.get(language, frozenset())
