"""A later edition of a document of which only the marks of the known one are kept: what was reworded, what is gone."""

from __future__ import annotations

from audit.rulebooks.clauses.rewording import Kept
from audit.rulebooks.clauses.since import KnownSentence, since_known
from audit.rulebooks.cutting import cut
from audit.rulebooks.known import describe_edition
from audit.rulebooks.qa import checked
from audit.rulebooks.refound import found_by_marks
from audit.rulebooks.segments import Segment, Sentences, aligned, placed
from audit.rulebooks.terms import parse_terms

BEFORE = """Watch

The keeper climbs the tower at dusk. He counts the lamps of the harbour. When one is missing, he lights another.

Night

The boats sleep below the wall. Nobody rows before the bell.
"""
WORDED_ANEW = BEFORE.replace(
    "He counts the lamps of the harbour. When one is missing, he lights another.",
    "Whatever stays dark down there gets a flame from him.",
)
OTHERWISE_SAID = BEFORE.replace("The boats sleep below the wall. Nobody", "All hulls stay moored till morning. Nobody")
SHORTER = BEFORE.replace(" He counts the lamps of the harbour.", "")
BASE = parse_terms("")
ADDRESSES = list(placed(cut(BEFORE, "keeper-en", "en")))
CLIMBS, COUNTS, LIGHTS, BOATS, ROWS = ADDRESSES


def again(text: str) -> Sentences:
    return found_by_marks(describe_edition(cut(BEFORE, "keeper-en", "en")), cut(text, "keeper-en", "en"))


def missing(text: str) -> list[str]:
    """The addresses of the sentences that are told as gone."""
    known = {one: KnownSentence(one, ("watch",), Kept("", (), ())) for one in ADDRESSES}
    return [found.segment for found in since_known(known, "en", again(text), BASE) if found.kind == "missing"]


def test_a_document_that_has_not_changed_is_found_whole() -> None:
    assert [again(BEFORE)[one].address for one in ADDRESSES] == ADDRESSES
    assert missing(BEFORE) == []


def test_a_sentence_that_was_left_out_is_missing() -> None:
    assert missing(SHORTER) == [COUNTS]


def test_where_two_sentences_became_one_other_nothing_is_said_to_be_missing() -> None:
    assert missing(WORDED_ANEW) == []
    found = again(WORDED_ANEW)
    assert [one for one in ADDRESSES if found[one].worded_anew] == [COUNTS, LIGHTS]


def test_a_sentence_in_the_place_of_another_is_that_sentence() -> None:
    found = again(OTHERWISE_SAID)
    assert (found[BOATS].text, found[BOATS].worded_anew) == ("All hulls stay moored till morning.", False)
    assert missing(OTHERWISE_SAID) == []


def test_what_was_worded_anew_is_held_against_no_other_language() -> None:
    segment = Segment("watch", ("watch",), {"en": (COUNTS, LIGHTS), "fr": ("1.1",)})
    french = placed(cut("Le gardien compte 3 lampes.", "gardien-fr", "fr"))
    assert checked(aligned([segment], {"en": again(WORDED_ANEW), "fr": french}), BASE) == []
    assert [one.kind for one in checked(aligned([segment], {"en": again(SHORTER), "fr": french}), BASE)] != []
