"""Logs as a scorekeeper types them, and logs of one viewer: what the auditor infers and finds in them.

    python -m bench.handwritten [--games 60] [--seed 1] [--ruleset compile] [--journal FILE]

Clean games, simulated and imported from a journal where there is one, are stripped to their choices. Counted is
which of the events left out are inferred exactly: the same event at the same place, and for a marker the same
position after it. Reordered are those inferred at another place among what happens at one time, which a log need not
tell. The rest has to be named as an ambiguity. The last column has the findings where only every second event, by lot,
of what could be left out was. What comes after the last choice is not counted:
nobody can tell whether it has happened yet. Then the same games as each seat and the public could write them down:
of a clean game nothing may be called illegal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from random import Random

import click
from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.model import Event, Header, Verdict
from audit.core.ruleset import Ruleset, ruleset
from audit.core.steps import Step
from bench.mistakes import Game, completed
from replays.generating.simulate import POLICIES, simulated
from replays.generating.telling import choices, partly_written, pointers, viewer_log, with_forced
from replays.importing.journals.journal import imported
from replays.importing.journals.reading import SetAside
from replays.importing.journals.reading import journal as games_of

JOURNAL = Path(__file__).parent.parent.parent / "shared" / "games" / "journals.jsonl.gz"
WRONG = (Verdict.ILLEGAL, Verdict.IMPOSSIBLE)


class Stripped(Struct):
    """What became of what was left out."""

    games: int = 0
    events: int = 0
    left_out: int = 0
    exact: int = 0
    reordered: int = 0
    ambiguous: int = 0
    guessed: int = 0
    findings: int = 0
    partly_written: int = 0

    @property
    def share(self) -> float:
        """How much of what was left out is inferred exactly."""
        return self.exact / self.left_out if self.left_out else 1.0


class Seen(Struct):
    """What was said of one viewer's logs."""

    events: int = 0
    undetermined: int = 0
    wrong: int = 0


class Gap(Struct, frozen=True):
    """What lies between one event of a stripped log and the next, and the position after that next one."""

    news: tuple[Event, ...]
    markers: int
    view: object
    is_open: bool = False


def simulated_games(name: str, games: int, seed: int, most: int = 20_000) -> Iterator[Game]:
    """Games under every policy in turn."""
    policies = list(POLICIES)
    for number in range(games):
        policy = policies[number % len(policies)]
        yield simulated(ruleset(name), seed * 1_000_003 + number, policy, most=most, complete=False)


def imported_games(path: Path) -> Iterator[Game]:
    """The games of a journal in which nothing is found, with everything in them that the journal passes over.

    What that is was compared with the journal's own snapshots when the games were imported.
    """
    for found in games_of(path):
        if isinstance(found, SetAside):
            continue
        one = imported(found)
        game = ruleset(one.header.ruleset)
        steps = audit(game, one.header, one.events)
        if not one.unexplained and not any(step.verdict.is_finding for step in steps):
            yield one.header, completed(game, one.header, one.events)


def strip(game: Ruleset[object], played: Game, tally: Stripped) -> None:
    """Strip one game, audit what is left, and count."""
    header, events = played
    kept = choices(game, header, events)
    steps = list(audit(game, header, kept))
    tally.games += 1
    tally.events += len(events)
    tally.findings += sum(step.verdict.is_finding for step in steps)
    some = partly_written(game, header, events, Random(len(events)))
    tally.partly_written += sum(step.verdict.is_finding for step in audit(game, header, some))
    pairs = list(zip(_meant(game, header, events), _told(game, steps), strict=True))
    for meant, told in pairs:
        _compare(meant, told, tally)
    elsewhere = _elsewhere(pairs)
    tally.reordered += elsewhere
    tally.guessed -= elsewhere


def _compare(meant: Gap, told: Gap, tally: Stripped) -> None:
    same = sum(one == other for one, other in zip(meant.news, told.news, strict=False))
    exact = same + (meant.markers if meant.view == told.view else 0)
    missed = len(meant.news) + meant.markers - exact
    tally.left_out += exact + missed
    tally.exact += exact
    if told.is_open:
        tally.ambiguous += missed
    else:
        tally.guessed += missed


def _elsewhere(pairs: Sequence[tuple[Gap, Gap]]) -> int:
    """How many events were inferred, but in another order among those that happen at one time."""
    missed: Counter[str] = Counter()
    more: Counter[str] = Counter()
    for meant, told in pairs:
        if not told.is_open:
            longest = zip_longest(meant.news, told.news)
            differing = [(one, other) for one, other in longest if one != other]
            missed.update(repr(one) for one, _ in differing if one)
            more.update(repr(other) for _, other in differing if other)
    moved = sum(m.markers for m, t in pairs if not t.is_open and m.view != t.view and _alike(m.view, t.view))
    return (missed & more).total() + moved


def _alike(one: object, other: object) -> bool:
    """Whether two positions differ in nothing but the order in which cards came to a place."""
    return _unordered(one) == _unordered(other)


def _unordered(view: object) -> object:
    if isinstance(view, dict):
        return {key: _unordered(value) for key, value in view.items()}
    return sorted(map(repr, map(_unordered, view))) if isinstance(view, list | tuple) else view


def _meant(game: Ruleset[object], header: Header, events: Sequence[Event]) -> Iterator[Gap]:
    state = game.rules.start(header)
    news: list[Event] = []
    markers = 0
    for event, follows in with_forced(game, header, events):
        state = game.rules.evolve(state, event)
        if not follows:
            yield Gap(tuple(news), markers, game.disclosure.view(state))
            news, markers = [], 0
        elif game.rules.event_rules[type(event)].is_marker:
            markers += 1
        else:
            news.append(without_place(event))


def without_place(event: Event) -> Event:
    """The event as it would be anywhere in the log, for comparing logs of which one says less than the other."""
    return replace(event, seq=0, because=None, **dict.fromkeys(pointers(event), 0))


def _told(game: Ruleset[object], steps: Sequence[Step]) -> Iterator[Gap]:
    news: list[Event] = []
    is_open = False
    for step in steps[1:]:
        assert step.event is not None
        if step.seq is None:
            news.append(without_place(step.event))
            is_open = is_open or bool(step.candidates)
        else:
            yield Gap(tuple(news), 0, game.disclosure.view(step.state), is_open)
            news, is_open = [], False


def look(game: Ruleset[object], played: Game, viewer: str, tally: Seen) -> None:
    """Audit one game as that viewer wrote it down, and count."""
    header, events = viewer_log(game, *played, viewer)
    for step in audit(game, header, events):
        tally.events += step.seq is not None
        tally.undetermined += step.verdict is Verdict.UNDETERMINED
        tally.wrong += step.verdict in WRONG


def measure(name: str, games: Sequence[Game]) -> tuple[Stripped, dict[str, Seen]]:
    """The results for these games reduced to choices, and as one viewer recorded them."""
    game = ruleset(name)
    stripped = Stripped()
    seen = {viewer: Seen() for viewer in (("A", "B", "public") if name == "compile" else ("p1", "public"))}
    for played in games:
        strip(game, played, stripped)
        for viewer, tally in seen.items():
            look(game, played, viewer, tally)
    return stripped, seen


def lines(of: dict[str, tuple[Stripped, dict[str, Seen]]]) -> Iterator[str]:
    """The tables."""
    yield (
        f"{'choices only':14}{'games':>7}{'events':>10}{'left out':>10}{'exact':>10}{'reordered':>11}"
        f"{'ambiguous':>11}{'guessed':>9}{'findings':>10}{'half told':>11}"
    )
    for where, (tally, _) in of.items():
        yield (
            f"{where:14}{tally.games:>7,}{tally.events:>10,}{tally.left_out:>10,}{tally.share:>10.3%}{tally.reordered:>11,}"
            f"{tally.ambiguous:>11,}{tally.guessed:>9,}{tally.findings:>10,}{tally.partly_written:>11,}"
        )
    yield ""
    yield f"{'one viewer':14}{'viewer':>7}{'events':>10}{'undetermined':>14}{'illegal':>9}"
    for where, (_, seen) in of.items():
        for viewer, found in seen.items():
            yield f"{where:14}{viewer:>7}{found.events:>10,}{found.undetermined:>14,}{found.wrong:>9,}"


def table(games: int, seed: int, name: str = "compile", journal: Path = JOURNAL) -> Iterator[str]:
    """The tables of so many simulated games, and of those of a journal where there is one."""
    of = {"simulated": measure(name, list(simulated_games(name, games, seed)))}
    if name == "compile" and journal.exists():
        of["imported"] = measure(name, list(imported_games(journal)))
    yield from lines(of)


@click.command()
@click.option("--games", default=60, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--ruleset", "name", default="compile", show_default=True)
@click.option("--journal", type=click.Path(path_type=Path), default=JOURNAL, help="Imported games, if any.")
def main(games: int, seed: int, name: str, journal: Path) -> None:
    """Strip games, and print the tables."""
    for line in table(games, seed, name, journal):
        click.echo(line)


if __name__ == "__main__":
    main()
