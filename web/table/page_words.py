"""The words that the scripts of the page for the table say."""

from __future__ import annotations

from flask_babel import gettext as _

from audit.core.catalogue import FIRST_EDITION
from audit.core.sentences import edition_words
from web.site.languages import chosen


def page_words() -> dict[str, str]:
    """By the name under which the scripts ask for them."""
    return {
        "yes": _("Yes."), "no": _("No."), "unsure": _("That cannot be said."),
        "instead": _("What the rules ask instead"), "meant": _("Did you mean"),
        "may-ask": _("Ask whether this is allowed"),
        "not-offered": _("Perhaps not allowed: it is written down all the same, and judged"),
        "as-word": _("Use it as a word of the line"),
        "printed-on": _("What is printed on %(card)s", card="{card}"),
        "no-number": _("Nobody knows"), "not-checked": _("Not checked."),
        "ask-about": _("Ask about it"),
        "ask-else": _("Ask something else of the same position"),
        "was-allowed": _("Was it allowed to be played here? For this question it goes back into the hand."),
        "rules-say": _("What the rules say"), "no-rule": _("No rule matches."),
        "all-found": _("All that was found: %(n)s", n="{n}"), "search-rules": _("Search the rules"),
        "standing": _("If the play is left standing"),
        "named": _("%(name)s: %(what)s", name="{name}", what="{what}"),
        "follows": _("Then, with nobody choosing"), "chooses": _("What can be chosen next"),
        "otherwise": _("Who would answer otherwise"), "rulings": _("Rulings on these cards"),
        "edition": _("The edition %(name)s", name="{name}"), "first-edition": edition_words(FIRST_EDITION, chosen()),
        "reading": _("The reading %(name)s", name="{name}"),
        "over": _("The game is over."), "more": _("and %(n)s more", n="{n}"),
        "passing": _("Before that"), "next-words": _("Words that may stand next"),
        "gathered": _("What was read"), "left-out": _("Left out"), "so-read": _("How it was read"),
        "leave-out": _("Leave it out"), "use-it": _("Go on with it"),
        "still-open": _("Questions still open: %(n)s", n="{n}"),
        "no-position": _("No position could be made of it yet."),
        "go-on": _("Go on from here"), "open-case": _("Open a case"),
        "which": _("Which card?"), "unknown": _("Nobody knows"),
        "put-here": _("Put a card here: %(place)s", place="{place}"), "back": _("Back"), "close": _("Close"),
        "turn": _("Turn it over"), "take": _("Take it away"), "move": _("Move it"),
        "move-to": _("Tap where it goes."),
        "name-card": _("Name a card"), "put-it": _("Put it there"), "set-so": _("Set it so"),
        "about-here": _("Say more of this place: %(place)s", place="{place}"),
        "how-many": _("How many cards?"), "player": _("Turn of"), "phase": _("Phase"), "control": _("Control"),
        "text": _("Half carried out"), "no-text": _("nothing"),
        "part": _("%(title)s: from part %(n)s of %(all)s", title="{title}", n="{n}", all="{all}"),
        "choose-words": _("Choose %(n)s", n="{n}"),
        "legal": _("legal"), "illegal": _("illegal"), "impossible": _("impossible"), "inferred": _("inferred"),
        "undetermined": _("undetermined"), "unchecked": _("not checked"), "recorded": _("record"),
        "offline": _("No connection. What is typed is kept here and judged later."),
        "waiting": _("Waiting for a connection: %(n)s", n="{n}"), "kept": _("Kept on this device."),
        "sent": _("Sent to the server: %(n)s", n="{n}"),
        "no-server": _("Enter the address of a server, such as https://games.example."),
        "sending-fails": _("The server did not take it: %(why)s", why="{why}"),
        "first": _("%(who)s was first: %(what)s", who="{who}", what="{what}"),
        "same": _("%(who)s had written the same: %(what)s", who="{who}", what="{what}"),
        "another": _("Another recorder"), "yours": _("Yours: %(what)s", what="{what}"),
        "keep-theirs": _("Theirs is right"), "add-mine": _("Mine comes after it"), "amend-theirs": _("Mine is right"),
        "mistyped": _("I mistyped"), "mistyped-from": _("It was written down wrongly, from here on"),
        "taken-back": _("They took it back"), "flag": _("Have this looked at"),
        "note": _("Note for the next decision"),
        "delete": _("Delete the record from this device?"),
        "down": _("face down, unknown"), "no-connection": _("The server cannot be reached."),
        "copied": _("Copied."), "findings": _("findings"),
    }  # fmt: skip
