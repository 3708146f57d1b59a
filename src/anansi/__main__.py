"""`anansi`, and `python -m anansi`: the command line, which a person may interrupt at any moment."""

from __future__ import annotations

import gc
import os
import signal  # and no more: until main is called, an interruption shows a traceback


def main() -> None:
    """Run the command line; half of the time that a command takes to start, its modules are being imported."""
    signal.signal(signal.SIGINT, _end)
    gc.disable()  # nothing that is imported is garbage, and looking for it takes a tenth of the start
    from anansi.cli import main as run

    run()


def _end(*_: object) -> None:
    """End at once, for nothing has begun, as `errors` has it: a module that is being imported cannot be asked."""
    os.write(2, b"anansi: interrupted; run the same command again\n")
    os._exit(11)


if __name__ == "__main__":
    main()
