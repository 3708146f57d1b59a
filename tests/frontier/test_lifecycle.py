"""The table of what can happen to a URL."""

from __future__ import annotations

import inspect

import pytest

from anansi.frontier import lifecycle, store
from anansi.frontier.lifecycle import TABLE, Event, State, after, happen

TERMINAL = (State.DONE, State.FAILED, State.SKIPPED)


def test_every_state_has_its_row() -> None:
    assert set(TABLE) == set(State)


@pytest.mark.parametrize("state", State)
def test_what_the_table_does_not_allow_does_not_happen(state: State) -> None:
    for event in Event:
        assert after(state, event) == TABLE[state].get(event)


def test_the_story_of_a_url_that_fails_once() -> None:
    state: State | None = State.NEW
    story = (
        Event.DISCOVER,
        Event.FIND_AGAIN,
        Event.RETRY,
        Event.FIND_AGAIN,
        Event.FALL_DUE,
        Event.VISIT,
        Event.RECRAWL,
    )
    states = []
    for event in story:
        assert state is not None
        state = after(state, event)
        states.append(state)
    waiting = [State.SCHEDULED, State.SCHEDULED, State.WAITING, State.WAITING]
    assert states == [*waiting, State.SCHEDULED, State.DONE, State.SCHEDULED]


@pytest.mark.parametrize("state", TERMINAL)
def test_being_found_again_does_not_wake_what_has_ended(state: State) -> None:
    assert after(state, Event.FIND_AGAIN) is state
    assert after(state, Event.REFUSE) is state
    assert after(state, Event.VISIT) is None


def test_only_a_shorter_way_a_change_a_recrawl_a_loss_and_a_blacklist_lead_out_of_an_end() -> None:
    out = {(state, event) for state in TERMINAL for event, then in TABLE[state].items() if then is not state}
    assert out == {
        (State.SKIPPED, Event.FIND_NEARER),
        (State.SKIPPED, Event.FIND_WORTHY),
        (State.DONE, Event.FIND_NEARER),
        (State.DONE, Event.RECRAWL),
        (State.FAILED, Event.RECRAWL),
        (State.DONE, Event.CHANGE),
        (State.DONE, Event.LOSE),
        (State.FAILED, Event.CHANGE),
        (State.DONE, Event.BLACKLIST),
        (State.FAILED, Event.BLACKLIST),
    }


def test_what_cannot_happen_is_our_mistake() -> None:
    with pytest.raises(RuntimeError, match="what is NEW cannot fall due"):
        happen(State.NEW, Event.FALL_DUE)


def test_every_event_happens_in_the_store() -> None:
    """The table is what the program does: no event in it is only drawn."""
    source = inspect.getsource(store) + inspect.getsource(lifecycle.ending) + repr(lifecycle._ENDINGS)
    assert [event.name for event in Event if f"Event.{event.name}" not in source] == []


def test_no_url_becomes_new_again_and_every_state_can_be_reached() -> None:
    reached = {then for row in TABLE.values() for then in row.values()}
    assert reached == set(State) - {State.NEW}
