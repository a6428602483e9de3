"""What holds for every game, whatever its rules: checks that an installed ruleset passes, ours or anybody's.

A check takes a sample (one simulated game) or the name of a ruleset, and yields one line for each problem it finds.

    from replays.conformance import CHECKS, Check, Sample, assert_none, check_name, samples

    @pytest.mark.parametrize("check", CHECKS, ids=check_name)
    @pytest.mark.parametrize("sample", samples("my-game"), ids=str)
    def test_my_game_conforms(check: Check[Sample], sample: Sample) -> None:
        assert_none(check(sample))
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import accumulate, chain, islice, takewhile
from random import Random
from typing import TypeVar

import msgspec
from msgspec import Struct

from audit.core.auditor import Auditor, audit
from audit.core.cases import Case, cases_of, proofs, run
from audit.core.catalogue import LANGUAGES, words
from audit.core.errors import SetupError
from audit.core.event_rules import Expectation, Obligation, Violation, numbered
from audit.core.model import LOG_VERSION, Event, Header, Verdict, type_name
from audit.core.record import NO_RULE
from audit.core.rules import Rules
from audit.core.ruleset import Ruleset, ruleset
from audit.core.sentences import tell, violation_sentence
from audit.core.steps import Step
from replays.generating.simulate import POLICIES, simulated
from replays.generating.telling import choices, partly_written, pointers, viewer_log
from replays.judging.positions import header_of, position_for, position_line, read_position_line, with_setup
from replays.judging.sentences import event_json
from replays.scoresheet.sheet import decisions, read_sheet, write_sheet
from replays.terminal.scene_lines import scene_lines

SEEDS = range(4)
MAX_EVENTS = 700
"""At most this much of a simulated game is looked at."""
POSITIONS_APART = 5
"""Every fifth position is written and read."""
LOGS_BEGUN = 7
"""So many positions of a simulated game begin a log of their own."""
MAX_PROBLEMS = 5
"""At most this many problems of one check are listed."""

S = TypeVar("S")
T = TypeVar("T")
Check = Callable[[T], Iterator[str]]
Log = tuple[Header, list[Event]]


class Sample(Struct, frozen=True):
    """One simulated game: the ruleset, how its players choose, and the seed."""

    ruleset: str
    policy: str
    seed: int

    def __str__(self) -> str:
        return f"{self.ruleset}-{self.policy}-{self.seed}"

    @property
    def game(self) -> Ruleset[object]:
        """The rules it is played by."""
        return ruleset(self.ruleset)

    @property
    def log(self) -> Log:
        """The game with everything that may be told."""
        return _played(self, complete=True)

    @property
    def brief_log(self) -> Log:
        """The game without what nobody has to tell."""
        return _played(self, complete=False)

    @property
    def mistaken_log(self) -> Log:
        """The game with two events in the wrong order and one left out."""
        header, events = self.log
        return header, mistaken(events)

    @property
    def viewers(self) -> tuple[str, ...]:
        """The seats, and the public."""
        return (*self.game.disclosure.seats(self.log[0]), "public")


@cache
def _played(sample: Sample, *, complete: bool) -> Log:
    return simulated(sample.game, sample.seed, sample.policy, most=MAX_EVENTS, complete=complete)


def samples(*names: str) -> list[Sample]:
    """A few simulated games of these rulesets, under every policy."""
    return [Sample(name, policy, seed) for name in names for policy in POLICIES for seed in SEEDS]


def assert_none(problems: Iterable[str]) -> None:
    """Raise an `AssertionError` that lists the first few problems, if there are any."""
    __tracebackhide__ = True
    if found := list(islice(problems, MAX_PROBLEMS)):
        raise AssertionError("\n".join(found))


def check_name(check: Check[T]) -> str:
    """What a check is called in a report."""
    return check.__name__


# The ruleset as a whole


def has_seats_without_players(name: str) -> Iterator[str]:
    """`Disclosure.seats` names the seats of a header that lists no players; simulated games begin like that."""
    game = ruleset(name)
    header = Header(log=LOG_VERSION, ruleset=name, setup=game.simulation.setup(Random(1)))
    if not game.disclosure.seats(header):
        yield "Disclosure.seats(header) names no seat where the header lists no players"


def refuses_an_unknown_pool(name: str) -> Iterator[str]:
    """`Simulation.setup` raises `SetupError` where it is asked for cards or sets that there are not."""
    try:
        ruleset(name).simulation.setup(Random(1), ("no-such-thing",))
    except SetupError:
        return
    except Exception as error:
        yield f'Simulation.setup(random, ("no-such-thing",)) raises {type(error).__name__}, not SetupError'
    else:
        yield 'Simulation.setup(random, ("no-such-thing",)) raises no SetupError'


def has_a_statement_of_every_rule(name: str) -> Iterator[str]:
    """Each rule has its statement in four languages."""
    catalogue = ruleset(name).catalogue
    for language in LANGUAGES:
        table = words(catalogue.package, language, "rules")
        yield from (f'text/{language}/rules.toml lacks "{rule.id}"' for rule in catalogue if rule.id not in table)
        yield from (f'text/{language}/rules.toml has "{id}", no rule' for id in table if id not in catalogue.rules)


def has_a_sentence_of_every_event(name: str) -> Iterator[str]:
    """Each event type has its sentence in four languages, and so have `unexpected` and `overdue`."""
    game = ruleset(name)
    for language in LANGUAGES:
        table = words(game.catalogue.package, language, "sentences")
        for key in (*map(type_name, game.rules.event_rules), "unexpected", "overdue"):
            if not any(entry == key or entry.startswith(f"{key}.") for entry in table):
                yield f'text/{language}/sentences.toml lacks "{key}"'


def asks_what_may_be_ambiguous(name: str) -> Iterator[str]:
    """`EventRules.may_be_ambiguous` is set where `is_ambiguous` is written; otherwise nobody asks it.

    What the rules of several events share may write it for those that set it.
    """
    for rules in ruleset(name).rules.event_rules.values():
        if "is_ambiguous" in vars(type(rules)) and not rules.may_be_ambiguous:
            yield f"{type(rules).__name__} writes `is_ambiguous` and does not set `may_be_ambiguous`"


def has_cases_that_show_what_they_say(name: str) -> Iterator[str]:
    """Each case shows the rules it claims; a broken one is wrong in its last event and nowhere else."""
    game = ruleset(name)
    for case in cases_of(game.catalogue.package):
        yield from (f"{case.id}: {problem}" for problem in case_problems(game, case))


def case_problems(game: Ruleset[S], case: Case) -> Iterator[str]:
    """What keeps a case from showing what it says."""
    known = {entry.id for entry in game.catalogue.entries}
    if unknown := [id for id in case.proves if id not in known]:
        yield f"no rule is called {', '.join(unknown)}"
        return
    shown = proofs(game, case)
    yield from (f"does not show {id}" for id in case.proves if id not in shown)
    *before, last = run(game, case)
    yield from (_told(step) for step in before if step.verdict.is_finding)
    if last.verdict.is_finding != (case.verdict == "broken"):
        yield _told(last)


# A legal game


def is_clean(sample: Sample) -> Iterator[str]:
    """A game played by what is expected is legal from end to end, as far as the ruleset can judge it."""
    header, events = sample.log
    if len(events) < 4:
        yield f"a simulated game has {len(events)} events, too few to check anything"
    yield from _not_legal(sample.game, header, events)


def is_clean_without_what_nobody_owes(sample: Sample) -> Iterator[str]:
    """It is legal too where `Simulation.optional_events_before` is left out."""
    yield from _not_legal(sample.game, *sample.brief_log)


def _not_legal(game: Ruleset[object], header: Header, events: Sequence[Event]) -> Iterator[str]:
    for step in audit(game, header, events):
        if step.verdict not in (Verdict.LEGAL, Verdict.UNCHECKED):
            yield _told(step)


def accepts_what_it_expects(sample: Sample) -> Iterator[str]:
    """Each candidate of `expected` has no violation, has citations and can be applied."""
    game, (header, events) = sample.game, sample.log
    state = game.rules.start(header)
    for event in events[:150]:
        for expectation in game.rules.expected(state):
            for candidate in islice(expectation.candidates(state), 5):
                rules = game.rules.event_rules[type(candidate)]
                if failed := rules.violations(state, candidate):
                    yield f"{candidate} is expected and has the violation {failed[0].key} ({failed[0].rule.id})"
                if not rules.citations(state, candidate):
                    yield f"{candidate} is expected and has no citations"
                game.rules.evolve(state, candidate)
        state = game.rules.evolve(state, event)


def upcoming_leaves_nothing_out(sample: Sample) -> Iterator[str]:
    """`Rules.upcoming` names every event type of which something is expected, in wrong games too.

    Where `Rules.only_due` names one thing, nothing else has to come, and nothing that `Rules.comes_only_where_due` is
    legal.
    """
    game = sample.game
    steps = [*islice(audit(game, *sample.mistaken_log), 300), *islice(audit(game, *sample.log), 300)]
    for step in steps:
        everything = (one for rules in game.rules.event_rules.values() for one in rules.expected(step.state))
        if _described(everything) != _described(game.rules.expected(step.state)):
            yield f"after step {step.index} ({step.event}) `upcoming` leaves out something that is expected"
        due = game.rules.only_due(step.state)
        live = (one for one in game.rules.expected(step.state) if one.obligation is not Obligation.EXPIRES)
        if due and _described((due,)) != _described(live):
            yield f"after step {step.index} ({step.event}) `only_due` is not the one thing that is expected"
        if due and _is_repeated(game, step, due.event):
            yield f"after step {step.index} ({step.event}) may come again although it `comes_only_where_due`"


def _is_repeated(game: Ruleset[object], step: Step, due: type[Event]) -> bool:
    """Whether an event that comes only where it is due is legal once more, although only another one is."""
    event = step.event
    if event is None or type(event) is due or type(event) not in game.rules.event_rules:
        return False
    if not game.rules.comes_only_where_due(event):
        return False
    return game.rules.event_rules[type(event)].accept(step.state, event) is not None


def _described(expectations: Iterable[Expectation[object]]) -> Counter[object]:
    return Counter((type(one), one.event, one.obligation, one.rules) for one in expectations)


# Citations


def cites_rules_of_its_catalogue(sample: Sample) -> Iterator[str]:
    """Each step cites a rule, each rule once, and none that is not in the catalogue.

    So do its violations, except for what the auditor itself says of a record that does not fit.
    """
    game = sample.game
    for step in islice(audit(game, *sample.mistaken_log), 1, None):
        if not step.rules:
            yield f"{_told(step)}: cites no rule"
        if len(set(step.rules)) < len(step.rules):
            yield f"{_told(step)}: cites a rule twice"
        reasons = (violation.rule for violation in step.violations if violation.rule is not NO_RULE)
        yield from (
            f"{_told(step)}: {rule.id or 'a rule without an id'} is not in the catalogue"
            for rule in (*step.rules, *reasons)
            if game.catalogue.rules.get(rule.id) is not rule
        )


def decides_alike_each_way(sample: Sample) -> Iterator[str]:
    """`accept` gives the citations where there is no violation, and None where there is one.

    What nothing leads to, by `has_causes`, has no `causes`.
    """
    game = sample.game
    for step in islice(audit(game, *sample.mistaken_log), 1, 300):
        assert step.event
        if step.late:
            continue  # it is cited where it happened, not where it is recorded
        rules = game.rules.event_rules[type(step.event)]
        failed = rules.violations(step.before, step.event)
        cited = () if failed else rules.citations(step.before, step.event)
        if not failed and not cited:
            yield f"{_told(step)}: has neither violations nor citations"
        if rules.accept(step.before, step.event) != (None if failed else cited):
            yield f"{_told(step)}: `accept` does not say what `violations` and `citations` say"
        if not rules.has_causes and game.rules.causes(step.before, step.event):
            yield f"{_told(step)}: has causes, and `has_causes` of its rules is False"


# Replaying


def replays_fast_as_one_by_one(sample: Sample) -> Iterator[str]:
    """`Rules.replay_to` leads to the position that `evolve` leads to, event by event."""
    game, (header, events) = sample.game, sample.log
    logs = [(header, events), *(viewer_log(game, header, events, who) for who in ("public", sample.viewers[0]))]
    for head, told in logs:
        start = game.rules.start(head)
        for some in (told, mistaken(told), told[: len(told) // 2]):
            if game.rules.replay_to(start, some) != reduce(game.rules.evolve, some, start):
                yield f"{head.game}: `replay_to` leads elsewhere after {len(some)} events"


def says_the_same_twice(sample: Sample) -> Iterator[str]:
    """The same log has the same annotations."""
    game, (header, events) = sample.game, sample.mistaken_log
    if _said(audit(game, header, events)) != _said(audit(game, header, events)):
        yield "the second audit says something else"


def says_of_a_prefix_what_it_says_of_the_whole(sample: Sample) -> Iterator[str]:
    """What comes later changes nothing of what was said of an event, once it is settled."""
    game, (header, events) = sample.game, sample.mistaken_log
    whole = _said(audit(game, header, events))
    for length in (0, 1, len(events) // 2, len(events) // 2 + 1, len(events) // 2 + 4, len(events) - 1):
        part = _said(takewhile(lambda step: not step.provisional, audit(game, header, events[:length])))
        if part != whole[: len(part)]:
            yield f"the first {length} events alone are annotated otherwise"


def goes_on_from_any_position(sample: Sample) -> Iterator[str]:
    """The audit may be taken up at any position: a state holds all that matters."""
    game, (header, events) = sample.game, sample.log
    whole = list(audit(game, header, events))
    for at in (1, len(events) // 3, len(events) // 2, len(events) - 1):
        auditor = Auditor(game.rules, header)
        auditor.resume(whole[at].state, whole[at].index)
        rest = chain.from_iterable(auditor.judge_all(events[at:]))
        if _said(rest) != _said(whole[at + 1 :]):
            yield f"taken up after {at} events it says something else"


def reads_every_position_it_writes(sample: Sample) -> Iterator[str]:
    """A position as data makes the same position; and its line of text says the same as the data."""
    game, (header, events) = sample.game, sample.log
    rules, start = game.rules, game.rules.start(header)
    if not has_positions(game):
        return
    for event, state in zip(events, accumulate(events, rules.evolve, initial=start), strict=False):
        if event.seq % POSITIONS_APART:
            continue
        if rules.position(json.loads(msgspec.json.encode(rules.position_data(state))), start) != state:
            yield f"before event {event.seq} the position does not come back from its data"
        data = with_setup(game, header, position_for(game, state))
        if read_position_line(position_line(game, data))[1] != data:
            yield f"before event {event.seq} the line of the position says something else"
        alone = game.rules.start(header_of(game, data))
        if position_for(game, alone) != position_for(game, state):
            yield f"before event {event.seq} the line of the position alone is another table"


def goes_on_in_another_log(sample: Sample) -> Iterator[str]:
    """A log that begins with a position of a game, and goes on as the game did, has no finding."""
    game, (header, events) = sample.game, sample.log
    positions = list(accumulate(events, game.rules.evolve, initial=game.rules.start(header)))
    for at in range(0, len(events) if has_positions(game) else 0, max(1, len(events) // LOGS_BEGUN)):
        begun = header_of(game, with_setup(game, header, position_for(game, positions[at])))
        rest = [_counted_from(event, events[at].seq) for event in events[at:]]
        for step in audit(game, msgspec.structs.replace(begun, reading=header.reading), rest):
            if step.verdict.is_finding:
                yield f"begun before event {events[at].seq}: {_told(step)}"


def _counted_from(event: Event, first: int) -> Event:
    """The event in a log whose first event was that one; it names what happened before as the first."""
    named = {name: max(1, getattr(event, name) - first + 1) for name in pointers(event)}
    return msgspec.structs.replace(event, seq=event.seq - first + 1, **named)


def has_positions(game: Ruleset[object]) -> bool:
    """Whether the game writes its positions as data."""
    return type(game.rules).position_data is not Rules.position_data


def reads_the_score_sheet_it_writes(sample: Sample) -> Iterator[str]:
    """The decisions of a game, written as a score sheet, are read as the same decisions."""
    game, (header, events) = sample.game, sample.log
    sheet = write_sheet(game, header, events)
    if read_sheet(sheet, game=game.name) != (header, decisions(game, header, events)):
        yield "the score sheet says something else"


# What is left out


def infers_what_leaves_no_choice(sample: Sample) -> Iterator[str]:
    """A log of choices alone has no finding; the rest is inferred."""
    game, (header, events) = sample.game, sample.brief_log
    for step in audit(game, header, choices(game, header, events)):
        if step.verdict not in (Verdict.LEGAL, Verdict.INFERRED, Verdict.UNCHECKED):
            yield _told(step)


def infers_what_is_told_here_and_left_out_there(sample: Sample) -> Iterator[str]:
    """Nor is anything wrong where a log tells some of what leaves no choice."""
    game, (header, events) = sample.game, sample.log if sample.seed % 2 == 0 else sample.brief_log
    for viewer in (None, "public"):
        head, log = viewer_log(game, header, events, viewer) if viewer else (header, events)
        yield from _wrong(game, head, partly_written(game, head, log, Random(sample.seed)))


# What is hidden


def finds_no_viewer_wrong(sample: Sample) -> Iterator[str]:
    """What a seat or the public writes down of a clean game is never called illegal."""
    game, (header, events) = sample.game, sample.log
    for viewer in (sample.viewers[0], "public"):
        yield from (f"as {viewer}: {wrong}" for wrong in _wrong(game, *viewer_log(game, header, events, viewer)))


def _wrong(game: Ruleset[object], header: Header, events: Sequence[Event]) -> Iterator[str]:
    for step in audit(game, header, events):
        if step.verdict in (Verdict.ILLEGAL, Verdict.IMPOSSIBLE):
            yield _told(step)


def shows_a_viewer_only_what_they_saw(sample: Sample) -> Iterator[str]:
    """Two games that differ only in what is hidden look alike: the real one, and the one the viewer wrote down."""
    game, (header, events) = sample.game, sample.log
    for viewer in sample.viewers:
        state, seen = game.rules.start(header), game.rules.start(game.disclosure.recorded_header(header, viewer))
        recorder = game.disclosure.recorder(viewer)
        for event in events[:300]:
            before, state = state, game.rules.evolve(state, event)
            for told in recorder(before, event, state):
                seen = game.rules.evolve(seen, told)
            if not same(game.disclosure.view(seen, viewer), game.disclosure.view(state, viewer)):
                yield f"as {viewer}: after {event} the view is not that of what {viewer} wrote down"
            if len(game.disclosure.pending(seen, viewer)) != len(game.disclosure.pending(state, viewer)):
                yield f"as {viewer}: after {event} more or less is pending than in what {viewer} wrote down"


def names_no_card_that_was_not_shown(sample: Sample) -> Iterator[str]:
    """A viewer's record names a card of a deck or a hand only after the viewer was shown it."""
    game, (header, events) = sample.game, sample.log
    secret = hidden_at_the_start(header)
    known = cards_in(game.disclosure.view(game.rules.start(header), "public"))
    told = hidden_at_the_start(game.disclosure.recorded_header(header, "public"))
    if early := secret & told - known:
        yield f"the header that the public could have written names {', '.join(sorted(early))}"
    for viewer in sample.viewers:
        state, shown, recorder = game.rules.start(header), set[str](), game.disclosure.recorder(viewer)
        for event in events[:300]:
            before, state = state, game.rules.evolve(state, event)
            shown |= secret & cards_in(_shown_by(game, before, event, state, viewer))
            for written in recorder(before, event, state):
                if early := secret & cards_in(written) - shown:
                    yield f"as {viewer}: {written} names {', '.join(sorted(early))}, which {viewer} was not shown"


def tells_no_card_that_stays_hidden(sample: Sample) -> Iterator[str]:
    """An event, as a viewer may know it, names no card that they have not seen and do not see after it either.

    `Disclosure.shows` names the events that show a viewer what their view hides. What was seen is forgotten with an
    event of which `EventRules.hides_cards` says so, such as a shuffle.
    """
    game, (header, events) = sample.game, sample.log
    state = game.rules.start(header)
    known = {viewer: _seen(game, state, viewer) for viewer in sample.viewers}
    for event in events[:300]:
        before, state = state, game.rules.evolve(state, event)
        there = _leaves(game.disclosure.view(state))
        for viewer, before_it in known.items():
            written = game.disclosure.redact(before, event, viewer)
            told, seen = there & cards_in(written), _seen(game, state, viewer)
            if not game.rules.event_rules[type(event)].hides_cards:
                seen |= before_it
            if game.disclosure.shows(event, viewer):
                seen |= told
            if hidden := told - seen:
                yield f"as {viewer}: {written} names {', '.join(sorted(hidden))}, which {viewer} has not seen"
            known[viewer] = seen


def _seen(game: Ruleset[object], state: object, viewer: str) -> set[str]:
    """The cards that a viewer sees in a position, and all the other words of it."""
    return cards_in((game.disclosure.view(state, viewer), game.disclosure.pending(state, viewer)))


def _shown_by(game: Ruleset[object], before: object, event: Event, after: object, viewer: str) -> list[object]:
    """What the viewer sees when the event happens; a hand may be shown to everybody."""
    disclosure = game.disclosure
    shown: list[object] = [
        disclosure.view(before, viewer), disclosure.view(after, viewer), disclosure.redact(before, event, viewer)
    ]  # fmt: skip
    player = getattr(event, "player", None)
    if getattr(event, "zone", None) == "hand" and player is not None:
        shown.append(disclosure.view(before, player))
    return shown


CARD = r"[\w#?.-]+"


def cards_in(value: object) -> set[str]:
    """Every word anywhere in plain data or an event."""
    return set(re.findall(CARD, str(value)))


def hidden_at_the_start(header: Header) -> set[str]:
    """Every card of a deck or a hand."""
    zones = (header.setup.get(key, ()) for key in ("deck", "decks", "hands", "encounter_deck"))
    return set().union(*map(_leaves, zones))


def _leaves(value: object) -> set[str]:
    """The strings in plain data, keys left out."""
    if isinstance(value, str):
        return cards_in(value)
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return set().union(*map(_leaves, inner))


# What people read


def says_every_step_in_words(sample: Sample) -> Iterator[str]:
    """Each event and each violation has a sentence in four languages, with every place in it filled."""
    game = sample.game
    for step in islice(audit(game, *sample.mistaken_log), 1, 200):
        assert step.event
        for language in LANGUAGES:
            told = tell(game, step.event, language)
            if told == game.wording.sentence_key(step.event) or "…" in told:
                yield f"{language}: {type_name(type(step.event))} is told as {told!r}"
            yield from (said for violation in step.violations for said in _unsaid(game, violation, language))


def _unsaid(game: Ruleset[object], violation: Violation, language: str) -> Iterator[str]:
    table = {*words("audit.core", language, "record"), *words(game.catalogue.package, language, "sentences")}
    parts = violation.key.split(".")
    if not any(".".join(parts[:n]) in table for n in range(1, len(parts) + 1)):
        yield f'text/{language}/sentences.toml lacks "{violation.key}", the key of a violation'
    elif "…" in (said := violation_sentence(game, violation, language)):
        yield f"{language}: the violation {violation.key} is told as {said!r}"


def shows_every_position(sample: Sample) -> Iterator[str]:
    """A position is plain JSON with `turn` and `player` in its clock, and it can be drawn for each viewer."""
    game, (header, events) = sample.game, sample.log
    state = game.rules.start(header)
    for event in events[:60]:
        state = game.rules.evolve(state, event)
        if missing := {"turn", "player"} - set(game.rules.clock(state)):
            yield f"after {event} the clock has no {' and no '.join(sorted(missing))}"
        for viewer in (*sample.viewers, "judge"):
            view = game.disclosure.view(state, viewer)
            json.dumps([view, game.disclosure.pending(state, viewer)])
            scene = game.scene_maker.scene(view, "en", game.disclosure.pending(state, viewer))
            if not scene_lines(scene):
                yield f"as {viewer}: nothing is drawn after {event}"


def shows_every_card_of_a_view_and_no_other(sample: Sample) -> Iterator[str]:
    """Each card that a view names is in its scene, and the scene names no card that the view does not."""
    game, (header, events) = sample.game, sample.log
    secret = hidden_at_the_start(header)
    for viewer in ("judge", *sample.viewers):
        state = game.rules.start(header)
        for event in events[:200:3]:
            state = game.rules.evolve(state, event)
            view, pending = game.disclosure.view(state, viewer), game.disclosure.pending(state, viewer)
            scene = game.scene_maker.scene(view, "en", pending)
            named, told = cards_in(view), cards_in(msgspec.to_builtins(scene))
            if missing := (secret & named) - told:
                yield f"as {viewer}: after {event} the scene lacks {', '.join(sorted(missing))}"
            if more := ({card.key for card in scene.cards} - named) | (secret & told) - named - cards_in(pending):
                yield f"as {viewer}: after {event} the scene names {', '.join(sorted(more))}, the view does not"


def has_a_key_for_every_thing(sample: Sample) -> Iterator[str]:
    """No two things on a table share a key, and `SceneMaker.touched` names the card that an event speaks of."""
    game, (header, events) = sample.game, sample.log
    state, before = game.rules.start(header), set[str]()
    for event in events[:100]:
        state = game.rules.evolve(state, event)
        scene = game.scene_maker.scene(game.disclosure.view(state), "en")
        keys = Counter(key for key, _ in scene.parts)
        yield from (f"after {event} {count} things have the key {key!r}" for key, count in keys.items() if count > 1)
        cards = {card.key for card in scene.cards}
        card = getattr(event, "card", None)
        if card in before | cards and card not in game.scene_maker.touched(event_json(event)):
            yield f"SceneMaker.touched does not name {card}, the card of {event}"
        before = cards


# Helpers


def mistaken(events: Sequence[Event]) -> list[Event]:
    """The same game with two events in the wrong order and one left out."""
    middle = len(events) // 2
    order = [*events[:middle], *events[middle : middle + 2][::-1], *events[middle + 3 :]]
    return [numbered(event, seq) for seq, event in enumerate(order, 1)]


def _said(steps: Iterable[Step]) -> list[object]:
    return [(s.seq, s.verdict, s.rules, s.because, s.violations, s.state) for s in steps]


def _told(step: Step) -> str:
    failed = "".join(f", {violation.key} ({violation.rule.id})" for violation in step.violations)
    cited = "" if failed or not step.rules else f" by {', '.join(rule.id for rule in step.rules)}"
    return f"step {step.index}: {step.event} is {step.verdict.value}{failed}{cited}"


def same(one: object, other: object) -> bool:
    """Whether two views are equal, though a hand has no order."""
    return _unordered(one) == _unordered(other)


def _unordered(view: object) -> object:
    if isinstance(view, Mapping):
        return {
            key: sorted(value) if key == "hand" and isinstance(value, list) else _unordered(value)
            for key, value in view.items()
        }
    return view


RULESET_CHECKS: tuple[Check[str], ...] = (
    has_seats_without_players,
    refuses_an_unknown_pool,
    has_a_statement_of_every_rule,
    has_a_sentence_of_every_event,
    asks_what_may_be_ambiguous,
    has_cases_that_show_what_they_say,
)
"""The checks of a ruleset as a whole."""

CHECKS: tuple[Check[Sample], ...] = (
    is_clean,
    is_clean_without_what_nobody_owes,
    accepts_what_it_expects,
    upcoming_leaves_nothing_out,
    cites_rules_of_its_catalogue,
    decides_alike_each_way,
    replays_fast_as_one_by_one,
    says_the_same_twice,
    says_of_a_prefix_what_it_says_of_the_whole,
    goes_on_from_any_position,
    reads_every_position_it_writes,
    goes_on_in_another_log,
    reads_the_score_sheet_it_writes,
    infers_what_leaves_no_choice,
    infers_what_is_told_here_and_left_out_there,
    finds_no_viewer_wrong,
    shows_a_viewer_only_what_they_saw,
    names_no_card_that_was_not_shown,
    tells_no_card_that_stays_hidden,
    says_every_step_in_words,
    shows_every_position,
    shows_every_card_of_a_view_and_no_other,
    has_a_key_for_every_thing,
)
"""The checks of a simulated game."""
