"""From what a page is made of to the gap that it is: rules, the surest first.

Structure decides; words (`gap_words`) tell the kinds apart. Rules that go by words alone are named `…_said`: a page
about a wall meets them, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from anansi.model import Gap, Hop, Page
from anansi.pages import gap_words as words
from anansi.pages.gap_facts import Facts, size
from anansi.text.page_model import PageModel
from anansi.url import host_of

Found = tuple[Gap, str]


class Bounds(NamedTuple):
    """How much of what makes a gap; sizes are bytes of text. Run `tests/pages/gaps_gate.py` when one changes."""

    links: int = 40
    """Links from which on a page leads on, whatever it is."""
    text: int = 6000
    """A page that says more is no gap."""
    plain: int = 1500
    """One that says so much, and nothing of a login, is an ordinary page."""
    short: int = 2500
    """A text that explains a wall is shorter."""
    thin: int = 600
    """A page that says less of its own says next to nothing."""
    frame: int = 150
    """What stands around an empty place says less."""
    bare: int = 100
    nothing: int = 4
    ways: int = 8
    """Links within the site of a page that leads nowhere: about, help, contact, imprint."""
    few: int = 4
    same: int = 4
    """Addresses at which a page stands the same before it is none of theirs."""
    says: float = 0.4
    """Share of a heading that says that nothing is here, of a page that is not about something else."""
    kept: float = 0.6
    """Share of the words that an article states; who has fewer has its beginning."""


BOUNDS: Final = Bounds()

_NOT_FREE: Final = re.compile(r'"isAccessibleForFree"\s*:\s*"?false', re.I)
_WORD_COUNT: Final = re.compile(r'"wordCount"\s*:\s*"?(\d{1,6})')
_WALLED: Final = re.compile(r"paywall|regwall|subscri\w*-?wall|premium-?wall|piano-(?:inline|offer|container)", re.I)
_OF_AGE: Final = re.compile(r"(?<!\d)(?:16|18|19|20|21)(?!\d)")
_PARTED: Final = re.compile(r"[|–—:·»•]| - ")
_TRADED: Final = re.compile(r"(?<![a-z0-9-])(?:" + "|".join(map(re.escape, words.PARKING)) + ")")
_REDIRECT: Final = Hop.REDIRECT.value
_SURE: Final = (
    "_cf_chl_opt",
    "captcha-delivery.com",
    "px-captcha",
    "_incapsula_resource",
    "anubis",
    "sucuri_cloudproxy",
)


@dataclass(frozen=True, slots=True)
class Suspect:
    """A page that may be a gap."""

    page: Page
    model: PageModel | None
    title: str
    links: int = 0
    """What it leads to, followed or not."""
    objects: int = 0
    said: str | None = ""
    """What its objects say, if that is little and may be a wall; None if it is more."""
    listed: bool = False
    """Whether it is known to be a list."""
    paid: bool = False
    """Whether it may say of itself that it is not free."""
    unread: str = ""
    """Why it was not read, if it was too large for that."""

    @property
    def seed(self) -> bool:
        """Whether it is a seed, or where one redirects to."""
        return not self.page.visit.hops.strip(_REDIRECT)

    @property
    def led(self) -> bool:
        """Whether a redirect led here: another page was asked for."""
        return self.page.visit.hops.endswith(_REDIRECT)

    @property
    def asked_for_another(self) -> bool:
        """Whether nobody but the site says that this is the page: a redirect led here, or it is where we begin."""
        return self.seed or self.led

    @property
    def password(self) -> bool:
        """Whether it asks for a password anywhere."""
        return any(each.get("type", "").lower() == "password" for each in self.made_of("input"))

    @property
    def text(self) -> str:
        """What stands on it."""
        return self.model.text if self.model is not None else ""

    def made_of(self, tag: str) -> list[Any]:
        """Return its elements of a tag."""
        return self.model.of(tag) if self.model is not None else []

    @property
    def host(self) -> str:
        """The host that it was asked from."""
        return host_of(self.page.visit.url)


Rule = Callable[[Facts, Suspect], str]


def _robot(facts: Facts, suspect: Suspect) -> str:
    """A check of who asks: a challenge in the markup, and hardly anything else."""
    if not _may_check(facts, suspect):
        return ""
    source = facts.source
    mark = next((each for each in words.CHALLENGES if each in source), "")
    told = next((each for each in words.ROBOT if mark and each in facts.words), "")
    fields, thin = _answers(facts), facts.loose < BOUNDS.thin
    if mark and thin and (mark in _SURE or any(each in source for each in _SURE)):
        return mark
    if told and fields < 2:
        return told
    alone = thin and not fields and len(facts.hrefs) <= BOUNDS.few and facts.main < BOUNDS.bare
    return mark if alone else ""


def _robot_said(facts: Facts, suspect: Suspect) -> str:
    """A check of who asks, in words, that leads nowhere but where it is asked for help or rules."""
    few = 0 if suspect.seed and not suspect.led else BOUNDS.few
    if not _may_check(facts, suspect) or facts.loose >= BOUNDS.thin or len(facts.ways) > few:
        return ""
    return next((each for each in words.ROBOT if each in facts.heads), "") if _answers(facts) < 2 else ""


def _may_check(facts: Facts, suspect: Suspect) -> bool:
    return facts.loose <= BOUNDS.short and len(facts.hrefs) <= 2 * BOUNDS.ways and not suspect.objects


def _answers(facts: Facts) -> int:
    return sum(form.textual + form.personal for form in facts.forms if not form.around)


def _parked(facts: Facts, suspect: Suspect) -> str:
    """A domain that nobody uses: filled by who trades domains, or words that offer it."""
    if facts.main > BOUNDS.short or len(facts.hrefs) > BOUNDS.ways or facts.passwords:
        return ""
    if host := _TRADED.search(facts.source):
        return host[0]
    if suspect.model is not None and suspect.model.tree.get("data-adblockkey"):
        return "data-adblockkey"
    said = facts.heads if facts.hrefs else facts.words
    if told := next((each for each in words.PARKED if each in said), ""):
        return told
    named = not facts.hrefs and facts.loose < BOUNDS.thin and suspect.host in facts.heads
    return next((each for each in words.DOMAIN if named and each in facts.words), "")


def _login(facts: Facts, suspect: Suspect) -> str:
    """A form for a password where the content should be; or hardly anything but words that want one."""
    forms = [form for form in facts.forms if form.passwords == 1 and not form.around]
    if suspect.led and facts.visible < BOUNDS.bare and facts.scripts and is_account(suspect.page.visit.url):
        return "a redirect to where one logs in, by scripts"
    if not forms:
        return _wants_login(facts, suspect)
    if locked := _locked(facts, suspect):
        return locked
    heads, ways = facts.heads, sum(not is_account(each) for each in facts.hrefs)
    thin = facts.loose < BOUNDS.thin
    account = is_account(suspect.page.visit.url.partition("//")[2])
    if account and not suspect.seed and not suspect.led:
        return ""  # the page for logging in, where a link leads that says so
    named = any(each in heads for each in words.LOGIN) or any(each in facts.words for each in words.MUST)
    refused = suspect.page.status in (401, 403)
    alone = ways <= BOUNDS.few and facts.loose < BOUNDS.frame
    if thin and (named or refused or suspect.led or (account and suspect.seed) or alone):
        return "a form for a password, and nothing else"
    short = facts.loose < BOUNDS.short
    return "a form for a password, and a text about it" if short and named and (refused or suspect.led) else ""


def _locked(facts: Facts, _suspect: Suspect) -> str:
    """A password for this page alone; or a heading that wants a login and no text, or no other text."""
    if facts.locked and facts.loose < BOUNDS.thin:
        return "a password for this page"
    must = next((each for each in words.MUST if each in facts.heads), "")
    if must and facts.loose < BOUNDS.bare:
        return must
    about = [each for each in facts.own if any(word in each.lower() for word in words.MUST)]
    return about[0][: BOUNDS.bare] if 2 * size(about) > facts.loose and facts.loose < BOUNDS.frame else ""


def _wants_login(facts: Facts, suspect: Suspect) -> str:
    """Words that want a login and make up most of what is said; or ways to log in, and hardly others."""
    if facts.loose >= BOUNDS.thin or len(facts.hrefs) > BOUNDS.links or facts.empty:
        return ""
    about = [each for each in facts.own if any(word in each.lower() for word in (*words.MUST, *words.LOGIN))]
    must = next((each for each in words.MUST if each in " ".join(about).lower()), "")
    # a page with a heading or a picture of its own may ask for a login to whoever wants to comment on it
    alone = suspect.asked_for_another or not (facts.headings or facts.pictures)
    if must and alone and 2 * size(about) >= facts.loose:
        return must
    if not suspect.asked_for_another or not any(each in facts.heads for each in words.LOGIN):
        return ""
    if suspect.led and any(form.textual + form.personal == 1 for form in facts.forms if not form.around):
        return "a form that asks who reads, and nothing else"
    accounts = sum(map(is_account, facts.hrefs))
    return "ways to log in, and nothing else" if 2 * accounts > len(facts.hrefs) else ""


def _login_said(facts: Facts, suspect: Suspect) -> str:
    """Words that want a login."""
    if facts.loose >= BOUNDS.thin or len(facts.hrefs) > BOUNDS.links or facts.empty:
        return ""
    said = facts.heads if suspect.asked_for_another else " ".join([facts.heads, *facts.own]).lower()
    return next((each for each in words.MUST if each in said), "")


def is_account(address: str) -> bool:
    """Tell whether an address is that of a page for who has an account, or wants one."""
    return any(each in address.lower() for each in words.ACCOUNT)


def _paywall(facts: Facts, suspect: Suspect) -> str:
    """An article that is not free, of which the beginning stands here."""
    if suspect.paid:
        told = " ".join(each.text or "" for each in suspect.made_of("script") if "json" in each.get("type", ""))
        if _NOT_FREE.search(told):
            stated = max(map(int, _WORD_COUNT.findall(told)), default=0)
            if stated and len(" ".join(facts.own).split()) < BOUNDS.kept * stated:
                return f"of {stated} words that are stated a part is here; not free, says the page"
            return "not free, says the page" if not stated and facts.loose < BOUNDS.short else ""
    if suspect.objects or facts.loose > BOUNDS.short or not _WALLED.search(facts.source):
        return ""
    return next((each for each in words.PAYWALL if each in facts.words), "")


def _age(facts: Facts, _suspect: Suspect) -> str:
    """A question with an age in it, two or three short answers, and hardly anything else."""
    answers = [*filter(None, facts.buttons), *facts.linked]
    if not 2 <= len(answers) <= 3 or size(answers) > BOUNDS.bare or facts.visible > BOUNDS.thin:
        return ""
    asked = (each for each in (*facts.headings, *facts.own) if _OF_AGE.search(each) and "?" in each)
    return next(asked, "")[: BOUNDS.bare]


def _age_said(facts: Facts, _suspect: Suspect) -> str:
    """Words that ask for the reader's age, with little around them."""
    choices = sum(form.choices for form in facts.forms)
    answers = bool(facts.buttons) or choices >= 2 or 0 < len(facts.hrefs) + facts.source.count("http") <= BOUNDS.ways
    if facts.passwords or facts.loose > BOUNDS.short or len(facts.hrefs) > BOUNDS.ways or not answers:
        return ""
    if any(form.options > 1 for form in facts.forms):
        return ""  # a poll
    said = " ".join([facts.heads, *facts.own, *facts.asked, *facts.buttons, *facts.linked]).lower()
    return next((each for each in words.AGE if each in said), "")


def _consent(facts: Facts, suspect: Suspect) -> str:
    """A question for consent instead of the content, not over it."""
    found = _asks_consent(facts)
    if not found:
        return ""
    address = suspect.page.visit.url.lower()
    pressed = " ".join(facts.buttons).lower()
    if suspect.led and (
        "consent" in address
        or "privacy" in address
        or "cookie" in address
        or any(each in pressed for each in words.CONSENT)
    ):
        return found[0]
    alone = facts.main + size(facts.headings) < BOUNDS.bare and not facts.ways and not facts.empty
    return found[0] if facts.cookies and alone else ""


def _consent_said(facts: Facts, _suspect: Suspect) -> str:
    """Words that ask for consent, in title or heading and beside it, and no heading about anything else."""
    found = _asks_consent(facts)
    told = len(found) > 1 and any(each in facts.heads for each in found)
    headed = all(any(each in heading.lower() for each in words.CONSENT) for heading in facts.headings)
    return found[0] if told and headed and len(facts.ways) <= BOUNDS.few else ""


def _asks_consent(facts: Facts) -> list[str]:
    fields = sum(form.textual for form in facts.forms)
    if len(facts.hrefs) > BOUNDS.ways or fields or not (facts.buttons or facts.forms):
        return []
    said = " ".join([facts.words, *facts.cookies]).lower()
    return [each for each in words.CONSENT if each in said]


def _missing(facts: Facts, _suspect: Suspect) -> str:
    """A heading, or all that is said, that says hardly anything but that nothing is here."""
    if facts.loose > BOUNDS.thin or facts.passwords:
        return ""
    texts = [facts.title, *facts.headings, *(facts.own if facts.loose < BOUNDS.bare else ())]
    parts = [part.strip().lower() for each in texts for part in _PARTED.split(each)]
    if found := next((each for each in map(_says_missing, parts) if each), ""):
        return found
    return "404" if "404" in parts and _is_missing(facts.own) else ""


def _says_missing(text: str) -> str:
    found = (each for each in words.MISSING if each != "404" and each in text)
    return next((each for each in found if len(each) >= BOUNDS.says * len(text)), "")


def _message(facts: Facts, _suspect: Suspect) -> str:
    """A message that nothing is here, and no other text."""
    return facts.own[0][: BOUNDS.bare] if facts.loose < BOUNDS.frame and _is_missing(facts.own) else ""


def _missing_said(facts: Facts, _suspect: Suspect) -> str:
    """Words that say that nothing is here, in title or heading, and little else."""
    if facts.loose > BOUNDS.thin or facts.passwords:
        return ""
    found = [each for each in words.MISSING if each in facts.heads]
    if found != ["404"]:
        return found[0] if found else ""
    return "404" if _is_missing(facts.own) else ""


def _is_missing(texts: list[str]) -> bool:
    """Tell whether texts say in words that nothing is here: a number may be a name."""
    said = " ".join(texts).lower()
    return any(each in said for each in words.MISSING if each != "404")


def _shell(facts: Facts, _suspect: Suspect) -> str:
    """Nothing to read, and scripts."""
    if not facts.scripts or facts.refreshed or facts.frames or len(facts.hrefs) > BOUNDS.few:
        return ""
    if _fields(facts):
        return ""
    said = " ".join([*facts.own, *facts.around]).lower()
    alone = facts.visible < BOUNDS.frame and not facts.headings and not facts.hrefs
    if alone and any(each in said for each in words.SCRIPTS):
        return said
    if facts.visible + sum(map(len, facts.headings)) < BOUNDS.nothing and not facts.pictures:
        return f"no text, {facts.scripts} scripts"
    if facts.visible > BOUNDS.thin // 2 or any(map(str.strip, facts.headings)):
        return ""
    if unscripted := _unscripted(facts):
        return unscripted
    bare = facts.visible < BOUNDS.bare and 2 * facts.loose < BOUNDS.bare
    return f"empty: {facts.empty[0]}" if facts.empty and bare else ""


def _partly(facts: Facts, _suspect: Suspect) -> str:
    """A frame of navigation around an empty place, and scripts."""
    if not facts.scripts or facts.refreshed or facts.frames or _fields(facts) or len(facts.pictures) > BOUNDS.few:
        return ""
    said = facts.main + sum(len(each.encode()) for each in facts.headings)
    if facts.empty and said < BOUNDS.frame:
        return f"empty: {facts.empty[0]}"
    return _unscripted(facts) if said < BOUNDS.bare else ""


def _form(facts: Facts, suspect: Suspect) -> str:
    """A seed from which a form leads on, and hardly a link."""
    asks = [form for form in facts.forms if form.textual + form.choices and not form.personal + form.passwords]
    fields = max((form.textual + form.choices for form in asks if not form.around), default=0)
    told = facts.loose >= BOUNDS.bare  # a page that says something, and has a field to search in
    if not suspect.seed or not fields or facts.loose > BOUNDS.thin or (told and fields < 2):
        return ""
    if len(facts.linked) > BOUNDS.few:  # a list
        return ""
    return f"a form, and {len(facts.ways)} links" if len(facts.ways) <= (2 if told else BOUNDS.ways) else ""


def _empty(facts: Facts, _suspect: Suspect) -> str:
    """Nothing at all."""
    if facts.visible + len(facts.headings) + len(facts.hrefs) + len(facts.pictures) + facts.frames + facts.scripts:
        return ""
    return "" if facts.refreshed or facts.forms or facts.cookies or facts.buttons else "a page without text"


def _fields(facts: Facts) -> int:
    return sum(form.textual + form.passwords for form in facts.forms if not form.around)


def _unscripted(facts: Facts) -> str:
    said = " ".join(facts.unscripted)
    return f"noscript: {said[:80]}" if any(each in said.lower() for each in words.SCRIPTS) else ""


Rules = tuple[tuple[Gap, Rule], ...]

RULES: Final[Rules] = (
    (Gap.ROBOT, _robot),
    (Gap.ROBOT, _robot_said),
    (Gap.PARKED, _parked),
    (Gap.LOGIN, _login),
    (Gap.LOGIN, _login_said),
    (Gap.PAYWALL, _paywall),
    (Gap.AGE, _age),
    (Gap.AGE, _age_said),
    (Gap.SOFT_404, _missing),
    (Gap.SOFT_404, _missing_said),
    (Gap.CONSENT, _consent),
    (Gap.CONSENT, _consent_said),
    (Gap.SHELL, _shell),
    (Gap.PARTLY, _partly),
    (Gap.FORM, _form),
    (Gap.EMPTY, _empty),
)
_WORDS: Final = frozenset((_robot_said, _login_said, _age_said, _missing_said, _consent_said))
SURE: Final[Rules] = tuple(each for each in RULES if each[1] not in _WORDS)
"""Rules that a page about a wall does not meet."""
SAID: Final[Rules] = tuple(each for each in RULES if each[1] in _WORDS)
LOCKS: Final[Rules] = ((Gap.LOGIN, _locked),)
"""What pages are looked at for from which objects were read: a locked page may have a title and a date."""
NAMELESS: Final[Rules] = ((Gap.SOFT_404, _message),)
"""What they are looked at for, too, whose objects say nothing: a message has a heading, which was read as a title."""
MISSING: Final[Rules] = ((Gap.SOFT_404, _missing),)
"""What they are looked at for, too, whose objects say little: such a page may have a title, a date and a sentence."""
REFUSALS: Final[Rules] = (
    (Gap.ROBOT, _robot),
    (Gap.ROBOT, _robot_said),
    (Gap.LOGIN, _login),
    (Gap.LOGIN, _login_said),
    (Gap.AGE, _age),
    (Gap.AGE, _age_said),
)
"""What the pages of errors are looked at for."""


def judged(facts: Facts, suspect: Suspect, rules: Iterable[tuple[Gap, Rule]]) -> Found | None:
    """Return the first gap that a rule finds, and what it found."""
    found = ((gap, rule(facts, suspect)) for gap, rule in rules)
    return next(((gap, detail) for gap, detail in found if detail), None)
