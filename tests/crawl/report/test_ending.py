"""How a crawl ended, by what it left."""

from __future__ import annotations

from pathlib import Path

import pytest

from anansi import config
from anansi.crawl.report.account import Accounts
from anansi.crawl.report.ending import how_it_ended, left
from anansi.frontier.embedded import Embedded
from anansi.frontier.policy import Policy
from anansi.frontier.site import STRIKES
from anansi.frontier.turn import Settlement
from anansi.model import Ended, Fault, Hop, Outcome, Visit, role_of

SEED = "http://forum.org/"
DEAD = "http://dead.org/"


def crawled(path: Path, dead: list[Visit]) -> Embedded:
    """Make a crawl that has its seed, and whose other host answers nobody."""
    made = Embedded(path, Policy(config.Scope(), config.Frontier(), {}), lambda host: f"address of {host}")
    made.discover([Visit(SEED, SEED), *dead], 0.0)
    made.store.commit()
    made.join(0)
    for worker, turn in made.claim(1.0):
        fault = Outcome(Ended.FAILED, -2, fault=Fault.CONNECT, strike=True)
        outcome = Outcome(Ended.DONE, 200, requests=1, page=True) if turn.name == "forum.org" else fault
        made.settle(worker, [Settlement(token, outcome, 0.0) for token, _ in turn.visits[:STRIKES]], 1.0)
    return made


@pytest.mark.parametrize(("hops", "ended"), [(Hop.EMBED, "finished"), (Hop.LINK, "incomplete")])
def test_parts_of_pages_on_a_dead_host_are_told_and_no_content(tmp_path: Path, hops: Hop, ended: str) -> None:
    dead = [
        Visit(f"{DEAD}{number}", f"{DEAD}{number}", hops=hops.value, via=SEED, role=role_of(hops))
        for number in range(STRIKES + 4)
    ]
    made = crawled(tmp_path / "f", dead)
    accounts = Accounts(made.store.memory)
    assert left(made, again=False) == {"host given up": 4}
    assert how_it_ended("finished", made, accounts, [SEED], again=False) == ended
    made.close()
