"""What holds for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# the machine is shared: how long an example takes says nothing about the code
settings.register_profile("anansi", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("anansi")
