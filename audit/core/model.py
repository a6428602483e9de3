"""The words every game shares: events, verdicts, findings and the header of a log.

Values only. Everything here is frozen: a state, an event or a step can be stored, compared and shared.
"""

# No annotations as strings: they would be evaluated anew for every type of event that inherits them.
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta, Struct

LOG_VERSION = "audit/1"

_LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
_DAY = "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])"
_HOUR = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
RFC_3339 = (
    rf"^(?:[0-9]{{4}}-(?:{_DAY})|{_LEAP_YEAR}-02-29)"
    rf"[Tt ]{_HOUR}:(?:[0-5][0-9]|60)(?:\.[0-9]+)?(?:[Zz]|[+-]{_HOUR})$(?!\n)"
)
"""A moment that there is. The fast reader matches it, so that no other part has to look at a date."""

Seq = Annotated[int, Meta(ge=1, le=10**12, description="Position in the log: 1, 2, 3 without a gap.")]
Seat = Annotated[str, Meta(min_length=1, max_length=32, description="A player's place at the table.")]
Side = Annotated[str, Meta(min_length=1, max_length=32, description="A player, or a team.")]
At = Annotated[
    str, Meta(description="When it happened, RFC 3339.", pattern=RFC_3339, examples=["2025-09-13T14:05:00Z"])
]
EventId = Annotated[str, Meta(min_length=1, max_length=64, description="A name for the event, unique in its log.")]
Card = Annotated[str, Meta(min_length=1, max_length=64, description="A card by its id, or a handle such as ?1.")]


def snake(name: str) -> str:
    """`SomethingHappened` is written `something_happened` in a log."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Event(
    Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="type",
    tag=snake,
):
    """Something that happened at the table.

    A ruleset declares each of its event types once, as a subclass whose docstring says what happened.
    The fast reader, the strict reader and the published schema are all made from that declaration.
    """

    seq: Seq
    id: EventId | None = None
    at: At | None = None
    note: Annotated[str, Meta(description="Free text of the recorder.")] | None = None
    note_for: Annotated[str, Meta(description="Who may read the note: a seat, `judge` or `public`.")] | None = None
    because: Annotated[int, Meta(ge=1, le=10**12, description="The seq of the event it came from.")] | None = None

    ENVELOPE: ClassVar[frozenset[str]] = frozenset({"seq", "id", "at", "note", "note_for", "because"})


def type_name(event: type[Event]) -> str:
    """The name an event type has in a log."""
    return str(event.__struct_config__.tag)


def event_types_in(names: Mapping[str, object]) -> tuple[type[Event], ...]:
    """The event types that a module declares, in their order: `event_types_in(globals())` at its end."""
    return tuple(
        kind for kind in names.values() if isinstance(kind, type) and issubclass(kind, Event) and kind != Event
    )


class Player(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sits where."""

    seat: Seat
    name: str = ""


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of a log: which game, by which rules, from which position.

    `complete` says that the log tells everything: what it leaves out was not done. With "choices" it tells every
    choice, also that a permission was not used, and leaves out what followed without one. `unknown` says what becomes
    of cards that the game does not know: such a log is refused, or recorded and shown without being judged.
    """

    log: Annotated[str, Meta(description="Version of the log format.")]
    ruleset: str
    game: str = ""
    edition: str = ""
    reading: str = "standard"
    players: tuple[Player, ...] = ()
    first: str | None = None
    complete: bool | Literal["choices"] = False
    unknown: Literal["refuse", "record"] = "refuse"
    setup: dict[str, object] = msgspec.field(default_factory=dict)
    meta: dict[str, object] = msgspec.field(default_factory=dict)


class Verdict(StrEnum):
    """What the auditor says of one step."""

    LEGAL = "legal"
    INFERRED = "inferred"
    ILLEGAL = "illegal"
    IMPOSSIBLE = "impossible"
    UNDETERMINED = "undetermined"
    UNCHECKED = "unchecked"
    """The rules known here do not reach the event, or the position is not known: nothing was judged."""
    RECORDED = "recorded"
    """The event speaks of the record itself; there is nothing to judge."""

    @property
    def is_finding(self) -> bool:
        """A judge has to look at this step."""
        return self in (Verdict.ILLEGAL, Verdict.IMPOSSIBLE, Verdict.UNDETERMINED)
