"""`python -m bgai`."""

import sys

from bgai.cli.main import main

sys.exit(main())
