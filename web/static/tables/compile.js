// The field of Compile. The other half is web/tables/compile.py; both draw the same tree.
import { icon, node, rect, sign, text } from "../tree.js";
import { Sides } from "./compile_sides.js";

export function draw(state, changes, words, how) {
  return new Field(state, changes, words, how).whole();
}

class Field extends Sides {
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

  extras(seat, line) {
    const gone = this.ghosts
      .filter((ghost) => ghost.seat === seat && ghost.line === line)
      .map((ghost) => [ghost.card, "ghost", ghost.mark]);
    const coming = this.flights()
      .filter((flight) => flight.side === seat && flight.line === line)
      .map((flight) => [flight.face === "up" ? flight.card : this.masked(flight.card), "flight", "commit"]);
    return [...gone, ...coming];
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
}

function miniHeights(count, room) {
  return Array(count).fill(Math.max(12, Math.min(22, Math.floor(room / Math.max(1, count)))));
}
