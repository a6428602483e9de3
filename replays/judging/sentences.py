"""What is said of a step to one viewer: what happened, what was wrong, what is legal instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from audit.core.event_rules import MAX_LISTED, Citations, Obligation, Violation, own_fields
from audit.core.explanation import distance
from audit.core.model import Event, Header, Verdict
from audit.core.names import player_names
from audit.core.record import LEFT_OUT, PARTING, TOOK_AWAY, words_in
from audit.core.record_events import Checkpoint
from audit.core.ruleset import Ruleset
from audit.core.rulings import cited
from audit.core.sentences import sentence, tell, violation_sentence
from audit.core.steps import Step
from replays.judging.editions import OtherEditions, OtherReadings
from replays.judging.positions import Following
from replays.judging.seen import (
    is_handle,
    seen_alternatives,
)


def nearest(game: Ruleset[object], step: Step, expected: Sequence[Event]) -> list[Event]:
    """Of what was expected instead of a finding, what is nearest to what was done, most alike first.

    What may be done with the same card is told alone. Where there is nothing of the kind, it is what was expected,
    unless a player chose between acts of several kinds: none of them is the remedy, so nothing is told.
    """
    event = step.event
    if event is None or not LEFT_OUT.isdisjoint(broken.key for broken in step.violations):
        return list(expected)
    if rules := game.rules.event_rules.get(type(event)):
        expected = [one for one in expected if rules.may_mean(event, one)]
    same = [one for one in expected if _card(one) == _card(event) is not None]
    same += _done_otherwise(game, step, event)
    if same:
        return sorted(dict.fromkeys(same), key=lambda one: distance(one, event))
    return [] if _is_free_choice(game, step.before) else list(expected)


def _card(event: Event) -> object:
    return getattr(event, "card", None)


def _done_otherwise(game: Ruleset[object], step: Step, event: Event) -> Iterator[Event]:
    """The ways to do the same with the same card that are legal, by the rules that judged the event."""
    rules = game.rules.event_rules.get(type(event))  # what is about the record itself has none
    for one in rules.otherwise(step.before, event) if rules else ():
        if not game.rules.violations(step.before, one):
            yield one


def _is_free_choice(game: Ruleset[object], before: object) -> bool:
    """Whether the player on turn chooses between acts of several kinds, such as to play a card or to pass."""
    required = {
        one.event
        for one in game.rules.expected(before)
        if one.obligation is Obligation.REQUIRED and one.is_possible(before)
    }
    return sum(game.rules.event_rules[each].is_turn_act for each in required) > 1


Json = dict[str, object]
JUDGE = "judge"
UNTOLD = PARTING | {"overdue"}
"""The criteria that say by themselves nothing of what is wrong with an event: what was due first is told instead."""


def event_json(event: Event) -> Json:
    """An event as it stands in a log, the type first and without a place in the log where it has none."""
    fields: Json = msgspec.to_builtins(event)
    seq = fields.pop("seq")
    head: Json = {"seq": seq} if seq else {}
    return {**head, "type": fields.pop("type"), **fields}


class Sentences:
    """The sentences about steps of one game, in one language and for one viewer, by the edition of its header."""

    def __init__(
        self,
        game: Ruleset[object],
        language: str = "en",
        viewer: str = JUDGE,
        header: Header | None = None,
        others: OtherEditions | None = None,
        seen: Mapping[int, Step] | None = None,
        readings: OtherReadings | None = None,
    ) -> None:
        """`header` tells the edition and the names of the players.

        `others` tells which steps other editions judge otherwise, `readings` which findings other readings do not have;
        `seen` are the findings in the viewer's log.
        """
        self.game = game
        self.language = language
        self.viewer = viewer
        self.edition = header.edition if header else ""
        self.players = player_names(header)
        self.others = others
        self.readings = readings
        self.seen = seen or {}

    def rules(self, step: Step) -> Citations:
        """The rulings that bear on a step, then its rules."""
        return cited(self.game, step, self.edition, self.viewer)

    def tell(self, event: Event, places: Mapping[str, str] = {}, key: str = "") -> str:
        """The sentence of an event, with the names of the players; `key` is that of its position."""
        return tell(self.game, event, self.language, places, self.players, key)

    def tell_step(self, step: Step, event: Event, places: Mapping[str, str] = {}) -> str:
        """The sentence of the event of a step as a viewer may know it."""
        return self.tell(event, places, self.game.wording.key_at(step.before, event, is_written=step.seq is not None))

    def tell_following(self, following: Following) -> str:
        """The sentence of what happens by itself."""
        key = self.game.wording.key_at(following.before, following.event, is_written=False)
        return self.tell(following.event, key=key)

    def message(self, step: Step) -> str:
        """What is wrong with a step: what happened, and the criterion it fails or that something else was due.

        Of a step that was not judged: what happened, and why it was not.

        A viewer is told what follows from the log that this viewer could have kept. Where nothing does, it is the
        rule, and that the rest is hidden.
        """
        assert step.event is not None
        event = self.game.disclosure.redact(step.before, step.event, self.viewer)
        event_sentence = self.tell_step(step, event, self._places(step, event))
        return f"{event_sentence} {self._why(step)}".strip()

    def reason(self, step: Step) -> str:
        """Why a step was not judged, for a judge; empty for any other step."""
        if step.verdict is not Verdict.UNCHECKED or not step.violations:
            return ""
        return self._violation(step)

    def statement(self, step: Step) -> str:
        """The statement of the first rule of a step, in our own words."""
        rules = self.rules(step)
        return self.game.catalogue.statement(rules[0], self.language) if rules else ""

    def places(self, state: object, told: object, viewer: str = "") -> dict[str, str]:
        """The places of the cards without a name that an event or other data tells of, where the viewer sees them.

        `viewer` is a judge where the position is what this viewer knows.
        """
        words = words_in(msgspec.to_builtins(told))
        handles = [word for word in words if is_handle(word)]
        seen = words_in(self.game.disclosure.view(state, viewer or self.viewer)) if handles else frozenset()
        found = {handle: self.game.wording.place_of(state, handle) for handle in handles if handle in seen}
        return {handle: place for handle, place in found.items() if place != handle}

    def doubts(self, state: object) -> list[Json]:
        """What would have had to happen before a position, each as a sentence with its rule."""
        found = self.game.rules.doubts(state)
        return [
            {"sentence": self.broken_sentence(one, self.places(state, one.data)), "rules": [one.rule.id]}
            for one in found
        ]

    def broken_sentence(self, violation: Violation, places: Mapping[str, str]) -> str:
        """What is wrong by a criterion that is not met, with the places of its cards."""
        return violation_sentence(self.game, violation, self.language, places, self.players)

    def _why(self, step: Step) -> str:
        if not step.verdict.is_finding:
            return self._violation(step) if step.violations and self._may_know(step, step.violations[0]) else ""
        own = self._known(step)
        if own is None:
            return sentence("audit.core", self.language, "hidden_reason", {"statement": self.statement(step)}, "record")
        return " ".join(filter(None, (self._broken(own, step), *(_told_after(self, one) for one in own.violations))))

    def _broken(self, own: Step, step: Step) -> str:
        """The criterion that a step fails, or what was due first."""
        if not own.violations or own.violations[0].key in UNTOLD:
            return self._overdue(step)
        places = self.places(own.before, own.violations[0].data, JUDGE)
        return self._violation(own, {**places, **self._named_since(own, step)})

    def _may_know(self, step: Step, broken: Violation) -> bool:
        """Whether the event tells this viewer all that a criterion speaks of."""
        event = self.game.disclosure.redact(step.before, step.event, self.viewer) if step.event else None
        return self.viewer == JUDGE or (event is not None and event == step.event and _is_told(broken, event))

    def _overdue(self, step: Step) -> str:
        """What had to come first, as far as the viewer may know it; else the rule that asks for it."""
        if expected := self._expected(step):
            first = self.tell(expected[0], self._places(step, expected[0])).rstrip(".")
            if len(expected) == 1:
                return sentence("audit.core", self.language, "due.one", {"event": first}, "record")
            some = sentence("audit.core", self.language, "due.some", {"event": first, "n": len(expected) - 1}, "record")
            return f"{self._text_due(step, expected[0])} {some}".strip()
        overdue = sentence(self.game.catalogue.package, self.language, "overdue", {})
        return f"{overdue} {self.statement(step)}".strip()

    def _text_due(self, step: Step, first: Event) -> str:
        """The card whose text comes first, and who carries it out; empty where no text is under way."""
        own = self._known(step)
        if own is None or all(type(first) is not one.event for one in self.game.rules.expected(own.before)):
            return ""
        pending = self.game.disclosure.pending(own.before)
        text = next((one for one in pending if one.get("rest") and {"card", "player"} <= one.keys()), None)
        if text is None or is_handle(str(text["card"])):
            return ""
        said = {"card": text["card"], "player": text["player"]}
        named = self.game.wording.finding_words(said, self.language, self.players)
        return sentence("audit.core", self.language, "due.text", named, "record")

    def _named_since(self, own: Step, step: Step) -> dict[str, str]:
        """The handles in the viewer's log of cards that the event itself names."""
        assert step.event is not None
        seen = self.game.disclosure.redact(step.before, step.event, self.viewer)
        if type(own.event) is not type(seen):
            return {}
        pairs = [(getattr(own.event, name), getattr(seen, name)) for name in own_fields(type(seen))]
        return {
            one: other for one, other in pairs if isinstance(one, str) and is_handle(one) and isinstance(other, str)
        }

    def _violation(self, step: Step, places: Mapping[str, str] | None = None) -> str:
        found = step.violations[0]
        seen = self.places(step.before, found.data) if places is None else places
        return self.broken_sentence(found, seen)

    def _all_places(self, step: Step, event: Event | None) -> dict[str, str]:
        """The places that the sentences of a step name, those of what was expected too."""
        expected = self.told_instead(step) if step.verdict.is_finding else ()
        wanted = {handle: at for one in expected for handle, at in self._places_expected(step, one).items()}
        return {**wanted, **self._places(step, event)}

    def _places(self, step: Step, event: Event | None) -> dict[str, str]:
        """What is recorded late is told as where it was inferred: before it, the card was not there yet."""
        return {} if event is None or (step.late and step.seq) else self.places(step.before, event)

    def _known(self, step: Step) -> Step | None:
        """A finding as the log of this viewer tells it; None where that log shows no mistake."""
        return step if self.viewer == JUDGE else self.seen.get(step.seq or 0)

    def _may_know_why(self, step: Step) -> bool:
        """Whether the viewer may know what led to a step: with a checkpoint, that is which cards it is about."""
        return self.viewer == JUDGE or not isinstance(step.event, Checkpoint)

    def _expected(self, step: Step) -> list[Event]:
        """All that is right whatever this viewer cannot see; never what was done."""
        own = self._known(step)
        found = seen_alternatives(self.game, own) if own else []
        others = [event for event in found if own and not _is_same(event, own.event)]
        return [event for at, event in enumerate(others) if event not in others[:at]][:MAX_LISTED]

    def told_instead(self, step: Step) -> list[Event]:
        """Of what was expected, what is nearest to what was done, as the log of this viewer tells both.

        What is told in the words of the mistake itself, or of another of these, is left out.
        """
        own = self._known(step)
        if own is None or own.event is None:
            return []
        said = {self.tell(own.event, self._places_expected(step, own.event))}
        told: list[Event] = []
        for event in nearest(self.game, own, self._expected(step)):
            words = self.tell(event, self._places_expected(step, event))
            if words not in said:
                said.add(words)
                told.append(event)
        return told[:MAX_LISTED]

    def _places_expected(self, step: Step, event: Event) -> dict[str, str]:
        own = self._known(step)
        return self.places(own.before, event, JUDGE) if own else {}

    def _open(self, state: object, events: Iterable[Event]) -> list[Event]:
        """Those of what could be done that tell the viewer nothing: even a veiled one would say it is possible."""
        if self.viewer == JUDGE:
            return list(events)
        told = [event for event in events if self.game.disclosure.redact(state, event, self.viewer) == event]
        if not told:
            return []
        whole, seen = (words_in(self.game.disclosure.view(state, viewer)) for viewer in (JUDGE, self.viewer))
        return [event for event in told if (whole - seen).isdisjoint(words_in(event_json(event)))]


def _is_same(one: Event, other: Event | None) -> bool:
    """Whether two events tell the same, wherever they stand in a log."""
    return other is not None and distance(one, other) == 0


def _is_told(broken: Violation, event: Event) -> bool:
    """Whether an event tells all that a criterion speaks of: a number under the same name, a word anywhere in it."""
    said = event_json(event)
    words = words_in(said)
    data = broken.data.items()
    return all(value in words if isinstance(value, str) else said.get(key) == value for key, value in data)


def _told_after(said: Sentences, violation: Violation) -> str:
    """That the record parts here from the position, or what took the card away; empty for any other violation."""
    is_told = violation.key in PARTING or violation.key.startswith(TOOK_AWAY)
    return said.broken_sentence(violation, {}) if is_told else ""
