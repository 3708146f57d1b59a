"""Who has visits of a site that another worker holds."""

from __future__ import annotations

from anansi.frontier.lending import Lending
from anansi.frontier.site import Site, SiteRow


def test_what_is_lent_is_counted_with_its_site_until_it_ends() -> None:
    site, lending = Site(1, SiteRow(name="a.org")), Lending()
    lending.lend(7, site, [b"one", b"two"])
    lending.lend(8, site, [b"three"])
    assert (site.lent, lending.guest(b"one"), lending.guest(b"three"), lending.guest(b"none")) == (3, 7, 8, None)
    assert lending.to(7) == [b"one", b"two"]
    lending.end(b"one")
    lending.end(b"one")  # it was given back and then made
    lending.end(b"none")
    assert (site.lent, lending.to(7)) == (2, [b"two"])
