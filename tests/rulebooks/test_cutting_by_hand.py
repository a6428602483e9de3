"""An editor mends how a document is cut; the cuts are kept, taken back, and made again in the next edition."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.cutting.patches import CutError, CutKind
from audit.rulebooks.moving import TaskKind
from audit.rulebooks.passages import Kind
from audit.rulebooks.segments import placed
from commands.rulebooks import rulebook
from replays.rulebooks.editions import StoredEdition
from replays.rulebooks.loading import Loading
from replays.rulebooks.recutting import cut_passage, take_back
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.tasks import tasks

LAMPS = """\
# Lamps

The keeper on watch takes two lamps, one after the other,

from the store.

A third lamp is put back. Oil is counted every night.

## Nights

Every night has four watches.

17

May a keeper who has no watch of his own sleep during

the second watch?

No. Nobody sleeps.
"""
JOIN, SPLIT, RETITLE, DROP = CutKind.JOIN, CutKind.SPLIT, CutKind.RETITLE, CutKind.DROP


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RulebookStore:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    load(LAMPS)
    return RulebookStore()


def load(text: str) -> tuple[str, ...]:
    added = RulebookStore().add_bytes(text.encode(), "lamps.md", Loading("lamps", "en", game="compile"))
    return added.misfits


def cut(store: RulebookStore, kind: CutKind, passage: str, more: str = "") -> StoredEdition:
    return cut_passage(store, store.show("lamps"), kind, passage, more, "Zofia")


def texts(store: RulebookStore) -> list[str]:
    return [passage.text for passage in store.show("lamps").rulebook.passages]


def test_a_sentence_in_two_parts_is_joined_and_keeps_its_lines(store: RulebookStore) -> None:
    cut(store, JOIN, "lamps/1")
    passage = store.show("lamps").rulebook.passages[0]
    assert (passage.text, passage.lines) == (
        "The keeper on watch takes two lamps, one after the other, from the store.",
        (3, 5),
    )
    assert [one.lines for one in passage.sentences] == [(3, 5)]


def test_a_passage_is_split_where_the_second_part_begins(store: RulebookStore) -> None:
    cut(store, SPLIT, "lamps/3", "Oil is")
    assert texts(store)[2:4] == ["A third lamp is put back.", "Oil is counted every night."]
    ids = [passage.id for passage in store.show("lamps").rulebook.passages]
    assert len(set(ids)) == len(ids)


def test_the_addresses_of_sentences_survive_any_cut(store: RulebookStore) -> None:
    before = {address: one.text for address, one in placed(store.show("lamps").rulebook).items()}
    cut(store, SPLIT, "lamps/3", "Oil is")
    cut(store, JOIN, "lamps/3")
    assert {address: one.text for address, one in placed(store.show("lamps").rulebook).items()} == before


def test_a_title_holds_for_what_follows_under_it(store: RulebookStore) -> None:
    cut(store, RETITLE, "lamps/nights/1", "Watches of the night")
    sections = [passage.section for passage in store.show("lamps").rulebook.passages]
    assert sections[:3] == ["Lamps"] * 3
    assert all(section.startswith("Lamps / Watches of the night") for section in sections[3:])


def test_a_page_number_is_dropped(store: RulebookStore) -> None:
    number = next(one for one in store.show("lamps").rulebook.passages if one.text == "17")
    cut(store, DROP, number.id)
    assert "17" not in texts(store)


def test_a_question_in_two_parts_is_a_question_with_its_answer(store: RulebookStore) -> None:
    first = next(one for one in store.show("lamps").rulebook.passages if one.text.startswith("May a keeper"))
    cut(store, JOIN, first.id)
    joined, answer = store.show("lamps").rulebook.passages[-2:]
    assert (joined.kind, joined.text) == (
        Kind.QUESTION,
        "May a keeper who has no watch of his own sleep during the second watch?",
    )
    assert answer.heading[-1] == joined.text


SHORT = """\
# Lamps

A lamp that is

never lit goes back to the store at dawn.

On the wicks, their length and their care in every season:

The wick is trimmed before the second watch begins.
"""


def test_a_short_line_taken_for_a_title_is_text_again_and_a_line_becomes_a_title(store: RulebookStore) -> None:
    load(SHORT)
    first = store.show("lamps").rulebook.passages[0]
    assert first.heading == ("Lamps", "A lamp that is")
    cut(store, CutKind.UNTITLE, first.id)
    passages = store.show("lamps").rulebook.passages
    assert passages[0].text == "A lamp that is never lit goes back to the store at dawn."
    assert passages[0].heading == ("Lamps",)
    cut(store, CutKind.TITLE, passages[1].id)
    wick = store.show("lamps").rulebook.passages[1]
    assert (wick.heading, wick.text[:8]) == (("Lamps", passages[1].text), "The wick")


def test_only_the_first_passage_under_a_title_can_take_it_in(store: RulebookStore) -> None:
    with pytest.raises(CutError, match="not the first"):
        cut(store, CutKind.UNTITLE, "lamps/2")


def test_every_cut_can_be_taken_back_in_any_order(store: RulebookStore) -> None:
    before = store.show("lamps").rulebook
    cut(store, JOIN, "lamps/1")
    cut(store, SPLIT, "lamps/3", "Oil is")
    take_back(store, store.show("lamps"), 1)
    assert texts(store)[0] == "The keeper on watch takes two lamps, one after the other,"
    assert "Oil is counted every night." in texts(store)
    take_back(store, store.show("lamps"))
    assert store.show("lamps").rulebook == before
    with pytest.raises(CutError, match="no such cut"):
        take_back(store, store.show("lamps"))


@pytest.mark.parametrize(
    ("kind", "passage", "more", "why"),
    [
        (SPLIT, "lamps/3", "not there", "not there"),
        (SPLIT, "lamps/3", "", "not there"),
        (SPLIT, "lamps/3", "A third", "not first"),
        (RETITLE, "lamps/3", " ", "has words"),
    ],
)
def test_a_cut_that_cannot_be_made_is_refused_and_nothing_is_kept(
    store: RulebookStore, kind: CutKind, passage: str, more: str, why: str
) -> None:
    before = store.show("lamps")
    with pytest.raises(CutError, match=why):
        cut(store, kind, passage, more)
    assert store.show("lamps") == before


def test_the_last_passage_has_nothing_to_be_joined_with(store: RulebookStore) -> None:
    with pytest.raises(CutError, match="last passage"):
        cut(store, JOIN, store.show("lamps").rulebook.passages[-1].id)


def test_links_go_with_the_words_and_come_back(store: RulebookStore) -> None:
    edition = store.show("lamps").rulebook.edition
    store.link("lamps", "victory.three-compiled", ["lamps/2"])
    cut(store, JOIN, "lamps/1")
    assert store.links("lamps", edition) == {"victory.three-compiled": ("lamps/lamps/1",)}
    take_back(store, store.show("lamps"))
    made = store.made_links("lamps", edition)["victory.three-compiled"]
    assert (made.passages, made.look) == (("lamps/lamps/2",), "")


def test_links_of_two_passages_that_were_joined_go_back_each_to_its_own(store: RulebookStore) -> None:
    edition = store.show("lamps").rulebook.edition
    store.answer("lamps", {"setup.opening-hand": ["lamps/1"], "setup.deck-of-eighteen": ["lamps/2"]})
    before = store.made_links("lamps", edition)
    cut(store, JOIN, "lamps/1")
    cut(store, RETITLE, "lamps/1", "Lights")
    take_back(store, store.show("lamps"), 1)
    assert store.links("lamps", edition) == {rule: link.passages for rule, link in before.items()}


def test_a_link_that_was_made_to_the_joined_passage_asks_for_a_look_when_they_are_apart(store: RulebookStore) -> None:
    edition = store.show("lamps").rulebook.edition
    cut(store, JOIN, "lamps/1")
    store.link("lamps", "victory.three-compiled", ["lamps/1"])
    take_back(store, store.show("lamps"))
    made = store.made_links("lamps", edition)["victory.three-compiled"]
    assert (made.passages, made.look) == (("lamps/lamps/1", "lamps/lamps/2"), "split")


def test_a_passage_split_and_whole_again_has_its_link_and_no_look(store: RulebookStore) -> None:
    edition = store.show("lamps").rulebook.edition
    store.link("lamps", "victory.three-compiled", ["lamps/3"])
    cut(store, SPLIT, "lamps/3", "Oil is")
    made = store.made_links("lamps", edition)["victory.three-compiled"]
    assert (len(made.passages), made.look) == (2, "split")
    take_back(store, store.show("lamps"))
    made = store.made_links("lamps", edition)["victory.three-compiled"]
    assert (made.passages, made.look) == (("lamps/lamps/3",), "")


def test_a_linked_passage_is_not_dropped(store: RulebookStore) -> None:
    store.link("lamps", "victory.three-compiled", ["lamps/2"])
    with pytest.raises(CutError, match="take the link away first"):
        cut(store, DROP, "lamps/2")


def test_the_cuts_are_made_again_in_the_next_edition_also_on_edited_words(store: RulebookStore) -> None:
    cut(store, JOIN, "lamps/1")
    cut(store, SPLIT, "lamps/3", "Oil is")
    cut(store, RETITLE, "lamps/nights/1", "Watches")
    cut(store, DROP, "lamps/nights/2")
    misfits = load(
        LAMPS.replace("from the store", "from the big store").replace("# Lamps\n", "# Lamps\n\nRead first.\n")
    )
    assert misfits == ()
    assert texts(store)[:4] == [
        "Read first.", "The keeper on watch takes two lamps, one after the other, from the big store.",
        "A third lamp is put back.",
        "Oil is counted every night.",
    ]  # fmt: skip
    assert "17" not in texts(store)
    assert "Lamps / Watches" in {passage.section for passage in store.show("lamps").rulebook.passages}


def test_a_cut_that_no_longer_fits_is_told_and_kept(store: RulebookStore) -> None:
    cut(store, SPLIT, "lamps/3", "Oil is")
    cut(store, JOIN, "lamps/1")
    misfits = load(LAMPS.replace("Oil is counted every night.", "Nobody counts the wicks and the glasses of a lamp."))
    assert len(misfits) == 1
    assert misfits[0].startswith("split lamps/lamps/3")
    done = CliRunner().invoke(rulebook, ["cut", "lamps"])
    assert done.exit_code == 1
    assert "does not fit" in done.output
    assert [task.why for task in tasks("compile", CATALOGUE) if task.kind is TaskKind.CUT] == [
        "split: its words are not there any more"
    ]
    assert load(LAMPS.replace("four", "five")) == ()


def test_the_same_file_again_keeps_the_cuts(store: RulebookStore) -> None:
    cut(store, JOIN, "lamps/1")
    load(LAMPS)
    assert texts(store)[0] == "The keeper on watch takes two lamps, one after the other, from the store."


def test_cutting_from_a_terminal(store: RulebookStore) -> None:
    def run(*words: str) -> str:
        done = CliRunner().invoke(rulebook, ["cut", "lamps", *words], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    assert "0 cuts" in run()
    assert "1  join     lamps/1" in run("join", "lamps/1", "--by", "Ada") or "by Ada" in run()
    run("split", "lamps/3", "Oil", "is")
    run("retitle", "lamps/nights/1", "Watches", "of", "the", "night")
    assert "3 cuts" in run()
    assert "2 cuts" in run("undo")
    assert "1 cut" in run("undo", "1")
