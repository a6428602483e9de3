// What is said of a step: verdict, sentence, what was expected, the rule in all languages, the chain of causes.
import { keptIn, varied } from "./addresses.js";
import { asideAt, grainAt, verdictAt } from "./list.js";
import { element, markOf, node } from "./tree.js";

const SHOWN = 4;
const LANGUAGES = ["en", "fr", "it", "pl"];

export function fillPanel(viewer, step) {
  const { data, slots } = viewer;
  slots.panel.replaceChildren(...panel(viewer, step).map((tree) => element(tree)));
  slots.quoted.replaceChildren(...quotations(viewer, step).map((tree) => element(tree)));
  slots.pending.classList.toggle("none", !step.scene.pending?.length);
  slots.pending.replaceChildren(...pending(data, step).map((tree) => element(tree)));
}

// The step in words, as the live region says it.
export function spoken(data, step, number) {
  const verdict = verdictAt(data, number);
  const parts = [filled(data.words.step, { step: number, last: data.last })];
  if (verdict !== "legal") parts.push(`${capital(data.words.verdicts[verdict])}.`);
  if (asideAt(data, number)) parts.push(data.words.standsNoLonger);
  parts.push(step.s || (number === 0 ? data.words.start : ""));
  if (step.r?.length) parts.push(filled(data.words.rule, { rule: data.rules[step.r[0]]?.title || step.r[0] }));
  return parts.filter(Boolean).join(" ");
}

// What the live region says: the step, why it is wrong, and what was expected.
export function announced(data, step, number) {
  const expects = step.x?.length ? `${data.words.expected}: ${step.x[0]}` : "";
  return [spoken(data, step, number), reason(step), expects].filter(Boolean).join(" ");
}

function panel(viewer, step) {
  const { data } = viewer;
  const { words } = data;
  const number = viewer.step;
  const verdict = verdictAt(data, number);
  const parts = [where(data, step, number)];
  parts.push(node("p", { class: `verdict ${verdict}` }, markOf(verdict), ` ${capital(words.verdicts[verdict])}`));
  const said = step.s || (number === 0 ? words.start : "");
  parts.push(node("p", { class: "sentence" }, asideAt(data, number) ? node("del", {}, said) : said));
  parts.push(...standing(viewer, step).map((each) => node("p", { class: "standing" }, ...each)));
  const why = reason(step);
  if (why) parts.push(node("p", { class: `message ${verdict}` }, why));
  if (number && "xou".includes(data.overview.verdicts[number])) parts.push(askForBoth(viewer));
  for (const [name, said] of step.o ?? [])
    parts.push(node("p", { class: "reading quiet" }, `${filled(words.byReading, { name })} ${said}`));
  for (const said of step.d ?? []) parts.push(node("p", { class: "deduced quiet" }, said));
  for (const [name, verdict, rules] of step.e ?? []) {
    const text = filled(words.byEdition, { name, verdict: words.verdicts[verdict], rules });
    parts.push(node("p", { class: "reading quiet" }, text));
  }
  if (step.g) parts.push(node("p", { class: "guessed quiet" }, words.guessed));
  if (step.f) parts.push(counts(step.f));
  if (step.x?.length || step.v) parts.push(expected(data, step));
  if (step.r?.length) parts.push(cited(data, step.r));
  if (step.b?.length) parts.push(because(viewer, step.b));
  if (number) {
    const record = step.q ? filled(words.recorded, { seq: step.q }) : words.inferred;
    parts.push(node("p", { class: "record quiet" }, record));
  }
  if (step.n) parts.push(node("p", { class: "note" }, node("span", { class: "label" }, words.note), ` ${step.n}`));
  return parts;
}

// Without a script it leads to the step before.
function askForBoth(viewer) {
  const link = { class: "key", href: viewer.addressOf(viewer.step - 1), "data-do": "both" };
  return node("p", { class: "both-ask" }, node("a", link, viewer.data.words.beforeAndAfter));
}

// Whether a step stands, was recorded late or is provisional; who says so and why; and what it set aside.
function standing(viewer, step) {
  const { data, step: number } = viewer;
  const { words, overview } = data;
  const said = [];
  const aside = asideAt(data, number);
  if (aside) said.push([stepLink(viewer, aside[2], filled(words.asideSince, { step: aside[2] }))]);
  said.push(...(aside?.[3] ?? step.w ?? []).map((each) => [each]));
  if (step.l && step.q) said.push([words.lateRecord]);
  else if (step.l) said.push([filled(words.lateInferred, { step: step.l })]);
  if (step.p) said.push([words.provisional]);
  for (const [first, last, by] of overview.asides) {
    if (by === number) said.push([filled(words.setAside, { first, last }), " ", stepLink(viewer, first, words.lookInto)]);
  }
  return said;
}

function stepLink(viewer, step, words) {
  return node("a", { href: viewer.addressOf(step), "data-step": String(step) }, words);
}

function where(data, step, number) {
  const { title, part, player } = step.scene.chapter ?? {};
  const chapter = step.h ?? [title, part, player].filter(Boolean).join(" · ");
  return node(
    "p",
    { class: "where" },
    node("span", {}, filled(data.words.stepShort, { step: number, last: data.last })),
    " ",
    node("span", { class: "quiet" }, chapter),
  );
}

// The message without the sentence that stands above it.
function reason(step) {
  const { m = "", s = "" } = step;
  return (m.startsWith(s) ? m.slice(s.length) : m).trim();
}

// The numbers that a finding rests on: the head of a table, then its rows.
function counts([head, ...rows]) {
  const titles = head.map((title) => (title ? node("th", { scope: "col" }, title) : node("td", {})));
  const line = ([name, ...cells]) => node("tr", {}, node("th", { scope: "row" }, name), ...cells.map((cell) => node("td", {}, cell)));
  const body = rows.map(line);
  return node("table", { class: "counted" }, node("thead", {}, node("tr", {}, ...titles)), node("tbody", {}, ...body));
}

function expected(data, step) {
  const { vary } = data.addresses;
  const items = (step.x ?? []).map((words, at) => node("li", {}, vary && step.y?.[at] ? taken(varied(vary, step.y[at]), words) : words));
  const [first, rest] = [items.slice(0, SHOWN), items.slice(SHOWN)];
  const listed = (each) => node("ul", { class: "offers" }, ...each);
  const parts = [node("h2", {}, data.words.expected), ...(first.length ? [listed(first)] : [])];
  if (rest.length) parts.push(node("details", {}, node("summary", {}, filled(data.words.more, { n: rest.length })), listed(rest)));
  if (step.v) parts.push(node("p", { class: "perhaps quiet" }, data.words.perhaps));
  return node("div", { class: "expected" }, ...parts);
}

// An option or what was expected, to be taken: the game goes on from there beside its record.
function taken(href, words) {
  return node("a", { class: "take", href }, words);
}

// A marker, such as the beginning of a part of a turn, quotes nothing.
function quotations(viewer, step) {
  const { data } = viewer;
  if (verdictAt(data, viewer.step) === "legal" && grainAt(viewer, viewer.step) === 2) return [];
  return (data.rules[step.r?.[0]]?.quotes ?? []).map((quote) => quoted(data, quote));
}

function cited(data, ids) {
  const [first, ...others] = ids;
  const parts = [node("h2", {}, ...titled(data, first), ruleLink(data, first)), ...flags(data, first), says(data, first)];
  if (others.length) {
    const links = others.flatMap((id, index) => [...(index ? [" "] : []), namedRule(data, id)]);
    parts.push(node("p", { class: "others" }, ...links));
  }
  return node("div", { class: "cited" }, ...parts);
}

// A rule by its title, its id small beside it.
function namedRule(data, id, title = data.rules[id]?.title) {
  const [tag, attributes] = ruleLink(data, id);
  return [tag, attributes, [...(title ? [`${title} `] : []), node("small", {}, id)]];
}

function titled(data, id) {
  const title = data.rules[id]?.title;
  return title ? [node("span", { class: "title" }, title), " "] : [];
}

function flags(data, id) {
  return (data.rules[id]?.flags ?? []).map((flag) => node("p", { class: "flag" }, data.words[flag]));
}

function says(data, id) {
  const found = data.rules[id]?.says ?? {};
  const order = [data.language, ...LANGUAGES.filter((code) => code !== data.language)].filter((code) => found[code]);
  const rows = order.map((code) => {
    const kind = code === data.language ? { lang: code, class: "own" } : { lang: code };
    return node("div", kind, node("dt", {}, code.toUpperCase()), node("dd", {}, found[code]));
  });
  return node("dl", { class: "says" }, ...rows);
}

function quoted(data, quote) {
  const source = [quote.document, quote.edition, quote.place].filter(Boolean).join(", ");
  if (!quote.text) return node("p", { class: "place quiet" }, `${quote.language.toUpperCase()} ${source}`);
  const whole = node("p", {}, quote.text);
  const folded = [...quote.text].slice(0, 160).join("");
  const shown = [...quote.text].length > 240 ? node("details", {}, node("summary", {}, `${folded}…`), whole) : whole;
  return node(
    "blockquote",
    { lang: quote.language },
    shown,
    node("footer", { lang: data.language }, source),
  );
}

function ruleLink(data, id) {
  return node("a", { class: "rule", href: ruleAddress(data, id), "data-rule": id }, id);
}

function ruleAddress(data, id) {
  return data.addresses.rule.replace("RULE", encodeURIComponent(id));
}

function because(viewer, causes) {
  const links = causes.flatMap((cause, index) => {
    const title = viewer.steps.at(cause)?.s;
    const attributes = { href: viewer.addressOf(cause), "data-step": String(cause), ...(title ? { title } : {}) };
    const link = node("a", attributes, String(cause));
    return index ? [" ← ", link] : [link];
  });
  return node("p", { class: "because" }, node("span", { class: "label" }, viewer.data.words.because), " ", ...links);
}

function pending(data, step) {
  const { pending: items = [], captions } = step.scene;
  const label = node("span", { class: "label" }, data.words.pending);
  if (!items.length) return [label, " ", node("span", { class: "quiet" }, data.words.nothing)];
  const frames = items.map((item, index) => {
    const attributes = { class: index ? "frame" : "frame acts" };
    if (item.key) attributes["data-outline"] = item.key;
    return node("span", attributes, pendingWords(item, captions));
  });
  return [label, ...frames.flatMap((frame) => [" ", frame])];
}

function pendingWords({ title, rest, waits }, captions) {
  const parts = [title];
  if (rest) parts.push(`(${filled(captions.left, { n: rest })})`);
  if (waits) parts.push(`(${captions.waits})`);
  return parts.filter(Boolean).join(" ");
}

// What may come next, decision by decision; where a server can go on from there, each option is a way to do so.
export function couldCome(data, options) {
  return options.filter(({ says }) => says.length).flatMap(({ player, rule, title, says, leads, more }, index, all) => [
    ...(player && player !== all[index - 1]?.player ? [node("h3", {}, player)] : []),
    node(
      "ul",
      { class: "offers" },
      ...says.map((words, at) => node("li", {}, leads?.[at] ? taken(keptIn(leads[at]), words) : words)),
      ...(more ? [node("li", { class: "quiet" }, filled(data.words.more, { n: more }))] : []),
    ),
    ...(rule ? [node("p", { class: "by" }, namedRule(data, rule, title))] : []),
  ]);
}

export function ruleDialog(data, id) {
  return [
    node("h2", { id: "rule-title" }, ...titled(data, id), node("small", {}, id)),
    ...flags(data, id),
    says(data, id),
    ...(data.rules[id]?.quotes ?? []).map((quote) => quoted(data, quote)),
    node("p", {}, node("a", { href: ruleAddress(data, id) }, data.words.all)),
  ];
}

function filled(words, values) {
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "…");
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
