"""What a check of a seal, a proof or a published file says, in the language of whoever asks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from replays.said import GameTitle, Said, in_language
from tests.command_line import run
from web.publishing import bundle

OTHERS = ("fr", "it", "pl")
ENGLISH = re.compile(r"\b(the|line|lines|signed|sealed|checked|nobody|event|fields?|missing|hidden)\b")


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game that table 1 has sealed and signed."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    made = tmp_path / "g.jsonl"
    made.write_bytes(Path("replays/samples/dispute.jsonl").read_bytes())
    assert run("key", "make", "t1").returncode == 0
    assert run("seal", str(made), "--key", "t1").returncode == 0
    return made


def verified(file: Path, language: str, *more: str) -> str:
    done = run("verify", str(file), "--lang", language, *more)
    return (done.stdout + done.stderr).decode().replace(str(file), "")


@pytest.mark.parametrize("language", OTHERS)
def test_a_log_is_verified_in_the_language_intact_grown_and_altered(log: Path, language: str) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    said = [verified(log, language), verified(log, language, "--signer", "t1"), verified(log, language, "--trusted")]
    said += [verified(log, language, "--expect-count", "4"), verified(log, language, "--expect-head", "ab")]
    for written in (
        [*lines, b'{"seq":131,"type":"turn_began"}\n'], lines[:-2], [*lines[:-1], lines[-1].rstrip()],
        [*lines[:5], *lines[6:]], [*lines[:5], lines[4], *lines[5:]], [*lines[:5], lines[6], lines[5], *lines[7:]],
        [*lines[:5], b"{\n", *lines[6:]], [b'{"log":"audit/99"}\n', *lines[1:]],
    ):  # fmt: skip
        log.write_bytes(b"".join(written))
        said.append(verified(log, language))
    assert [each for each in said if ENGLISH.search(each)] == []
    assert len(set(said)) > 8


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_given_away_is_verified_in_the_language(log: Path, tmp_path: Path, language: str) -> None:
    for name, *how in (("g.html", "publish"), ("p.html", "publish", "--as", "public"), ("g.json", "publish"),
                       ("s.proof", "prove", "step", "--at", "20", "--as", "public"),
                       ("g.head", "prove", "head", "--since", "9"), ("g.md", "publish")):  # fmt: skip
        words = [each for each in how if not each.startswith("step") and each != "head"]
        inner = [each for each in how if each in ("step", "head")]
        made = run(words[0], *inner, str(log), *words[1:], "-o", str(tmp_path / name))
        assert made.returncode == 0, made.stderr
        told = verified(tmp_path / name, language)
        assert not ENGLISH.search(re.sub(r"\{.*\}", "", told)), told
    forged = (tmp_path / "g.json").read_bytes().replace(b'"illegal"', b'"legal"')
    (tmp_path / "g.json").write_bytes(forged)
    assert not ENGLISH.search(verified(tmp_path / "g.json", language).split("\n")[0])
    assert not ENGLISH.search(verified(log.with_name("g.jsonl.seal"), language))


def test_the_game_is_named_by_its_title_so_that_altered_is_no_verdict(tmp_path: Path) -> None:
    game = tmp_path / "a.jsonl"
    game.write_bytes(Path("replays/samples/altered-duel.jsonl").read_bytes())
    name = json.loads(game.read_bytes().splitlines()[0])["game"]
    assert f"\nAltered, game {name}: " in verified(game, "en")
    assert f"\nAltered, partie {name} : " in verified(game, "fr").replace("\xa0", " ")


def test_programs_read_english_in_every_language(log: Path) -> None:
    told = json.loads(run("verify", str(log), "--lang", "pl", "--json").stdout)
    assert told["answer"] == "unaltered since somebody signed it"
    assert (told["ruleset"], told["game"]) == ("compile", "r3-t12")


def test_a_page_is_unpacked_once(log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from commands import verifying
    from replays.trust.verify import NOBODY
    from web.publishing import check

    run("publish", str(log), "-o", str(tmp_path / "g.html"))
    times: list[int] = []
    whole = bundle.unpacked

    def counted(data: bytes) -> bytes:
        times.append(len(data))
        return whole(data)

    monkeypatch.setattr(bundle, "unpacked", counted)
    monkeypatch.setattr(check, "unpacked", counted)
    assert verifying.verified(str(tmp_path / "g.html"), NOBODY).is_intact is False
    assert len(times) == 1


def test_a_name_with_braces_is_told_as_it_is() -> None:
    said = Said("signed.calls", key="ab", name="{n} {0.data}")
    assert "{n} {0.data}" in in_language(said, "it")
    assert in_language(GameTitle("my-own-game"), "pl") == "my-own-game"
