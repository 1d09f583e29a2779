"""The command `chuhe`: `python -m chuhe` is the same."""

import os
import signal
import sys

from . import _native


def main() -> None:
    """Runs the program with the arguments of the process, and ends the process with its exit code."""
    if hasattr(signal, "SIGINT"):
        # The program watches for Ctrl-C itself.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = _native.main(["chuhe", *sys.argv[1:]])
    # Python has nothing to clean up, and threads of the program may still read.
    os._exit(code)


if __name__ == "__main__":
    main()
