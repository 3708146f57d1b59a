"""Any expression of the fragment, for properties."""

from __future__ import annotations

from hypothesis import strategies as st

from anansi.knowledge.xpath import LAST, Contains, Equals, Expression, Position, Predicate, Step

NAMES = st.one_of(
    st.sampled_from(("div", "a", "h1", "og:title", "fb:like", "1a", "12", "x.y-z", "contains", "last", "text", "é")),
    st.from_regex(r"[a-z0-9](?:[A-Z0-9_.-]|:(?!:)){0,8}", fullmatch=True),
)
STRINGS = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co"), exclude_characters="'"), max_size=12
) | st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co"), exclude_characters='"'), max_size=12)
VALUES = st.one_of(NAMES, NAMES.map("@{}".format))
POSITIONS = st.one_of(st.just(Position(LAST)), st.integers(1, 999_999).map(Position))
PREDICATES: st.SearchStrategy[Predicate] = st.one_of(
    st.builds(Contains, VALUES, STRINGS), st.builds(Equals, VALUES, STRINGS), POSITIONS
)
TESTS = st.one_of(NAMES, st.just("*"))
ENDS = st.one_of(TESTS, NAMES.map("@{}".format), st.just("@*"), st.just("text()"))


def steps(axis: st.SearchStrategy[str], tests: st.SearchStrategy[str]) -> st.SearchStrategy[Step]:
    return st.builds(Step, axis, tests, st.lists(PREDICATES, max_size=2).map(tuple))


@st.composite
def expressions(draw: st.DrawFn) -> Expression:
    """Draw an expression; attributes and texts stand at its end only."""
    axes = st.sampled_from(("/", "//"))
    inner = draw(st.lists(steps(axes, TESTS), max_size=3))
    last = draw(steps(axes, ENDS))
    first, *rest = [*inner, last]
    return Expression((Step("//", first.test, first.predicates), *rest))
