"""The store keeps every line as it was written, once, and what it shows of them can be made anew at any time."""

from __future__ import annotations

import dataclasses
import io
import multiprocessing
import os
import signal
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from eventsourcing.persistence import StoredEvent, Tracking
from eventsourcing.utils import resolve_topic
from small_game import HEADER, SMALL, Laid, PileTaken, SmallRules, game, line, resolve

from audit.core.catalogue import rule
from audit.core.errors import SetupError
from audit.core.model import Event, Header, Verdict
from audit.core.ruleset import Ruleset
from audit.core.steps import Step
from replays.error_words import error_words
from replays.errors import LogError
from replays.store.database import StoreError, address
from replays.store.ids import Appended, EventIdError
from replays.store.reading import UnknownGameError
from replays.store.recorded import TOPIC, FormatError, Recorded, RecordedMapper
from replays.store.shown_tables import TRACKED
from replays.store.store import ContradictionError, Store, VersionConflictError
from replays.trust.seal import seal

LAYING = rule("lay.on-a-pile", "permission")
FACE_UP = rule("lay.face-up-only", "obligation")


def annotate(ruleset: Ruleset[object], header: Header, events: Iterable[Event]) -> Iterator[Step]:
    """An auditor to whom every third pile is wrong."""
    state = ruleset.rules.start(header)
    for index, event in enumerate(events, 1):
        is_bad = isinstance(event, PileTaken) and event.pile == 3
        verdict = Verdict.ILLEGAL if is_bad else Verdict.LEGAL
        before, state = state, ruleset.rules.evolve(state, event)
        yield Step(index, event.seq, event, verdict, (FACE_UP, LAYING) if is_bad else (LAYING,), (), before, state)


def opened(url: str | Path, **more: object) -> Store:
    return Store(url, resolve=resolve, annotate=annotate, **more)  # type: ignore[arg-type]


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with opened(url) as made:
        yield made


in_sqlite = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
"""What is decided before a database is asked."""


def named(name: str) -> bytes:
    return HEADER.replace(b'"g1"', b'"%s"' % name.encode())


def put(store: Store, data: bytes) -> str:
    return store.import_log(io.BytesIO(data)).game


# Importing and exporting


def test_a_log_goes_in_and_comes_out_byte_for_byte(store: Store) -> None:
    odd = HEADER + b'{"type":"pile_taken",  "x-a": {"b":"\\u00e9"}, "seq":1,"pile": 2 }\n' + line(2).rstrip(b"\n")
    for data in (game(500), named("g2"), named("g3") + odd.split(b"\n", 1)[1]):
        assert store.export(put(store, data)) == data


def test_the_same_log_twice_changes_nothing(store: Store) -> None:
    first = store.import_log(io.BytesIO(game(50)))
    position = store.position()
    again = store.import_log(io.BytesIO(game(50)))
    assert (first.events, first.added, first.is_unchanged) == (50, 51, False)
    assert (again.game, again.added, again.is_unchanged) == (first.game, 0, True)
    assert store.position() == position


@in_sqlite
def test_a_log_that_says_the_same_in_other_words_changes_nothing(store: Store) -> None:
    id = put(store, game(20))
    assert store.import_log(io.BytesIO(game(20).replace(b": ", b":"))).is_unchanged
    assert store.export(id) == game(20)


@in_sqlite
def test_a_log_that_has_grown_brings_only_what_is_new(store: Store) -> None:
    id = put(store, game(20).rstrip(b"\n"))
    assert store.import_log(io.BytesIO(game(25))).added == 5
    assert store.import_log(io.BytesIO(game(22))).added == 0
    assert store.export(id) == game(25)


@in_sqlite
def test_a_log_that_contradicts_what_is_stored_is_refused_and_both_heads_named(store: Store, tmp_path: Path) -> None:
    id = put(store, game(20))
    other = game(30).replace(b'"seq": 17, "type": "named", "place": 9', b'"seq": 17, "type": "named", "place": 8')
    other = other.replace(b'"seq": 17, "type": "drew"', b'"seq": 17, "note": "!", "type": "drew"')
    assert other != game(30)
    with pytest.raises(ContradictionError) as caught:
        put(store, other)
    (tmp_path / "a").write_bytes(game(20))
    (tmp_path / "b").write_bytes(other)
    assert caught.value.game == id
    assert caught.value.line == 18
    assert caught.value.stored_head == seal(tmp_path / "a").head == store.head(id)
    assert caught.value.given_head == seal(tmp_path / "b").head
    assert caught.value.stored_head in str(caught.value)
    assert store.export(id) == game(20)


@in_sqlite
def test_games_of_one_name_in_two_events_are_two_games(store: Store) -> None:
    one = put(store, HEADER.replace(b"}", b', "meta": {"event": "Spring"}}'))
    other = put(store, HEADER.replace(b"}", b', "meta": {"event": "Autumn"}}'))
    nameless = put(store, b'{"log": "audit/1", "ruleset": "small"}\n')
    assert len({one, other, nameless}) == 3


def test_the_id_of_a_game_without_a_name_tells_nothing_of_its_header(tmp_path: Path) -> None:
    """Whoever sees the id could try one deck after the other. Two stores have two ids, one store has one."""
    log = b'{"log": "audit/1", "ruleset": "small"}\n'
    first, second = tmp_path / "a.db", tmp_path / "b.db"
    with Store(first, resolve=resolve) as one, Store(second, resolve=resolve) as other:
        ids = {put(store, log) for store in (one, other) for _ in range(2)}
        assert len(ids) == 2
    with Store(first, resolve=resolve) as again:
        assert put(again, log) in ids


@in_sqlite
def test_of_a_log_with_a_problem_nothing_is_stored(store: Store) -> None:
    for data in (game(5) + b"what\n", game(5) + line(7), game(5) + line(6).replace(b"oak", b"fig")):
        with pytest.raises(LogError):
            put(store, data)
        assert store.position() == 0


@in_sqlite
def test_of_a_log_with_a_wrong_setup_nothing_is_stored(store: Store) -> None:
    with pytest.raises(LogError, match="each card once"):
        put(store, HEADER.replace(b"}", b', "setup": {"deck": ["oak-1", "oak-1"]}}'))
    assert store.position() == 0


@in_sqlite
def test_a_torn_last_line_is_left_out_and_said(store: Store) -> None:
    result = store.import_log(io.BytesIO(game(5) + b'{"seq": 6, "ty'))
    assert result.torn == 7
    assert store.export(result.game) == game(5)


# Appending


def test_events_are_appended_to_the_version_one_expects(store: Store) -> None:
    id = put(store, game(3))
    assert store.append(id, line(4) + line(5), expected=3) == 5
    assert store.append(id, [PileTaken(seq=6, pile=1)], expected=5) == 6
    assert store.export(id) == game(5) + b'{"seq": 6, "type": "pile_taken", "pile": 1}\n'
    assert [event.seq for event in store.events(id, after=4)] == [5, 6]
    assert store.append(id, b"", expected=6) == 6


def seqs(done: Appended) -> tuple[int, tuple[int, ...]]:
    assert len(done.lines) == len(done.seqs)
    return done.version, done.seqs


def test_an_event_whose_id_is_stored_with_the_same_content_is_done(store: Store) -> None:
    """A scorekeeper sends an event again because the answer was lost: in its old place, or after another's event."""
    id = put(store, game(3))
    sent = line(4).replace(b"{", b'{"id": "x4", ', 1)
    again = sent.replace(b'"seq": 4', b'"seq": 6')
    assert seqs(store.add(id, sent, expected=3)) == (4, (4,))
    assert seqs(store.add(id, sent.rstrip(b"\n"), expected=3)) == (4, (4,))
    store.append(id, line(5), expected=4)
    assert seqs(store.add(id, again, expected=5)) == (5, (4,))
    assert store.export(id) == game(3) + sent + line(5)


@in_sqlite
def test_of_events_of_which_some_are_stored_the_others_are_appended(store: Store) -> None:
    id = put(store, game(3))
    sent = [line(seq).replace(b"{", b'{"id": "x%d", ' % seq, 1) for seq in (4, 5, 6)]
    store.append(id, sent[0] + sent[1], expected=3)
    assert seqs(store.add(id, b"".join(sent), expected=3)) == (6, (4, 5, 6))
    assert store.export(id) == game(3) + b"".join(sent)


@in_sqlite
def test_an_event_of_somebody_else_in_between_is_a_conflict_all_the_same(store: Store) -> None:
    id = put(store, game(3))
    first, second = (line(seq).replace(b"{", b'{"id": "x%d", ' % seq, 1) for seq in (4, 5))
    store.append(id, first + line(5), expected=3)
    with pytest.raises(VersionConflictError):
        store.append(id, first + second, expected=3)
    with pytest.raises(VersionConflictError):
        store.append(id, first.replace(b'"seq": 4', b'"seq": 6') + line(7), expected=5)
    assert store.export(id) == game(3) + first + line(5)


@in_sqlite
def test_an_id_with_other_content_is_an_error_that_names_both_events(store: Store) -> None:
    id = put(store, game(3))
    store.append(id, line(4).replace(b"{", b'{"id": "x", ', 1), expected=3)
    with pytest.raises(EventIdError, match="event 5 has the id 'x' of event 4"):
        store.append(id, line(5).replace(b"{", b'{"note": "again", "id": "x", ', 1), expected=4)
    assert store.version(id) == 4


def test_another_version_than_expected_is_a_conflict_that_names_both(store: Store) -> None:
    """SQLite would take the line after a gap; the store must not."""
    id = put(store, game(3))
    for expected in (0, 2, 4, 99):
        with pytest.raises(VersionConflictError, match=f"game {id}: expected version {expected}, found version 3"):
            store.append(id, line(expected + 1), expected=expected)
        assert store.export(id) == game(3)


@in_sqlite
def test_of_lines_with_a_problem_none_is_appended(store: Store) -> None:
    id = put(store, game(3))
    cut, empty = line(4)[:-9], line(4) + b"\n"
    for lines, at in ((line(5), 1), (line(4) + line(4), 2), (cut, 1), (b"what\n", 1), (empty, 2)):
        with pytest.raises(LogError, match=f"line {at}:"):
            store.append(id, lines, expected=3)
        assert store.export(id) == game(3)


@in_sqlite
def test_a_line_without_its_end_gets_one_when_the_next_comes(store: Store) -> None:
    id = put(store, game(3).rstrip(b"\n"))
    store.append(id, line(4).rstrip(b"\n"), expected=3)
    store.append(id, line(5), expected=4)
    assert store.export(id) == game(5)


@in_sqlite
def test_a_game_that_is_not_there_is_named(store: Store) -> None:
    for act in (store.version, store.export, store.header, store.find, lambda id: list(store.events(id))):
        with pytest.raises(UnknownGameError, match="nobody"):
            act("nobody")
    with pytest.raises(UnknownGameError):
        store.append("nobody", line(1), expected=0)


def test_a_game_is_found_by_its_name_and_the_beginning_of_its_id(store: Store) -> None:
    id = put(store, game(3))
    put(store, named("g2"))
    assert store.find(id) == store.find("g1") == store.find(id[:6]) == id
    with pytest.raises(UnknownGameError):
        store.find("%")


# What is stored


def test_stored_bytes_of_every_format_are_read() -> None:
    """The bytes of format 1, as they stand in stores everywhere: they must be read for ever."""
    body = b'{"seq": 1, "type": "pile_taken", "pile": 1}\n'
    bytes_of_format_1 = b"\x93\x01\xaapile_taken\xc4\x2c" + body
    mapper = RecordedMapper()
    stored = StoredEvent("g", 2, "audit:Recorded", bytes_of_format_1)
    assert mapper.to_domain_event(stored) == Recorded("g", 2, "pile_taken", body)
    assert mapper.to_stored_event(Recorded("g", 2, "pile_taken", body)) == stored


def test_the_topic_of_the_one_class_never_moves(store: Store) -> None:
    id = put(store, game(5))
    assert {event.topic for event in store._games.recorder.select_events(id)} == {"audit:Recorded"}
    assert resolve_topic("audit:Recorded") is Recorded
    assert [event.kind for event in store._games.events.get(id)][:3] == ["header", "drew", "named"]


def test_the_mapper_lifts_older_formats_itself_and_refuses_newer_ones() -> None:
    import msgspec

    invented = {0: lambda state: msgspec.msgpack.encode((1, "noted", msgspec.msgpack.decode(state)[1]))}
    old = StoredEvent("g", 2, TOPIC, msgspec.msgpack.encode([0, b"body"]))
    assert RecordedMapper(invented).to_domain_event(old) == Recorded("g", 2, "noted", b"body")
    for state in (old.state, msgspec.msgpack.encode([2, "a", b"b"]), b"\xff", b"", b"\x90", b"{}"):
        with pytest.raises(FormatError, match="game g, line 2: stored in "):
            RecordedMapper().to_domain_event(StoredEvent("g", 2, TOPIC, state))


@in_sqlite
def test_games_are_folded_by_the_ruleset_and_no_snapshot_turns_its_numbers_into_texts(url: str) -> None:
    """A snapshot in JSON would make {1: …} of a state into {"1": …}. There are none: states are folded."""

    class Counting(SmallRules):
        def start(self, header: Header) -> object:  # type: ignore[override]
            return {1: 0, 2: 0, 3: 0}

        def evolve(self, state: dict[int, int], event: Event) -> object:  # type: ignore[override]
            return {**state, event.pile: state[event.pile] + 1} if isinstance(event, Laid) else state

    counting = dataclasses.replace(SMALL, rules=Counting())
    with Store(url, resolve=lambda name: counting, annotate=annotate) as store:  # type: ignore[arg-type,return-value]
        id = put(store, game(9))
        assert store.state(id) == {1: 0, 2: 3, 3: 0}
        assert store.state(id, at=5) == {1: 0, 2: 1, 3: 0}
        assert store._games.snapshots is None


def test_what_is_stored_is_there_for_the_next_program(url: str) -> None:
    with opened(url) as one:
        id = put(one, game(5))
    with opened(url) as other:
        assert other.export(id) == game(5)
        assert other.header(id).game == "g1"
        assert other.ruleset(id) is SMALL


# What is shown


@pytest.fixture
def tournament(store: Store) -> Store:
    tables = {
        "r1-t1": ("Ada Żółć", "Bruno", b'{"seq": 1, "type": "laid", "player": "A", "card": "oak-1", "pile": 1}\n'),
        "r1-t2": ("Élodie", "Bruno", b'{"seq": 1, "type": "pile_taken", "pile": 3}\n'),
        "r2-t1": ("Ada Żółć", "Élodie", b'{"seq": 1, "type": "drew", "player": "A", "cards": ["oak-2", "?1"]}\n'),
    }
    for name, (one, other, event) in tables.items():
        header = (
            f'{{"log": "audit/1", "ruleset": "small", "game": "{name}", "meta": {{"event": "Spring-Cup"}}, '
            f'"players": [{{"seat": "A", "name": "{one}"}}, {{"seat": "B", "name": "{other}"}}]}}\n'
        )
        put(store, header.encode() + event)
    assert store.follow() == 3
    return store


def shown(store: Store, *words: str, **filters: object) -> list[str]:
    page = store.shown.games(*words, **filters)  # type: ignore[arg-type]
    assert page.total >= len(page.rows)
    return [row.game for row in page.rows]


def test_games_are_listed_the_newest_first_a_page_at_a_time(tournament: Store) -> None:
    assert shown(tournament) == ["r2-t1", "r1-t2", "r1-t1"]
    assert shown(tournament, size=2) == ["r2-t1", "r1-t2"]
    assert shown(tournament, size=2, page=2) == ["r1-t1"]
    tournament.append(tournament.find("r1-t1"), line(2), expected=1)
    tournament.follow()
    assert shown(tournament) == ["r1-t1", "r2-t1", "r1-t2"]


def test_a_page_far_beyond_the_last_is_empty(tournament: Store) -> None:
    assert tournament.shown.games(page=10**30).rows == ()


def test_all_games_are_read_page_by_page(tournament: Store) -> None:
    found = [row.id for row in tournament.shown.every_game()]
    assert found == [row.id for row in tournament.shown.games(size=1000).rows]
    assert len(found) == tournament.shown.games().total > 0


def test_games_are_found_by_their_words(tournament: Store) -> None:
    found = {
        "ada": ["r2-t1", "r1-t1"], "zolc": ["r2-t1", "r1-t1"], "ÉLODIE bruno": ["r1-t2"], "oak-1": ["r1-t1"],
        "oak": ["r2-t1", "r1-t1"], "r1": ["r1-t2", "r1-t1"], "spring-cup": ["r2-t1", "r1-t2", "r1-t1"],
        "face-up": ["r1-t2"], "lay.face-up-only": ["r1-t2"], "nobody": [], "\"'()*:&|!": ["r2-t1", "r1-t2", "r1-t1"],
        "ada' OR 1=1 --": [],
    }  # fmt: skip
    assert {words: shown(tournament, words) for words in found} == found


def test_games_are_filtered(tournament: Store) -> None:
    assert shown(tournament, player="elod") == ["r2-t1", "r1-t2"]
    assert shown(tournament, verdict="illegal") == ["r1-t2"]
    assert shown(tournament, rule="lay.face-up-only") == ["r1-t2"]
    assert shown(tournament, ruleset="tall") == []
    assert shown(tournament, player="ada", ruleset="small", rule="lay.on-a-pile", verdict="legal") == ["r2-t1", "r1-t1"]


def test_a_game_shows_its_findings_at_a_glance(tournament: Store) -> None:
    row = tournament.shown.game(tournament.find("r1-t2"))
    assert row is not None
    assert (row.events, row.findings, row.verdicts, row.fidelity) == (1, 1, {"illegal": 1}, "exact")
    assert row.header.players[1].name == "Bruno"
    (finding,) = tournament.shown.findings(row.id)
    assert (finding.step, finding.seq, finding.verdict, finding.rule) == (1, 1, "illegal", "lay.face-up-only")
    assert (finding.type, finding.turn, finding.player) == ("pile_taken", "1", "A")


def test_every_step_that_used_a_rule_is_known(tournament: Store) -> None:
    uses = tournament.shown.uses("small", "lay.on-a-pile")
    assert [(use.step, use.seq) for use in uses] == [(1, 1)] * 3
    assert [use.verdict for use in tournament.shown.uses("small", "lay.face-up-only")] == ["illegal"]
    assert tournament.shown.weights("small") == {"lay.on-a-pile": (3, 3), "lay.face-up-only": (1, 1)}


def test_what_is_shown_follows_the_notifications_and_says_how_far(tournament: Store) -> None:
    assert tournament.shown.position == tournament.position()
    assert tournament.follow() == 0
    tournament.append(tournament.find("r1-t1"), line(2), expected=1)
    assert tournament.shown.position < tournament.position()
    assert tournament.follow() == 1
    assert tournament.shown.position == tournament.position()


def test_what_is_shown_can_be_dropped_and_made_again(tournament: Store) -> None:
    before = [tournament.shown.games(), tournament.shown.uses("small", "lay.on-a-pile")]
    tournament.projections.drop()
    assert tournament.shown.games().total == 0
    assert tournament.rebuild() == 3
    assert [tournament.shown.games(), tournament.shown.uses("small", "lay.on-a-pile")] == before


def test_two_followers_do_not_show_a_thing_twice(url: str) -> None:
    with opened(url) as one, opened(url) as other:
        put(one, game(5))
        assert other.follow() == 1
        assert one.follow() == 0
        one.projections._take_in([one.projections.statements(one.find("g1"), 6)], other.shown.position)
        assert one.shown.games().total == 1


def test_what_is_shown_is_kept_with_how_far_it_is_or_not_at_all(store: Store) -> None:
    put(store, game(2))
    with pytest.raises(Exception, match="no_such_table"):
        store._tables.write([("INSERT INTO no_such_table VALUES (?)", [(1,)])], Tracking(TRACKED, 99))
    assert store.shown.position == 0
    assert store.follow() == 1


@in_sqlite
def test_a_game_that_cannot_be_audited_does_not_hide_the_others(url: str) -> None:
    def troubled(ruleset: Ruleset[object], header: Header, events: Iterable[Event]) -> Iterator[Step]:
        if header.game == "bad":
            raise SetupError("deck", "a deck")
        if header.game == "worse":
            raise ZeroDivisionError("by zero")
        return annotate(ruleset, header, events)

    with Store(url, resolve=resolve, annotate=troubled) as store:
        for name in ("bad", "worse", "good"):
            put(store, named(name) + line(1))
        assert store.follow() == 3
        trouble = {row.game: row.trouble for row in store.shown.games().rows}
    assert trouble == {"good": "", "worse": "ZeroDivisionError: by zero", "bad": "setup.deck: expected a deck"}


@in_sqlite
def test_a_long_list_of_games_is_shown_in_several_steps(store: Store) -> None:
    for number in range(120):
        put(store, named(f"n{number:03}") + line(1))
    assert store.follow() == 120
    assert [row.game for row in store.shown.games(size=200).rows] == [f"n{number:03}" for number in range(119, -1, -1)]
    assert store.shown.position == store.position()


# Several at once, and the end of the world


def in_child(act: object, *given: object) -> multiprocessing.Process:
    child = multiprocessing.get_context("fork").Process(target=act, args=given)  # type: ignore[arg-type]
    child.start()
    return child


APPENDERS = 8
ROUNDS = 6


def race(url: str, id: str, barrier: object, wins: object, me: int) -> None:
    with opened(url, lock_timeout=30) as store:
        for version in range(ROUNDS):
            barrier.wait()  # type: ignore[attr-defined]
            with suppress(VersionConflictError):
                mine = line(version + 1).replace(b"}", b', "note": "%d"}' % me)
                wins.put((version, me, store.append(id, mine, expected=version)))  # type: ignore[attr-defined]
            barrier.wait()  # type: ignore[attr-defined]


def test_of_eight_programs_that_append_exactly_one_wins_each_version(url: str) -> None:
    with opened(url) as store:
        id = put(store, HEADER)
    fork = multiprocessing.get_context("fork")
    barrier, wins = fork.Barrier(APPENDERS, timeout=20), fork.Queue()
    children = [in_child(race, url, id, barrier, wins, me) for me in range(APPENDERS)]
    won = sorted(wins.get(timeout=20) for _ in range(ROUNDS))
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    assert wins.empty()
    assert [(version, new) for version, _, new in won] == [(n, n + 1) for n in range(ROUNDS)]
    with opened(url) as store:
        assert [event.note for event in store.events(id)] == [str(me) for _, me, _ in won]


def import_once(url: str, data: bytes, results: object) -> None:
    with opened(url, lock_timeout=30) as store:
        results.put(store.import_log(io.BytesIO(data)).added)  # type: ignore[attr-defined]


def test_programs_that_start_together_and_import_one_log_store_it_once(url: str) -> None:
    results = multiprocessing.get_context("fork").Queue()
    children = [in_child(import_once, url, game(300), results) for _ in range(APPENDERS)]
    added = sorted(results.get(timeout=20) for _ in children)
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    assert added == [0] * (APPENDERS - 1) + [301]


# SQLite by itself


def test_the_file_is_in_write_ahead_mode(tmp_path: Path) -> None:
    opened(tmp_path / "games.db").close()
    with sqlite3.connect(tmp_path / "games.db") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_locked_database_is_waited_for_and_then_named(tmp_path: Path) -> None:
    with opened(tmp_path / "games.db", lock_timeout=1) as store:
        id = put(store, game(3))
        other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"games\.db: locked by another program"):
            store.append(id, line(4), expected=3)
        assert store.export(id) == game(3)
        other.execute("ROLLBACK")
        assert store.append(id, line(4), expected=3) == 4


def test_a_read_only_database_is_read_and_named_when_written_to(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with opened(path) as store:
        id = put(store, game(3))
        store.follow()
        put(store, named("g2"))
    with opened(f"file:{path}?mode=ro") as store:
        assert store.export(id) == game(3)
        assert store.shown.games().total == 1
        assert store.follow() == 0
        with pytest.raises(StoreError, match="read-only; nothing was written"):
            store.append(id, line(4), expected=3)
        with pytest.raises(StoreError, match="read-only"):
            store.rebuild()


def on_a_full_disk(path: str, id: str, said: object) -> None:
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with opened(path) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        try:
            put(store, named("big") + game(20_000).split(b"\n", 1)[1])
        except StoreError as error:
            said.put(str(error))  # type: ignore[attr-defined]
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    os._exit(0)


def test_a_full_disk_is_named_and_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    with opened(path) as store:
        id = put(store, game(100))
    said = multiprocessing.get_context("fork").Queue()
    in_child(on_a_full_disk, path, id, said)
    assert "the disk is full" in said.get(timeout=60)
    with opened(path) as store:
        assert store.export(id) == game(100)
        assert len(store._tables.news(0)) == 1
        assert store.append(id, line(101), expected=100) == 101


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"this is a text and no database, however long it may be" * 40, "not a database"), (None, "cannot be opened")],
)
def test_what_is_no_database_is_named(tmp_path: Path, content: bytes | None, told: str) -> None:
    path = tmp_path / "games.db"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(StoreError, match=told) as raised:
        opened(path)
    assert str(path) in error_words(raised.value, "fr")


def test_where_the_store_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("AUDIT_DATABASE_URL", raising=False)
    assert address().url == str(tmp_path / "data" / "games.db")
    with opened(address().url) as store:
        put(store, HEADER)
    monkeypatch.setenv("AUDIT_DATABASE_URL", "postgresql://ada:secret@db.example:5433/games?sslmode=require")
    assert address().is_postgres
    assert address().name == "postgresql://ada@db.example:5433/games"
    with pytest.raises(StoreError, match="begins with postgresql"):
        address("mysql://ada@db/games")


def test_sqlite_has_no_subscription_and_followers_ask_for_the_position(tmp_path: Path) -> None:
    with opened(tmp_path / "games.db") as store:
        with pytest.raises(NotImplementedError):
            store._games.recorder.subscribe(gt=0)
        before = store.position()
        id = put(store, game(3))
        assert store.position() == before + 4
        assert [event.seq for event in store.events(id, after=2)] == [3]
