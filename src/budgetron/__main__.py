"""`python -m budgetron`."""

import sys

try:
    from .cli import main
except ImportError as error:
    sys.exit(f"the command line needs more ({error}): pip install 'budgetron[cli]'")

if __name__ == "__main__":
    main()
