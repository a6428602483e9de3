"""A game is recorded: what a record means, which words may stand next, what was pasted, and a seal."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import cast

from flask import current_app

from audit.core.errors import SetupError
from replays.judging.sentences import Json
from replays.table.question import MAX_POSITION
from replays.trust.seal import as_text, seal, signed
from web.site.labels import chosen
from web.site.reader import reader
from web.site.tokens import Role
from web.table import record
from web.table.answering import answers, case_at, list_of
from web.table.table import with_numbers, with_printed

MOST_CHOICES = 200


@answers("/judge")
def judge(asked: Json) -> Json:
    """What a record means, with what is `printed` on cards. It comes whole, and nothing of it is kept here."""
    header = record.header_told(asked.get("header"), str(asked.get("ruleset") or ""))
    printed, entries = list_of(asked, "printed"), list_of(asked, "entries")
    header = with_printed(header, printed)
    entries = with_numbers(header, entries) if printed else entries
    try:
        found = record.record_of(header, entries)
    except record.UnreadableError as error:
        error.meant = record.meant(header, entries, error.entry, chosen())
        raise
    told = record.told(found, chosen(), asked)
    last = cast("Json | None", told["last"])
    if not last or "before" not in last:
        return told
    return {**told, "case": case_at(header, str(last["before"]), [str(last["line"])])}


@answers("/next")
def next_words(asked: Json) -> Json:
    """The words that may stand next in a line of a record, and the whole lines that it may become."""
    header = record.header_told(asked.get("header"), str(asked.get("ruleset") or ""))
    found = record.record_of(header, list_of(asked, "entries"))
    choices, said = (
        [one for one in list_of(asked, name) if isinstance(one, str)][:MOST_CHOICES] for name in ("choices", "said")
    )
    completer = record.completer(found, choices, said, chosen())
    line = str(asked.get("line") or "")[:MAX_POSITION]
    return {
        "words": completer.next_words(line)[: record.MOST_WORDS],
        "completions": completer.completions(line)[: record.MOST_WORDS],
    }


@answers("/gather", costly=True)
def gather(asked: Json) -> Json:
    """A record or a position of what was pasted or dropped, with its questions."""
    from web.table.answering import gathered

    return gathered(asked, chosen())


@answers("/seal")
def sealed(asked: Json) -> Json:
    """A record as a log with its seal, signed where this server has a key for it. For who may append to games."""
    token = reader().token
    if not (reader().is_local or (token and token.role in (Role.SCOREKEEPER, Role.JUDGE))):
        raise SetupError("token", "a token with the role of a scorekeeper or a judge")
    header = record.header_told(asked.get("header"), str(asked.get("ruleset") or ""))
    log = record.log_of(record.record_of(header, list_of(asked, "entries")))
    key = str(current_app.config["AUDIT_SEAL_KEY"])
    made = seal(io.BytesIO(log), datetime.now(UTC).isoformat(timespec="seconds"))
    made = signed(made, key) if key else made
    return {"log": log.decode(), "seal": as_text(made).decode(), "signed": bool(key)}
