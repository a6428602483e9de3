// What can be chosen: taps on the table, or on the buttons below it, narrow it down until one choice is left.

import { button, by, cardGrid, closePicker, grouped, make, naming, numberGrid, picker } from "./elements.js";
import { nameOf, titleOf } from "./board.js";
import { say } from "./server.js";
import { sheet } from "./sheets.js";

const FEW = 9;
const MOST = 200;

export class Offers {
  // `choose` takes a choice, the cards named in it, and what was said to be printed on them; `printed` tells what may be.
  constructor(choose, printed) {
    Object.assign(this, { chosen: choose, printed, first: () => [] });
    this.set([]);
  }

  set(choices, first = () => []) {
    this.choices = choices;
    this.first = first;
    this.taps = [];
    const usual = choices.find(isTyped);
    if (choices.length) by("line").placeholder = usual ? typed(usual) : "";
    this.show();
  }

  // The lines of the open choices, as they are typed in any language and in the reader's.
  get lines() {
    const open = this.choices.filter((one) => !one.passing && isTyped(one)).slice(0, MOST);
    return { choices: open.map((one) => one.line), said: open.map(typed) };
  }

  get left() {
    return this.choices.filter((one) => this.taps.every((key) => one.touched.includes(key)));
  }

  // The keys that a tap can still mean.
  get live() {
    return [...new Set(this.left.flatMap((one) => one.touched))].filter((key) => !this.taps.includes(key));
  }

  // Whether the tap meant one of the choices. In the list below the table they are narrowed down in their place.
  tap(key, isInList = false) {
    const narrowed = this.left.filter((one) => one.touched.includes(key));
    if (!narrowed.length) return false;
    this.taps.push(key);
    if (narrowed.length === 1) this.take(narrowed[0]);
    else if (!isInList && !this.live.length) this.pick(key);
    else this.show();
    return true;
  }

  // What can be done with a thing, where no other tap on the table tells one from another.
  pick(key) {
    const some = this.left;
    this.taps = [];
    this.show();
    picker(titleOf(key), make("div", { class: "offers" }, ...some.map((one) => this.offer(one))));
  }

  take(choice) {
    closePicker();
    this.taps = [];
    if (choice.may_be?.length || choice.is_named) this.which(choice, []);
    else this.choose(choice, []);
  }

  // A number that nobody has told is asked first, and what is printed on a card that is read.
  choose(choice, cards) {
    if (choice.number) this.ask(choice, cards, []);
    else if (choice.reads) this.read(choice, cards);
    else this.chosen(choice, cards, []);
  }

  async read(choice, cards) {
    const card = cards[0] ?? choice.event.card;
    const about = card.startsWith("?") ? null : await this.printed(card).catch(() => null);
    if (!about || isTold(about)) {
      this.chosen(choice, cards, []);
      return;
    }
    picker(say("printed-on", { card: nameOf(card) }), sheet(card, about, (told) => this.chosen(choice, cards, told)),
      button(say("no-number"), () => { closePicker(); this.chosen(choice, cards, []); }, { class: "wide unknown" }));
  }

  ask(choice, cards, said) {
    const { field, question, printed, unnamed } = choice.number;
    const card = cards[0] ?? choice.event.card;
    const isNamed = !card.startsWith("?");
    const with_ = (number, told) => this.chosen({ ...choice, event: { ...choice.event, [field]: number } }, cards, told);
    const number = (n) => with_(n, isNamed ? [...said, { do: "count", to: card, name: printed, number: n }] : said);
    const readOut = (told) => {
      const cost = told.find((one) => one.name === printed);
      if (cost) with_(cost.number, [...said, ...told]);
      else this.ask(choice, cards, [...said, ...told]);
    };
    const more = make("details", { class: "printed" }, make("summary", {}, say("printed-on", { card })));
    more.addEventListener("toggle", async () => { more.append(sheet(card, await this.printed(card), readOut)); }, { once: true });
    picker(isNamed ? question.replace("{card}", card) : unnamed || question, make("p", { class: "quiet" }, choice.sentence.replace("?", card)), numberGrid((n) => { closePicker(); number(n); }),
      button(say("no-number"), () => { closePicker(); this.chosen(choice, cards, said); }, { class: "wide unknown" }), ...(isNamed ? [more] : []));
  }

  // Which card it was, out of those that it may be. Where it may lie in another way, each way has its own cards.
  which(choice, named) {
    const open = (choice.event.cards ?? ["?"]).filter((card) => card.startsWith("?")).length;
    const cards = choice.may_be.filter((one) => !named.includes(one.card));
    const isDown = choice.event.face === "down";
    const unknown = button(isDown ? say("down") : say("unknown"), () => {
      closePicker();
      this.choose(choice, named);
    }, { class: "wide unknown" });
    const grid = (way) => cardGrid(grouped(cards), (card) => {
      if (named.length + 1 < open) this.which(way, [...named, card]);
      else this.choose(way, [...named, card]);
    });
    const ways = choice.ways ?? [];
    const known = ways.length ? make("details", { class: "way", "data-way": "same" }, make("summary", {}, say("which")), grid(choice)) : grid(choice);
    const name = choice.is_named ? [naming((card) => this.choose(choice, [card]), say("set-so"))] : [];
    picker(say("which"), make("p", { class: "quiet" }, choice.sentence), ...name, unknown, ...(cards.length ? [known] : []),
      ...ways.map((way) => make("section", { class: "way", "data-way": "other" }, make("h3", {}, way.sentence), grid({ ...choice, ...way }))));
  }

  show() {
    this.shown?.();  // the table first: it knows how things are called
    const left = this.left.filter((one) => !one.passing || this.taps.length);
    const passing = this.taps.length ? [] : this.choices.filter((one) => one.passing);
    const parts = left.length > FEW && !this.taps.length ? this.groups(left) : left.map((one) => this.offer(one));
    if (passing.length) parts.push(make("details", { class: "passing" }, make("summary", {}, say("passing")), ...passing.map((one) => this.offer(one))));
    if (this.taps.length) parts.push(button(`↩ ${say("back")}`, () => { this.taps = []; this.show(); }, { class: "back-to" }));
    by("choices").replaceChildren(...this.first(), ...parts);
  }

  offer(choice) {
    return button("", () => this.take(choice), { "data-line": choice.line, class: "offer" })
      .appendChild(make("span", {}, choice.sentence, ...(choice.remark ? [make("small", { class: "quiet" }, ` ${choice.remark}`)] : []))).parentElement;
  }

  groups(left) {
    const first = Map.groupBy ? Map.groupBy(left, (one) => one.touched[0]) : groupBy(left);
    return [...first].flatMap(([key, some]) => (key && some.length > 1 ? [button(nameOf(key), () => this.tap(key, true), { class: "group-offer", "data-first": key })] : some.map((one) => this.offer(one))));
  }
}

// Whether anything of what is printed on a card has been told.
const isTold = (about) => about.fields.some((one) => one.value) || about.counts.some((one) => one.is_known) || about.texts.some((one) => one.value);

const typed = (choice) => choice.said ?? choice.line;

// Whether people type that line: it is a short form, not a type of event with its fields.
const isTyped = ({ line, event }) => !line.startsWith(`${event.type} `);

function groupBy(left) {
  const found = new Map();
  for (const one of left) found.set(one.touched[0], [...(found.get(one.touched[0]) ?? []), one]);
  return found;
}
