"""Labels of the interface that several pages need."""

from __future__ import annotations

from collections.abc import Mapping

from flask_babel import gettext as _
from flask_babel import ngettext

from audit.core.catalogue import LANGUAGES, Ruling, words
from audit.core.record_events import is_about_the_record
from audit.core.ruleset import ruleset, rulesets
from audit.core.typography import labelled
from web.site.languages import chosen, own_name


def verdict_words() -> dict[str, str]:
    """Each verdict as a reader reads it."""
    return {
        "legal": _("legal"), "inferred": _("inferred"), "illegal": _("illegal"),
        "impossible": _("impossible"), "undetermined": _("undetermined"),
        "unchecked": _("not checked"), "recorded": _("record"),
    }  # fmt: skip


def verdict_meanings() -> dict[str, str]:
    """What each verdict says of a step."""
    return {
        "legal": _("The rules allow it, and the rules that do are named."),
        "inferred": _("The log left it out. It followed without a choice."),
        "illegal": _("A rule forbids it, or an obligation was skipped. It is shown as it was played."),
        "impossible": _("It cannot be carried out at all: the card is not there."),
        "undetermined": _("It depends on a card that nobody has seen."),
        "unchecked": _("It was not judged: its text is not known here, or the position is not."),
        "recorded": _("It speaks of the record itself: an amendment, a gap, a position. There is nothing to judge."),
    }


def kind_of_note(kind: str) -> str:
    """What a note is, in a word; the signs of chess stand for themselves."""
    words: dict[str, str] = {"question": _("question"), "ruling": _("ruling"), "commentary": _("comment")}
    return words.get(kind, kind)


def fidelity_words() -> dict[str, str]:
    """How far a replay can be trusted."""
    return {
        "exact": _("exact: every event judged as recorded"),
        "partial": _("partial: some steps were inferred"),
        "diverged": _("uncertain: nobody can say for sure what lay where"),
    }


def viewer_words() -> dict[str, str]:
    """The points of view that are no player's."""
    return {"judge": _("judge"), "public": _("public")}


def kind_words() -> dict[str, str]:
    """The kinds of rules."""
    return {
        "definition": _("definition"), "procedure": _("procedure"), "obligation": _("obligation"),
        "permission": _("permission"), "prohibition": _("prohibition"), "timing": _("timing"),
        "limit": _("limit"), "errata": _("erratum"),
        "ruling": _("ruling"), "clarification": _("clarification"), "erratum": _("erratum"),
    }  # fmt: skip


def ruleset_title(name: str) -> str:
    """The name of a game."""
    titles = {
        "compile": "Compile",
        "lotr-reveal": _("The Lord of the Rings: revealing a card"),
        "altered": "Altered",
    }
    return str(titles.get(name, name))


def rule_title(name: str, rule: str) -> str:
    """What a rule of a game is about, in a few words; its id where there are none."""
    if name not in rulesets():
        return rule
    catalogue = ruleset(name).catalogue
    if ruling := catalogue.rulings.get(rule):
        return ruling_title(name, ruling)
    return catalogue.title(catalogue[rule], chosen()) or rule if rule in catalogue.rules else rule


def line_example() -> str:
    """A line as on a score sheet, as it is typed in the reader's language."""
    return f"A {ruleset('compile').rules.score_card_in('plague-1', chosen())} 2"


def ruling_title(name: str, ruling: Ruling) -> str:
    """What a ruling is about: its cards, else the rules it bears on."""
    cards = (card_name(name, card) for card in ruling.cards)
    about = [*cards] or [rule_title(name, rule) for rule in ruling.bears_on[:1]]
    kind = kind_words().get(ruling.kind, ruling.kind)
    return labelled(chosen(), f"{kind[:1].upper()}{kind[1:]}", ", ".join(about)) if about else ruling.id


def card_name(name: str, card: str) -> str:
    """What a card of a game is called in the reader's language; where the game has no name for it, as logs write it."""
    if name not in rulesets():
        return card
    return str(ruleset(name).wording.finding_words({"card": card}, chosen()).get("card") or card)


def is_described(name: str, card: str) -> bool:
    """Whether the page of the cards of a game says what this card does."""
    if name not in rulesets():
        return False
    try:
        return card in words(ruleset(name).catalogue.package, chosen(), "cards")
    except FileNotFoundError:
        return False


def reason(step: Mapping[str, object]) -> str:
    """The message of a finding without the sentence that stands above it."""
    return str(step.get("message") or "").removeprefix(str(step.get("sentence") or "")).strip()


def record_words(step: Mapping[str, object]) -> list[str]:
    """Who wrote an event about the record, and why; nothing for an event of the game."""
    event = step.get("event")
    if not isinstance(event, Mapping) or not is_about_the_record(event):
        return []
    said = [_("By %(who)s.", who=event["by"])] if event.get("by") else []
    said += [_("Ordered by %(who)s.", who=event["ordered_by"])] if event.get("ordered_by") else []
    said += [_("Both players agreed.")] if event.get("agreed") else []
    why = event.get("reason") or event.get("why")
    return [*said, _("Reason: %(why)s", why=why)] if why else said


def grain_words() -> dict[str, str]:
    """How finely a reader steps."""
    return {"actions": _("moves"), "steps": _("steps"), "raw": _("all events")}


def script_words() -> dict[str, object]:
    """What the script says by itself."""
    return {
        "verdicts": verdict_words(),
        "languages": {code: own_name(code) for code in LANGUAGES},
        "step": _("Step {step} of {last}."),
        "stepShort": _("Step {step} of {last}"),
        "rule": _("Rule {rule}."),
        "start": _("The start."),
        "expected": _("Expected"),
        "perhaps": _("And perhaps more, depending on what is hidden."),
        "because": _("Because"),
        "recorded": _("event {seq} of the log"),
        "inferred": _("not in the log"),
        "byReading": _("By the reading {name}:"),
        "byEdition": _("By the edition {name}: {verdict} ({rules})."),
        "guessed": _("Assumes that an earlier mistake was meant otherwise than written."),
        "aside": _("stands no longer"),
        "standsNoLonger": _("Stands no longer."),
        "asideSince": _("Stands no longer since step {step}."),
        "setAside": _("Steps {first} to {last} stand no longer."),
        "lookInto": _("Look into them"),
        "lateRecord": _("Recorded late: it had happened before."),
        "lateInferred": _("Recorded late, in step {step}."),
        "provisional": _("Provisional: what is still to be written may explain this step otherwise."),
        "pending": _("Pending"),
        "nothing": _("nothing"),
        "copied": _("The link is copied."),
        "notCopied": _("The link could not be copied; it is in the address bar."),
        "play": _("Play"),
        "pause": _("Pause"),
        "speed": _("{n} a second"),
        "goto": _("Go to step {n}"),
        "range": _("There is no step {wanted}; this is step {step}, the nearest."),
        "none": _("There is no other."),
        "hidden": _("Hidden cards are covered."),
        "shown": _("Hidden cards are shown."),
        "beforeAndAfter": _("Before and after"),
        "before": _("Before"),
        "after": _("After"),
        "new": _new_steps(),
        "loading": _("Loading…"),
        "failed": _("This part of the game could not be fetched."),
        "unofficial": _("never ruled officially"),
        "contested": _("contested"),
        "note": _("Note"),
        "card": _("All about this card"),
        "all": _("All about this rule"),
    }


def _new_steps() -> dict[str, str]:
    """How many steps are new, for each of the categories of number that our languages have."""
    samples = {"one": 1, "few": 2, "many": 5, "other": 2}
    return {kind: ngettext("{n} new step", "{n} new steps", number) for kind, number in samples.items()}
