"""The lists of a store: made after the logs are safe, a few games at a time, and each step looked at once."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner
from small_game import HEADER, game, line, resolve

from audit.core.auditor import audit
from audit.core.disclosure import Disclosure
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset, ruleset
from audit.core.rulings import cited, cited_always
from audit.core.steps import Step
from audit.games.compile.disclosure import CompileDisclosure
from cli import audit as command
from commands.reporting import progress_of
from replays.judging.seen import PUBLIC
from replays.log.reader import open_log
from replays.log.schemas import cards_of
from replays.store import projections
from replays.store.database import Statement
from replays.store.projections import Projections
from replays.store.shown_game import ShownGame, unpacked
from replays.store.store import Store

SAMPLES = sorted((Path(__file__).resolve().parents[2] / "replays" / "samples").glob("*.jsonl"))
NAMES = ("g1", "g2", "g3", "g4", "g5")


def logs() -> dict[str, bytes]:
    body = game(40).split(b"\n", 1)[1]
    return {name: HEADER.replace(b'"g1"', b'"%s"' % name.encode()) + body for name in NAMES}


@pytest.fixture
def two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projections, "BATCH", 2)


# What an interruption leaves


@pytest.mark.usefixtures("two_at_a_time")
def test_lists_that_were_interrupted_go_on_where_they_were(url: str) -> None:
    with Store(url, resolve=resolve) as store:
        ids = [each.game for each in store.import_logs(map(io.BytesIO, logs().values()))]

        def interrupted(games: Mapping[str, int]) -> Iterator[Sequence[Statement]]:
            for number, (id, place) in enumerate(games.items()):
                if number == 3:
                    raise KeyboardInterrupt
                yield store.projections.statements(id, place)

        with pytest.raises(KeyboardInterrupt):
            store.follow(interrupted)

    judged: list[str] = []
    heard: list[int] = []

    def noting(game: Ruleset[object], header: Header, events: Iterable[Event]) -> Iterator[Step]:
        judged.append(header.game)
        return audit(game, header, events)

    with Store(url, resolve=resolve, annotate=noting) as store:
        assert [store.export(id) for id in ids] == list(logs().values())
        assert (store.shown.games().total, store.waiting()) == (2, 3)
        assert store.follow(told=heard.append) == 3
        assert store.shown.games().total == len(NAMES)
    assert judged == ["g3", "g4", "g5"]
    assert heard == [2, 1]


@pytest.mark.usefixtures("two_at_a_time")
def test_the_command_after_an_interrupted_import_goes_on_with_its_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    take_in, taken = Projections._take_in, [0]

    def interrupted(self: Projections, shown: Iterable[Sequence[Statement]], until: int) -> None:
        taken[0] += 1
        if taken[0] == 2:
            raise KeyboardInterrupt
        take_in(self, shown, until)

    monkeypatch.setattr(Projections, "_take_in", interrupted)
    done = CliRunner().invoke(command, ["store", "import", "--jobs", "1", *map(str, SAMPLES)])
    assert done.exit_code != 0
    assert len(done.stdout.splitlines()) == len(SAMPLES)
    listed = CliRunner().invoke(command, ["store", "list"])
    assert f"{len(SAMPLES)} in all" in listed.stdout
    assert taken[0] == 2 + (len(SAMPLES) - 2 + 1) // 2


def test_a_game_that_is_shown_anew_is_found_by_its_new_words_only(url: str) -> None:
    with Store(url, resolve=resolve) as store:
        (first, _) = [each.game for each in store.import_logs(map(io.BytesIO, list(logs().values())[:2]))]
        assert store.follow() == 2
        store.append(first, line(41), expected=40)
        assert store.follow() == 1
        assert store._tables.read("SELECT COUNT(*), COUNT(DISTINCT game) FROM shown_words") == [(2, 2)]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("count", "is_told"), [(200, True), (3, False)])
def test_a_terminal_is_told_what_is_made_and_how_far_it_is_where_that_takes_a_while(
    count: int, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress_of(count, "lists and searches") as told:
        told(count // 2)
    assert ("lists and searches" in screen.getvalue()) is is_told
    assert ("100/200" in screen.getvalue()) is is_told


# What is taken of each step


def shown(path: Path) -> tuple[ShownGame, list[Step]]:
    log, steps = open_log(path), []

    def noting(game: Ruleset[object], header: Header, events: Iterable[Event]) -> Iterator[Step]:
        for step in audit(game, header, events):
            steps.append(step)
            yield step

    made = ShownGame("id", log.header, log.ruleset)
    made.go(noting, log)
    return made, steps[1:]


@pytest.mark.every("path", SAMPLES, ids=lambda path: path.stem)
def test_the_public_is_told_the_cards_of_the_events_as_it_may_know_them_and_no_other(path: Path) -> None:
    made, steps = shown(path)
    redact = made.game.disclosure.redact
    seen = [redact(step.before, step.event, PUBLIC) for step in steps if step.event]
    assert made.told == {card for event in seen for card in cards_of(event)}
    assert made.cards == {card for step in steps if step.event and step.seq for card in cards_of(step.event)}


@pytest.mark.every("path", SAMPLES, ids=lambda path: path.stem)
def test_no_event_tells_the_public_of_a_card_that_it_does_not_name(path: Path) -> None:
    made, steps = shown(path)
    for step in steps:
        if step.event:
            assert set(cards_of(made.game.disclosure.redact(step.before, step.event, PUBLIC))) <= set(
                cards_of(step.event)
            )


@pytest.mark.every("path", SAMPLES, ids=lambda path: path.stem)
def test_every_step_is_listed_under_each_rule_that_it_cites(path: Path) -> None:
    made, steps = shown(path)
    wanted: dict[str, list[tuple[int, int | None, str]]] = {}
    for step in steps:
        for id in dict.fromkeys(rule.id for rule in cited(made.game, step, made.header.edition)):
            if step.index not in made.aside.found():
                wanted.setdefault(id, []).append((step.index, step.seq, step.verdict.value))
    assert {rule: list(unpacked(steps)) for rule, _, steps in made.uses.packed()} == wanted
    assert {rule: count for rule, count, _ in made.uses.packed()} == {rule: len(uses) for rule, uses in wanted.items()}
    assert set(made.uses.rules()) == set(wanted)


def test_the_steps_before_one_that_cannot_be_made_are_listed() -> None:
    path = next(path for path in SAMPLES if path.stem == "dispute")
    log, whole = open_log(path), shown(path)[0]

    def breaking_off(game: Ruleset[object], header: Header, events: Iterable[Event]) -> Iterator[Step]:
        yield from islice(audit(game, header, events), whole.count)
        raise ValueError("no more")

    made = ShownGame("id", log.header, log.ruleset)
    made.go(breaking_off, log)
    assert made.trouble == "ValueError: no more"
    assert made.tally.events == whole.count - 1
    assert made.findings
    assert made.findings == whole.findings[: len(made.findings)]


def test_a_ruling_that_depends_on_no_card_is_cited_wherever_its_rules_are() -> None:
    always = 0
    for path in SAMPLES:
        made, steps = shown(path)
        for step in steps:
            if step.event and not step.verdict.is_finding:
                found = cited_always(made.game.catalogue, made.header.edition, type(step.event), step.rules)
                assert found is None or found == cited(made.game, step, made.header.edition)
                always += found is not None
    assert always


def test_the_last_position_of_an_audit_is_taken_only_where_the_events_lead_to_it() -> None:
    known = 0
    for path in SAMPLES:
        made, _ = shown(path)
        rules = made.game.rules
        if made.end is not None:
            assert made.end == rules.replay_to(rules.start(made.header), made.events)
            known += 1
    assert 0 < known < len(SAMPLES)


def test_the_open_cards_of_compile_are_those_of_its_public_view() -> None:
    disclosure = CompileDisclosure()
    some = 0
    for path in SAMPLES:
        made, steps = shown(path)
        if made.game is ruleset("compile"):
            for step in steps:
                cards = frozenset(made.cards)
                found = disclosure.open_cards(step.before, cards)  # type: ignore[arg-type]
                assert found == Disclosure.open_cards(disclosure, step.before, cards)  # type: ignore[arg-type]
                some += len(found)
    assert some
