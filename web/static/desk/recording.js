// Record: decisions alone, tapped or typed. The device holds the record; whoever answers keeps nothing of it.

import { draw, listen, nameOf, titleOf } from "./board.js";
import { button, by, cardSays, closePicker, copied, make, mark, naming, picker, problem } from "./elements.js";
import { sheet } from "./sheets.js";
import { CURRENT, forget, keep, kept, logOf, newKey } from "./keeping.js";
import { Completion } from "./completing.js";
import { Offers } from "./offers.js";
import { exchange, isRead, merged, writer } from "./sending.js";
import { answered, api, apiAt, ask, AwayError, desk, GAMES, isNowAt, pageAt, RefusedError, say } from "./server.js";
import { inWords, namesOf } from "./players.js";
import { takePasted } from "./pasting.js";
import { chooseTable } from "./words.js";

const FEW_FOLLOW = 4;

const AGAIN = 2500;
const TOO_MANY = 429;
const WHO = "audit-recorder";
const SEATS = ["A", "B", "C", "D"];
let record = null;
let told = null;
let token = "";
let bottom = "";
let busy = Promise.resolve();
let underWay = 0;
let completion = null;
const offers = new Offers((choice, cards, printed) => {
  readOut(printed);
  enter({ choice: choice.event, ...(cards.length ? { cards } : {}) });
}, printedOn);

export async function begin() {
  listen({ tap, hold });
  offers.shown = redraw;
  by("from-sheet").addEventListener("submit", (event) => { event.preventDefault(); fromSheet(new FormData(event.target)); });
  by("typed").addEventListener("submit", (event) => { event.preventDefault(); typed(); });
  completion = new Completion(asTyped, offered);
  by("otherwise").addEventListener("toggle", () => nextWords());
  by("undo").addEventListener("click", () => undo(standing().at(-1)?.seq));
  by("flag").addEventListener("click", () => enter({ type: "flagged", ...noted() }));
  by("note").addEventListener("click", () => { by("note-line").hidden = !by("note-line").hidden; if (!by("note-line").hidden) by("note-text").focus(); });
  by("turn-round").addEventListener("click", () => { bottom = bottom === "B" ? "" : "B"; judge(); });
  by("save").addEventListener("click", save);
  by("save-sealed").addEventListener("click", saveSealed);
  by("copy-line").addEventListener("click", (event) => copied(told?.position ?? "", event.target));
  by("leave").addEventListener("click", leave);
  by("sending").addEventListener("submit", (event) => { event.preventDefault(); send(new FormData(event.target)); });
  takePasted(fromPaste);
  by("sending").elements.who.value = localStorage.getItem(WHO) ?? "";
  by("add-here")?.addEventListener("click", addHere);
  window.addEventListener("online", () => judge());
  setInterval(tick, AGAIN);
  const open = kept().find((one) => one.key === localStorage.getItem(CURRENT));
  if (desk.dataset.position) await fromPosition(desk.dataset.position);
  else if (desk.dataset.game && open?.game !== desk.dataset.game) await join(desk.dataset.game);
  else if (open) await goOn(open);
  if (!record) welcome();
}

// Beginning

function welcome() {
  record = null;
  by("work").hidden = true;
  by("begin").hidden = false;
  by("kept-games").replaceChildren(...kept().map((one) => make("p", { class: "kept-game" },
    button(`${one.name} · ${one.entries.length}`, () => goOn(one)),
    button("✕", (event) => { if (event.target.dataset.sure) { forget(one); welcome(); } else { event.target.dataset.sure = "1"; event.target.textContent = say("delete"); } }, { "aria-label": say("delete") }))));
  chooseTable((words, ruleset) => {
    const form = new FormData(by("new-game"));
    if (words.length === 1) return fromTable(ruleset, words, form);
    const side = (seat, some) => `${seat} ${(form.get(seat) || "").replace(/[:\s]+/g, " ").trim()}`.trim() + `: ${some.join(" ")}`;
    const name = (form.get("game") || "").replace(/\s+/g, "-") || newKey();
    start(`game ${name}   ${side("A", words.slice(0, 3))}   ${side("B", words.slice(3))}   first ${form.get("first")}`, ruleset);
  });
}

// A game whose table is no list of words begins with the position of a new table.
async function fromTable(ruleset, words, form) {
  const change = ["first", "player"].map((name) => ({ do: "say", name, value: form.get("first") }));
  try {
    const { position } = await ask("position", { ruleset, words, change });
    await start({ position, game: form.get("game"), players: SEATS.map((seat) => form.get(seat) ?? "") }, "");
  } catch (error) {
    problem(error.message);
  }
}

// A game goes on from a position that was set or asked about, with its players.
async function fromPosition(position) {
  const players = JSON.parse(desk.dataset.players ?? "[]");
  const { seats } = players.length ? await ask("position", { position }) : { seats: [] };
  await start({ position, players: namesOf(players, seats) }, "");
}

function fromSheet(form) {
  const line = form.get("sheet").trim();
  let header = line;
  if (line.startsWith("{")) {
    try {
      header = JSON.parse(line);
    } catch {
      header = line;
    }
  }
  start(header, form.get("ruleset"));
}

function fromPaste(found) {
  start(found.header ?? { position: found.position }, "", found.entries ?? []);
}

async function start(header, ruleset, entries = []) {
  await goOn({ key: newKey(), name: "", header, ruleset, entries, sent: 0, game: "", touched: Date.now() });
  if (told) isNowAt("/record");
}

async function goOn(given) {
  const before = record;
  record = given;
  told = null;
  await judge();
  if (!told && !record.name) record = before;
  else localStorage.setItem(CURRENT, record.key);
  settle(record);
}

async function join(game) {
  try {
    const found = await api(`games/${game}/events`, token);
    await goOn({ key: newKey(), name: found.header.game ?? game, header: found.header, ruleset: found.header.ruleset, entries: found.events.map(({ seq, ...event }) => event), sent: found.events.length, game, touched: Date.now() });
  } catch (error) {
    problem(error.message);
  }
}

function leave() {
  localStorage.removeItem(CURRENT);
  isNowAt("/record");
  welcome();
}

// Entering. An entry is on the device before anybody is asked what it means.

function enter(entry) {
  if (["amended", "taken_back"].includes(entry.type)) delete record.rest;
  record.count = (record.count ?? 0) + 1;
  const who = (localStorage.getItem(WHO) ?? "").replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 24);
  record.entries.push({ id: `${record.key}~${who}~${record.count}`, at: new Date().toISOString(), ...noted(), ...entry });
  by("note-text").value = "";
  by("note-line").hidden = true;
  record.touched = Date.now();
  keep(record);
  return judge();
}

function noted() {
  const note = by("note-text").value.trim();
  return note ? { note } : {};
}

function typed() {
  const line = by("line").value.trim();
  if (!line) return;
  by("line").value = "";
  enter({ line });
}

function tap(key) {
  if (offers.tap(key)) return;
  if (by("otherwise").open && by("line").value.trim()) add(key);
  else whatever(key);
}

// What is not offered may have happened all the same: it is written down, and what is wrong with it is marked.
async function whatever(key) {
  const { choices, says } = await ask("askable", { position: told.position, key, players: told.header.players }).catch(() => ({ choices: [], says: [] }));
  if (!choices.length && !says.length) {
    add(key);
    return;
  }
  const word = button(say("as-word"), () => { closePicker(); add(key); }, { class: "wide" });
  picker(titleOf(key), ...cardSays(says), ...(choices.length ? [make("h3", {}, say("not-offered")), make("div", { class: "offers" }, ...choices.map((one) => offers.offer(one)))] : []), word);
}

// What is printed on cards is told in the first line of the record. Once that has been sent, it stays as it is.
function readOut(printed) {
  if (printed.length && !record.game) record.printed = [...(record.printed ?? []), ...printed];
}

async function printedOn(card) {
  return (await ask("printed", { header: record.header, ruleset: record.ruleset, card })).about;
}

async function hold(key) {
  const isCard = document.querySelector(`#board .card[data-key="${CSS.escape(key)}"]`) && !key.startsWith("?");
  if (isCard && told.names_cards && !record.game) await tellPrinted(key);
  else if (isCard) await whatever(key);
}

async function tellPrinted(card) {
  try {
    const about = await printedOn(card);
    picker(say("printed-on", { card: nameOf(card) }), sheet(card, about, (printed) => { readOut(printed); keep(record); judge(); }));
  } catch (error) {
    problem(error.message);
  }
}

// A line is put together word by word, for whatever is not offered.
function add(word) {
  by("line").value = `${by("line").value} ${/\s/.test(word) ? JSON.stringify(word) : word}`.trim();
  nextWords();
}

function nextWords() {
  if (by("otherwise").open && told) completion.look();
}

// What a line that is typed belongs to.
function asTyped() {
  return told && { header: record.header, entries: record.entries.filter(isRead), ...offers.lines };
}

function offered(found, line) {
  by("next-words").replaceChildren(...found.words.map((word) => button(word, () => add(word), { "data-word": word })));
  by("next-words").dataset.line = line.trim();
}

const isStruckOut = (seq) => ["amended", "taken_back"].includes(record.entries[seq - 1]?.type);
const standing = () => told?.history.filter((one) => one.seq && !one.gone && (one.verdict !== "recorded" || isStruckOut(one.seq))) ?? [];

// What can be done about an event: what was struck out by it is brought back by amending it away.
function undo(seq) {
  if (!seq || !told) return;
  const one = told.history.find((each) => each.seq === seq);
  const later = standing().filter((each) => each.seq > seq && !isStruckOut(each.seq));
  const act = (entry, rest) => () => { closePicker(); by("line").value = ""; enter(entry); if (rest) setAside(rest); };
  const amended = { type: "amended", from: seq };
  picker(one.sentence, ...(isStruckOut(seq) ? [button(say("bring-back"), act(amended), { class: "wide", id: "bring-back" })] : [
    later.length && button(say("only-this"), act(amended, later.map((each) => record.entries[each.seq - 1])), { class: "wide", id: "only-this" }),
    button(later.length ? `${say("mistyped-from")} (${later.length + 1})` : say("mistyped"), act(amended), { class: "wide", id: "mistyped" }),
    button(say("taken-back"), act({ type: "taken_back", to: seq - 1 }), { class: "wide", id: "taken-back" }),
  ].filter(Boolean)));
}

// What came after an event that is corrected is written down again, as soon as the right one stands.
function setAside(rest) {
  record.rest = { after: record.entries.length, entries: rest };
  keep(record);
}

function takeUpRest() {
  if (!record.rest || record.entries.length <= record.rest.after) return;
  const { entries } = record.rest;
  delete record.rest;
  for (const { id, at, ...entry } of entries) enter(entry);
}

// What it means. Calls come one after the other, each with the record as it stands then.

function judge() {
  underWay += 1;
  busy = busy.then(judged).catch((error) => problem(error.message)).finally(() => { underWay -= 1; });
  return busy;
}

async function judged() {
  const count = record.entries.length;
  try {
    const printed = record.printed ?? [];
    const found = await ask("judge", { header: record.header, ruleset: record.ruleset, entries: record.entries, printed, bottom });
    if (record.entries.length > count) return;
    told = found;
    record.printed = (record.printed ?? []).slice(printed.length);
    record.header = found.header;
    record.ruleset = found.header.ruleset;
    record.name ||= found.header.game || (found.header.players ?? []).map((one) => one.name || one.seat).join(" – ") || found.header.ruleset;
    record.entries = found.events.map(({ seq, ...event }) => event);
    keep(record);
    problem();
    show();
    takeUpRest();
    sync();
  } catch (error) {
    if (error instanceof RefusedError && error.told.entry !== undefined) await unread(error);
    else if (error instanceof AwayError && record.name) waiting(error);
    else {
      problem(error.message);
      by("begin").hidden = Boolean(record.name);
    }
  }
}

// An entry cannot be read. What was just typed goes back into its field; what was typed without a connection is flagged.
async function unread(error) {
  const [entry] = record.entries.splice(error.told.entry, 1);
  const isLast = error.told.entry === record.entries.length;
  if (isLast && typeof entry.line === "string") {
    by("line").value = entry.line;
    keep(record);
    await judged();
    problem(error.message, ...mayMean(error.told.meant ?? []));
    if (error.told.column) by("line").setSelectionRange(error.told.column - 1, entry.line.length);
    return;
  }
  const { line, choice, cards, type, ...rest } = entry;
  record.entries.splice(error.told.entry, 0, { ...rest, type: "flagged", unread: true, note: `${line ?? JSON.stringify(choice ?? entry)}: ${error.message}`.slice(0, 900) });
  keep(record);
  await judged();
}

// What a line that cannot be read may have meant, behind what is wrong with it.
function mayMean(meant) {
  const take = ({ line }) => () => { by("line").value = ""; enter({ line }); };
  return meant.length ? [make("span", { class: "meant" }, say("meant"), ...meant.map((one) => button(one.sentence, take(one))))] : [];
}

function waiting() {
  const unreadYet = record.entries.filter((entry) => !isRead(entry)).length;
  by("kept").textContent = say("offline");
  by("begin").hidden = true;
  by("work").hidden = false;
  by("said").replaceChildren(make("p", { class: "quiet away" }, unreadYet ? say("waiting", { n: unreadYet }) : say("offline")));
  by("choices").replaceChildren();
  const list = by("history");
  for (const old of list.querySelectorAll(".unread")) old.remove();
  list.prepend(...record.entries.filter((entry) => !isRead(entry)).reverse().map((entry) => make("li", { class: "unread" }, `… ${entry.line ?? entry.choice?.type}`)));
}

// Showing

function show() {
  const isFirst = by("work").hidden;
  by("begin").hidden = true;
  by("work").hidden = false;
  if (isFirst) by("chapter").scrollIntoView({ block: "start" });
  offers.set(told.choices, asked);
  if (!told.choices.length) by("choices").replaceChildren(make("p", { class: "over" }, say("over")));
  said();
  listed();
  nextWords();
  const players = inWords(told.header.players ?? []);
  by("ask-here").href = by("to-ask").href = pageAt("", told.position, null, { players });
  by("help").textContent = told.help;
  by("kept").textContent = `${say("kept")} ${refusal.key === record.key ? refusal.why : record.game ? say("sent", { n: record.sent }) : ""}`;
  if (by("sending").elements.server) by("sending").elements.server.value ||= record.server ?? "";
  followed();
}

// What the table has to be asked before it goes on: which it is, and what is printed on cards of which nobody has told it.
function asked() {
  if (!told.question) return [];
  const cards = record.game ? [] : told.question.cards;
  return [make("p", { class: "question" }, told.question.asked),
    ...told.question.why.map((one) => make("p", { class: "quiet" }, one)),
    ...cards.map((card) => (card.startsWith("?") ? button(say("which"), () => tellName(card), { class: "wide", "data-unknown": card })
      : button(say("printed-on", { card: nameOf(card) }), () => tellPrinted(card), { class: "wide", "data-printed": card })))];
}

// A card that was written down without a name gets one wherever it stands in the record.
function tellName(unknown) {
  const put = (card) => {
    record.entries = JSON.parse(JSON.stringify(record.entries), (_, value) => (value === unknown ? card : value));
    keep(record);
    judge().then(() => tellPrinted(card));
  };
  picker(say("which"), naming(put, say("set-so")));
}

function redraw() {
  if (!told) return;
  const live = offers.live;
  draw(told, { places: live.filter((key) => told.places.includes(key)), live });
}

function said() {
  const last = told.last;
  const asks = record.rest ? make("p", { class: "question" }, say("rest-follows", { n: record.rest.entries.length })) : record.unsettled && button(say("first", record.unsettled), () => settle(record), { class: "wide first-said", id: "settle" });
  if (!last) {
    by("said").replaceChildren(...(asks ? [asks] : []));
    return;
  }
  const finding = last.message && !["legal", "recorded"].includes(last.verdict);
  by("said").replaceChildren(
    ...(asks ? [asks] : []),
    make("p", { class: `last ${last.verdict}` }, mark(last.verdict), ` ${last.message || last.sentence}`),
    ...(finding && last.rules.length ? [make("details", {}, make("summary", {}, last.rules[0].title ? `${last.rules[0].title} ` : "", make("small", {}, last.rules[0].id)), make("p", {}, last.rules[0].statement), ...(last.expected.length ? [make("p", { class: "quiet" }, say("named", { name: say("instead"), what: last.expected.slice(0, 3).join(" ") }))] : []))] : []),
    ...(finding && last.before ? [make("p", { class: "buttons" }, make("a", { id: "ask-about", href: pageAt("", last.before, last.line, { players: inWords(told.header.players ?? []) }) }, say("ask-about")), told.case ? make("a", { id: "open-case", href: told.case }, say("open-case")) : null)] : []),
    ...(told.follows.length ? [following(told.follows)] : []));
}

// What follows by itself; a whole night is folded, so that the next decision stays in sight.
function following(sentences) {
  const list = make("ul", { class: "quiet follows" }, ...sentences.map((one) => make("li", {}, one)));
  return sentences.length > FEW_FOLLOW ? make("details", { class: "folded" }, make("summary", {}, `${say("follows")} · ${sentences.length}`), list) : list;
}

// The newest decision first, and below each what followed from it.
function newestFirst(history) {
  const groups = [];
  for (const one of history) {
    if (one.seq || !groups.length) groups.push([]);
    groups.at(-1).push(one);
  }
  return groups.reverse().flat();
}

function listed() {
  const first = told.history.findIndex((one) => one.seq);
  const begins = new Set(told.history.slice(0, Math.max(first, 0)));
  by("history").replaceChildren(...newestFirst(told.history.filter((one) => one.seq || one.verdict === "inferred")).slice(0, 400).map((one) => make("li", { class: `${one.verdict}${one.gone ? " gone" : ""}${begins.has(one) ? " begins" : ""}` },
    one.seq ? button("", () => undo(one.seq), { class: "past" }).appendChild(make("span", {}, make("small", { class: "quiet" }, `${one.seq} `), mark(one.verdict), ` ${one.sentence}`, one.note ? ` ✎ ${one.note}` : "")).parentElement : make("span", { class: "quiet" }, one.sentence))));
  const findings = told.history.filter((one) => !one.gone && ["illegal", "impossible", "undetermined"].includes(one.verdict)).length;
  by("sum").textContent = findings ? `${say("findings")} · ${findings}` : "";
}

// Keeping and sending

function save() {
  saved(logOf(record), ".jsonl");
}

// The log and its seal, which lies beside it.
async function saveSealed() {
  try {
    const made = await ask("seal", { header: record.header, ruleset: record.ruleset, entries: record.entries }, token);
    saved(made.log, ".jsonl");
    saved(made.seal, ".jsonl.seal");
    problem();
    if (!made.signed) by("kept").textContent = say("unsigned-seal");
  } catch (error) {
    problem(error.message);
  }
}

function saved(text, ending) {
  const file = new Blob([text], { type: "application/octet-stream" });
  const link = make("a", { href: URL.createObjectURL(file), download: `${record.name.replace(/[^\p{L}\p{N}-]+/gu, "-") || "game"}${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function send(form) {
  const server = (form.get("server") ?? "").trim();
  if (apiAt(server) === "" || (desk.dataset.device && !server)) {
    by("kept").textContent = say("no-server");
    return;
  }
  if (server !== (record.server ?? "")) Object.assign(record, { server, game: "", sent: 0 });
  token = form.get("token") || token;
  localStorage.setItem(WHO, form.get("who"));
  record.wanted = true;
  keep(record);
  refusal = {};
  sync(true);
}

function tick() {
  if (!record || document.hidden || underWay) return;
  if (record.entries.some((entry) => !isRead(entry))) judge();
  else sync();
}

let exchanging = false;
// What a server has refused, and in which words: it is not sent again before it is something else or its writer asks.
let refusal = {};
const sendable = (one) => JSON.stringify([one.key, one.sent, one.entries]);

async function sync(asked = false) {
  if (!token || exchanging || underWay || !record || (!asked && !record.game && !record.wanted) || by("picker").open) return;
  if (refusal.of === sendable(record)) return;
  exchanging = true;
  const here = record;
  refusal = {};
  try {
    const theirs = await exchange(here, token);
    keep(here);
    if (theirs.length) await met(here, theirs);
    by("kept").textContent = `${say("kept")} ${say("sent", { n: here.sent })}`;
    followed();
  } catch (error) {
    by("kept").textContent = error instanceof AwayError ? say("offline") : say("sending-fails", { why: error.message });
    if (error instanceof RefusedError && error.status !== TOO_MANY) {
      refusal = { of: sendable(here), key: here.key, why: by("kept").textContent };
    }
  } finally {
    exchanging = false;
  }
}

// Another recorder was first. Theirs stands in the record; ours is kept beside it until its writer says what becomes of it.
async function met(here, theirs) {
  const ourWords = sentences();
  const { others, same, left } = merged(here, theirs);
  const first = { who: writer(others.at(-1), say("another")), what: "" };
  if (left.length) here.unsettled = unsettled(here, theirs.length - theirs.indexOf(others[0]), left, ourWords);
  if (here.unsettled) Object.assign(here.unsettled, first);
  keep(here);
  await judge();
  first.what = others.map(sentences()).join(" ");
  if (here.unsettled) Object.assign(here.unsettled, first);
  keep(here);
  said();
  if (same.length && !left.length) by("said").prepend(make("p", { class: "first-said" }, say("same", first)));
  settle(here);
}

// What was said of an entry when it was judged last.
function sentences() {
  const before = told;
  return (entry) => before?.history.find((one) => one.id && one.id === entry.id)?.sentence ?? entry.line ?? entry.type;
}

function unsettled(here, back, ours, words) {
  const earlier = here.unsettled;
  return {
    from: earlier?.from ?? here.sent - back + 1,
    ours: [...(earlier?.ours ?? []), ...ours],
    yours: [earlier?.yours, ...ours.map(words)].filter(Boolean).join(" "),
  };
}

// Asks what becomes of ours. Whoever closes the dialog finds the question above what was said.
function settle(here) {
  if (!here?.unsettled) return;
  const { from, ours, yours, who, what } = here.unsettled;
  const add = (entries) => () => { closePicker(); delete here.unsettled; here.entries.push(...entries); keep(here); judge(); };
  const amended = { id: `${here.key}~${writer(ours[0], "")}~a${here.entries.length}`, type: "amended", from };
  picker(say("first", { who, what }),
    make("p", {}, say("yours", { what: yours })),
    button(say("keep-theirs"), add([]), { class: "wide", id: "keep-theirs" }),
    button(say("add-mine"), add(ours), { class: "wide", id: "add-mine" }),
    button(say("amend-theirs"), add([amended, ...ours]), { class: "wide", id: "amend-theirs" }));
}

function followed() {
  by("followed").hidden = !record.game;
  if (!record.game) return;
  by("followed").href = record.server ? `${apiAt(record.server).replace(/api\/v1\/$/, "")}games/${record.game}` : `${GAMES}${record.game}`;
  if (record.server) by("followed").target = "_blank";
}

// On a device without a server: the record becomes one of its games.
async function addHere() {
  try {
    const told = await answered(desk.dataset.device, { method: "POST", body: logOf(record) });
    by("kept").replaceChildren(say("kept"), " ", make("a", { href: told.address }, record.name));
  } catch (error) {
    by("kept").textContent = error.told?.problem ?? error.message;
  }
}
