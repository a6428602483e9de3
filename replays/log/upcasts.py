"""Converts older versions of the log to the present one while they are read. The file is never rewritten."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec import Struct

from audit.core.errors import AuditError
from audit.core.model import LOG_VERSION

Json = dict[str, object]


class Upcast(Struct, frozen=True):
    """One step up: the version it leads to, and what becomes of a header and of an event on the way."""

    to: str
    header: Callable[[Json], Json]
    event: Callable[[Json], Json]


UPCASTS: Mapping[str, Upcast] = {}
"""Steps by the version they start from. Version 1 is the first, so there are none yet."""


class VersionError(AuditError):
    """A version of the log that this program cannot read."""

    def __init__(self, found: str, known: tuple[str, ...]) -> None:
        newer = re.fullmatch(r"audit/[1-9]\d{0,8}", found) is not None
        kind = ", a newer version than this program reads" if newer else ""
        super().__init__(f'expected {" or ".join(known)}, found "{found}"{kind}')
        self.found = found
        self.known = known
        self.newer = newer


def steps(version: str, upcasts: Mapping[str, Upcast] = UPCASTS) -> tuple[Upcast, ...]:
    """The way from a version to the present one; raises `VersionError` where there is none."""
    found: list[Upcast] = []
    at = version
    while at != LOG_VERSION:
        if at not in upcasts or len(found) > len(upcasts):
            raise VersionError(version, (LOG_VERSION, *sorted(upcasts, reverse=True)))
        found.append(upcasts[at])
        at = upcasts[at].to
    return tuple(found)
