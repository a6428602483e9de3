"""The library of games behind the viewer: the interface, and one that reads the logs of a folder."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from threading import Lock
from time import monotonic, time
from typing import Protocol, TypeVar, runtime_checkable

from msgspec import Struct

from audit.core.errors import AuditError
from audit.core.model import Event, Header, type_name
from audit.core.player_names import player_names
from audit.core.ruleset import ruleset
from audit.core.sentences import tell
from replays.cases.note import beside_log
from replays.files import SHEET_ENDING, UnreadableFileError, is_log, logs_in, open_plain, sheets_in
from replays.judging.annotate import StepOutline
from replays.judging.facts import Facts
from replays.judging.replay import replay
from replays.judging.report import check_with_facts
from replays.log.lines import BLANK
from replays.scoresheet.opening import is_sheet, opened
from replays.trust.ledger import FileLedger, Ledger
from replays.trust.seal import Seal, beside, read_seal
from web.games.judging import Judging
from web.site.headers import UnknownGameError

PAGE = 50
"""Games on one page of a list."""

MAX_HEAD = 4096
"""Bytes that are read to see whether a text is a score sheet."""

AT_REST = 3600
"""Seconds after which a file of a folder that nobody has written is a finished record."""

CACHE_SIZE = 64
"""How many rebuilt games are cached."""

Json = Mapping[str, object]
T = TypeVar("T")


class Replay(Protocol):
    """A rebuilt and annotated game as one viewer may know it."""

    @property
    def header(self) -> Header: ...
    @property
    def ruleset(self) -> str: ...
    @property
    def viewer(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def fidelity(self) -> str: ...
    @property
    def diverged_from(self) -> int | None: ...
    @property
    def counts(self) -> Mapping[str, int]: ...
    @property
    def findings(self) -> Sequence[Json]: ...
    @property
    def steps(self) -> Sequence[Json]: ...
    @property
    def outlines(self) -> Sequence[StepOutline]: ...

    def log(self) -> Iterable[Json]:
        """The events as the viewer could have written them down, as lines of a log."""

    def options_after(self, index: int) -> Sequence[Json]:
        """What may come after a step: each option with its rules, its need and its sentences."""

    def decisions_after(self, index: int, listed: int = ...) -> Sequence[Json]:
        """What can be decided next after a step: also who decides, and each candidate as an event."""


class Glance(Struct, frozen=True):
    """What a list says of one game."""

    id: str
    header: Header
    fidelity: str
    steps: int
    counts: Mapping[str, int]
    findings: tuple[tuple[int, str, str], ...]
    """Each finding: its step, its verdict and the rule named first."""
    rules: frozenset[str] = frozenset()
    """Every rule that a step of the game cites."""
    last: Event | None = None
    """The last event of the log."""

    @property
    def title(self) -> str:
        """The game's own name, or who plays it; empty where the log says neither."""
        return self.header.game or " – ".join(player.name for player in self.header.players if player.name)

    def ending(self, language: str) -> str:
        """Who won and how, in a sentence; empty where the log does not come to the end of the game."""
        if self.last is None:
            return ""
        game = ruleset(self.header.ruleset)
        if type_name(type(self.last)) not in game.scene_maker.endings:
            return ""
        return tell(game, self.last, language, players=player_names(self.header))


class Filters(Struct, frozen=True):
    """What a list is narrowed to; an empty word is no limit."""

    player: str = ""
    ruleset: str = ""
    rule: str = ""
    verdict: str = ""
    audience: str = "judge"
    """Whose list it is: a judge's has every game, the public's those that are public, by what the public may know."""


class Page(Struct, frozen=True):
    """One page of a list: its games, its number from 1, and how many there are in all."""

    games: tuple[Glance, ...]
    number: int
    total: int

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(1, -(-self.total // PAGE))


class Use(Struct, frozen=True):
    """A step of a stored game that cites a rule."""

    game: str
    title: str
    step: int
    verdict: str
    sentence: str


class Library(Protocol):
    """The games the viewer shows. Every method raises `UnknownGameError` for a game that is not there."""

    def games(self, query: str, filters: Filters, page: int) -> Page:
        """The games that have every word of the query and pass the filters, the latest first."""

    def game(self, id: str, *, viewer: str, language: str, reading: str | None) -> Replay:
        """One game as that viewer may know it."""

    def log(self, id: str) -> bytes:
        """The log of a game as it was recorded, byte for byte: a judge's to see."""

    def seal(self, id: str) -> Seal | None:
        """The seal of a game's log, None where there is none."""

    def version(self, id: str) -> str:
        """A version that changes with the game; cheap to compute."""

    def state(self) -> str:
        """A version that changes with any game."""

    def rule_uses(self, ruleset: str, rule: str, language: str) -> Sequence[Use]:
        """Every step that cites a rule, as the public may know it."""


@runtime_checkable
class Shared(Protocol):
    """A library whose games are not all for everybody."""

    def sharing(self, id: str) -> str:
        """Who may open a game: `public`, `unlisted` (whoever has its address) or `private`."""


@runtime_checkable
class JudgingLater(Protocol):
    """A library that answers before every game is judged."""

    def waiting(self) -> int:
        """How many games are not judged yet: they are in no list, and not counted."""


@runtime_checkable
class WithUnread(Protocol):
    """A library that may hold files that cannot be read."""

    def unread(self) -> Sequence[Unread]:
        """The files that look like games and cannot be read."""


class Cache:
    """Cache of the values last asked for, each computed once; safe to share between threads."""

    def __init__(self, size: int = CACHE_SIZE) -> None:
        self._size = size
        self._values: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of that key, made now if it is not kept."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]  # type: ignore[return-value]
        value = make()
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._size:
                self._values.popitem(last=False)
        return value


class Judged(Struct, frozen=True):
    """What lists and statistics keep of a log, as it was at that stamp; of a file that cannot be read, why not."""

    stamp: str
    glance: Glance | None = None
    facts: Facts | None = None
    problem: AuditError | None = None


class Unread(Struct, frozen=True):
    """A file that is no game: its name, and what is wrong with it."""

    name: str
    problem: AuditError


class FolderLibrary:
    """The logs (`*.jsonl`) and score sheets (`*.txt`) of one folder.

    The id of a log is the name of its file without the ending, that of a score sheet the whole name.
    Lists and statistics answer with the games that are judged. The others are judged while nobody waits.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._replays = Cache()
        self._versions = Cache(10_000)
        self._judged: dict[str, Judged] = {}
        self._judging = Judging(self.catch_up)

    def games(self, query: str, filters: Filters, page: int) -> Page:
        """The games of the folder, by name."""
        self._judging.keep_up()
        return paged(sorted(self._all(), key=lambda glance: glance.id), query, filters, page)

    def game(self, id: str, *, viewer: str, language: str, reading: str | None) -> Replay:
        """The game rebuilt, or as it was rebuilt for the last reader."""
        path = self._path(id)
        key = (id, self.version(id), viewer, language, reading)
        return self._replays.get(key, lambda: rebuilt(path, viewer, language, reading, is_at_rest=_is_at_rest(path)))

    def log(self, id: str) -> bytes:
        """The bytes of the file; of a score sheet the log that it stands for."""
        path = self._path(id)
        if path.name.endswith(SHEET_ENDING):
            return b"".join(line + b"\n" for line in opened(path).iter_raw())
        return path.read_bytes()

    def unread(self) -> Sequence[Unread]:
        """The files that look like games and cannot be read, by name."""
        judged = ((path.name, self._judged.get(_id_of(path))) for path in self._files())
        return [Unread(name, each.problem) for name, each in judged if each and each.problem]

    def seal(self, id: str) -> Seal | None:
        """The one beside the file."""
        place = beside(self._path(id))
        return read_seal(place) if place.exists() else None

    def version(self, id: str) -> str:
        """Made of the file's content, which is read again only where its size or its time is another.

        It is another version once nobody has written the file for `AT_REST`.
        """
        path = self._path(id)
        stat = path.stat()
        key = (id, stat.st_size, stat.st_mtime_ns)
        content = self._versions.get(key, lambda: hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest())
        return f"{content}-still" if _is_at_rest(path) else content

    def state(self) -> str:
        """Made of the names, sizes and times of all files, and of which of them are judged."""
        self._judging.keep_up()
        text = " ".join(f"{id}:{stamp}:{self._is_judged(id, stamp)}" for id, stamp in self._stamps().items())
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def notes(self, id: str) -> Ledger:
        """The notes beside the log."""
        return FileLedger(beside_log(self._path(id)), f"notes on {id}")

    def notes_version(self, id: str) -> str:
        """Made of the size and time of the file beside the log."""
        place = beside_log(self._path(id))
        stat = place.stat() if place.is_file() else None
        return f"{stat.st_size:x}-{stat.st_mtime_ns:x}" if stat else ""

    def rule_uses(self, ruleset: str, rule: str, language: str) -> Sequence[Use]:
        """Looked for in every game of that ruleset that cites the rule at all."""
        self._judging.keep_up()
        citing = [glance for glance in self._all() if rule in glance.rules and glance.header.ruleset == ruleset]
        return [use for glance in citing for use in self._uses(glance, rule, language)]

    def waiting(self) -> int:
        """How many logs are new or another since they were judged."""
        return len(self._not_judged())

    def facts(self, audience: str) -> Iterable[Facts]:
        """What statistics keep of every game that is judged; in a folder all are for everybody."""
        judged = map(self._judged.get, self._ids())
        return [each.facts for each in judged if each and each.facts]

    def catch_up(self, seconds: float) -> int:
        """Judge what came in since for about so long, one log at least; how many are left."""
        waiting, end = self._not_judged(), monotonic() + seconds
        for number, (id, stamp) in enumerate(waiting, 1):
            self._judged[id] = self._judge(id, stamp)
            if monotonic() >= end:
                return len(waiting) - number
        return 0

    def _uses(self, glance: Glance, rule: str, language: str) -> Iterable[Use]:
        replay = self.game(glance.id, viewer="public", language=language, reading=None)
        for step in replay.steps:
            if rule in strings(step.get("rules")):
                number = step["step"]
                yield Use(
                    glance.id, glance.title, number if isinstance(number, int) else 0,
                    str(step["verdict"]), str(step.get("sentence") or ""),
                )  # fmt: skip

    def _all(self) -> list[Glance]:
        judged = map(self._judged.get, self._ids())
        return [each.glance for each in judged if each and each.glance]

    def _not_judged(self) -> list[tuple[str, str]]:
        return [(id, stamp) for id, stamp in self._stamps().items() if not self._is_judged(id, stamp)]

    def _is_judged(self, id: str, stamp: str) -> bool:
        return id in self._judged and self._judged[id].stamp == stamp

    def _judge(self, id: str, stamp: str) -> Judged:
        try:
            path = self._path(id)
            events = deque(opened(path), maxlen=1)
            glance = glance_of(id, rebuilt(path, "public", "en", None), *events)
            return Judged(stamp, glance, check_with_facts(opened(path))[1])
        except AuditError as problem:
            return Judged(stamp, problem=problem)
        except OSError:
            return Judged(stamp)  # it has gone meanwhile

    def _stamps(self) -> dict[str, str]:
        """What changes with each file: its size and its time."""
        found = {}
        for path in self._files():
            with suppress(OSError):  # it has gone meanwhile
                stat = path.stat()
                if S_ISREG(stat.st_mode):
                    found[_id_of(path)] = f"{stat.st_size:x}-{stat.st_mtime_ns:x}"
        return found

    def _files(self) -> list[Path]:
        return [*logs_in(self.folder), *(path for path in sheets_in(self.folder) if self._is_sheet(path))]

    def _is_sheet(self, path: Path) -> bool:
        """Whether a text file begins as a score sheet; looked at again only when it has changed."""
        try:
            stat = path.stat()
            key = ("sheet", path.name, stat.st_size, stat.st_mtime_ns)
            return self._versions.get(key, lambda: _begins_as_sheet(path))
        except (OSError, UnreadableFileError):
            return False

    def _ids(self) -> list[str]:
        return [_id_of(path) for path in self._files() if path.is_file()]

    def _path(self, id: str) -> Path:
        path = self.folder / (id if id.endswith(SHEET_ENDING) else f"{id}.jsonl")
        is_game = is_log(path.name) or path.name.endswith(SHEET_ENDING)
        if path.parent != self.folder or id.startswith(".") or not is_game or not path.is_file():
            raise UnknownGameError(id)
        if path.name.endswith(SHEET_ENDING) and not self._is_sheet(path):
            raise UnknownGameError(id)
        return path


def _id_of(path: Path) -> str:
    return path.name if path.name.endswith(SHEET_ENDING) else path.stem


def _begins_as_sheet(path: Path) -> bool:
    """Its first line that is no comment says who plays."""
    with open_plain(path) as file:
        head = file.read(MAX_HEAD)
    said = (line for line in head.lstrip(BLANK).splitlines() if line.strip() and not line.lstrip().startswith(b"#"))
    return is_sheet(next(said, b""))


def _is_at_rest(path: Path) -> bool:
    """Whether nobody has written a file for so long that the record is taken as finished."""
    return time() - path.stat().st_mtime > AT_REST


def rebuilt(path: Path, viewer: str, language: str, reading: str | None, *, is_at_rest: bool = False) -> Replay:
    """The game of a log, as that viewer may know it."""
    return replay(opened(path), viewer=viewer, language=language, reading=reading, is_at_rest=is_at_rest)


def glance_of(id: str, replay: Replay, last: Event | None = None) -> Glance:
    """What a list says of a rebuilt game, with the last event of its log."""
    steps = replay.outlines
    findings = [
        (number, step.verdict, next(iter(step.rules), "")) for number, step in enumerate(steps) if step.is_finding
    ]
    cited = frozenset(rule for step in steps if not step.superseded_by for rule in step.rules)
    return Glance(id, replay.header, replay.fidelity, len(steps) - 1, dict(replay.counts), tuple(findings), cited, last)


def paged(glances: Iterable[Glance], query: str, filters: Filters, page: int) -> Page:
    """One page of those that have every word of the query and pass the filters; a page too far is the last."""
    words = folded(query).split()
    found = [glance for glance in glances if _passes(glance, filters) and _has(glance, words)]
    number = min(max(1, page), max(1, -(-len(found) // PAGE)))
    return Page(tuple(found[(number - 1) * PAGE : number * PAGE]), number, len(found))


def folded(text: str) -> str:
    """Text without case and accents, as people type it into a search box."""
    plain = unicodedata.normalize("NFKD", text).replace("ł", "l").replace("Ł", "L")
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()


def strings(value: object) -> tuple[str, ...]:
    """The strings of a list in a JSON object; nothing where it is no list."""
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, (list, tuple)) else ()


def _passes(glance: Glance, filters: Filters) -> bool:
    return (
        (not filters.ruleset or glance.header.ruleset == filters.ruleset)
        and (not filters.rule or filters.rule in glance.rules)
        and (not filters.verdict or glance.counts.get(filters.verdict, 0) > 0)
        and (not filters.player or any(folded(filters.player) in folded(p.name) for p in glance.header.players))
    )


def _has(glance: Glance, words: list[str]) -> bool:
    if not words:
        return True
    header = glance.header
    setup = header.setup.get("protocols")
    known = [setup] if isinstance(setup, dict) else []
    people = [player.name for player in header.players]
    text = folded(" ".join(map(str, (glance.id, header.game, *people, *header.meta.values(), *known, *glance.rules))))
    return all(word in text for word in words)
