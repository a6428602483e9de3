"""`python -m audit`: the same as the command `audit`.

The package knows nothing of the command line, so the command is run by its name and not imported.
"""

from runpy import run_module

if __name__ == "__main__":
    run_module("cli_start", run_name="__main__")
