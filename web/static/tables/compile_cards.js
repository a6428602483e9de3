// The cards of Compile as they lie. The other half is web/tables/compile_cards.py.
import { clipped, geometry, icon, node, rect, sign, text, wrapped } from "../tree.js";

const BOXES = ["top", "middle", "bottom"];
const LINES_OF_TEXT = [0, 4, 2, 1];

export class Cards {
  constructor(state, changes, words, how) {
    Object.assign(this, { state, words, how, say: words.say, cards: words.cards });
    this.marks = changes.marks ?? {};
    this.ghosts = changes.ghosts ?? [];
    this.origins = changes.origins ?? {};
    this.g = geometry()[how.layout];
    this.c = geometry().card;
    this.spots = {};
  }

  isTop(seat) {
    return seat !== this.how.bottom;
  }

  card(lain, seat, line, [x, y, width, height], last, full) {
    const { say } = this;
    const up = lain.face === "up";
    const shown = up ? lain.card : this.masked(lain.card);
    const mark = this.marks[lain.card] ?? "";
    const said = `${this.name(shown)}, ${up ? say.up : say.down}, ${last ? say.uncovered : say.covered}`;
    const kind = `card ${up ? "up" : "down"}${last ? "" : " under"}${mark ? " changed" : ""}`;
    const parts = [
      node("title", {}, up ? this.wholeText(shown) : said),
      rect(x, y, width, height - 1, "box"),
    ];
    if (!full) parts.push(...this.miniFace(lain, x, y, width, height));
    else if (up) parts.push(...this.face(lain.card, x, y, width, height, last));
    else parts.push(...this.back(shown, lain, x, y, width, height));
    if (mark) {
      const at = x + width - (full ? 62 : 20);
      parts.push(icon(mark, at, y + Math.floor((Math.min(height, 24) - 16) / 2), "icon mark"));
    }
    return this.linked(shown, kind, `${said}, ${seat} ${say.line} ${line}`, parts, lain.card);
  }

  face(card, x, y, width, height, last) {
    const { c } = this;
    const entry = this.cards[card] ?? { name: card, sign: "", value: "" };
    const base = y + Math.min(height, c.head);
    const parts = [
      sign(entry.sign, x + 8, base - 20),
      text(x + 32, base - 7, "t2 name", entry.name),
      text(x + width - 10, base - 4, last ? "t3 end value" : "t2 end value", String(entry.value)),
    ];
    if (last) return [...parts, ...this.boxes(entry, x, y + c.head, width, height - c.head - 1)];
    if (height >= c.stripWithText && entry.top) {
      parts.push(text(x + 10, base + 9, "t1 words", clipped(entry.top, c.columns)));
    }
    return parts;
  }

  boxes(entry, x, y, width, height) {
    const { c } = this;
    const filled = BOXES.filter((box) => entry[box]);
    const thin = 9;
    const each = Math.floor((height - thin * (3 - filled.length)) / Math.max(1, filled.length));
    const parts = [];
    for (const box of BOXES) {
      const tall = filled.includes(box) ? each : thin;
      parts.push(node("path", { class: `rule ${box}`, d: `M${x + 1} ${y}h${width - 2}` }));
      if (filled.includes(box)) {
        const lines = wrapped(entry[box], c.columns, LINES_OF_TEXT[filled.length]);
        const first = y + Math.floor((tall - lines.length * c.line) / 2) + 10;
        lines.forEach((words, number) => {
          parts.push(text(x + 10, first + number * c.line, "t1 words", words));
        });
      }
      y += tall;
    }
    return parts;
  }

  back(shown, lain, x, y, width, height) {
    const { head } = this.c;
    const base = y + Math.min(height, head);
    const name = shown.startsWith("?") ? this.say.down : `${this.say.down} · ${this.name(shown)}`;
    const after = 20 + name.length * 6;
    const strokes =
      height > head
        ? hatch(x + 2, y + head, width - 4, height - head - 3)
        : hatch(x + after, y + 2, Math.max(0, width - after - 2), height - 5);
    const parts = [node("path", { class: "back", d: strokes }), text(x + 12, base - 7, "t1 corner", name)];
    if ("value" in lain) parts.push(text(x + width - 10, base - 6, "t2 end value", String(lain.value)));
    return parts;
  }

  miniFace(lain, x, y, width, height) {
    const entry = lain.face === "up" ? this.cards[lain.card] : null;
    if (!entry) return [node("path", { class: "back", d: hatch(x + 2, y + 2, width - 4, height - 5) })];
    const base = y + Math.floor(height / 2) + 4;
    return [sign(entry.sign, x + 4, base - 12), text(x + 32, base, "t1 value", String(entry.value))];
  }

  topText(lain) {
    return lain.face === "up" ? (this.cards[lain.card]?.top ?? "") : "";
  }

  heights(stack, room) {
    const { c } = this;
    const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
    let wanted = stack.slice(0, -1).map((lain) => (this.topText(lain) ? c.stripWithText : c.strip));
    const whole = stack.at(-1)?.face === "up" ? c.height : c.down;
    const left = room - whole;
    if (sum(wanted) > left) wanted = wanted.map(() => c.strip);
    if (sum(wanted) > left && wanted.length) {
      const each = Math.max(c.least, Math.floor(left / wanted.length));
      wanted = wanted.map(() => each);
    }
    return stack.length ? [...wanted, whole] : [];
  }

  extra(card, kind, mark, [x, y, width, height], full) {
    const name = this.name(card);
    const said = `${name}, ${kind === "ghost" ? this.say.gone : this.say.flying}`;
    const half = Math.floor(height / 2);
    const parts = [node("title", {}, said), rect(x, y, width, height, "box")];
    parts.push(icon(mark, x + 6, y + half - 8, "icon mark"));
    if (full) parts.push(text(x + 30, y + half + 4, "t1", clipped(said, 34)));
    return this.linked(card, kind, said, parts);
  }

  linked(card, kind, said, parts, handle = "") {
    const attributes = { class: kind, "data-card": handle || card };
    if (card in this.cards) {
      return node("a", { ...attributes, href: `${this.words.link ?? ""}#${card}`, "aria-label": said }, ...parts);
    }
    return node("g", { ...attributes, role: "img", "aria-label": said }, ...parts);
  }

  masked(card) {
    return this.how.hide ? "?" : card;
  }

  name(card) {
    if (card.startsWith("?")) return this.say.unknown;
    return this.cards[card]?.name ?? card;
  }

  wholeText(card) {
    const entry = this.cards[card] ?? {};
    return [this.name(card), ...BOXES.filter((box) => entry[box]).map((box) => entry[box])].join(" / ");
  }
}

function hatch(x, y, width, height) {
  const strokes = [];
  for (let start = 8; start < width; start += 16) {
    const run = Math.min(height, width - start);
    strokes.push(`M${x + start} ${y + height}l${run} ${-run}`);
  }
  return strokes.join("");
}
