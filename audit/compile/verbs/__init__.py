"""What each verb of the cards' vocabulary lets happen: one kind of option a verb.

An instruction is asked three things: can anything be done at all, is this event one way of doing it, and which
ways are there. All three ask the same criteria.
"""

from __future__ import annotations

from audit.compile.verbs.discarding import Discard
from audit.compile.verbs.drawing import DrawCards
from audit.compile.verbs.field import Delete, Flip, Return, Shift
from audit.compile.verbs.hands import ChangeHands, Refresh, Reveal
from audit.compile.verbs.instruction import Instruction
from audit.compile.verbs.playing import PlayCard
from audit.compile.verbs.protocols import BarCompile, Rearrange

VERBS: dict[str, type[Instruction]] = {
    "draw": DrawCards,
    "discard": Discard,
    "play": PlayCard,
    "flip": Flip,
    "shift": Shift,
    "delete": Delete,
    "return": Return,
    "reveal": Reveal,
    "give": ChangeHands,
    "take": ChangeHands,
    "refresh": Refresh,
    "rearrange": Rearrange,
    "swap": Rearrange,
    "bar": BarCompile,
}
