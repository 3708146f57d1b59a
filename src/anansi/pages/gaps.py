"""Whether a page withholds its content, and by what: scripts, walls, forms, nothing at all.

1. What cannot be is told from what is known anyway: objects were read, there are many links, there is much text.
2. What is left is looked at element by element (`gap_facts`): which texts stand where, which forms, which scripts.
3. Rules (`gap_rules`), the surest first, say which gap it is. Structure decides; words tell the kinds apart.
4. A page that stands the same at several addresses of a site is none of the pages asked for.

A login box in a header, a search field, a banner over an article are no gaps: the content is there.
"""

from __future__ import annotations

from typing import Final

from ahocorasick_rs import AhoCorasick

from anansi.model import Cut, Gap, Page
from anansi.pages import gap_words as words
from anansi.pages.gap_facts import Facts, gather
from anansi.pages.gap_rules import (
    BOUNDS,
    LOCKS,
    MISSING,
    NAMELESS,
    REFUSALS,
    RULES,
    SAID,
    SURE,
    Found,
    Suspect,
    is_account,
    judged,
)

_PAID: Final = b"isAccessibleForFree"
_CHALLENGED: Final = {
    "cf-mitigated": "challenge",
    "x-amzn-waf-action": "",
    "x-datadome": "protected",
    "x-vercel-mitigated": "challenge",
    "sg-captcha": "challenge",
}
_TITLES: Final = (*words.LOGIN, *words.ROBOT, *words.AGE, *words.CONSENT, *words.MISSING, *words.PARKED)
_WORDED: Final = AhoCorasick([each for each in _TITLES if each])
_SAID: Final = (*words.MUST, *(each for each in words.MISSING if each != "404"))
_STATUSES: Final = frozenset((401, 402, 403, 406, 429, 503))


def is_paid(data: bytes) -> bool:
    """Tell whether a page may say of itself that it is not free, before anything is parsed."""
    return _PAID in data


SAME: Final = "the same page at several addresses"


class Gaps:
    """Finds gaps. Mutable state: `_met` (site → what pages are made of → paths where they stood), bounded."""

    def __init__(self) -> None:
        self._met: dict[str, dict[int, set[str]]] = {}

    def look(self, suspect: Suspect, site: str) -> Found | None:
        """Say which gap a page is, if it is one."""
        if suspect.unread:
            return Gap.LARGE, suspect.unread
        if suspect.page.fault is not None:
            return None
        if suspect.page.cut in (Cut.DISCONNECT, Cut.TIME):
            return Gap.FAILING, f"broken off after {suspect.page.body.size:,} bytes"
        if challenge := _challenge(suspect.page):
            return challenge
        if (location := suspect.page.header("location")) and 300 <= suspect.page.status < 400:
            return self._sent_to_login(suspect, location, site)
        if not suspect.page.ok:
            return _refusal(suspect)
        if suspect.model is None:
            return _nothing(suspect)
        if not _suspected(suspect):
            return None
        facts = gather(suspect.model.tree, suspect.title, suspect.host)
        found = self._judged(facts, suspect, site)
        if found is None and not suspect.objects and not suspect.seed:
            found = self._everywhere(facts, suspect, site)
        return found

    def _judged(self, facts: Facts, suspect: Suspect, site: str) -> Found | None:
        """Say which gap a page is by itself; words alone count where a page leads nowhere, or stands at many places.

        A link led to a form for a password: it may be the page for logging in. A link led to a page whose words are
        those of a wall, and that leads on: it may be a page about that.
        """
        if suspect.objects and not suspect.paid:
            little = () if suspect.said is None else MISSING
            return judged(facts, suspect, (*LOCKS, *little) if suspect.said else (*LOCKS, *NAMELESS, *little))
        if suspect.asked_for_another or not facts.hrefs:
            found, again = judged(facts, suspect, RULES), False
        elif (found := judged(facts, suspect, SURE)) is not None:
            again = False
        else:
            found, again = judged(facts, suspect, SAID), True
        if found is not None and found[0] is Gap.LOGIN and _is_linked_form(facts, suspect):
            again = True
        return found if not again or (found and self._stands(facts, suspect, site, LOGINS)) else None

    def _everywhere(self, facts: Facts, suspect: Suspect, site: str) -> Found | None:
        """Say that a page is none of those asked for: the same stands at other addresses, too."""
        if facts.refreshed or not self._stands(facts, suspect, site, BOUNDS.same):
            return None
        if facts.scripts and facts.empty:
            return Gap.PARTLY, f"{SAME}, filled by scripts"
        return Gap.SOFT_404, SAME

    def _sent_to_login(self, suspect: Suspect, location: str, site: str) -> Found | None:
        """Say that instead of a page there is a redirect to where one logs in; one may be a page for who has."""
        path, target = suspect.page.visit.url.partition("?")[0], location.partition("?")[0]
        root = f"//{suspect.host}"  # a host may be named so, too
        if suspect.seed or is_account(path.rpartition(root)[2]) or not is_account(target.rpartition(root)[2]):
            return None
        if not self._noted(site, hash(target), path, LOGINS):
            return None
        return Gap.LOGIN, f"a redirect to {target}"

    def _stands(self, facts: Facts, suspect: Suspect, site: str, addresses: int) -> bool:
        """Take notice of where a page stands; return whether the same stands at so many addresses."""
        path = suspect.page.visit.url.partition("?")[0]
        said = _said(facts, path)
        if len("".join(said)) < BOUNDS.bare // 2 and not facts.passwords:
            return False  # too little to be compared by
        hrefs = {each.partition("?")[0] for each in facts.hrefs}  # behind it stands where to go back to
        return self._noted(site, hash((*said, *sorted(facts.pictures), *sorted(hrefs))), path, addresses)

    def _noted(self, site: str, print_: int, path: str, addresses: int) -> bool:
        if site not in self._met and len(self._met) >= SITES:
            del self._met[next(iter(self._met))]
        met = self._met.setdefault(site, {})
        if print_ not in met and len(met) >= PAGES:
            del met[next(iter(met))]
        paths = met.setdefault(print_, set())
        if len(paths) < addresses:
            paths.add(path)
        return len(paths) >= addresses


SITES: Final = 500
"""Sites whose short pages are compared."""
PAGES: Final = 64
"""Short pages of a site that are compared."""
LOGINS: Final = 3
"""Addresses at which what may be a wall stands before it is one; at fewer it may be a page about walls."""


def _is_linked_form(facts: Facts, suspect: Suspect) -> bool:
    """Tell whether a link led to a form for a password that does not say what it hides."""
    hidden = facts.locked or any(each in facts.words for each in words.MUST)
    return not suspect.asked_for_another and facts.passwords > 0 and not hidden


def _said(facts: Facts, path: str) -> list[str]:
    """Return what a page says, but its own address."""
    address = path.partition("//")[2].partition("/")[2]
    texts = (*facts.headings, *facts.own, *facts.linked, *facts.around)
    return [each.replace(address, "") if address else each for each in texts]


def _suspected(suspect: Suspect) -> bool:
    """Tell whether a page is worth a closer look; most are not, and this is all they cost."""
    if suspect.paid:
        return True
    if suspect.objects and suspect.said is None:
        return False
    worded = _is_worded(suspect.title.lower())
    if suspect.objects:
        said = (suspect.said or "").lower()
        alone = not said and len(suspect.text) <= BOUNDS.short  # a name, and nothing that it is the name of
        return alone or worded or suspect.password or any(each in said for each in _SAID)
    walled = worded or (suspect.asked_for_another and suspect.password)
    leads_on = suspect.links >= BOUNDS.links or (suspect.listed and suspect.links > BOUNDS.ways)
    if leads_on and not walled:
        return False
    text = suspect.text
    if worded or len(text) <= BOUNDS.plain or suspect.asked_for_another:
        return len(text) <= BOUNDS.text
    said = text.lower() if len(text) <= BOUNDS.short else ""
    return any(each in said for each in words.MUST)


def _is_worded(title: str) -> bool:
    """Tell whether a title may be that of a gap."""
    return bool(_WORDED.find_matches_as_indexes(title))


def _challenge(page: Page) -> Found | None:
    """Say that an answer is a check of who asks, where its headers do."""
    for name, value in _CHALLENGED.items():
        if (header := page.header(name)) and value in header.lower():
            return Gap.ROBOT, f"{name}: {header[:40]}"
    return None


def _refusal(suspect: Suspect) -> Found | None:
    """Say what an error page asks for, if for anything."""
    page = suspect.page
    if page.status not in _STATUSES:
        return None
    if page.status == 401 and page.header("www-authenticate"):
        return Gap.LOGIN, f"status 401, {page.header('www-authenticate')[:60]}"
    if page.status == 402:
        return Gap.PAYWALL, "status 402"
    if suspect.model is None:
        return None
    return judged(gather(suspect.model.tree, suspect.title, suspect.host), suspect, REFUSALS)


def _nothing(suspect: Suspect) -> Found | None:
    empty = (suspect.page.status == 200 or suspect.seed) and suspect.page.body.size == 0
    return (Gap.EMPTY, "no byte after the headers") if empty else None
