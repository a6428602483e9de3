"""What people linked to a rule in the loaded documents: passages that say it, or that a document does not say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from audit.core.catalogue import Catalogue
from audit.core.sentences import sentence
from replays.rulebooks.folder import has_rulebooks

Json = dict[str, object]


class PersonalLink(Struct, frozen=True):
    """A link in the latest edition of a document, with the words of its passages; without passages it does not say it.

    `look` tells what became of the passages since the person linked them: edited, split, joined or gone.
    """

    document: str
    edition: str
    language: str
    passages: tuple[str, ...]
    text: str
    by: str
    at: str
    look: str = ""


def personal_links(game: str, catalogue: Catalogue, rule: str) -> list[PersonalLink]:
    """The links of a rule that people made, by document."""
    if not has_rulebooks():
        return []
    from replays.rulebooks.store import RulebookStore

    store = RulebookStore()
    by_time = sorted(store.editions(), key=lambda stored: stored.added)
    latest = {stored.document: stored.rulebook for stored in by_time}
    found = []
    for document, book in sorted(latest.items()):
        link = store.made_links(document, book.edition).get(rule)
        if link and (book.game == game or book.known_as in catalogue.documents.values()):
            text = " ".join(book[passage].text for passage in link.passages)
            found.append(
                PersonalLink(document, book.edition, book.language, link.passages, text, link.by, link.at, link.look)
            )
    return found


def link_lines(links: Iterable[PersonalLink], language: str = "en") -> Iterator[str]:
    """For a terminal: each link with who made it, and the words of its passages."""
    links = list(links)
    if links:
        yield f"  {_word('linked', language)}"
    for link in links:
        said = ", ".join(link.passages) or _word("not said", language)
        marks = ", ".join(filter(None, (link.by, link.look and _word(link.look, language))))
        yield f"    [{link.language}] {link.document} {link.edition[:8]}: {said}" + (f"  ({marks})" if marks else "")
        if link.text:
            yield f"         {link.text}"


def link_json(links: Iterable[PersonalLink]) -> Json:
    """For programs: the same, as a field of the rule."""
    return {"links": [msgspec.to_builtins(link) for link in links]}


def _word(key: str, language: str) -> str:
    return sentence("replays", language, key, {}, "personal")
