// The field of Compile. The other half is web/tables/compile.py; both draw the same tree.
import { clipped, geometry, icon, node, rect, sign, text, wrapped } from "../tree.js";

const BOXES = ["top", "middle", "bottom"];
const LINES_OF_TEXT = [0, 4, 2, 1];

export function draw(state, changes, words, how) {
  return new Field(state, changes, words, how).whole();
}

class Field {
  constructor(state, changes, words, how) {
    Object.assign(this, { state, words, how, say: words.say, cards: words.cards });
    this.marks = changes.marks ?? {};
    this.ghosts = changes.ghosts ?? [];
    this.origins = changes.origins ?? {};
    this.g = geometry()[how.layout];
    this.c = geometry().card;
    this.spots = {};
  }

  whole() {
    const seats = this.how.bottom === "A" ? ["B", "A"] : ["A", "B"];
    const parts = [this.light()];
    for (const seat of seats) parts.push(...this.hand(seat), ...this.piles(seat));
    for (const line of [1, 2, 3]) parts.push(...this.line(line, seats));
    parts.push(...this.control());
    for (const seat of seats) parts.push(...this.arrows(seat));
    const attributes = {
      viewBox: `0 0 ${this.g.width} ${this.g.height}`,
      class: `field ${this.how.layout}`,
      role: "group",
      "aria-label": this.say.field,
    };
    return node("svg", attributes, ...parts);
  }

  // Sides

  isTop(seat) {
    return seat !== this.how.bottom;
  }

  light() {
    const { g, state } = this;
    const top = this.isTop(state.player || this.how.bottom);
    const [y, end] = top ? [0, g.topPlate + g.plate + 2] : [g.bottomPlate - 2, g.height];
    return rect(0, y, g.width, end - y, state.player ? "light" : "light none", 10);
  }

  hand(seat) {
    const { g } = this;
    const y = this.isTop(seat) ? g.topName : g.bottomName;
    const parts = [text(g.nameX + 16, y, "t2 name", this.caption(seat))];
    if (this.state.player === seat) parts.push(icon("turn", g.nameX - 2, y - 13, "icon turn"));
    return [...parts, ...this.chips(seat)];
  }

  caption(seat) {
    const { say } = this;
    const side = this.state.sides[seat];
    const name = clipped(`${seat} ${this.words.players[seat] ?? ""}`.trim(), this.g.nameColumns);
    if (this.how.layout === "wide") return name;
    const piles = `${say.deck} ${size(side.deck)} · ${say.trash} ${size(side.trash)}`;
    return `${name} · ${say.hand} ${size(side.hand)} · ${piles}`;
  }

  chips(seat) {
    const { g } = this;
    const hand = this.state.sides[seat].hand;
    const known = this.how.hide || !Array.isArray(hand) ? [] : hand;
    const backs = known.length ? 0 : size(hand);
    const gone = this.ghosts.filter((ghost) => ghost.seat === seat && ghost.line === 0);
    const flights = this.flights().filter((flight) => flight.side === seat && !flight.line);
    const y = this.isTop(seat) ? g.topChips : g.bottomChips;
    const step = stepOf(known.length + gone.length + flights.length, g.chip + 4, g.chipsEnd - g.chipsX, g.chip);
    const parts = [];
    let x = g.chipsX;
    for (const card of known) {
      parts.push(this.chip(card, x, y, "chip", this.marks[card] ?? ""));
      x += step;
    }
    const small = stepOf(backs, g.back + 4, Math.floor((g.chipsEnd - g.chipsX) / 2), g.back);
    for (let number = 0; number < backs; number++) {
      parts.push(this.backChip(x, y, number === backs - 1 ? (this.marks[`hand:${seat}`] ?? "") : ""));
      x += small;
    }
    if (backs) {
      parts.push(text(x + 6, y + Math.floor(g.chipHeight / 2) + 5, "t1 quiet", `${this.say.hand} ${backs}`));
      x += 60;
    }
    for (const ghost of gone) {
      this.spots[ghost.card] = [x + Math.floor(g.chip / 2), y + (this.isTop(seat) ? g.chipHeight : 0), ""];
      parts.push(this.chip(this.masked(ghost.card), x, y, "chip ghost", ghost.mark));
      x += step;
    }
    for (const flight of flights) {
      parts.push(this.chip(this.masked(flight.card), x, y, "chip flight", "commit"));
      x += step;
    }
    return parts;
  }

  chip(card, x, y, kind, mark) {
    const { g } = this;
    const name = this.name(card);
    const half = Math.floor(g.chipHeight / 2);
    const parts = [node("title", {}, name), rect(x, y, g.chip, g.chipHeight, "box")];
    parts.push(text(x + 8, y + half + 5, "t1", clipped(name, mark ? 9 : 12)));
    if (mark) parts.push(icon(mark, x + g.chip - 18, y + half - 8, "icon mark"));
    return this.linked(card, kind + (mark ? " changed" : ""), name, parts);
  }

  backChip(x, y, mark) {
    const { g } = this;
    const half = Math.floor(g.chipHeight / 2);
    const inner = icon(mark || "event", x + Math.floor(g.back / 2) - 8, y + half - 8, "icon");
    return node("g", { class: `chip back${mark ? " changed" : ""}` }, rect(x, y, g.back, g.chipHeight, "box"), inner);
  }

  piles(seat) {
    const { piles } = this.g;
    if (!piles) return [];
    const side = this.state.sides[seat];
    const y = this.isTop(seat) ? piles.top : piles.bottom;
    const { width, height } = piles;
    return [["deck", piles.deckX], ["trash", piles.trashX]].map(([zone, x]) => {
      const count = size(side[zone]);
      const mark = this.marks[`${zone}:${seat}`] ?? "";
      const kind = `pile ${zone}${count ? "" : " none"}${mark ? " changed" : ""}`;
      const inner = [rect(x, y, width, height, "box")];
      if (zone === "deck" && count) {
        inner.push(icon("control", x + Math.floor(width / 2) - 8, y + Math.floor(height / 2) - 8));
      }
      if (mark) inner.push(icon(mark, x + width - 20, y + 4, "icon mark"));
      if (zone === "trash" && count) inner.push(...this.onTop(side.trash.at(-1), x, y, width));
      const middle = x + Math.floor(width / 2);
      inner.push(text(middle, y + height + 14, "t1 quiet middle", `${this.say[zone]} ${count}`));
      return node("g", { class: kind }, ...inner);
    });
  }

  onTop(card, x, y, width) {
    const entry = this.cards[card];
    if (!entry) return [];
    const middle = x + Math.floor(width / 2);
    return [
      node("title", {}, entry.name),
      sign(entry.sign, middle - 8, y + 12),
      text(middle, y + 48, "t2 middle", String(entry.value)),
    ];
  }

  // Lines

  place(line) {
    const { g } = this;
    if (this.how.layout === "wide") return [g.columns[line - 1], g.column, true];
    let x = 0;
    for (let number = 1; number < line; number++) x += (number === this.how.line ? g.column : g.mini) + 6;
    const full = line === this.how.line;
    return [x, full ? g.column : g.mini, full];
  }

  line(line, seats) {
    const [x, width, full] = this.place(line);
    const label = full ? `${this.say.line} ${line}` : String(line);
    const parts = [text(x + Math.floor(width / 2), this.g.label, "t1 quiet middle", label)];
    for (const seat of seats) {
      parts.push(this.plate(seat, line, x, width, full), ...this.stack(seat, line, x, width, full));
    }
    return parts;
  }

  plate(seat, line, x, width, full) {
    const { g, say } = this;
    const side = this.state.sides[seat];
    const y = this.isTop(seat) ? g.topPlate : g.bottomPlate;
    const { name, compiled } = side.protocols[line - 1];
    const total = side.totals[line - 1];
    const facing = this.state.sides[seat === "A" ? "B" : "A"].totals[line - 1];
    const shown = this.words.names[name] ?? name;
    const mark = this.marks[`protocol:${seat}:${line}`] ?? "";
    const lead = total >= 10 && total > facing ? " lead" : "";
    const said = `${seat}, ${say.line} ${line}: ${shown}${compiled ? `, ${say.compiled}` : ""}`;
    const whole = `${said}, ${say.total} ${total}`;
    const parts = [node("title", {}, whole), rect(x, y, width, g.plate, "box", 6)];
    if (full) {
      parts.push(sign(name, x + 10, y + 10), text(x + 34, y + 23, "t2", shown));
      parts.push(text(x + width - 12, y + 27, `t3 end total${lead}`, String(total)));
    } else {
      parts.push(sign(name, x + 6, y + 10), text(x + width - 8, y + 24, `t2 end total${lead}`, String(total)));
    }
    if (compiled) parts.push(icon("legal", x + (full ? 150 : 22), y + 10, "icon done"));
    if (mark) parts.push(icon(mark, x + (full ? 172 : 22), y + 10, "icon mark"));
    const kind = `plate${compiled ? " compiled" : ""}${mark ? " changed" : ""}`;
    if (full) return node("g", { class: kind, role: "img", "aria-label": whole }, ...parts);
    const link = this.how.link.replace("LINE", line);
    return node("a", { class: kind, href: link, "data-line": line, "aria-label": whole }, ...parts);
  }

  masked(card) {
    return this.how.hide ? "?" : card;
  }

  extras(seat, line) {
    const gone = this.ghosts
      .filter((ghost) => ghost.seat === seat && ghost.line === line)
      .map((ghost) => [ghost.card, "ghost", ghost.mark]);
    const coming = this.flights()
      .filter((flight) => flight.side === seat && flight.line === line)
      .map((flight) => [flight.face === "up" ? flight.card : this.masked(flight.card), "flight", "commit"]);
    return [...gone, ...coming];
  }

  flights() {
    return (this.state.committed ?? []).map((flight) => ({
      card: flight.card,
      face: flight.face ?? "up",
      side: flight.to.side,
      line: flight.to.line || 0,
    }));
  }

  stack(seat, line, x, width, full) {
    const { g, c } = this;
    const top = this.isTop(seat);
    const stack = this.state.sides[seat].lines[line - 1];
    const extras = this.extras(seat, line);
    const start = top ? g.topPlate - c.gap : g.bottomPlate + g.plate + c.gap;
    const end = top ? g.topEdge : g.bottomEdge;
    const room = Math.abs(end - start) - extras.length * c.extra;
    const heights = full ? this.heights(stack, room) : miniHeights(stack.length, room);
    const parts = [];
    let y = start;
    stack.forEach((lain, index) => {
      const height = heights[index];
      if (top) y -= height;
      parts.push(this.card(lain, seat, line, [x, y, width, height], index === stack.length - 1, full));
      if (!top) y += height;
    });
    for (const [card, kind, mark] of extras) {
      if (top) y -= c.extra;
      const edge = y + (top ? 2 : c.extra - 2);
      this.spots[kind === "ghost" ? card : `to:${card}`] = [x + Math.floor(width / 2), edge, "line"];
      parts.push(this.extra(card, kind, mark, [x, y + 2, width, c.extra - 4], full));
      if (!top) y += c.extra;
    }
    return parts;
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

  topText(lain) {
    return lain.face === "up" ? (this.cards[lain.card]?.top ?? "") : "";
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
    const parts = [node("path", { class: "back", d: hatch(x + 2, y + 2, width - 4, height - 5) })];
    const base = y + Math.min(height, this.c.head);
    const name = shown.startsWith("?") ? this.say.down : `${this.say.down} · ${this.name(shown)}`;
    parts.push(text(x + 12, base - 7, "t1 corner", name));
    if ("value" in lain) parts.push(text(x + width - 10, base - 6, "t2 end value", String(lain.value)));
    return parts;
  }

  miniFace(lain, x, y, width, height) {
    const entry = lain.face === "up" ? this.cards[lain.card] : null;
    if (!entry) return [node("path", { class: "back", d: hatch(x + 2, y + 2, width - 4, height - 5) })];
    const base = y + Math.floor(height / 2) + 4;
    return [sign(entry.sign, x + 4, base - 12), text(x + 32, base, "t1 value", String(entry.value))];
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

  // What lies across

  control() {
    const at = this.g.control;
    const holder = this.state.control;
    const where = !holder ? "neutral" : this.isTop(holder) ? "top" : "bottom";
    const said = `${this.say.control}: ${holder || "—"}`;
    const parts = [node("title", {}, said), icon("control", at.x - 8, at[where] - 8, "icon token")];
    if (this.how.layout === "wide") parts.push(text(at.x, at[where] + 24, "t1 quiet middle", this.say.control));
    const kind = `control${"control" in this.marks ? " changed" : ""}`;
    return [node("g", { class: kind, role: "img", "aria-label": said }, ...parts)];
  }

  arrows(seat) {
    return this.flights().flatMap((flight) => {
      const origin = this.origins[flight.card];
      const aim = this.spots[`to:${flight.card}`];
      if (flight.side !== seat || !origin || !aim) return [];
      return this.arrow(this.spots[flight.card] ?? this.source(origin, aim), aim, seat);
    });
  }

  source(origin, aim) {
    const { g } = this;
    const top = this.isTop(origin[0]);
    if (origin[1] === "line") {
      const [x, width] = this.place(origin[2]);
      return [x + Math.floor(width / 2), top ? g.topEdge : g.bottomEdge, "line"];
    }
    return [aim[0], (top ? g.topChips : g.bottomChips) + (top ? g.chipHeight : 0), ""];
  }

  arrow([x, y, kind], [toX, toY], seat) {
    const outward = this.isTop(seat) ? -1 : 1;
    const middle = Math.floor((y + toY) / 2);
    const bend =
      kind === "line" ? `${x} ${y + outward * 26} ${toX} ${toY + outward * 26}` : `${x} ${middle} ${toX} ${middle}`;
    const tip = toY + outward * 3;
    const head = `M${toX - 5} ${tip + outward * 6}L${toX} ${tip}L${toX + 5} ${tip + outward * 6}`;
    return [
      node("path", { class: "arrow", d: `M${x} ${y}C${bend} ${toX} ${tip}` }),
      node("path", { class: "arrow head", d: head }),
    ];
  }

  // Names

  name(card) {
    if (card.startsWith("?")) return this.say.unknown;
    return this.cards[card]?.name ?? card;
  }

  wholeText(card) {
    const entry = this.cards[card] ?? {};
    return [this.name(card), ...BOXES.filter((box) => entry[box]).map((box) => entry[box])].join(" / ");
  }

  linked(card, kind, said, parts, handle = "") {
    const attributes = { class: kind, "data-card": handle || card };
    if (card in this.cards) {
      return node("a", { ...attributes, href: `${this.words.link ?? ""}#${card}`, "aria-label": said }, ...parts);
    }
    return node("g", { ...attributes, role: "img", "aria-label": said }, ...parts);
  }
}

function size(zone) {
  return Number.isInteger(zone) ? zone : (zone ?? []).length;
}

function stepOf(count, wanted, room, width) {
  return count < 2 ? wanted : Math.max(6, Math.min(wanted, Math.floor((room - width) / (count - 1))));
}

function miniHeights(count, room) {
  return Array(count).fill(Math.max(12, Math.min(22, Math.floor(room / Math.max(1, count)))));
}

function hatch(x, y, width, height) {
  const strokes = [];
  for (let start = 8; start < width; start += 16) {
    const run = Math.min(height, width - start);
    strokes.push(`M${x + start} ${y + height}l${run} ${-run}`);
  }
  return strokes.join("");
}
