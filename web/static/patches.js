// Scenes travel as differences; this puts them together again. The other half is web/scenes/wire.py.

const GONE = "-";
const INSIDE = "#";

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export function patched(before, change) {
  if (!isObject(change)) return change;
  if (Array.isArray(before) && INSIDE in change) {
    const inner = change[INSIDE];
    return before.map((old, index) => (String(index) in inner ? patched(old, inner[index]) : old));
  }
  const after = isObject(before) ? { ...before } : {};
  for (const key of change[GONE] ?? []) delete after[key];
  for (const [key, value] of Object.entries(change)) {
    if (key !== GONE) after[key] = patched(after[key], value);
  }
  return after;
}

// The steps of a game as they are asked for: whole scenes, made once and kept for a while. `meet` is given the cards and
// faces of each piece.
export class Steps {
  constructor(data, meet) {
    this.data = data;
    this.meet = meet;
    this.size = data.chunk;
    this.rules = Object.keys(data.rules);
    this.pieces = new Map();
    this.coming = new Map();
    for (const [number, piece] of Object.entries(data.chunks)) this.add(Number(number), piece);
  }

  add(number, { steps, ...table }) {
    this.meet(table);
    let before = { scene: {} };
    this.pieces.set(number, steps.map((step) => (before = this.whole(step, before))));
  }

  whole(step, before) {
    const rules = (step.r ?? []).map((number) => this.rules[number]).filter(Boolean);
    return { ...step, r: rules, scene: patched(before.scene, step.t ?? {}) };
  }

  // What follows from that number on, in place of what did; a piece nobody has looked at is left to be fetched.
  extend(from, steps) {
    this.rules = Object.keys(this.data.rules);
    for (const [number, piece] of this.pieces) {
      piece.length = Math.min(piece.length, Math.max(0, from - number * this.size));
      if (!piece.length) this.pieces.delete(number);
    }
    steps.forEach((step, index) => {
      const number = from + index;
      const before = this.at(number - 1);
      if (!before) return;
      const piece = Math.floor(number / this.size);
      if (!this.pieces.has(piece)) this.pieces.set(piece, []);
      this.pieces.get(piece).push(this.whole(step, before));
    });
  }

  has(step) {
    return this.pieces.has(Math.floor(step / this.size));
  }

  // The step, or undefined where its piece has not been fetched.
  at(step) {
    return this.pieces.get(Math.floor(step / this.size))?.[step % this.size];
  }

  // Of those steps the first of each piece that has not been fetched.
  lacking(from, to) {
    const found = [];
    for (let step = from; step <= to; step += this.size - (step % this.size)) if (!this.has(step)) found.push(step);
    return found;
  }

  // Fetches the piece of a step, once, however often it is asked for meanwhile.
  fetch(step) {
    const number = Math.floor(step / this.size);
    if (this.pieces.has(number)) return Promise.resolve();
    if (!this.coming.has(number)) this.coming.set(number, this.ask(number).finally(() => this.coming.delete(number)));
    return this.coming.get(number);
  }

  async ask(number) {
    const address = this.data.addresses.steps.replace(/\/0(?=$|\?)/, `/${number}`);
    const answer = await fetch(address, { headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    this.add(number, await answer.json());
  }
}
