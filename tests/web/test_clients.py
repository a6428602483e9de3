"""The clients that `make clients` generates from the OpenAPI document do what a scorekeeper's program does."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from replays.store.store import Store
from tests.attacks.deployment import deployed
from tests.command_line import run
from tests.serving import read_on
from tests.serving import served as served_here
from web import create_app
from web.site.tokens import make_token

ROOT = Path(__file__).resolve().parents[2]
MADE = ROOT / "build" / "clients"
PAGE = ROOT / "docs" / "client-author.md"
SAMPLES = ROOT / "replays" / "samples"
POSITION = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:9:/spirit.gravity.hate:;g6*;:4:9:"
HEADER, *EVENTS = map(json.loads, (SAMPLES / "dispute.jsonl").read_text("utf-8").splitlines())
GAMES = 51
"""One more than a page has."""
MISTAKE = 25
"""The first event of the log that breaks a rule."""


def absent(why: str) -> None:
    """A test cannot run here; where CI asks for it, that is a failure."""
    if os.environ.get("AUDIT_CLIENTS"):
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture(scope="module", autouse=True)
def _made() -> None:
    """Clients that were made from the document as it is now."""
    document = MADE / "openapi.json"
    if not document.is_file():
        absent("the clients are not made: make clients")
    if json.loads(document.read_text("utf-8")) != create_app().test_client().get("/api/v1/openapi.json").get_json():
        absent("the clients are made from another document: make clients")


def log_of(number: int) -> BytesIO:
    """The log of a game that has only just begun."""
    return BytesIO(f"{json.dumps({**HEADER, 'game': f'game-{number}'})}\n{json.dumps(EVENTS[0])}\n".encode())


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of `audit serve`."""
    command = [sys.executable, "-m", "cli", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stderr
        found = re.search(r"http://[\d.:]+", serving.stderr.readline())
        assert found
        read_on(serving.stderr)
        yield found[0]
        serving.terminate()


@contextmanager
def behind_gunicorn(folder: Path) -> Iterator[str]:
    """The address of the server that docs/organiser.md describes."""
    with deployed(folder) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module", params=[served, behind_gunicorn])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over a store with more public games than a page has."""
    folder = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDIT_DATA_DIR", str(folder))
        with Store() as store:
            for _ in store.import_logs(map(log_of, range(GAMES)), by="a test"):
                pass
            store.follow()
        with request.param(folder) as address:
            yield address


@pytest.fixture(scope="module")
def strict() -> Iterator[str]:
    """A server that soon finds that somebody asks too often, however slowly they ask."""
    with served_here(create_app(config={"AUDIT_API_BURST": 3, "AUDIT_API_RATE": 0.01})) as address:
        yield address


@pytest.fixture(scope="module")
def api() -> Iterator[SimpleNamespace]:
    """The generated client in Python: its clients, its operations, its models."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(MADE / "python"))
        whole = import_module("audit_client")
        operations = import_module("audit_client.api.api")
        named = [path.stem for path in Path(str(operations.__file__)).parent.glob("[a-z]*.py")]
        functions = {name: import_module(f"audit_client.api.api.{name}").sync_detailed for name in named}
        yield SimpleNamespace(whole=whole, models=import_module("audit_client.models"), **functions)
        for name in [name for name in sys.modules if name.partition(".")[0] == "audit_client"]:
            del sys.modules[name]


@pytest.fixture
def everybody(api: SimpleNamespace, server: str) -> Any:
    return api.whole.Client(base_url=server)


@pytest.fixture
def scorekeeper(api: SimpleNamespace, server: str) -> Any:
    return api.whole.AuthenticatedClient(base_url=server, token=make_token("table", "scorekeeper"))


@pytest.fixture
def publisher(api: SimpleNamespace, server: str) -> Any:
    return api.whole.AuthenticatedClient(base_url=server, token=make_token("press", "publisher"))


def is_unaltered(file: Path) -> bool:
    """Whether `audit verify` finds in a published file what is in it, by whomever it is."""
    told = json.loads(run("verify", str(file), "--json").stdout)
    return (told["answer"], told["differences"]) == ("nobody signed it", [])


def append(api: SimpleNamespace, client: Any, game: str, expected: int, event: dict[str, object]) -> Any:
    body = api.models.Append.from_dict({"expected": expected, "events": [event]})
    return api.append_events(game, client=client, body=body)


class TestPython:
    """The client that openapi-python-client makes."""

    @pytest.mark.sampled(2)
    def test_a_game_is_posted_event_by_event_and_each_is_judged(self, api: SimpleNamespace, scorekeeper: Any) -> None:
        begun = api.begin_game(client=scorekeeper, body=api.models.NewGame.from_dict({"header": HEADER}))
        version, verdicts = begun.parsed.version, {}
        for event in EVENTS[version : MISTAKE + 1]:
            answer = append(api, scorekeeper, begun.parsed.id, version, event)
            assert answer.status_code == 201, answer.content
            verdicts |= {step.seq: step.verdict.value for step in answer.parsed.steps}
            version = answer.parsed.version
        assert version == MISTAKE + 1
        assert {seq for seq, verdict in verdicts.items() if verdict == "illegal"} == {MISTAKE}
        (finding,) = api.list_findings(begun.parsed.id, client=scorekeeper).parsed.findings
        assert (finding.seq, finding.rules[0]) == (MISTAKE, "play.face-up-needs-protocol")
        assert api.list_options(begun.parsed.id, client=scorekeeper).parsed.decisions is not None
        late = append(api, scorekeeper, begun.parsed.id, 0, EVENTS[1])
        assert (late.status_code, late.parsed.error) == (409, "version-conflict")

    @pytest.mark.sampled(2)
    def test_the_public_reads_to_the_end_and_may_not_write(self, api: SimpleNamespace, everybody: Any) -> None:
        found: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            page = api.list_games(client=everybody, cursor=cursor).parsed
            found += [game.game for game in page.games]
            cursor = page.next_
        assert len(found) == len({*found}) >= GAMES
        assert {f"game-{number}" for number in range(GAMES)} <= {*found}
        refused = api.begin_game(client=everybody, body=api.models.NewGame.from_dict({"header": HEADER}))
        assert (refused.status_code, refused.parsed.error) == (401, "no-token")

    @pytest.mark.sampled(2)
    def test_a_question_is_answered(self, api: SimpleNamespace, everybody: Any) -> None:
        body = api.models.Ask(position=POSITION, events=["A plague-1 2"])
        answer = api.ask_position(client=everybody, body=body).parsed
        assert (answer.ruleset, answer.steps[-1].verdict.value) == ("compile", "illegal")
        assert answer.steps[-1].rules[0].statements["en"]

    @pytest.mark.sampled(2)
    def test_a_published_file_is_verified(
        self, api: SimpleNamespace, everybody: Any, publisher: Any, tmp_path: Path
    ) -> None:
        """Without a token readers at the machine of `audit serve` get it; a deployed server takes nobody for one."""
        (game, *_) = api.list_games(client=everybody).parsed.games
        form = api.models.PublishGameForm.JSON
        files = [api.publish_game(game.id, client=client, form=form) for client in (publisher, everybody)]
        assert [file.status_code for file in files] in ([200, 200], [200, 401])
        (tmp_path / "game.json").write_bytes(files[0].parsed.payload.read())
        assert is_unaltered(tmp_path / "game.json")

    @pytest.mark.sampled(2)
    def test_the_page_does_what_it_says(
        self, api: SimpleNamespace, server: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (program,) = re.findall(r"```python\n(from audit_client .*?)```", PAGE.read_text("utf-8"), re.DOTALL)
        known = {"TOKEN": make_token("page", "scorekeeper"), "POSITION": POSITION, "events": EVENTS[:MISTAKE]}
        known["header"] = {**HEADER, "game": "page"}
        exec(program.replace("http://127.0.0.1:8000", server), known)
        asked, *judged = capsys.readouterr().out.splitlines()
        assert asked.startswith("illegal")
        assert (len(judged), judged[-1]) == (MISTAKE, f"{MISTAKE} illegal")

    @pytest.mark.sampled(2)
    def test_who_asks_too_often_is_told_how_long_to_wait(self, api: SimpleNamespace, strict: str) -> None:
        client = api.whole.AuthenticatedClient(base_url=strict, token=make_token("often", "viewer"))
        with client:
            late = [api.read_game("none", client=client) for _ in range(4)][-1]
        assert late.status_code == 429
        assert late.parsed.error == "too-often"
        assert int(late.headers["Retry-After"]) > 0


@pytest.mark.sampled(2)
def test_a_program_in_typescript_does_the_same(server: str, strict: str, tmp_path: Path) -> None:
    program, node = MADE / "typescript" / "client.js", shutil.which("node")
    if node is None or not program.is_file():
        absent("there is no node, or no client in TypeScript: make clients")
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f"{json.dumps(line)}\n" for line in (HEADER | {"game": "typed"}, *EVENTS[:30])), "utf-8")
    given = [server, str(log), POSITION, make_token("typed", "scorekeeper"), make_token("typed-often", "viewer")]
    given += [make_token("typed-press", "publisher"), strict]
    done = subprocess.run([str(node), str(program), *given], capture_output=True, text=True, timeout=120, check=False)
    assert not done.returncode, done.stderr
    told = json.loads(done.stdout)
    assert told["refused"] == [401, "no-token"]
    assert {seq for seq, verdict in told["verdicts"].items() if verdict == "illegal"} == {str(MISTAKE)}
    assert told["findings"] == 1
    assert told["conflict"][:2] == [409, "version-conflict"]
    assert len(told["games"]) == len({*told["games"]}) > GAMES
    assert told["asked"] == "illegal"
    assert told["wait"] > 0
    (tmp_path / "game.json").write_text(told["file"], "utf-8")
    assert is_unaltered(tmp_path / "game.json")
