"""Annotates the steps of a game: each with its verdict, rules, causes and sentences, and what may come next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from audit.core.conservation import deductions
from audit.core.event_rules import MAX_LISTED, Expectation, Obligation
from audit.core.model import Event, Verdict, type_name
from audit.core.record_events import Checkpoint, Flagged, PositionSet
from audit.core.sentences import sentence, switch_sentence
from audit.core.steps import Step
from replays.judging.editions import by_edition
from replays.judging.positions import next_choice, perhaps_happened, position_told
from replays.judging.seen import names_unknown, with_note_for
from replays.judging.sentences import JUDGE, Json, Sentences, event_json
from replays.judging.tally import FINDINGS

_NEED = {
    Obligation.OPTIONAL: "may",
    Obligation.REQUIRED: "must",
    Obligation.MARKER: "marker",
    Obligation.EXPIRES: "lapse",
}
"""Obligations as published options name them."""
MAX_COUNTED = 500
"""At most this many candidates of an option are counted."""


class StepOutline(Struct, frozen=True, gc=False):
    """What an annotation says of a step without its sentences, its event and its position."""

    seq: int | None
    verdict: str
    rules: tuple[str, ...]
    because: tuple[int, ...]
    superseded_by: int | None
    provisional: bool
    may_be_noted: bool
    """Its event has a note, which the viewer may not be allowed to read, or it flags something."""
    chapter_view: Mapping[str, object]
    """What tells the chapter of its scene."""

    @property
    def is_finding(self) -> bool:
        """Whether it is a finding of the game; one that is amended or taken back is none."""
        return self.verdict in FINDINGS and not self.superseded_by


class Annotator(Sentences):
    """Annotates steps of one game, in one language and for one viewer, by the edition and players of its header."""

    def step(self, step: Step, superseded_by: int | None = None) -> Json:
        """One step in the published shape; `superseded_by` is the seq of the event by which it stands no longer."""
        event = self._seen(step)
        because = list(step.because) if self._may_know_why(step) else []
        return {
            "step": step.index,
            "seq": step.seq,
            "event": event_json(event) if event else None,
            "verdict": step.verdict.value,
            "rules": [rule.id for rule in self.rules(step)],
            **({"edition": self._edition} if not step.index and self._edition else {}),
            **(by_edition(self.others.of(step)) if self.others else {}),
            **({"unofficial": unofficial} if (unofficial := _unofficial_rules(step)) else {}),
            **({"superseded_by": superseded_by} if superseded_by else {}),
            **({"late": step.late} if step.late else {}),
            **({"provisional": True} if step.provisional else {}),
            **({"guessed": True} if step.guessed else {}),
            **self._by_other_readings(step),
            "because": because,
            "depth": len(because),
            "pending": self.game.disclosure.pending(step.state, self.viewer),
            **({"deduced": deduced} if (deduced := self.deduced(step.state)) else {}),
            "sentence": self.tell_step(step, event, self._places(step, event)) if event else "",
            **({"places": places} if (places := self._all_places(step, event)) else {}),
            **self._said(step),
            "state": self.game.disclosure.view(step.state, self.viewer),
        }

    def outline(self, step: Step, superseded_by: int | None = None) -> StepOutline:
        """The same step in short."""
        event = step.event
        return StepOutline(
            step.seq, step.verdict.value, tuple([rule.id for rule in self.rules(step)]),
            step.because if self._may_know_why(step) else (), superseded_by, step.provisional,
            event is not None and (event.note is not None or isinstance(event, Flagged)),
            self.game.disclosure.chapter_view(step.state, self.viewer),
        )  # fmt: skip

    def deduced(self, state: object) -> list[Json]:
        """What follows of unknown cards from all that the viewer knows: each with the one card that it can be."""
        known = self.game.disclosure.known_position(state, self.viewer)
        held = None if known is None else self.game.rules.holdings(known)
        found = deductions(held) if held else {}
        return [
            {"card": handle, "is": card, "sentence": self._deduction(handle, card, known)}
            for handle, card in found.items()
        ]

    def _deduction(self, handle: str, card: str, known: object) -> str:
        at = self.game.wording.place_of(known, handle)
        words = self.game.wording.finding_words({"card": at, "is": card}, self.language, self.players)
        return sentence("audit.core", self.language, "deduced", words, "record")

    def _seen(self, step: Step) -> Event | None:
        """The event as the viewer may know it, with as much of a position as they may know."""
        if step.event is None:
            return None
        event = with_note_for(self.game.disclosure.redact(step.before, step.event, self.viewer), self.viewer)
        if self.viewer == JUDGE or not isinstance(step.event, PositionSet | Checkpoint):
            return event
        return replace(event, position=position_told(self.game, step.event.position, step.before, self.viewer))

    def _by_other_readings(self, step: Step) -> Json:
        """The readings by which a legal step is not legal, or a finding is none: this is for the judge alone."""
        names: Sequence[str] = ()
        if step.verdict.is_finding:
            names = self.readings.accepting(step) if self.readings and self.viewer == JUDGE else ()
        elif step.event:
            names = self.game.rules.rejecting_switches(step.before, step.event)
        if not names:
            return {}
        said = [switch_sentence(self.game, name, self.language) for name in names]
        return {"readings": list(names), "readings_text": said}

    def _said(self, step: Step) -> Json:
        if step.verdict is Verdict.UNCHECKED:
            return {"message": self.message(step)}
        if not step.verdict.is_finding:
            candidates = self._open(step.before, step.candidates)
            return {"candidates": [event_json(event) for event in candidates]} if candidates else {}
        return {"message": self.message(step), **self._instead(step)}

    def _instead(self, step: Step) -> Json:
        """What was expected instead of a finding, with whether more may have been possible, as far as is hidden."""
        expected = self.told_instead(step)
        told = [self.tell(event, self._places_expected(step, event)) for event in expected]
        is_open = self.viewer != JUDGE and (step.seq not in self.seen or names_unknown(expected))
        return {
            "expected": [event_json(event) for event in expected],
            "expected_text": told,
            **({"counts": counts} if (counts := self._counts(step)) else {}),
            **({"expected_perhaps": True} if is_open else {}),
        }

    def _counts(self, step: Step) -> list[list[str]]:
        """The numbers that a finding rests on, as a table in words: its head, then its rows."""
        own = self._known(step)
        if own is None or own.event is None:
            return []
        return [list(row) for row in self.game.wording.counts(own.before, own.event, self.language, self.players)]

    def option(
        self, state: object, option: Expectation[object], most: int = MAX_LISTED, listed: int = MAX_LISTED
    ) -> Json:
        """What an option stands for, with its rules. At most so many candidates are counted, and so many listed."""
        found = self._open(state, islice(option.candidates(state), most))
        candidates = found[:listed]
        return {
            "type": type_name(option.event),
            "need": _NEED[option.obligation],
            "rules": [rule.id for rule in option.rules],
            "events": [event_json(event) for event in candidates],
            "sentences": [self.tell(event, self.places(state, event)) for event in candidates],
            **({"more": len(found) - listed} if len(found) > listed else {}),
        }

    def decisions(self, state: object, listed: int = MAX_LISTED) -> list[Json]:
        """What players can choose next, with who chooses: everything before it that leaves no choice has happened.

        What is expected but cannot happen, such as a refresh of a full hand, is no choice.
        """
        state = next_choice(self.game, state)
        return [
            self._decision(state, one, listed)
            for one in (*self.game.rules.expected(state), *perhaps_happened(self.game, state))
            if one.obligation is not Obligation.MARKER and one.is_possible(state)
        ]

    def _decision(self, state: object, option: Expectation[object], listed: int) -> Json:
        """An option with who chooses; nobody by name where its events are of several players."""
        told = self.option(state, option, MAX_COUNTED, listed)
        players = {event.get("player") for event in cast("Sequence[Json]", told["events"])}
        return {"player": self.chooser(state, option) if len(players) < 2 else "", **told}

    def small_steps(self, state: object) -> list[Json]:
        """All that may come next, markers and small steps too."""
        return [self.option(state, expectation) for expectation in self.game.rules.expected(state)]

    def chooser(self, state: object, option: Expectation[object]) -> str:
        """Who chooses: the player that the event names, whose text acts, or whose turn it is."""
        one = next(option.candidates(state), None)
        pending = self.game.disclosure.pending(state)
        told = (getattr(one, "player", None), pending[0].get("player") if pending else None)
        return str(next(filter(None, told), self.game.rules.clock(state).get("player")) or "")

    def finding(self, step: Step) -> Json:
        """A finding in the published shape of `audit check`."""
        assert step.event is not None
        return {
            "seq": step.seq,
            "verdict": step.verdict.value,
            "type": type_name(type(step.event)),
            "rules": [rule.id for rule in self.rules(step)],
            "message": self.message(step),
            "statement": self.statement(step),
            **self._instead(step),
            **self.game.rules.moment(step.before, step.event),
        }

    @property
    def _edition(self) -> str:
        """The edition by which the steps are judged; empty where the game has none."""
        return self.game.catalogue.edition(self.edition) if self.game.catalogue.rulings else ""


def _unofficial_rules(step: Step) -> list[str]:
    """The rules of a step that were never ruled officially."""
    return [rule.id for rule in step.rules if rule.unofficial]
