"""How long a site is left alone after an answer."""

from __future__ import annotations

from anansi.config import Override, Politeness


def wait(
    policy: Politeness,
    seconds: float,
    *,
    override: Override | None = None,
    asked: float | None = None,
    slow: float = 0.0,
) -> float:
    """Return the seconds until the next request to the site.

    `seconds` is the last response time, `asked` the Crawl-delay of robots.txt, `slow` a Retry-After.
    A person's override beats the adaptive delay; nothing beats what the server asked for by Retry-After.
    """
    if override is not None and override.delay is not None:
        usual = override.delay
    else:
        adaptive = min(policy.ceiling, max(policy.floor, policy.factor * seconds))
        usual = max(adaptive, asked or 0.0) if policy.robots == "obey" else adaptive
    return max(usual, slow)


def fixed(delay: float, policy: Politeness) -> dict[str, float]:
    """Return the settings that make every wait the same (`--delay`)."""
    return {"floor": delay, "ceiling": delay, "factor": 0.0 if delay == 0 else policy.factor}
