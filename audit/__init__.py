"""The rules of card games as pure values and pure functions.

Nothing here reads a file other than the package's own data, and nothing here knows how a log is stored,
shown or served: see `replays` and `web` for that.
"""

from audit.machine_code import prefer_native

__version__ = "0.1.0"

prefer_native()
