"""The report as one page that opens without a network."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from audit.core.sentences import sentence
from audit.rulebooks.dismissals import Triage
from audit.rulebooks.findings import PACKAGE, Finding, Quote, label
from audit.rulebooks.report_lines import authority, pairs_told

_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
article { border: 1px solid currentColor; border-radius: .4rem; margin: 1rem 0; padding: .5rem 1rem; }
h2 { font-size: 1rem; margin: .3rem 0; }
.sides { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); }
blockquote { margin: .3rem 0; }
mark { border-bottom: 2px solid; }
"""


def html(result: Triage, language: str, title: str) -> str:
    """The page: every open finding with its passages side by side, then those that were set aside."""
    heading = f"{escape(_head('title', language))}: {escape(title)}"
    body = [f"<h1>{heading}</h1>", f"<p>{escape(_head('findings', language))}: {len(result.open)}</p>"]
    body += [f"<p>{escape(said)}</p>" for said in pairs_told(result, language)]
    body += [_article(finding, language) for finding in result.open]
    body.append(f"<h1>{escape(_head('dismissed', language))}: {len(result.dismissed)}</h1>")
    for finding, why in result.dismissed:
        body.append(_article(finding, language, f"{why.reason} ({why.author}, {why.at})"))
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{heading}</title>'
        f"<style>{_STYLE}</style></head><body><main>{''.join(body)}</main></body></html>\n"
    )


def _article(finding: Finding, language: str, aside: str = "") -> str:
    grade, kind = label("severity", finding.severity, language), label("kind", finding.kind, language)
    weight = f" · {finding.weight.games} / {finding.weight.steps}" if finding.weight.steps else ""
    sides = "".join(_side(quote, language) for quote in finding.quotes)
    settled = "".join(f"<p>{escape(said)}</p>" for said in authority(finding, language))
    note = f"<p>{escape(aside)}</p>" if aside else ""
    return (
        f'<article id="{finding.id}"><h2>{escape(grade)} · {escape(kind)} · {escape(finding.segment)}{weight}</h2>'
        f'<p>{escape(finding.message(language))}</p>{settled}<div class="sides">{sides}</div>{note}</article>\n'
    )


def _side(quote: Quote, language: str) -> str:
    first, last = quote.lines
    name = "report.line" if first == last else "report.lines"
    place = sentence(PACKAGE, language, name, {"first": first, "last": last})
    return (
        f'<div lang="{quote.language}"><blockquote>{"".join(_marked(quote))}</blockquote>'
        f"<small>{escape(quote.passage)}, {escape(place)}</small></div>"
    )


def _marked(quote: Quote) -> Iterator[str]:
    end = 0
    for start, stop in sorted(quote.marks):
        yield f"{escape(quote.text[end:start])}<mark>{escape(quote.text[start:stop])}</mark>"
        end = stop
    yield escape(quote.text[end:])


def _head(name: str, language: str) -> str:
    return sentence(PACKAGE, language, f"report.{name}", {})
