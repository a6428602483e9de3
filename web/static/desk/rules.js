// Rules on the page: one with its statements and printed words, and those that answer a question in words.

import { make } from "./elements.js";
import { desk, RULES, say } from "./server.js";

// The address of a rule, or of the rules that a question finds, in the language of the page.
function rulesAt(path, asked = {}) {
  const lang = new URLSearchParams(location.search).get("lang");
  const query = new URLSearchParams({ ...asked, ...(lang ? { lang } : {}) });
  return `${RULES}${path}${query.size ? `?${query}` : ""}`;
}

export function ruleLink(id, ruleset) {
  return make("a", { class: "rule", href: rulesAt(`${ruleset}/${id}`) }, id);
}

const called = (told, ruleset) => make("h3", {}, told.title ? `${told.title} ` : "", ruleLink(told.id, ruleset));

export function rule(told, ruleset) {
  const own = desk.dataset.lang;
  return make("div", { class: "rule-of" }, called(told, ruleset),
    make("p", { class: "own" }, told.statements[own]),
    make("details", {}, make("summary", {}, Object.keys(told.statements).filter((code) => code !== own && told.statements[code]).join(" · ").toUpperCase()), ...Object.entries(told.statements).filter(([code, text]) => code !== own && text).map(([code, text]) => make("p", { lang: code }, make("small", { class: "quiet" }, `${code.toUpperCase()} `), text))),
    ...(told.quotations ?? []).map((quote) => make("blockquote", { lang: quote.language }, make("p", {}, quote.text), make("footer", {}, [quote.document, quote.edition, quote.place].filter(Boolean).join(", ")))));
}

// What the rules say to a question in words, and the way to all that was found.
export function rulesSay({ ruleset, game, text, rules, count, needs_table: needsTable }) {
  const all = make("a", { class: "all-found", href: rulesAt(ruleset, { q: text }) }, rules.length ? say("all-found", { n: count }) : say("search-rules"));
  return [...(needsTable ? [make("p", { class: "question" }, say("set-first"))] : []), make("h3", {}, `${say("rules-say")} · ${game}`), ...(rules.length ? rules.map((one) => make("div", { class: "rule-of" }, called(one, ruleset), make("p", { class: "own" }, one.statement))) : [make("p", {}, say("no-rule"))]), make("p", { class: "buttons" }, all)];
}
