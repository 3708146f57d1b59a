"""What focus goes by, in one place: limits, and weights with the data that they were found on.

What says how relevant a page is was fitted on the labelled topic web of docs/stages/focus.md; re-run
`python -m anansi_lab simulate --half 0` when one of these changes, and report `--half 1`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """The constants of focus."""

    # ── a page ────────────────────────────────────────────────────────────────────────────────────────────────────
    longest_text: int = 400_000
    """Characters of a page's text that are read: the longest articles have a third of them; 10 MB cost no more."""
    most_regions: int = 20_000
    """Regions of a page that are read, a quarter of a second; a page of 2,000 links has a tenth of them."""
    most_distinct: int = 10_000
    """Different terms of a page that are counted: made-up words would drive out those of all other pages."""
    most_links: int = 2_000
    """Links of a page that are scored; the others come after all of them."""
    most_authors: int = 500
    """Links of a page whose authors are named."""
    longest_anchor: int = 300
    """Characters of an anchor that are read."""
    within_anchor: int = 64
    """Elements in an anchor whose text is read: a card has a dozen; anchors that hold each other may be many."""
    most_steps: int = 500_000
    """Beginnings and ends of elements that are looked at, a third of a second: a page of 2,000 links has 20,000."""
    deepest: int = 8
    """Steps of a place, counted from the region upwards."""
    remembered: int = 50_000
    """Anchors and addresses whose terms are remembered, about 300 bytes each."""

    # ── what speaks against a page: beyond what 1,553 pages of forums, blogs and an encyclopaedia have (`spam`) ────
    least_terms: int = 100
    """Terms below which nothing can be said of repetition: a headline repeats itself."""
    most_terms: int = 20_000
    """Terms that are counted."""
    frequent: tuple[float, float] = (0.15, 0.30)
    """Share of the most frequent term, in repeated terms: where suspicion begins, and where it is certain."""
    different: tuple[float, float] = (0.30, 0.10)
    """Share of different sequences of three terms, likewise."""
    other_sites: tuple[int, int] = (40, 100)
    """Other sites that a page links to, likewise, where it has little else than links."""
    words_a_link: int = 4
    """Terms of a page for each link, below which it has little else."""
    hidden_terms: int = 10
    """Wanted terms that must be hidden for a page to be suspected: menus are hidden, too."""
    longest_hidden: int = 100_000
    """Characters of hidden text that are read."""
    most_hiding: int = 1_000
    """Elements whose own styles hide them that are looked at; an encyclopaedia's pages have up to 60."""

    # ── what is known of a URL ────────────────────────────────────────────────────────────────────────────────────
    titles: int = 8
    """Terms of a URL's anchors and address that are kept."""
    labels: int = 3
    """Places of the links to a URL that are kept."""
    shared: int = 12
    """Pages and lists with a link to a URL that are asked what their other links led to."""
    beside: int = 4
    """Links on either side of a link that stand beside it."""
    most_urls: int = 1_000_000
    """URLs of which evidence is kept, about 1 KB each; what is found beyond them gets the score of its page."""
    in_a_row: int = 1_000
    """URLs whose evidence is kept in one row of the frontier's memory, 300 KB."""
    most_places: int = 1_000
    """Places of the links to a URL that are kept: those pages are told what it turned out to be."""
    most_means: int = 200_000
    """Words, places, sites and authors, of each so many, of which a mean of what they led to is kept."""
    most_counted: int = 2_000_000
    """Terms (or links) that are counted, about 100 bytes each; beyond them the half met least is forgotten."""
    often: int = 255
    """How often a term stands on a page, above which it counts no more."""

    # ── when all URLs are scored anew ─────────────────────────────────────────────────────────────────────────────
    soonest: int = 10
    """Pages after which all URLs may be scored anew."""
    early: int = 300
    """Pages up to which all URLs are scored anew when the crawl has grown by a fifth, and then by a half: what that
    costs a page stays the same however long the crawl is."""

    revised: int = 250
    """URLs that are scored anew with each page that is read, while some are left: 3 ms. A crawl that found 100 URLs
    a page is done before it is due again. No clock has a say, so that the order is the same each time."""

    # ── how relevant a page is ────────────────────────────────────────────────────────────────────────────────────
    before: float = 0.3
    """Relevance that pages are expected to have before any was fetched."""
    farthest: float = 2.0
    """Times the nearness of an example, above which nearer is no better: stuffing words gains no more."""
    fed_back: int = 40
    """Pages found most relevant that enrich the topic vector (60 and 20 gave as much, none at all less)."""
    feedback: float = 0.5
    """Weight of such a page beside an example's."""
    refused: int = 20
    """Pages found least relevant that are held against the topic vector."""
    against: float = 0.3
    """Weight of all of them together beside that of all examples (0 and 1 gave less)."""
    said: int = 100
    """Terms of such a page that count: those that stand there most often; all of them cost three times as much."""
    counted: float = 0.2
    """Relevance from which on a page says what relevant pages are like."""
    words_near: float = 0.25
    """Cosine of a relevant page with a handful of words, where no example says what is near."""
    teacher: tuple[float, float, float] = (-4.0, 3.0, 2.0)
    """Bias and weights of text and company, whose logistic function is the relevance; an example has 0.73."""

    # ── what modules say of a page ────────────────────────────────────────────────────────────────────────────────
    longest_url: int = 2_000
    """Characters of a URL that are looked at."""
    words_of_names: float = 0.5
    """What the words of a name count in the term vector: the name itself is looked for by its own module."""
    learned_terms: int = 50
    """Terms that are learned from the examples of a topic."""
    learned_weight: float = 1.0
    """Weight of the most frequent of them."""
    longest_named: int = 400_000
    """Characters of a text that are looked through."""
    shown_around: int = 40
    """Characters of the spelling shown on either side of what was found."""
    longest_acronym: int = 4
    """Letters of names in capitals that may be words, too: WHO, US, IT."""
    event_named: float = 0.6
    """What the name alone is worth; place, actors and time make the rest."""
    event_together: float = 1.5
    """Exponent of the share of place, actors and time that were found: one of three is worth 0.2, two 0.5."""
    event_year: float = 0.5
    """What a year is worth in which the event fell, where a day or a month says more."""
    event_actors: int = 3
    """Actors that make all: nobody names twenty."""
    language_unknown: float = 0.5
    """What a text is worth whose language nothing tells."""
    language_doubtful: float = 0.25
    """What a text is worth that may be in another language."""
    language_sure: float = 0.3
    """How sure a language must be for the others to be ruled out; of 100 words of prose it is about 0.5."""
    longest_for_model: int = 20_000
    """Characters of a text that are read: half a second."""
    partly_named: float = 0.5
    """What a part of an entity's name is worth, such as a surname alone."""
    most_reasons: int = 50
    """Reasons of a module, and words of a region, that are kept."""
    shortest_region: int = 3
    """Terms below which a region is not scored by itself."""

    # ── what is proposed for a definition (`anansi define`) ───────────────────────────────────────────────────────
    corpus_pages: int = 400
    """Pages that proposals are made of, taken evenly over the crawl; 400 take some seconds."""
    corpus_repeated: float = 0.05
    """Share of the pages above which a region that stands there, word by word, is no text of theirs."""
    corpus_seldom: int = 2
    """Pages up to which it is, however small the crawl."""
    corpus_longest: int = 60_000
    """Characters of a page that are read: of 365 articles of an encyclopaedia one in twenty has more than 45,000."""
    corpus_least: int = 5
    """Terms that a page must have to say anything."""
    corpus_without: float = 0.2
    """What a page counts that has none of the archivist's words, beside one that has."""
    most_phrases: int = 30
    """Keywords that are proposed."""
    phrase_longest: int = 3
    """Words of the longest phrase that is looked for."""
    phrase_together: float = 0.2
    """Share of the occurrences of its rarest word that a phrase must have to be one."""
    phrase_covered: float = 0.6
    """Share of the occurrences of a word in one phrase above which the phrase stands for it."""
    phrase_clumped: float = 7.0
    """Index of dispersion of words that matter. Of 59 pages of a blog: `map`, `heating`, `firmware`, `driver` 11 to
    26, `use`, `get`, `need`, `make` 0.9 to 2.1; of 56 on railways: `locomotive`, `railway`, `axle` 15 to 25, `years`,
    `time`, `major` 1.3 to 2.2; `server` and `passenger` 5, `new` and `first` 5, too. Phrases are rarer, and need
    less."""
    phrase_telling: int = 40
    """Characters of a sentence that shows how a word is used."""
    phrase_shortest: int = 3
    """Letters of a word that is proposed, where the script has letters."""
    most_names: int = 25
    """Entities that are proposed."""
    name_longest: int = 6
    """Words of the longest name that is looked for."""
    name_beside: float = 0.7
    """Share of the pages with a part of a name that have the whole, too, from which on it stands for it."""
    name_small: float = 0.1
    """Share of a word's occurrences in small letters above which it is no name."""
    name_headline: float = 0.85
    """Share of long words in capitals above which a sentence is a title."""
    most_topics: int = 8
    """Topics that are proposed."""
    topic_alike: float = 0.15
    """Cosine of two groups' vectors from which on they are one."""
    topic_said: int = 40
    """Terms of a page that count: those with most weight."""
    topic_terms: int = 8
    """Terms of a topic that is proposed."""
    topic_named: int = 3
    """Terms that name a proposed topic."""
    topic_examples: int = 2
    """Pages that are named as examples."""
    topic_whole: float = 0.8
    """Share of the pages above which a group is no topic but the whole."""
    language_spoken: float = 0.1
    """Share of the pages that a language must have to be proposed."""
    quoted: int = 160
    """Characters of an example sentence."""
    widest: int = 1_000_000
    """Characters of a line, so that an entry stays on one, and can be struck with it."""


SETTINGS: Final = Settings()
