"""PO: the catalogue's own statements, for people who translate them with gettext tools."""

from __future__ import annotations

import io
from collections.abc import Mapping

from babel.core import UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.pofile import PoFileError, read_po, write_po

from audit.rulebooks.exports.entries import ExchangeError

_COMMENT = "# Our own statements of the rules. Translate msgstr; the header says which language that is."


def write_statements(source: Mapping[str, str], target: Mapping[str, str], language: str, title: str) -> bytes:
    """A PO file: the context of a message is the rule's id, the message the statement in English."""
    catalog = Catalog(locale=language, project=title, charset="utf-8", fuzzy=False, header_comment=_COMMENT)
    for rule, statement in source.items():
        catalog.add(statement, target.get(rule, ""), context=rule)
    out = io.BytesIO()
    write_po(out, catalog, width=110)
    return out.getvalue()


def read_statements(data: bytes) -> dict[str, str]:
    """The translated statements by rule; untranslated and fuzzy ones are left out. Raises `ExchangeError`."""
    try:
        catalog = read_po(io.BytesIO(data), abort_invalid=True)
    except (PoFileError, UnicodeDecodeError, UnknownLocaleError, ValueError) as error:
        raise ExchangeError("PO", str(error)) from None
    return {
        str(message.context): str(message.string)
        for message in catalog
        if message.context and message.string and not message.fuzzy
    }
