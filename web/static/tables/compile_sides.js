// The two sides of the field. The other half is web/tables/compile_sides.py.
import { clipped, icon, node, rect, sign, text } from "../tree.js";
import { Cards } from "./compile_cards.js";

export class Sides extends Cards {
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
    parts.push(text(x + 6, y + half + 5, "t1", clipped(name, mark ? 9 : 12)));
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
      inner.push(text(middle, y + height + 14, "t1 quiet middle", this.say[zone]));
      inner.push(text(middle, y + height + 29, "t2 middle", String(count)));
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

  flights() {
    return (this.state.committed ?? []).map((flight) => ({
      card: flight.card,
      face: flight.face ?? "up",
      side: flight.to.side,
      line: flight.to.line || 0,
    }));
  }

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
}

function size(zone) {
  return Number.isInteger(zone) ? zone : (zone ?? []).length;
}

function stepOf(count, wanted, room, width) {
  return count < 2 ? wanted : Math.max(6, Math.min(wanted, Math.floor((room - width) / (count - 1))));
}
