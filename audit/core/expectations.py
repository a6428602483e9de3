"""What may or must come next in a game, as the rules of its event types expect it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum, auto
from functools import cache
from operator import attrgetter
from typing import Generic, TypeVar

from audit.core.catalogue import Rule
from audit.core.model import Event
from audit.machine_code import mypyc_attr

S = TypeVar("S")
FIELDS = ("event", "rules", "obligation", "any_order", "declines")
"""What an expectation tells of itself."""
Citations = tuple[Rule, ...]


class Obligation(IntEnum):
    """What follows if a log leaves out something that was expected."""

    OPTIONAL = auto()
    """A permission: nothing is owed."""
    REQUIRED = auto()
    """An obligation: inferred if it leaves no choice, a finding if it does."""
    MARKER = auto()
    """Says only where in the game we are: passed over silently."""
    EXPIRES = auto()
    """Optional; expires silently. Later events imply that it was not used."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Expectation(Generic[S]):
    """What may or must come next: one event, or many that are alike (any card of a hand, any new order).

    Whether an event is one of those is for the `EventRules` of its type to say. A game that is installed beside this
    package sets these fields in `__init__`: machine code does not see the body of such a class.
    """

    event: type[Event]
    rules: Citations = ()
    obligation: Obligation = Obligation.REQUIRED
    any_order: bool = False
    """One of several that all have to happen, in any order; later events show which came first."""
    declines: bool = False
    """The event says that a permission is not used. Inferred if the log goes on as if it had not been."""

    def __init_subclass__(cls) -> None:
        """Raises `TypeError` for a class of another package that sets one of the fields in its body."""
        unseen = [name for name in FIELDS if name in vars(cls)]
        if unseen and not str(vars(cls).get("__module__")).startswith("audit."):
            raise TypeError(f"{cls.__name__}: set {', '.join(unseen)} in __init__, not in the body of the class")

    def candidates(self, state: S) -> Iterator[Event]:
        """Every event that would do, with seq 0. Unknown cards stand as their handles."""
        raise NotImplementedError

    def is_possible(self, state: S) -> bool:
        """Whether some event would do. A game whose candidates are not all listed does not know better."""
        return True

    def goes_first(self, state: S, event: Event) -> Rule | None:
        """The rule of order by which this comes before that other event; None where no order is kept."""
        return None

    def may_be_told_after(self, event: Event) -> bool:
        """Whether it may be written right after that event, although it goes first: people write so."""
        return False

    def is_open_after(self, event: Event) -> bool:
        """Whether a record that tells it right after that event leaves open which of the two came first."""
        return False

    def hides_choice(self, state: S, event: Event) -> bool:
        """Whether the one candidate stands for a choice among cards nobody has named: it has to be told."""
        return False

    def first_of_all(self, state: S) -> Event | None:
        """The first of its candidates, if all of them happen and their order changes nothing; else None."""
        return None

    def cited(self, state: S, event: Event) -> Citations | None:
        """The rules that make this candidate legal; None where the rules of its type have to be asked."""
        return None

    def single_candidate(self, state: S) -> Event | None:
        """The one event that would do, if there is no choice."""
        candidates = self.candidates(state)
        first = next(candidates, None)
        return first if next(candidates, None) is None else None


@mypyc_attr(allow_interpreted_subclasses=True)
class ExpectedEvent(Expectation[S]):
    """Exactly one event is expected."""

    def __init__(
        self, one: Event, *rules: Rule, obligation: Obligation = Obligation.REQUIRED, any_order: bool = False
    ) -> None:
        self.one = one
        self.event = type(one)
        self.rules = rules
        self.obligation = obligation
        self.any_order = any_order
        self.get_fields = field_getter(self.event)
        self.wanted_fields = self.get_fields(one)

    def candidates(self, state: S) -> Iterator[Event]:
        yield self.one

    def single_candidate(self, state: S) -> Event | None:
        return self.one


@cache
def own_fields(event: type[Event]) -> tuple[str, ...]:
    """The fields of an event type without the envelope, by attribute name."""
    return tuple(name for name in event.__struct_fields__ if name not in Event.ENVELOPE)


@cache
def field_getter(event: type[Event]) -> Callable[[Event], object]:
    """A function that gets all own fields of an event of that type at once, to be compared."""
    fields = own_fields(event)
    return attrgetter(*fields) if fields else lambda _: ()
