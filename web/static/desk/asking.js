// Ask: a table is set by tapping, a question is an event tapped or typed, and the answer stands beside it.

import { stayWhileAway } from "../connection.js";
import { draw, listen, nameOf, nearest, shutColumn, titleOf } from "./board.js";
import { button, by, cardGrid, cardSays, closePicker, copied, make, mark, naming, picker, problem, toSight } from "./elements.js";
import { Completion } from "./completing.js";
import { Offers } from "./offers.js";
import { rowsOf, sheet } from "./sheets.js";
import { ask, AwayError, desk, HERE, isNowAt, pageAt, say } from "./server.js";
import { CURRENT, keep, newKey } from "./keeping.js";
import { inWords, keepPlayers, nameFields, namesOf, playersIn, playersTold } from "./players.js";
import { takePasted } from "./pasting.js";
import { rule, ruleLink, rulesSay } from "./rules.js";
import { chooseTable, chosenGame } from "./words.js";

const KEPT = "audit-table-position";
const LONGEST = 1500;
const MOST_QR = 2200;
const DENSE_QR = 600;
const MOST_INSTEAD = 6;
const now = { position: "", table: null, sets: true, bottom: "", column: 0, moving: "", line: "", awaited: "", from: {}, players: [] };
const offers = new Offers((choice, cards, printed) => inTurn(() => questionOf(choice, printed)), printedOn);
let busy = Promise.resolve();

// One after the other, as they were tapped: each begins with what the one before has led to.
function inTurn(act) {
  busy = busy.then(act).catch((error) => problem(error.message));
  return busy;
}

export async function begin() {
  listen({ tap, hold });
  stayWhileAway();
  offers.shown = () => { if (!now.sets && now.table) redraw(); };
  by("from-line").addEventListener("submit", (event) => { event.preventDefault(); entered(new FormData(event.target).get("position").trim()); });
  by("example").addEventListener("click", () => open(chosenGame().dataset.example));
  by("do-set").addEventListener("click", () => inTurn(() => doing(true)));
  by("do-ask").addEventListener("click", () => inTurn(() => doing(false)));
  by("turn-round").addEventListener("click", () => { now.bottom = now.bottom === "B" ? "" : "B"; show({}); });
  new Completion(() => (now.position ? { header: { position: now.position, players: namesOf(now.players, now.table.seats) }, entries: [], ...offers.lines } : null));
  by("typed").addEventListener("submit", (event) => { event.preventDefault(); typed(); });
  by("leave").addEventListener("click", leave);
  by("copy-line").addEventListener("click", (event) => copied(given(), event.target));
  by("with-hidden").addEventListener("change", showGiven);
  by("copy-link").addEventListener("click", (event) => copied(link(), event.target));
  by("qr-of").addEventListener("toggle", pictured);
  takePasted(fromPaste);
  window.addEventListener("popstate", () => location.reload());
  const line = desk.dataset.position || new URLSearchParams(location.hash.slice(1)).get("position") || localStorage.getItem(KEPT);
  const { event, of, step } = desk.dataset;
  if (of) now.from = { of, step };
  by("with-hidden").checked = !of;
  now.players = playersTold(line === localStorage.getItem(KEPT));
  now.sets = event === undefined;
  now.awaited = event ?? "";
  if (line) await show({ position: line });
  if (now.position && event) await inTurn(() => question(event));
  now.awaited = "";
  if (!now.position) welcome();
}

function welcome() {
  by("work").hidden = true;
  by("begin").hidden = false;
  chooseTable((words, ruleset) => show({ ruleset, words }));
}

function leave() {
  localStorage.removeItem(KEPT);
  now.position = now.line = "";
  now.from = {};
  now.players = [];
  now.sets = true;
  addressed();
  by("said").replaceChildren();
  welcome();
}

// A position is shown here; a game goes on where games are recorded.
function fromPaste(found) {
  if (found.position) return open(found.position);
  const record = { key: newKey(), name: found.header.game || newKey(), header: found.header, ruleset: found.header.ruleset, entries: found.entries, sent: 0, game: "", touched: Date.now() };
  keep(record);
  localStorage.setItem(CURRENT, record.key);
  location.href = pageAt("/record");
}

// A position begins with its game and a stroke, an address with its scheme; anything else asks the rules.
const isPosition = (text) => /^[\w-]+:?\//.test(text);

function entered(text) {
  if (!text) return;
  by("found").replaceChildren();
  if (isPosition(text)) open(text);
  else inTurn(() => lookUp(text));
}

async function lookUp(text) {
  const ruleset = chosenGame()?.dataset.ruleset ?? desk.dataset.ruleset;
  const told = await ask("rules", { ruleset, text });
  problem();
  const [first, ...others] = told.games;
  by("found").replaceChildren(...rulesSay({ ...first, needs_table: told.needs_table }), ...others.flatMap(rulesSay));
  toSight(by("found"));
}

// Another position, with the players whom its address names.
function open(line) {
  now.players = playersIn(line);
  return show({ position: line });
}

// A line as a part of an address: the signs of a position stay as they are, so that it stays short.
function inAddress(line) {
  return encodeURIComponent(line).replace(/%(3A|2C|2F|3B|40)/g, decodeURIComponent);
}

// The names that are told with an address; the game from which something is asked tells its own.
const named = () => (now.from.of ? [] : inWords(now.players));

// The line that is given away: with the cards that not everybody has seen only where the reader says so.
const given = () => (now.table.public && !by("with-hidden").checked ? now.table.public : now.position);

function link() {
  return `${location.origin}${HERE}?position=${inAddress(given())}${named().map((one) => `&player=${inAddress(one)}`).join("")}`;
}

function showGiven() {
  by("hidden-in").hidden = !now.table.public;
  by("position").textContent = given();
  if (by("qr-of").open) pictured();
}

const show = (change) => inTurn(() => shown(change));

// Asks for the position with a change, and draws it.
async function shown(change) {
  const view = { bottom: now.bottom, column: now.column };
  try {
    now.table = await ask("position", { position: now.position, players: now.players, ...view, ...change });
  } catch (error) {
    problem(error.message);
    return;
  }
  problem();
  now.position = now.table.position;
  now.line = "";
  localStorage.setItem(KEPT, now.position);
  keepPlayers(now.players);
  const isFirst = by("work").hidden;
  by("begin").hidden = true;
  by("work").hidden = false;
  showGiven();
  if (!now.position.startsWith("compile/")) by("line").placeholder = "";
  by("record-here").href = pageAt("/record", now.position, null, { players: named() });
  if (!now.table.settable) now.sets = false;
  by("do-set").hidden = by("do-ask").hidden = !now.table.settable;
  fields();
  if (now.from.of) by("players").replaceChildren();
  else nameFields(now.players, now.table.seats, (players) => inTurn(() => called(players)));
  await doing(now.sets);
  if (isFirst) by("chapter").scrollIntoView({ block: "nearest" });
}

// The address and the other languages lead to the same position of the same game, and to what was asked last; "" where
// nothing is yet. A position that is too long for an address is kept on this device.
function addressed() {
  const event = now.sets ? null : now.line || now.awaited;
  const { from } = now;
  const line = now.position.length < LONGEST ? now.position : "";
  isNowAt("", line, event, { from, players: named() });
}

async function doing(sets) {
  now.sets = sets;
  addressed();
  moving("");
  by("do-set").setAttribute("aria-pressed", String(sets));
  by("do-ask").setAttribute("aria-pressed", String(!sets));
  by("fields").hidden = by("others").hidden = !sets;
  if (sets) {
    offers.set([]);
    draw(now.table, { places: now.table.takes, about: Object.keys(now.table.about) });
  } else await choices();
}

async function choices() {
  try {
    const told = await ask("options", { position: now.position, bottom: now.bottom, column: now.column, players: now.players });
    now.shown = told;
    offers.set(told.choices, () => (told.follows.length ? [make("div", { class: "forced" }, ...following(told.follows))] : []));
    if (!told.choices.length) by("choices").replaceChildren(make("p", {}, say("over")));
  } catch (error) {
    problem(error.message);
  }
}

function redraw() {
  const live = offers.live;
  draw(now.shown ?? now.table, { places: live.filter((key) => now.table.places.includes(key)), live });
}

// Taps

function tap(key) {
  if (!now.sets) {
    if (!now.table.places.includes(key) || !offers.tap(key)) inTurn(() => askOf(key));
    return;
  }
  const shut = shutColumn(key);
  const meant = meantBy(key);
  if (shut) now.column = shut;
  if (shut && !isPlace(key)) {
    show({});
  } else if (now.moving) {
    const to = nearest(key, now.table.takes);
    const card = now.moving;
    moving("");
    change({ do: "put", card, to });
  } else if (isPlace(meant)) place(meant);
  else if (now.table.about[meant]) lying(meant);
  else change({ do: "turn", card: key });
}

// What may be asked of one thing: what can be chosen with it, then whatever else could be done with it.
async function askOf(key) {
  const { choices: told, before, says } = await ask("askable", { position: now.position, key, players: now.players });
  const open = offers.left.filter((one) => one.touched.includes(key));
  const others = told.filter((one) => open.every(({ line }) => line !== one.line));
  if (!open.length && !others.length && !before) return typedToo(key);
  const list = (some) => make("div", { class: "offers" }, ...some.map((one) => offers.offer(one)));
  const played = before && button(before.sentence, () => { closePicker(); inTurn(() => questionBefore(before)); }, { class: "offer", id: "was-played" });
  picker(titleOf(key), ...cardSays(says), ...(open.length ? [make("h3", {}, say("chooses")), list(open)] : []),
    ...(played ? [make("h3", {}, say("was-allowed")), make("div", { class: "offers" }, played)] : []),
    ...(others.length ? [make("h3", {}, say("may-ask")), list(others)] : []));
  return undefined;
}

// A question, once it has been said what is printed on its card.
async function questionOf({ event }, printed) {
  if (printed.length) await shown({ change: printed });
  await question(event);
}

async function printedOn(card) {
  return (await ask("printed", { header: { position: now.position }, card })).about;
}

// Whether what lies there was allowed to be played: the table is set as it was before.
async function questionBefore({ position, event }) {
  await shown({ position });
  await question(event);
}

// The players have these names from now on. What was asked last is told again with them.
async function called(players) {
  now.players = players;
  now.awaited = now.line;
  await shown({});
  if (now.awaited) await question(now.awaited);
  now.awaited = "";
}

// Of what nothing can be asked so, the name is put into the line that is typed, once.
function typedToo(key) {
  const words = by("line").value.split(/\s+/).filter(Boolean);
  if (!words.includes(key)) by("line").value = [...words, key].join(" ");
  by("line").scrollIntoView({ block: "nearest" });
}

// A card is meant itself; a step of a card on its way, or a number of a place, means what it belongs to.
function meantBy(key) {
  const isCard = document.querySelector(`#board .card[data-key="${CSS.escape(key)}"]`);
  return isCard ? key : nearest(key, [...now.table.takes, ...Object.keys(now.table.about)]);
}

const isPlace = (key) => now.table.takes.includes(key) || now.table.others.some((one) => one.value === key);

function hold(key) {
  if (!now.sets) return;
  const meant = meantBy(key);
  if (isPlace(meant)) place(meant);
  else lying(meant);
}

// A card on the table, or what is only counted: what is said of it, and where it goes.
function lying(key) {
  const act = (make_) => () => { closePicker(); make_(); };
  const about = now.table.about[key];
  const isCard = !isCounted(key);
  picker(key ? titleOf(key) : by("chapter").textContent, ...(about ? [sheet(key, about, change)] : [button(say("turn"), act(() => change({ do: "turn", card: key })), { class: "wide" })]),
    ...(isCard ? [button(say("move"), act(() => moving(key)), { class: "wide" }),
      button(say("take"), act(() => change({ do: "take", card: key })), { class: "wide" })] : []));
}

// While a card is on its way, that is said where the eye is, and the card is marked.
function moving(key) {
  now.moving = key;
  by("moving").hidden = !key;
  by("moving").replaceChildren(...(key ? [make("b", {}, nameOf(key)), ` ${say("move-to")} `, button(say("back"), () => moving(""))] : []));
  for (const one of document.querySelectorAll("#board .moving-card")) one.classList.remove("moving-card");
  if (key) document.querySelector(`#board [data-key="${CSS.escape(key)}"]`)?.classList.add("moving-card");
}

const isCounted = (key) => key === "" || document.querySelector(`#board .count[data-key="${CSS.escape(key)}"]`) !== null;

// Which card is put there, and what else is said of that place.
function place(key) {
  const title = now.table.others.find((one) => one.value === key)?.title ?? nameOf(key);
  const groups = now.table.left.filter((group) => !group.places.length || group.places.includes(key));
  const about = now.table.about[key];
  picker(say("put-here", { place: title }), ...(about ? [sheet(key, about, change)] : []), cardGrid(groups, (card) => change({ do: "put", card, to: key })),
    ...(now.table.names_cards ? [naming((card) => change({ do: "put", card, to: key }))] : []));
}

const change = (told) => show({ change: told });

// Whose turn it is, and what else is said of a position

function fields() {
  const rows = rowsOf(now.table.fields ?? [], (field, value) => change({ do: "say", name: field.name, value }));
  for (const one of now.table.about?.[""]?.counts ?? []) rows.push(make("div", { class: "one-of" }, make("span", {}, one.title), button(String(one.number), () => lying(""), { "aria-label": `${one.title} ${one.number}` })));
  if (now.table.texts?.length) rows.push(halfDone());
  by("fields").replaceChildren(...rows);
  by("others").replaceChildren(...(now.table.others ?? []).map((one) => button(`+ ${one.title}`, () => place(one.value), { "data-place": one.value })));
}

function halfDone() {
  const select = make("select", { "aria-label": say("text"), change: (event) => {
    const [at, part] = event.target.value.split(".").map(Number);
    const text = now.table.texts[at];
    change(text ? { do: "text", card: text.card, command: text.command, entry: text.entry, part } : { do: "no-text" });
  } }, make("option", { value: "" }, now.table.pending[0] ?? say("no-text")));
  if (now.table.pending.length) select.append(make("option", { value: "none" }, say("no-text")));
  now.table.texts.forEach((text, at) => {
    for (let part = 1; part <= text.parts; part += 1) select.append(make("option", { value: `${at}.${part}`, title: text.words }, say("part", { title: text.title, n: part, all: text.parts })));
  });
  return make("label", { class: "one-of" }, `${say("text")} `, select);
}

// Questions and answers

function typed() {
  const line = by("line").value.trim();
  inTurn(() => (line ? question(line) : doing(false)));
}

async function question(event) {
  now.sets = false;
  let told;
  try {
    told = await ask("ask", { position: now.position, events: [event], bottom: now.bottom, players: now.players, ...now.from });
  } catch (error) {
    if (error instanceof AwayError) {
      unanswered(error, event);
      toSight(by("problem"));
    } else {
      const others = by("choices").childElementCount ? [make("h3", {}, say("ask-else"))] : [];
      by("said").replaceChildren(...misread(error, event), ...others);
      toSight(by("said"));
    }
    return;
  }
  problem();
  now.line = told.asked[0];
  addressed();
  by("line").value = "";
  by("do-set").setAttribute("aria-pressed", "false");
  by("do-ask").setAttribute("aria-pressed", "true");
  by("fields").hidden = by("others").hidden = true;
  answer(told);
  if (!now.shown) await choices();
  toSight(by("said"));
}

// A question that has not reached the server is kept, and so is the answer before it.
function unanswered(error, event) {
  problem(error.message, ` ${say("question-kept")} `, button(say("again"), () => inTurn(() => question(event)), { id: "again" }));
}

// What is wrong with a question takes the place of the answer before it, with what may have been meant.
function misread({ message, told }, event) {
  problem();
  if (told?.who) return whoIs(told, event);
  const isOffered = (one) => by("choices").querySelector(`[data-line="${CSS.escape(one.line)}"]`);
  const guesses = (told?.meant ?? []).filter((one) => !isOffered(one)).map((one) => make("li", {}, button(one.sentence, () => inTurn(() => question(one.event)))));
  if (told?.rules && !told.meant.length) return rulesSay(told.rules);
  return [...(told?.rules ? rulesSay(told.rules) : []), make("p", { class: "misread" }, mark("illegal"), ` ${message}`), ...(guesses.length ? [make("h3", {}, say("meant")), make("ul", { class: "meant" }, ...guesses)] : [])];
}

// A question that speaks of somebody by a name: it is asked again when it has been said who that is.
function whoIs({ who: { name, seats }, rules }, event) {
  const isSeat = (seat) => [...now.players.filter((one) => one.seat !== seat), { seat, name }];
  const ask_ = (seat) => inTurn(async () => { now.players = isSeat(seat); await shown({}); await question(event); });
  return [make("p", { class: "question" }, say("who", { name })),
    make("p", { class: "buttons", id: "who-is" }, ...seats.map((seat) => button(seat, () => ask_(seat), { "data-seat": seat }))),
    ...(rules ? rulesSay(rules) : [])];
}

const isWrong = ({ verdict }) => ["illegal", "impossible"].includes(verdict);

function answer({ said, ruleset, choices: next, case: opening }) {
  const first = said.steps.find((step) => step.verdict !== "inferred");
  const parts = said.steps.flatMap((step) => (step.verdict === "inferred" ? [make("p", { class: "quiet" }, mark("inferred"), ` ${step.sentence}`)] : [reply(step, ruleset, step === first ? said.doubts : [])]));
  if (said.steps.some(isWrong)) parts.push(make("h2", {}, say("standing")));
  if (said.follows.length) parts.push(...following(said.follows.map((one) => one.sentence)));
  if (next.length) parts.push(make("h3", {}, `⋔ ${say("chooses")}`), make("ul", { class: "forks" }, ...next.slice(0, 5).map((one) => make("li", {}, one.sentence)), next.length > 5 ? make("li", { class: "quiet" }, say("more", { n: next.length - 5 })) : null));
  else parts.push(make("p", {}, say("over")));
  if (said.otherwise.length) parts.push(make("details", {}, make("summary", {}, `${say("otherwise")} · ${said.otherwise.length}`), ...said.otherwise.map(other)));
  if (said.rulings.length) parts.push(make("details", {}, make("summary", {}, `${say("rulings")} · ${said.rulings.length}`), ...said.rulings.map((one) => rule(one, ruleset))));
  const buttons = make("p", { class: "buttons" }, button(say("go-on"), () => { by("said").replaceChildren(); now.shown = null; open(said.after); }, { id: "go-on" }),
    opening ? make("a", { id: "open-case", href: opening }, say("open-case")) : null);
  by("said").replaceChildren(...parts, buttons, make("h3", {}, say("ask-else")));
}

// What happens before anybody chooses: the table shows what was before it.
const following = (sentences) => [make("h3", {}, say("follows")), make("ol", { class: "follows" }, ...sentences.map((one) => make("li", {}, one)))];

function reply(step, ruleset, doubts) {
  const word = step.verdict === "legal" ? "yes" : isWrong(step) ? "no" : "unsure";
  return make("section", { class: `reply ${step.verdict}` }, make("h2", {}, mark(step.verdict), ` ${say(word)}`), make("p", { class: "sentence" }, step.message || step.sentence),
    ...doubts.map((one) => make("p", { class: "doubt" }, mark("undetermined"), ` ${one.sentence} `, ruleLink(one.rules[0], ruleset))),
    ...step.rules.slice(0, 1).map((one) => rule(one, ruleset)),
    ...(step.expected_text?.length ? [make("h3", {}, say("instead")), make("ul", {}, ...step.expected_text.slice(0, MOST_INSTEAD).map((text) => make("li", {}, text)), step.expected_text.length > MOST_INSTEAD ? make("li", { class: "quiet" }, say("more", { n: step.expected_text.length - MOST_INSTEAD })) : null)] : []));
}

function other(one) {
  const name = one.edition ? say("edition", { name: one.edition === "first" ? say("first-edition") : one.edition }) : say("reading", { name: one.reading });
  return make("p", {}, say("named", { name, what: `${one.verdicts.map((verdict) => say(verdict)).join(", ")}. ${one.message || one.follows.join(" ")} ${one.switches.map((each) => each.said).join(" ")}` }));
}

function pictured() {
  if (!by("qr-of").open) return;
  const text = link();
  by("qr").hidden = text.length > MOST_QR;
  by("qr-long").hidden = !by("qr").hidden;
  by("qr").width = by("qr").height = text.length > DENSE_QR ? 336 : 240;
  if (!by("qr").hidden) by("qr").src = `${HERE}/qr.svg?text=${encodeURIComponent(text)}`;
}
