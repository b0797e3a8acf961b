"""``python -m gridproof``: the same as the command ``gridproof``."""

import sys

from gridproof.cli import main

if __name__ == "__main__":
    sys.exit(main())
