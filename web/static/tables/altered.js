// Altered for two to four seats. The other half is web/tables/altered.py.
import { markOf, node } from "../tree.js";

const PHASES = ["morning", "noon", "afternoon", "dusk", "night"];
const STATS = ["forest", "mountain", "water"];

export function draw(state, changes, words) {
  return new Table(state, changes, words).whole();
}

class Table {
  constructor(state, changes, words) {
    Object.assign(this, { state, words, say: words.say, parts: words.parts, sides: state.sides });
    this.paths = new Set(changes.paths ?? []);
  }

  whole() {
    const seats = Object.entries(this.sides).map(([seat, side]) => this.seat(seat, side));
    const attributes = { class: `altered seats-${seats.length}`, role: "group", "aria-label": this.say.table };
    return node("div", attributes, this.day(), node("div", { class: "seats" }, ...seats), this.limbo());
  }

  day() {
    const items = PHASES.map((phase) => {
      return node("li", phase === this.state.phase ? { "aria-current": "step" } : {}, this.parts[phase]);
    });
    if (this.state.kind === "tiebreak") items.push(node("li", { class: "tiebreak" }, this.say.tiebreak));
    return node("ol", { class: "day", "aria-label": this.say.day }, ...items);
  }

  seat(seat, side) {
    const kind = `seat${this.state.player === seat ? " turn" : ""}${side.in ? "" : " out"}`;
    const expeditions = Object.entries(side.expeditions).map(([name, each]) => this.expedition(seat, name, each));
    const parts = [this.head(seat, side), ...expeditions, this.zones(seat, side)];
    return node("section", { class: kind, "aria-label": seat }, ...parts);
  }

  head(seat, side) {
    const { say, state } = this;
    const parts = [node("b", {}, `${seat} ${this.words.players[seat] ?? ""}`.trim())];
    if (state.player === seat) parts.unshift(markOf("turn"));
    const told = [state.first === seat ? say.first : "", side.passed ? say.passed : "", side.in ? "" : say.out];
    parts.push(node("span", { class: "quiet" }, told.filter(Boolean).join(" · ")));
    return node("h3", {}, ...parts);
  }

  expedition(seat, name, each) {
    const { say } = this;
    const parts = [node("span", { class: "title" }, say[name] ?? name), this.region(each)];
    if (each.at !== null) parts.push(node("span", { class: "at" }, say.at.replace("{n}", each.at)));
    parts.push(this.totals(each));
    if (each.faces) parts.push(node("span", { class: "quiet" }, say.against.replace("{who}", this.place(each))));
    parts.push(this.characters(each));
    const changed = this.isChanged(`sides.${seat}.expeditions.${name}`);
    return node("div", { class: `expedition${changed ? " changed" : ""}` }, ...parts);
  }

  place(each) {
    const blank = each.faces.lastIndexOf(" ");
    const name = each.faces.slice(blank + 1);
    const values = { player: each.faces.slice(0, Math.max(0, blank)), expedition: this.say[name] ?? name };
    return this.words.place.replace(/\{(\w+)\}/g, (_, key) => values[key]);
  }

  isChanged(path) {
    return [...this.paths].some((one) => one === path || one.startsWith(`${path}.`));
  }

  region(each) {
    return node("span", { class: "region" }, ...(each.region ?? []).map((one) => markOf(one, this.say[one] ?? one)));
  }

  totals(each) {
    const against = this.faced(each);
    const counts = new Set(each.region?.length ? each.region : STATS);
    const parts = (each.totals ? STATS : []).map((stat) => {
      const value = each.totals[stat];
      const ahead = against && value > against[stat] && value > 0 && counts.has(stat);
      const kind = `stat${counts.has(stat) ? "" : " idle"}${ahead ? " lead" : ""}`;
      return node("span", { class: kind }, markOf(stat, this.say[stat]), String(value));
    });
    return node("span", { class: "totals" }, ...parts);
  }

  faced(each) {
    const place = each.faces ?? "";
    const blank = place.lastIndexOf(" ");
    return this.sides[place.slice(0, Math.max(0, blank))]?.expeditions[place.slice(blank + 1)]?.totals ?? null;
  }

  characters(each) {
    if (each.characters === null) return node("span", { class: "quiet" }, this.say.unknown);
    return node("ul", { class: "chips" }, ...each.characters.map((one) => this.character(one)));
  }

  character(one) {
    const told = [...(one.statuses ?? []), ...(one.eternal ? ["eternal"] : [])];
    const parts = [node("b", {}, one.card)];
    if (one.stats) parts.push(node("span", { class: "quiet" }, STATS.map((stat) => one.stats[stat]).join("/")));
    parts.push(...told.map((word) => node("span", { class: "status" }, this.say[word] ?? word)));
    return node("li", { "data-card": one.card }, ...parts);
  }

  zones(seat, side) {
    const { say } = this;
    const told = say.mana.replace("{ready}", size(side.mana.ready)).replace("{spent}", size(side.mana.exhausted));
    const counts = `${say.hand} ${size(side.hand)} · ${say.deck} ${size(side.deck)} · ${told}`;
    const rows = [node("p", { class: "quiet" }, counts)];
    if (Array.isArray(side.hand)) rows.push(this.zone(`sides.${seat}.hand`, say.hand, side.hand, side));
    for (const name of ["reserve", "landmarks", "discard"]) {
      rows.push(this.zone(`sides.${seat}.${name}`, say[name], side[name], side));
    }
    return node("div", { class: "belongings" }, ...rows);
  }

  zone(path, title, cards, side) {
    const spent = new Set(side.exhausted ?? []);
    const kind = `zone${this.paths.has(path) ? " changed" : ""}`;
    const inner = cards
      ? cards.map((card) => node("li", { class: spent.has(card) ? "spent" : "ready", "data-card": card }, card))
      : [node("span", { class: "quiet" }, this.say.unknown)];
    const head = node("span", { class: "title" }, title, ...most(path, cards, side));
    return node("div", { class: kind }, head, node("ul", { class: "chips" }, ...inner));
  }

  limbo() {
    const emblems = this.state.limbo ?? [];
    const items = emblems.map((one) => node("li", { "data-card": one.emblem }, `${one.emblem} · ${one.controller}`));
    if (!items.length) items.push(node("li", { class: "quiet" }, this.say.nothing));
    const kind = `limbo${this.paths.has("limbo") ? " changed" : ""}`;
    const title = node("span", { class: "title" }, this.say.limbo);
    return node("div", { class: kind }, title, node("ol", { class: "chips" }, ...items));
  }
}

// How many of them may stay at night; more than that stand out.
function most(path, cards, side) {
  const limit = side.limits?.[path.slice(path.lastIndexOf(".") + 1)];
  if (limit === undefined) return [];
  const count = cards?.length ?? 0;
  const over = count > limit;
  return [" ", node("span", { class: `limit${over ? " over" : ""}` }, over ? `${count} > ${limit}` : `≤ ${limit}`)];
}

function size(zone) {
  if (zone === null || zone === undefined) return "?";
  return String(Number.isInteger(zone) ? zone : zone.length);
}
