"""What each gap means and what a person can do about it, in words."""

from __future__ import annotations

from typing import Final, NamedTuple

from anansi.model import Gap


class Remedy(NamedTuple):
    """What a gap means, and what to do."""

    means: str
    do: str


_BROWSER: Final = "capture it with a browser, or name as a seed what its scripts ask: a feed, a sitemap, an interface"
_COOKIES: Final = "pass it in a browser, then the same command with --cookies FILE --recrawl"

REMEDIES: Final[dict[Gap, Remedy]] = {
    Gap.SHELL: Remedy("an empty page that scripts fill", _BROWSER),
    Gap.PARTLY: Remedy("the page's content is fetched by scripts", _BROWSER),
    Gap.LOGIN: Remedy(
        "a login stands before the content",
        "log in with a browser, then the same command with --cookies FILE --recrawl",
    ),
    Gap.AGE: Remedy("a question for the reader's age stands before the content", _COOKIES),
    Gap.CONSENT: Remedy("a question for consent stands before the content", _COOKIES),
    Gap.PAYWALL: Remedy(
        "the content is for subscribers",
        "ask the publisher, or the same command with a subscriber's --cookies FILE --recrawl",
    ),
    Gap.ROBOT: Remedy("a check whether a person asks stands before the content", "ask the operator to let you in"),
    Gap.FORM: Remedy("the content is reached by filling in a form only", "name lists of it as seeds, or its sitemap"),
    Gap.SOFT_404: Remedy("the server answers with success where nothing is", "check the address"),
    Gap.PARKED: Remedy("the domain is for sale or holds advertisements only", "look for the site elsewhere"),
    Gap.EMPTY: Remedy("the answer holds nothing", "look at it in a browser; try again later"),
    Gap.LARGE: Remedy(
        "the page is too large to be kept or read whole", "raise fetch.max_body, or name what it links to as seeds"
    ),
    Gap.RATE: Remedy(
        "the server asked to be left alone until the last attempt", "crawl it later, with a longer --delay"
    ),
    Gap.REFUSED: Remedy(
        "the server forbids it",
        "ask the operator, or the same command with --cookies FILE --recrawl of who may see it",
    ),
    Gap.FAILING: Remedy(
        "the server failed, or broke off its answer, until the last attempt", "the same command with --recrawl later"
    ),
    Gap.UNANSWERED: Remedy("no answer came until the last attempt", "the same command with --recrawl later"),
    Gap.ERROR: Remedy("a seed is not there, or its redirects lead nowhere", "check the address; try again later"),
    Gap.ROBOTS: Remedy("robots.txt forbids a seed", "ask the operator; --robots ignore if you may"),
    Gap.HOST: Remedy("the host does not answer", "check its name; run the same command again later"),
}
