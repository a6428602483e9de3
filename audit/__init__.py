"""The rules of card games as pure values and pure functions.

Nothing here reads a file other than the package's own data, and nothing here knows how a log is stored,
shown or served: see `replays` and `web` for that.
"""

from typing import Any

from audit.machine_code import prefer_native

__version__ = "0.1.0"

LIBRARY = ("ask", "check", "explain", "replay", "rule")
"""What a program does with logs, positions and rules in one call: `audit.check(…)`; see docs/client-author.md."""

_FOUND = {**dict.fromkeys(LIBRARY, "replays.library"), "AuditError": "audit.core.errors"}
"""The module of each name that is found when it is used: the rules themselves know nothing of logs."""

prefer_native()


def __getattr__(name: str) -> Any:
    """A function of the library or its error."""
    if name not in _FOUND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pkgutil import resolve_name

    return resolve_name(f"{_FOUND[name]}:{name}")


def __dir__() -> list[str]:
    """What there is, the library included."""
    return sorted({*globals(), *_FOUND})
