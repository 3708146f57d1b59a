"""Text as a reader sees it."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from anansi.text import tree as html
from anansi.text import visible as text


def read(body: str, without: str = "") -> str:
    tree = html.parse(f"<html><body>{body}</body></html>".encode(), "utf-8")
    assert tree is not None
    out = set(tree.iter(without)) if without else frozenset()
    return text.of(tree.find("body"), out)


def test_paragraphs_are_lines() -> None:
    assert read("<p>one</p><p>two</p>three<div>four</div>five") == "one\ntwo\nthree\nfour\nfive"
    assert read("one<br>two<br/><br/>three") == "one\ntwo\nthree"
    assert read("<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>") == "a\nb\nc\nd"


def test_what_flows_stays_in_its_line() -> None:
    assert read("one <b>bold</b>, <i>two</i>\n   three\tfour") == "one bold, two three four"
    assert read("ob<b>long</b>") == "oblong"


def test_lines_of_code_stay_lines() -> None:
    assert read("see:<pre>if a:\n    b()\n<b>c\nd</b></pre>as\nsaid") == "see:\nif a:\nb()\nc\nd\nas said"


def test_what_is_not_seen_is_not_read() -> None:
    assert read("a<script>b</script><style>c</style><noscript>d</noscript>e<select><option>f</select>g") == "aeg"
    assert read("a<button>Reply</button>b<svg><text>c</text></svg>") == "ab"


def test_what_is_left_out_leaves_what_follows_it() -> None:
    body = "before <blockquote>quoted <b>text</b></blockquote>after<blockquote>more</blockquote>"
    assert read(body, "blockquote") == "before after"
    assert read("<p>a<b>x</b>c</p>", "b") == "ac"


def test_spaces_are_one_space_of_any_kind() -> None:
    assert text.line("  a\u00a0\u2003b\r\n c ") == "a b c"
    assert read("a&nbsp;&nbsp;b") == "a b"


def test_nesting_without_end_is_read_to_a_depth() -> None:
    deep = "".join(f"<div>{number} " for number in range(2 * text.DEEPEST))
    lines = read(f"{deep}{'</div>' * 2 * text.DEEPEST}<p>after</p>").splitlines()
    assert lines[0] == "0"
    assert lines[-1] == "after"
    assert len(lines) <= text.DEEPEST + 2


@given(st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="<&"), max_size=60))
def test_words_come_out_as_they_went_in(words: str) -> None:
    assert read(f"<p>{words}</p>").split() == words.split()


TAGS = st.sampled_from(("b", "a", "span", "p", "div", "blockquote", "pre", "script", "li", "x-y"))
BODIES = st.recursive(
    st.sampled_from(("one", " two ", "\n", "<br>", "a  b", "<img>", "<hr>", "")),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", TAGS, st.lists(inner, min_size=1, max_size=4)
    ),
    max_leaves=12,
)


@given(st.lists(BODIES, max_size=4).map("".join), st.sampled_from(("", "b", "blockquote", "span")))
def test_what_is_read_at_once_is_what_is_read_step_by_step(body: str, without: str) -> None:
    with patch.object(text, "_in_line", lambda *_: False):
        expected = read(body, without)
    assert read(body, without) == expected


def test_many_elements_in_a_line_are_read_to_the_same_depth() -> None:
    deep = "".join(f"<b>{number} " for number in range(2 * text.DEEPEST))
    with patch.object(text, "_in_line", lambda *_: False):
        expected = read(deep)
    assert read(deep) == expected
    assert expected.startswith("0 1 2 ")


def test_a_cut_knows_the_texts_that_it_leaves_whole() -> None:
    tree = html.parse(b"<body><div id='a'><p><q>x</q></p></div><div id='b'>y</div></body>", "utf-8")
    assert tree is not None
    (quote,) = tree.iter("q")
    cut = text.Cut.of({quote})
    whole = {each.get("id") or each.tag for each in tree.iter() if each not in cut.around}
    assert whole == {"q", "b"}, "what is left out is not left out of itself"
