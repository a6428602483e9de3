"""What would fit where a word of a score sheet does not, so that it can be said in any language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from babel.lists import format_list
from msgspec import Struct, inspect

from audit.core.schema_text import format_value, near_word
from audit.core.sentences import sentence

PACKAGE = "replays"
MAX_FITS = 12


class Fit(Struct, frozen=True):
    """One thing that would fit: the name of its words (`fit_card`), and what stands in them; without a name, a word."""

    name: str
    low: float | None = None
    high: float | None = None
    word: str = ""


CARD, EVENT, LINE_END = Fit("card"), Fit("event"), Fit("end")


def written(words: Iterable[str]) -> tuple[Fit, ...]:
    """Words that fit as they stand."""
    return tuple(Fit("", word=word) for word in words)


def fits_of(kind: inspect.Type) -> Iterator[Fit]:
    """Every form of a type."""
    if isinstance(kind, inspect.Metadata):
        yield from fits_of(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for form in kind.types:
            yield from () if isinstance(form, inspect.NoneType) else fits_of(form)
    elif isinstance(kind, inspect.LiteralType):
        yield from written(format_value(value).strip('"') for value in sorted(kind.values, key=str))
    elif isinstance(kind, inspect.IntType | inspect.FloatType):
        yield Fit(
            "number" if kind.ge is None else "number_from" if kind.le is None else "number_between", kind.ge, kind.le
        )
    else:
        yield Fit(_NAMES.get(type(kind), "text"))


_NAMES: Mapping[type[inspect.Type], str] = {
    inspect.VarTupleType: "list", inspect.ListType: "list", inspect.TupleType: "list", inspect.StructType: "object",
    inspect.DictType: "object",
}  # fmt: skip


def told_fits(language: str, fits: Sequence[Fit], found: str = "") -> str:
    """`A, B or a card of this game`, in a language; with the word that is nearest to what was found."""
    told = list(dict.fromkeys(_told(language, fit) for fit in fits))
    near = near_word(found, [fit.word for fit in fits if fit.word]) if found else ""
    more = f" ({sentence(PACKAGE, language, 'fit_near', {'word': near}, 'terminal')})" if near else ""
    if len(told) > MAX_FITS:
        return f"{', '.join(told[:MAX_FITS])}, …{more}"
    return format_list(told, "or", language) + more


def _told(language: str, fit: Fit) -> str:
    if not fit.name:
        return fit.word
    return sentence(PACKAGE, language, f"fit_{fit.name}", {"low": fit.low, "high": fit.high}, "terminal")


__all__ = ["CARD", "EVENT", "LINE_END", "Fit", "fits_of", "told_fits", "written"]
