"""Start pywb's `wayback` without its proxy mode.

The proxy makes certificates through pyOpenSSL, whose releases and those of `cryptography` do not always fit; replay
by URL needs neither, so the module that would import them is replaced by an empty one.
"""

from __future__ import annotations

import importlib
import sys
import types


def main() -> None:
    proxy = types.ModuleType("wsgiprox.wsgiprox")
    proxy.WSGIProxMiddleware = object  # type: ignore[attr-defined]
    sys.modules["wsgiprox.wsgiprox"] = proxy
    importlib.import_module("pywb.apps.cli").wayback(sys.argv[1:])


if __name__ == "__main__":
    main()
