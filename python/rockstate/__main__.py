"""`python -m rockstate`: the same as the `rockstate` command."""

import sys

from rockstate.cli import main

sys.exit(main())
