"""The command ``jourdain``, also as ``python -m jourdain``."""

import signal
import sys

from jourdain import _jourdain


def main() -> int:
    # The command has its own way with Ctrl-C: it removes files that are not complete.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _jourdain.main(["jourdain", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
