// What can be chosen: taps on the table, or on the buttons below it, narrow it down until one choice is left.

import { button, by, cardGrid, closePicker, grouped, make, picker } from "./elements.js";
import { nameOf } from "./board.js";
import { say } from "./server.js";

const FEW = 9;
const MOST = 200;

export class Offers {
  constructor(choose) {
    this.choose = choose;
    this.set([]);
  }

  set(choices) {
    this.choices = choices;
    this.taps = [];
    if (choices.length) by("line").placeholder = typed(choices[0]);
    this.show();
  }

  // The lines of the open choices, as they are typed in any language and in the reader's.
  get lines() {
    const open = this.choices.filter((one) => !one.passing).slice(0, MOST);
    return { choices: open.map((one) => one.line), said: open.map(typed) };
  }

  get left() {
    return this.choices.filter((one) => this.taps.every((key) => one.touched.includes(key)));
  }

  // The keys that a tap can still mean.
  get live() {
    return [...new Set(this.left.flatMap((one) => one.touched))].filter((key) => !this.taps.includes(key));
  }

  // Whether the tap meant one of the choices.
  tap(key) {
    const narrowed = this.left.filter((one) => one.touched.includes(key));
    if (!narrowed.length) return false;
    this.taps.push(key);
    if (narrowed.length === 1) this.take(narrowed[0]);
    else this.show();
    return true;
  }

  take(choice) {
    closePicker();
    this.taps = [];
    if (choice.may_be?.length) this.which(choice, []);
    else this.choose(choice, []);
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
    picker(say("which"), make("p", { class: "quiet" }, choice.sentence), unknown, known,
      ...ways.map((way) => make("section", { class: "way", "data-way": "other" }, make("h3", {}, way.sentence), grid({ ...choice, ...way }))));
  }

  show() {
    this.shown?.();  // the table first: it knows how things are called
    const left = this.left.filter((one) => !one.passing || this.taps.length);
    const passing = this.taps.length ? [] : this.choices.filter((one) => one.passing);
    const parts = left.length > FEW && !this.taps.length ? this.groups(left) : left.map((one) => this.offer(one));
    if (passing.length) parts.push(make("details", { class: "passing" }, make("summary", {}, say("passing")), ...passing.map((one) => this.offer(one))));
    if (this.taps.length) parts.push(button(`↩ ${say("back")}`, () => { this.taps = []; this.show(); }, { class: "back-to" }));
    by("choices").replaceChildren(...parts);
  }

  offer(choice) {
    return button("", () => this.take(choice), { "data-line": choice.line, class: "offer" })
      .appendChild(make("span", {}, choice.sentence)).parentElement;
  }

  groups(left) {
    const first = Map.groupBy ? Map.groupBy(left, (one) => one.touched[0]) : groupBy(left);
    return [...first].flatMap(([key, some]) => (key && some.length > 1 ? [button(nameOf(key), () => this.tap(key), { class: "group-offer", "data-first": key })] : some.map((one) => this.offer(one))));
  }
}

const typed = (choice) => choice.said ?? choice.line;

function groupBy(left) {
  const found = new Map();
  for (const one of left) found.set(one.touched[0], [...(found.get(one.touched[0]) ?? []), one]);
  return found;
}
