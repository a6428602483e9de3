"""Published files: what is in them, what is not, and that the same game gives the same bytes."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from flask import Flask

from audit.core.catalogue import LANGUAGES
from audit.core.errors import UnknownViewerError
from commands.viewer import publish as publish_command
from replays.log.reader import open_log
from replays.trust.seal import beside, read_seal, seal_file
from replays.trust.verify import verify
from tests.odd_names import oddly_named
from web import create_app
from web.drawing.flow import laid_out
from web.drawing.tree import node
from web.publishing import single_game
from web.publishing.bundle import BundleError, PackingError, bundle, packed, unpacked
from web.publishing.files import FORMS, MOVING, RECORDED, PublishError, publish, publish_html
from web.publishing.record import RecordError, encoded, read_record, source_of_record
from web.publishing.sheet import Sheet, runs
from web.publishing.sheet_pdf import FOOT, LEAST, LETTER, SMALLEST, USUAL, blank_page, sheet_pdf
from web.publishing.sources import PublishedNote, Source, source_at, source_of
from web.publishing.text import plain
from web.publishing.wording import words_of
from web.rulebooks.quotes import Quote
from web.scenes.board_layout import WIDTH

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "replays" / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.jsonl"))


@pytest.fixture(scope="module")
def dispute() -> Source:
    return source_at(SAMPLES / "dispute.jsonl")


def marked(text: bytes, name: str) -> str:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', text.decode(), re.S)
    assert found
    return found[1]


class Elements(HTMLParser):
    """Every address and every style or script of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.handlers: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src", "action", "srcset", "poster", "data"):
                self.addresses.append(value or "")
            if name.startswith("on") or name == "style":
                self.handlers.append(f"{tag} {name}")


@pytest.mark.sampled(11)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["html", "json", "md"])
def test_every_sample_is_published_and_the_same_game_gives_the_same_bytes(name: str, form: str) -> None:
    once, again = (publish(source_at(SAMPLES / f"{name}.jsonl"), form, "public", ("fr",)) for _ in range(2))
    assert once == again
    assert len(once) > 300


def test_a_published_page_asks_nobody_for_anything(dispute: Source) -> None:
    page = publish_html(dispute, "judge", ("en", "pl")).decode()
    found = Elements(page)
    assert not found.handlers
    assert found.addresses
    assert [a for a in found.addresses if not a.startswith(("#", "?"))] == []
    assert "/static/" not in page
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    assert "default-src 'none'" in policy[1].replace("&#39;", "'")
    assert "unsafe" not in policy[1]


def test_a_page_carries_every_language_and_the_statements_of_those_only(dispute: Source) -> None:
    page = publish_html(dispute, "judge", ("fr", "it"))
    data = json.loads(marked(page, "replay"))
    assert data["language"] == "fr"
    assert set(json.loads(marked(page, "languages"))) == {"it"}
    assert {code for rule in data["rules"].values() for code in rule["says"]} == {"fr", "it"}


@pytest.mark.parametrize("language", ["en", "fr", "it", "pl"])
def test_a_place_of_one_line_is_told_as_one(dispute: Source, language: str) -> None:
    text = publish(dispute, "md", languages=(language,), at=25).decode()
    assert re.search(r", \d+(–\d+)?\b", text)
    assert not re.search(r"\b(\d+)–\1\b", text)


def test_a_page_carries_the_annotations(dispute: Source) -> None:
    record = json.loads(marked(publish_html(dispute), "annotations"))
    assert [finding["seq"] for finding in record["findings"]] == [25, 73, 87, 103, 116]
    assert len(record["steps"]) == 131
    assert record["seal"] == {"standing": "unsealed"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["dispute", "hidden", "clean"])
def test_a_page_in_one_language_has_at_most_300_kilobytes(name: str) -> None:
    page = publish(source_at(SAMPLES / f"{name}.jsonl"), "html")
    small = packed(page)
    assert len(small) <= 300_000
    assert unpacked(small) == page
    assert unpacked(page) == page


PACKED = gzip.compress(b"{}", mtime=0)
WITH_A_NAME = PACKED[:3] + b"\x08" + PACKED[4:10] + b"another\0" + PACKED[10:]


@pytest.mark.parametrize(
    "data",
    [
        b"=", b"AAAA", b"H4sI", base64.b64encode(WITH_A_NAME),
        base64.b64encode(PACKED + b"more"), base64.b64encode(gzip.compress(b"</script>", mtime=0)),
    ],
)  # fmt: skip
def test_data_that_cannot_be_unpacked_is_refused(data: bytes) -> None:
    with pytest.raises(PackingError):
        unpacked(b'<script type="application/gzip" id="replay">%s</script>' % data)


def test_a_page_shows_its_first_finding_without_a_script(dispute: Source) -> None:
    page = re.sub(r"<script.*?</script>", "", publish(dispute, "html").decode(), flags=re.S)
    assert "Ada plays Plague 5 face up in line 2." in page
    assert "Only this step" not in page
    assert "Without scripts only this step is shown." in page


def test_names_that_want_to_be_markup_stay_names(dispute: Source) -> None:
    nasty = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'
    players = tuple(msgspec.structs.replace(player, name=nasty) for player in dispute.header.players)
    header = msgspec.structs.replace(dispute.header, game=nasty, players=players, meta={"table": nasty})
    note = PublishedNote(25, None, nasty, nasty, nasty, "en", nasty, nasty, "public")
    source = msgspec.structs.replace(dispute, header=header, notes=(note,))
    page = publish_html(source).decode()
    assert "<script>alert" not in page
    assert "<img" not in page
    text = publish(source, "md").decode()
    assert "<script" not in re.sub(r"\\<", "", text)
    assert "<script" not in publish((header, dispute.events), "svg").decode()


@pytest.mark.parametrize(("form", "viewer"), [("html", "public"), ("json", "B"), ("md", "public"), ("svg", "B")])
def test_a_card_that_only_its_owner_saw_is_in_no_file_of_the_others(dispute: Source, form: str, viewer: str) -> None:
    known = publish(dispute, "json", viewer)
    hidden = _hidden(known)
    assert hidden
    record = publish(dispute, form, viewer, ("en", "fr", "it", "pl"), at=20)
    for card in hidden:
        assert not re.search(rf"\b{card}\b".encode(), record)


def _data(page: bytes) -> dict[str, object]:
    data: dict[str, object] = json.loads(marked(page, "replay"))
    return data


def _hidden(record: bytes) -> set[str]:
    """Cards of A's deck that the viewer never sees: what the judge's record names and theirs does not."""
    decks = open_log(SAMPLES / "dispute.jsonl").header.setup["decks"]
    assert isinstance(decks, dict)
    seen = set(re.findall(r'"([a-z]+-\d)"', json.dumps(json.loads(record)["log"][1:])))
    return set(decks["A"]) - seen


def test_only_a_judge_is_told_what_could_come(dispute: Source) -> None:
    assert "options" in _data(publish_html(dispute, "judge"))
    public = publish_html(dispute, "public")
    assert "options" not in _data(public)
    assert b'class="could"' not in public


def test_a_record_read_and_written_again_is_the_same_bytes(dispute: Source) -> None:
    for viewer in ("judge", "public", "A"):
        first = publish(dispute, "json", viewer)
        assert encoded(msgspec.to_builtins(read_record(first))) == first


def test_a_judges_record_judged_again_is_the_same_bytes(dispute: Source) -> None:
    first = publish(dispute, "json")
    assert publish(source_of_record(read_record(first)), "json") == first


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"replay":"audit-replay/9"}'])
def test_what_is_no_record_is_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        read_record(data)


class TestSeals:
    """What a file says of the seal beside its log."""

    @pytest.fixture
    def log(self, tmp_path: Path) -> Path:
        path = tmp_path / "game.jsonl"
        path.write_bytes((SAMPLES / "dispute.jsonl").read_bytes())
        seal_file(path)
        return path

    def test_a_sealed_log_is_called_sealed_and_the_record_has_the_root_of_the_seal(self, log: Path) -> None:
        record = json.loads(publish(source_at(log), "json"))
        root = read_seal(beside(log)).root
        assert record["seal"]["standing"] == "sealed"
        assert record["seal"]["head"] == root
        assert verify(log, read_seal(beside(log)), expect_head=root).is_intact

    def test_a_log_that_has_grown_says_so(self, log: Path) -> None:
        lines = log.read_bytes().splitlines(keepends=True)
        log.write_bytes(b"".join(lines[:-3]))
        log.with_name("game.jsonl.seal").unlink()
        seal_file(log)
        log.write_bytes(b"".join(lines))
        assert source_at(log).seal.standing == "grown"

    def test_an_altered_log_says_so_in_the_file(self, log: Path) -> None:
        log.write_bytes(log.read_bytes().replace(b'"Ada"', b'"Eve"'))
        source = source_at(log)
        assert source.seal.standing == "broken"
        assert "changed after it was sealed" in publish(source, "md").decode()

    def test_hashes_of_lines_are_in_no_file(self, log: Path) -> None:
        made = json.loads(log.with_name("game.jsonl.seal").read_bytes())
        page = publish_html(source_at(log), "public").decode()
        assert made["root"] in page
        assert made["head"] not in page
        assert made["secret"] not in page
        assert not any(line in page for line in made["lines"])


def test_a_forum_text_dwells_on_the_first_finding_or_the_step_asked_for(dispute: Source) -> None:
    text = publish(dispute, "md", languages=("fr", "pl")).decode()
    assert "## Étape 25 ✗" in text
    assert "à son protocole**" in text
    assert "- pl: " in text
    assert "- en: " not in text
    assert "## Step 73 ✗" in publish(dispute, "md", at=73).decode()


def test_markdown_has_no_power_over_names() -> None:
    assert plain("[x](http://y) *b* <i>") == r"\[x\](http:" + "\u200b" + r"//y) \*b\* \<i\>"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("log", ["dispute", "lotr-journey", "altered-duel", "altered-alice-bob-camille"])
def test_pictures_are_pictures(log: str) -> None:
    pytest.importorskip("cairosvg", reason="needs audit[pictures]")
    source = source_at(SAMPLES / f"{log}.jsonl")
    assert publish(source, "svg", at=25).startswith(b"<svg ")
    png = publish(source, "png", at=25)
    assert png.startswith(b"\x89PNG")
    assert png != publish(source, "png", at=3)


ANSWERS = {
    "en": ("No. It is against the rules.", "Face up only at its protocol", "What should have happened", "Judge"),
    "fr": ("Non. C’est contraire aux règles.", "à son protocole", "Ce qui aurait dû se passer", "Arbitre"),
    "it": (
        "No. È contro le regole.",
        "A faccia in su dal suo protocollo",
        "Che cosa sarebbe dovuto succedere",
        "Arbitro",
    ),
    "pl": ("Nie. To wbrew zasadom.", "Odkryta tylko przy swoim protokole", "Co powinno było się stać", "Sędzia"),
}
RAW = re.compile(r"face-up-needs-protocol|plague-5|ILLEGAL|illegal")


def pdf_words(data: bytes) -> str:
    pypdf = pytest.importorskip("pypdf")
    pages = pypdf.PdfReader(BytesIO(data)).pages
    assert len(pages) == 1
    sizes: list[float] = []
    words = pages[0].extract_text(visitor_text=lambda text, *how: sizes.append(how[3]) if text.strip() else None)
    assert min(sizes) >= SMALLEST
    return " ".join(words.split())


def test_the_words_of_a_picture_are_as_large_as_those_of_its_sheet() -> None:
    sizes = re.findall(r"font-size: (\d+)px", (ROOT / "web" / "static" / "picture.css").read_text("utf-8"))
    assert min(map(int, sizes)) * USUAL / 25.4 * 72 / WIDTH >= SMALLEST


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", ANSWERS)
@pytest.mark.parametrize("form", ["pdf", "sheet", "md"])
def test_a_sheet_for_the_judge_is_in_one_language_and_names_no_id(form: str, language: str, dispute: Source) -> None:
    pytest.importorskip("fpdf", reason="needs audit[pictures]")
    pytest.importorskip("font_lato", reason="needs audit[pictures]")
    data = publish(dispute, form, languages=(language,), address="https://audit.example.org/games/r3-t12")
    text = pdf_words(data) if form == "pdf" else data.decode()
    for words in ANSWERS[language]:
        assert words in text
    shown = re.sub(
        r"<style>.*?</style>|<img.*?>|<article.*?>", "", text.split("## ", 2)[-1] if form == "md" else text, flags=re.S
    )
    assert not RAW.findall(shown)


def test_the_type_of_a_sheet_has_every_letter_of_our_words() -> None:
    pytest.importorskip("fpdf", reason="needs audit[pictures]")
    pytest.importorskip("font_lato", reason="needs audit[pictures]")
    known = {chr(code) for code in blank_page().fonts["lato"].cmap}
    files = [file for file in (ROOT / "audit").rglob("text/*/*.toml") if file.stem != "terminal"]
    lacking = {file: set(file.read_text("utf-8")) - known - {"\n"} for file in files}
    assert len(files) > 40
    assert not {str(file): letters for file, letters in lacking.items() if letters}


def test_a_sheet_quotes_each_rulebook_beside_its_language(dispute: Source) -> None:
    pytest.importorskip("fpdf", reason="needs audit[pictures]")
    quote = Quote("pl", "Zażółć gęślą jaźń", "a-book", "0123456789", "page 4", fits=False)
    once, again = (publish(dispute, "pdf", quotes=lambda ruleset, rule: (quote,)) for _ in range(2))
    assert once == again
    assert "PL Jako odkrytą wolno zagrać kartę tylko w tej linii, w której leży jej protokół. “Zażółć" in pdf_words(
        once
    )


@pytest.mark.parametrize("tallest", [1676, pytest.param(2400, marks=pytest.mark.prove)])
def test_a_crowded_table_is_drawn_wider_before_its_words_are_too_small_to_read(tallest: int, dispute: Source) -> None:
    """Two hands of ten cards: so high is their table at each width. The other is higher than any page."""
    pytest.importorskip("fpdf", reason="needs audit[pictures]")
    pytest.importorskip("cairosvg", reason="needs audit[pictures]")
    pypdf = pytest.importorskip("pypdf")
    about = Sheet(
        language="en", title="a game", people="Ada, Bo", at="Step 300", question="Is that allowed?", verdict="legal",
        answer="Yes.", why="", standing=(), should=(), facts=(("Game", "a game"),), rules=(), story=(), seal=(), step=1,
    )  # fmt: skip
    heights = {660: tallest, 900: tallest * 0.8, 1200: tallest * 0.67}
    tried: list[int] = []

    def drawn(units: int) -> str:
        tried.append(units)
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="{units}" height="{heights[units]:.0f}"></svg>'

    page = pypdf.PdfReader(BytesIO(sheet_pdf(about, drawn))).pages[0]
    wide, high = next(
        (float(found[1]), float(found[2]))
        for found in re.finditer(rb"q ([\d.]+) 0 0 ([\d.]+) [\d.]+ [\d.]+ cm /I\d+ Do", page.get_contents().get_data())
    )
    assert high < page.mediabox.height - FOOT
    letters = LETTER * wide / 1200
    assert tried == [660, 900, 1200]
    assert (letters >= LEAST) is (tallest == 1676)
    assert letters >= LEAST / 2


def test_what_lies_apart_stands_side_by_side_on_paper_and_more_cards_beside_a_long_name() -> None:
    card = node("li", {"class": "chip"}, "a card of some length")
    hand = node(
        "div",
        {"class": "zone"},
        node("span", {}, "all of the own cards in the zone"),
        node("ul", {"class": "held"}, *[card] * 10),
    )
    heap = node(
        "div", {"class": "apart zone"}, node("span", {"class": "title"}, "a heap"), node("ul", {"class": "held"}, card)
    )
    high = [
        float(str(laid_out(node("div", {}, hand, *[heap] * 4), {}, units)[1]["viewBox"]).split()[-1])
        for units in (420, 660, 1200)
    ]
    assert high == sorted(high, reverse=True)
    assert high[0] > 2 * high[2]


def test_a_sheet_with_very_long_quotations_is_still_one_page_with_room_for_the_ruling(dispute: Source) -> None:
    pytest.importorskip("fpdf", reason="needs audit[pictures]")
    long = tuple(
        Quote(code, "words and more words " * 200, "a-book", "1", "page 4") for code in ("en", "fr", "it", "pl")
    )
    assert "Ruling" in pdf_words(publish(dispute, "pdf", quotes=lambda ruleset, rule: long))


def test_the_code_on_a_sheet_leads_to_its_step(dispute: Source) -> None:
    segno = pytest.importorskip("segno", reason="needs audit[pictures]")
    address = "https://audit.example.org/games/r3-t12"
    page = publish(dispute, "sheet", at=73, address=address).decode()
    assert f'<a href="{address}?step=73">' in page
    dark = sum(map(sum, segno.make(f"{address}?step=73", micro=False, error="m").matrix))
    size = len(segno.make(f"{address}?step=73", micro=False, error="m").matrix)
    assert round(sum(wide * size for _, _, wide, _ in runs(f"{address}?step=73"))) == dark


def test_a_sheet_without_an_address_has_no_code(dispute: Source) -> None:
    assert 'class="code"' not in publish(dispute, "sheet").decode()


@pytest.mark.parametrize(("form", "kind"), [("", "text/html"), (".pdf", "application/pdf"), (".md", "text/markdown")])
def test_the_sheet_of_a_step_has_an_address(form: str, kind: str) -> None:
    pytest.importorskip("fpdf", reason="needs audit[pictures]")
    client = create_app().test_client()
    answer = client.get(f"/games/dispute/sheet{form}?step=25&lang=pl&as=public")
    assert answer.status_code == 200
    assert answer.content_type.startswith(kind)
    again = client.get(
        f"/games/dispute/sheet{form}?step=25&lang=pl&as=public", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304
    assert (
        client.get(
            f"/games/dispute/sheet{form}?step=25&as=judge", environ_base={"REMOTE_ADDR": "203.0.113.9"}
        ).status_code
        == 403
    )


def test_what_cannot_be_published_is_said(dispute: Source) -> None:
    with pytest.raises(PublishError, match="there are html"):
        publish(dispute, "exe")
    with pytest.raises(UnknownViewerError, match="no viewer is called 'C'; there are A, B, public, judge"):
        publish(dispute, "html", "C")


def test_header_and_events_are_enough(dispute: Source) -> None:
    again = source_of((dispute.header, iter(dispute.events)))
    assert json.loads(publish(again, "json"))["findings"] == json.loads(publish(dispute, "json"))["findings"]


def test_the_modules_make_one_script() -> None:
    text = bundle()
    assert not re.search(r"^(import|export) ", text, re.M)
    assert "modules['scene.js'] =" in text


def test_a_module_that_is_not_there_is_no_bundle() -> None:
    with pytest.raises((BundleError, FileNotFoundError)):
        bundle("none.js")


def test_the_address_of_the_file_serves_it_under_its_own_policy() -> None:
    client = create_app().test_client()
    answer = client.get("/games/dispute.html?as=public&lang=fr")
    inside = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', answer.get_data(as_text=True))
    assert inside
    policy = html.unescape(inside[1])
    assert answer.headers["Content-Security-Policy"] == f"{policy}; frame-ancestors 'none'"
    again = client.get("/games/dispute.html?as=public&lang=fr", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert again.headers["Content-Security-Policy"] == answer.headers["Content-Security-Policy"]
    client.environ_base["REMOTE_ADDR"] = "203.0.113.9"
    assert client.get("/games/dispute.html?as=judge").status_code == 403


def test_pages_asked_for_at_once_are_built_one_after_the_other(
    dispute: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Early releases of Python 3.11 fail now and then where two threads build routes at the same time."""
    building, most = [0], [0]

    def watched(*given: object, **more: object) -> Flask:
        building[0] += 1
        most[0] = max(most[0], building[0])
        time.sleep(0.02)
        try:
            return create_app(*given, **more)  # type: ignore[arg-type]
        finally:
            building[0] -= 1

    monkeypatch.setattr(single_game, "create_app", watched)

    def page(_: int) -> bytes:
        """With quotations, so that it is not taken from another test."""
        return publish_html(dispute, "public", ("en",), quotes=lambda *_: ())

    with ThreadPoolExecutor(4) as pool:
        pages = list(pool.map(page, range(4)))
    assert most == [1]
    assert len(set(pages)) == 1


UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\ufffe]")


@pytest.fixture
def odd(tmp_path: Path) -> Source:
    return source_at(oddly_named(tmp_path))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("language", LANGUAGES)
def test_only_a_file_that_carries_a_record_says_that_it_can_be_verified(dispute: Source, language: str) -> None:
    said = words_of(language)["copy"]
    assert said in html.unescape(publish_html(dispute, "public", (language,)).decode())
    for form in (each for each in FORMS if each not in (*RECORDED, *MOVING, "pdf", "png")):
        text = publish(dispute, form, "public", (language,)).decode()
        assert "audit verify" not in text, form


def test_the_help_of_the_command_says_what_each_ending_is() -> None:
    told = re.findall(r"\.([a-z]+)\b", publish_command.help or "")
    assert set(told) - {"jsonl"} == set(FORMS) - {"sheet"}


@pytest.mark.parametrize("form", ["html", "svg", "md"])
def test_what_nobody_can_see_is_in_no_published_words(form: str, odd: Source) -> None:
    text = publish(odd, form, "public", ("fr",)).decode()
    shown = re.sub(r"<script.*?</script>", "", text, flags=re.S)
    assert "mine" in shown
    assert UNSEEN.findall(shown) == []
    if form == "svg":
        ElementTree.fromstring(text)


@pytest.mark.parametrize(
    ("form", "begins", "made_by"),
    [
        ("png", b"\x89PNG", "cairosvg"),
        ("pdf", b"%PDF", "fpdf"),
        ("gif", b"GIF89a", "cairosvg"),
        ("webp", b"RIFF", "cairosvg"),
    ],
)
def test_a_picture_and_a_sheet_can_be_made_of_any_name(
    form: str, begins: bytes, made_by: str, odd: Source, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip(made_by, reason="needs audit[pictures]")
    assert publish(odd, form, "public", ("fr",)).startswith(begins)
    assert caplog.text == ""
