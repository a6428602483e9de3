"""The documents of the other two games load, are cut, and link to the rules of their catalogues."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from audit.core.ruleset import ruleset
from audit.rulebooks.cutting import cut
from audit.rulebooks.matrix import matrix
from audit.rulebooks.quoting import QuoteStatus
from replays.rulebooks.loading import Loading
from replays.rulebooks.quotes import RulebookQuotes
from replays.rulebooks.store import RulebookStore
from tests.yaml_files import read_yaml

GAMES = [
    ("lotr-reveal", "lotr-reveal-fr", "lotr-reveal-rules.yaml", 99, (33,)),
    ("altered", "altered-rules-fr", "altered-rules.yaml", 161, (11, 14, 55)),
]


@pytest.mark.parametrize(("game", "document", "facts", "rules", "loose"), GAMES)
def test_every_rule_is_quoted_word_for_word_from_where_the_facts_say(
    game: str, document: str, facts: str, rules: int, loose: tuple[int, ...], shared: Path,
    rulebook_file: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> None:  # fmt: skip
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    RulebookStore().add(rulebook_file(document), Loading(document))
    catalogue, quotes = ruleset(game).catalogue, RulebookQuotes(ruleset(game))
    sources = {one["id"]: one for one in read_yaml(shared / "facts" / facts)["rules"]}
    assert set(sources) <= {rule.id for rule in catalogue}
    quoted = {rule.id: quotes.of(rule)[0] for rule in catalogue}
    assert sum(one.standing is QuoteStatus.QUOTED for one in quoted.values()) == rules
    for id, source in sources.items():
        spans = [source["source"]["lines"], *source.get("also_at", [])]
        first, last = quoted[id].lines
        assert quoted[id].text
        assert any(first <= span[1] and span[0] <= last for span in spans), id


@pytest.mark.parametrize(("game", "document", "facts", "rules", "loose"), GAMES)
def test_only_headings_and_pointers_are_linked_to_no_rule(
    game: str, document: str, facts: str, rules: int, loose: tuple[int, ...], rulebook_file: Callable[[str], Path]
) -> None:
    catalogue = ruleset(game).catalogue
    book = cut(rulebook_file(document).read_text("utf-8"), document)
    table = matrix(catalogue, catalogue.documents, {"fr": book})
    assert tuple(passage.lines[0] for passage in table.unlinked["fr"]) == loose
    assert len(table.rows) == rules
