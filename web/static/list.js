// The steps around the reader, indented by cause.
import { element, markOf, node } from "./tree.js";

const AROUND = 120;
const NAMES = {
  l: "legal",
  n: "inferred",
  x: "illegal",
  o: "impossible",
  u: "undetermined",
  c: "unchecked",
  r: "recorded",
};

export function verdictAt(data, step) {
  return NAMES[data.overview.verdicts[step].toLowerCase()];
}

// The letters of steps that stand no longer become capitals: no finding, and nothing to stop at.
export function markAsides(overview) {
  const letters = [...overview.verdicts.toLowerCase()];
  for (const [first, last] of overview.asides) {
    for (let step = first; step <= last; step++) letters[step] = letters[step]?.toUpperCase();
  }
  overview.verdicts = letters.join("");
}

// Of which steps that stand no longer this is one: the first, the last, who set them aside, and what was said.
export function asideAt(data, step) {
  return data.overview.asides.find(([first, last]) => first <= step && step <= last);
}

export const GRAINS = ["actions", "steps", "raw"];

// The coarsest grain that stops at a step, by its place in `GRAINS`: the first and the last step belong to all. Where the
// step has not been fetched, nobody knows.
export function grainAt({ last, steps }, step) {
  return step === 0 || step === last ? 0 : steps.at(step) && (steps.at(step).z ?? 0);
}

// The next step of the reader's grain in that direction: from a step that stands to the next that stands. It stops at a
// step that has not been fetched.
export function beside(viewer, step, by) {
  const { data, last, grain = "raw" } = viewer;
  const finest = GRAINS.indexOf(grain);
  let next = step + by;
  while (next > 0 && next < last) {
    const aside = asideAt(data, step) ? undefined : asideAt(data, next);
    if (aside) next = aside[by > 0 ? 1 : 0] + by;
    else if (grainAt(viewer, next) > finest) next += by;
    else break;
  }
  return Math.min(Math.max(0, next), last);
}

export class StepList {
  constructor(viewer) {
    this.viewer = viewer;
    this.list = viewer.slots.steps;
    this.from = 0;
    this.to = -1;
  }

  show(step) {
    const near = Math.min(20, AROUND);
    const { last } = this.viewer;
    if (this.needs(Math.max(0, step - near)) || this.needs(Math.min(last, step + near))) this.fill(step);
    const before = this.list.querySelector("[aria-current]");
    const hadFocus = this.list.contains(document.activeElement);
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    const link = this.list.children[step - this.from]?.firstElementChild;
    link?.setAttribute("aria-current", "step");
    link?.removeAttribute("tabindex");
    if (hadFocus) link?.focus({ preventScroll: true });
    if (link) this.reveal(link);
  }

  needs(step) {
    return step < this.from || step > this.to || (this.viewer.steps.has(step) && !this.known.has(step));
  }

  fill(step) {
    this.from = Math.max(0, step - AROUND);
    this.to = Math.min(this.viewer.last, step + AROUND);
    this.known = new Set();
    const items = [];
    for (let each = this.from; each <= this.to; each++) items.push(element(this.item(each)));
    this.list.start = this.from;
    this.list.replaceChildren(...items);
    this.complete();
  }

  // Around a deep link into a long game, steps of other pieces are fetched, so that none stays without its words; and what
  // comes after them before anybody comes to it.
  async complete() {
    const { viewer, from, to } = this;
    const { steps, step, last } = viewer;
    const lacking = steps.lacking(from, to);
    if (lacking.length) {
      await Promise.allSettled(lacking.map((each) => steps.fetch(each)));
      if (from !== this.from || to !== this.to || steps.lacking(from, to).length) return;
      for (let each = from; each <= to; each++) {
        if (!this.known.has(each)) this.list.children[each - from].replaceWith(element(this.item(each)));
      }
      viewer.updateLinks();
      if (step === viewer.step) this.show(step);
    }
    for (const each of steps.lacking(to, Math.min(last, to + AROUND))) steps.fetch(each).catch(() => {});
  }

  item(step) {
    const { data, steps } = this.viewer;
    const record = steps.at(step);
    if (record) this.known.add(step);
    const verdict = verdictAt(data, step);
    const aside = asideAt(data, step);
    const said = data.words.verdicts[verdict];
    return node(
      "li",
      { class: `d${data.overview.depths[step]} ${verdict}${aside ? " aside" : ""}${step > (data.fork ?? Infinity) ? " varied" : ""}` },
      node(
        "a",
        { href: this.viewer.addressOf(step), "data-step": String(step), "data-stop": grainAt(this.viewer, step) ?? "", tabindex: "-1" },
        node("span", { class: "n" }, String(step)),
        markOf(verdict, aside ? `${said}, ${data.words.aside}` : said),
        markOf(record?.k ?? "event"),
        node(aside ? "del" : "span", { class: "s" }, record ? record.s || (step === 0 ? data.words.start : "") : "…"),
      ),
    );
  }

  // Scrolls the list alone, never the page.
  reveal(link) {
    const box = this.list.parentElement;
    const [top, bottom] = [link.offsetTop - box.offsetTop, link.offsetTop - box.offsetTop + link.offsetHeight];
    if (top < box.scrollTop + 40) box.scrollTop = top - 40;
    else if (bottom > box.scrollTop + box.clientHeight - 40) box.scrollTop = bottom - box.clientHeight + 40;
  }
}
