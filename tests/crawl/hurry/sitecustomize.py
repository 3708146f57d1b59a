"""Found first on the path of a crawl under test: another attempt comes hundreds of times sooner.

Only the crawler's own patience is shortened. What a server asks for (Retry-After, Crawl-delay) and what a definition
says (delay, timeouts) hold as they are.
"""

from __future__ import annotations

from anansi.fetch import retry, robots

SOONER = 300

for _name, _policy in retry.POLICIES.items():
    retry.POLICIES[_name] = _policy._replace(wait=_policy.wait / SOONER)
vars(robots)["_FIRST_WAIT"] /= SOONER
vars(robots)["_LONGEST_WAIT"] /= SOONER
