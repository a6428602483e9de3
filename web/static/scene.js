// A scene as a tree of elements, the same for every game. The other half is web/scenes/tree.py; both make the same tree.
import { markOf, node } from "./tree.js";

const MANY = 4;
const ORBS = 20;
const MOST = 14;
const DOORS = { open: "door-open", ahead: "door-ahead", shut: "door-shut" };

// `how` has `cards` (every card of the game, by the number under which scenes name it) and what a reader wishes.
export function sceneTree(scene, changes, how) {
  const attributes = { class: "scene", role: "group", "aria-label": scene.title };
  if (scene.area.layout !== "facing") attributes.tabindex = 0;
  return node("div", attributes, new Tree(scene, changes, how).area(scene.area));
}

class Tree {
  constructor(scene, changes, how) {
    this.owner = "";
    Object.assign(this, { said: scene.captions, how, titleOfAll: scene.title });
    this.acting = scene.pending?.[0]?.key ?? "";
    const { struck = [], could = [], focus = "", verdict } = changes;
    Object.assign(this, { struck, could, focus, tints: scene.tints ?? {} });
    this.marks = { ...changes.marks, ...Object.fromEntries(struck.map((key) => [key, verdict])) };
    this.ghosts = (changes.ghosts ?? []).map((ghost) => ({ ...ghost, card: how.deck[ghost.card] }));
  }

  cardsOf(zone) {
    return (zone.cards ?? []).map((number) => this.how.deck[number]);
  }

  // Areas

  area(area) {
    if (area.layout === "facing") return this.facing(area);
    if (area.layout === "box") return this.box(area);
    const parts = area.parts ?? [];
    if (area.layout === "facts") return node("dl", { class: "facts" }, ...parts.map((part) => this.fact(part)));
    if (area.layout === "mats") return this.mats(area);
    const named = area.title && area.title !== this.titleOfAll ? [node("p", { class: "quiet" }, area.title)] : [];
    return node("div", { class: area.layout ?? "rows" }, ...named, ...this.parts(parts, this.said.nothing));
  }

  mats(area) {
    const isHeap = (part) => part.type === "zone" && ["deck", "discard"].includes(part.role);
    const heaps = (area.parts ?? []).filter(isHeap);
    const others = (area.parts ?? []).filter((part) => !isHeap(part));
    const parts = heaps.length ? [node("ul", { class: "piles" }, ...heaps.map((zone) => this.pile(zone)))] : [];
    return node("div", { class: "mats" }, ...parts, ...this.parts(others, ""));
  }

  box(area) {
    const flags = { turn: area.is_turn, out: area.is_out, open: area.is_open, stopped: area.is_stopped };
    const key = area.card === undefined ? area.key : this.how.deck[area.card].key;
    const attributes = { class: kinds("box", flags), "data-key": key, "aria-label": area.title };
    const outside = this.owner;
    this.owner = this.named(area);
    const { parts: held = [] } = area;
    const told = held.filter((part) => area.layout !== "box" || !this.isBare(part));
    const parts = held.some(isPlace) ? this.spread(held) : this.parts(told, "");
    this.owner = outside;
    return node("section", attributes, this.title(area), ...parts, ...this.doors(held));
  }

  // What the doors beside the steps of a frame say, each kind once.
  doors(held) {
    const steps = held.flatMap((part) => (part.type === "track" ? part.steps : []));
    const told = Object.keys(DOORS).filter((door) => steps.some((step) => step.door === door));
    const said = told.map((door) => node("span", { class: `told ${door}` }, markOf(DOORS[door]), " ", this.said[door]));
    return said.length ? [node("p", { class: "doors quiet" }, ...said)] : [];
  }

  spread(held) {
    const first = held.filter((part) => part.type === "track" || isPlace(part));
    const others = held.filter((part) => !first.includes(part) && !this.isBare(part));
    return [...this.parts(first, ""), node("div", { class: "shelf" }, ...this.parts(others, ""))];
  }

  isBare(part) {
    const told = part.cards?.length || part.coming?.length || part.unknown || part.count || part.role === "deck";
    return part.type === "zone" && !told && !this.ghosts.some((ghost) => ghost.zone === part.key);
  }

  title(area) {
    const parts = area.is_turn ? [markOf("turn")] : [];
    parts.push(node("b", {}, this.named(area)));
    const notes = [...this.seat(area), ...(area.notes ?? []).map((note) => this.how.players?.[note] || note)];
    parts.push(node("span", { class: "quiet" }, notes.join(" · ")));
    return node("h3", {}, ...parts, ...(area.tabs ?? []).map((tab) => this.tab(tab)));
  }

  tab(tab) {
    return node("span", { class: this.kind("tab", tab.key), "data-key": tab.key }, sign(tab.sign), " ", tab.title);
  }

  named(area) {
    const name = this.how.players?.[area.owner ?? ""] ?? "";
    return name && area.title === area.owner ? name : `${area.title} ${name}`.trim();
  }

  seat(area) {
    const isSide = area.title === area.owner && area.title.toLowerCase() !== this.named(area).toLowerCase();
    return isSide ? [area.title] : [];
  }

  parts(parts, nothing) {
    const found = [];
    let counts = [];
    const close = () => {
      const line = counts.flatMap((one, at) => (at ? [" · ", one] : [one]));
      if (counts.length) found.push(node("p", { class: "counts" }, ...line));
      counts = [];
    };
    for (const part of parts) {
      if (part.type === "counter" || (part.type === "zone" && this.isCounted(part))) {
        counts.push(this.count(part));
      } else {
        close();
        found.push(this.part(part, nothing));
      }
    }
    close();
    return found;
  }

  part(part, nothing) {
    if (part.type === "area") return this.area(part);
    if (part.type === "track") return this.track(part);
    return part.type === "zone" ? this.zone(part, nothing) : this.count(part);
  }

  count(part) {
    const value = part.type === "zone" ? size(part) : part.type === "counter" ? part.value : (part.at ?? "");
    const attributes = { class: this.kind("count", part.key), "data-key": part.key };
    const shown = part.title ? [`${part.title} `, node("b", {}, value)] : [value];
    if (part.sign) shown.unshift(this.sign(part.sign));
    if (part.ready !== undefined && part.used !== undefined) shown.unshift(orbs(part.ready, part.used));
    return node("span", attributes, ...shown);
  }

  fact(part) {
    const attributes = { class: this.kind("fact", part.key), "data-key": part.key };
    return node("div", attributes, node("dt", {}, part.title), node("dd", {}, this.value(part)));
  }

  value(part) {
    if (part.type === "area" || part.type === "track") return this.part(part, "");
    if (part.type === "zone") {
      return this.isCounted(part) && !part.unknown ? size(part) : this.held(part, this.said.nothing);
    }
    return part.type === "counter" ? part.value : part.at || "–";
  }

  isCounted(zone) {
    return zone.layout === "pile" || zone.count !== undefined || (zone.unknown && zone.secret);
  }

  // Zones

  zone(zone, nothing) {
    const counters = zone.counters ?? [];
    const facts = zone.facts ?? [];
    const place = isPlace(zone);
    const parts = [node("span", { class: "title" }, zone.title, ...limit(zone))];
    if (place) parts.push(node("span", { class: "signs" }, ...(zone.signs ?? []).map(([name, said]) => this.sign(name, said))));
    parts.push(...facts.map((fact) => node("span", { class: "at" }, fact)));
    if (place) parts.push(node("span", { class: "totals" }, ...counters.map((total) => this.total(total))));
    parts.push(...(zone.notes ?? []).map((note) => node("span", { class: "quiet" }, note)));
    const flags = { place, apart: nothing };
    const attributes = { class: kinds(this.kind("zone", zone.key), flags), "data-key": zone.key };
    return node("div", attributes, ...parts, this.held(zone, nothing));
  }

  total(total) {
    const kind = kinds(this.kind("stat", total.key), { idle: total.idle, lead: total.leads });
    const title = `${total.title} ${total.value}${total.against ? ` : ${total.against}` : ""}`;
    return node("span", { class: kind, "data-key": total.key, title }, this.sign(total.sign, total.title), total.value, ...against(total));
  }

  held(zone, nothing) {
    if (zone.unknown) return node("span", { class: "quiet" }, this.said.untold);
    const chips = [...this.lying(zone), ...this.gone(zone), ...this.coming(zone)];
    if (!chips.length && nothing) chips.push(node("li", { class: "quiet none" }, nothing));
    return node("ul", { class: "held" }, ...chips);
  }

  lying(zone) {
    const cards = this.cardsOf(zone);
    if (!this.isCounted(zone)) return cards.map((card) => this.chip(card, "", this.marks[card.key] ?? "", zone.title));
    const count = zone.count ?? cards.length;
    const last = this.marks[zone.key] ?? "";
    return Array.from({ length: count }, (_, index) => this.back(index === count - 1 ? last : ""));
  }

  gone(zone) {
    return this.ghosts.filter((ghost) => ghost.zone === zone.key).map((ghost) => this.ghost(ghost));
  }

  ghost(ghost) {
    return this.chip(ghost.card, "ghost", ghost.mark);
  }

  coming(zone) {
    return (zone.coming ?? []).map((number) => this.chip(this.how.deck[number], "flight", "commit"));
  }

  chip(card, kind, mark, place = "") {
    const name = this.name(card);
    const { facts = [], tags = [] } = card;
    const parts = [this.namedCard(card), ...this.printed(card)];
    parts.push(...facts.map((fact) => node("span", { class: "quiet" }, fact)));
    parts.push(...tags.map(([mark, word]) => node("span", { class: "status" }, sign(mark), node("span", { class: "word" }, word))));
    const seen = { down: card.down, unknown: !card.face, spent: card.spent };
    const flags = { [kind]: kind, ...seen, ...this.flags(card.key, kind ? "" : mark) };
    const attributes = { class: this.tinted("card chip", card.face, flags), "data-key": card.key };
    const said = kind ? this.spoken(name, kind) : this.told(card, place);
    return node("li", attributes, this.linked(card, [...parts, ...marked(mark)], said, allOf(card)));
  }

  printed(card) {
    const { value, kind, sign: name, texts = [] } = card.face ?? {};
    const figures = figuresOf(card).map(([mark, title, number]) =>
      node("span", { class: "figure", title: `${title} ${number}` }, this.sign(mark), number),
    );
    return [
      ...(value ? [node("b", { class: "value" }, value)] : []),
      ...(kind ? [node("span", { class: "kind" }, sign(name), kind)] : []),
      ...(figures.length ? [node("span", { class: "figures" }, ...figures)] : []),
      ...(kind ? texts.filter(([place]) => !place).map(([, words]) => node("span", { class: "text" }, words)) : []),
    ];
  }

  sign(name = "", words = "") {
    return sign(name, words, this.tint(name));
  }

  told(card, place) {
    const name = this.name(card);
    const value = card.face?.value ?? "";
    const shown = !value || name.endsWith(value) ? [name] : [name, value];
    const figures = figuresOf(card).map(([, title, number]) => `${title} ${number}`);
    const tags = (card.tags ?? []).map(([, word]) => word);
    return [...shown, ...figures, ...(card.facts ?? []), ...tags, this.owner, place].filter(Boolean).join(", ");
  }

  namedCard(card) {
    const signs = card.face?.sign ? [sign(card.face.sign)] : [];
    return node("span", { class: "head" }, ...signs, node("b", { class: "name" }, this.name(card)));
  }

  tinted(kind, face, flags) {
    const tint = face && !flags.down ? this.tint(face.sign) : "";
    return [kinds(kind, flags), tint].filter(Boolean).join(" ");
  }

  tint(name = "") {
    return name in this.tints ? `tint ${this.tints[name]}` : "";
  }

  flags(key, mark) {
    const wrong = this.struck.includes(key);
    return { changed: mark && !wrong, wrong, possible: this.could.includes(key) && !wrong };
  }

  spoken(name, kind) {
    return kind ? `${name}, ${kind === "ghost" ? this.said.gone : this.said.coming}` : "";
  }

  back(mark) {
    return node("li", { class: kinds("card chip back", { changed: mark }) }, ...marked(mark));
  }

  linked(card, parts, said = "", title = "") {
    const attributes = { class: "face", ...(title ? { title } : {}), ...(said ? { "aria-label": said } : {}) };
    const id = card.face?.id;
    if (id) return node("a", { ...attributes, href: `${this.how.cards ?? ""}#${id}` }, ...parts);
    return node("span", { ...attributes, ...(said ? { role: "img" } : {}) }, ...parts);
  }

  name(card) {
    return card.face?.title ?? this.said.unknown;
  }

  // Tracks

  track(track) {
    const kind = { list: "steps-of", path: "path" }[track.layout] ?? "segments";
    const attributes = { class: kind, ...(track.title ? { "aria-label": track.title } : {}) };
    const draw = { list: this.step, path: this.space }[track.layout] ?? this.segment;
    return node("ol", attributes, ...track.steps.map((step) => draw.call(this, step)));
  }

  segment(step) {
    const here = step.state === "now" ? { "aria-current": "step" } : {};
    return node("li", { ...here, "data-key": step.key }, step.title ?? "");
  }

  space(step) {
    const { signs = [], key } = step;
    const mark = this.marks[key] ?? "";
    const types = signs.length || mark === "left" ? [] : (step.types ?? []);
    const flags = { changed: mark && mark !== "left", left: mark === "left", typed: types.length };
    const here = { class: kinds(signs.length ? "here" : "space", flags), "data-key": key };
    const gone = mark === "left" ? [node("span", { class: "gone" })] : [];
    const stands = signs.map(([name, said]) => this.sign(name, said));
    const ground = types.length ? [node("span", { class: "types" }, ...types.map(([name, said]) => this.sign(name, said)))] : [];
    return node("li", stands.length ? { ...here, title: step.title ?? "" } : here, ...gone, ...stands, ...ground);
  }

  step(step) {
    const { state = "ahead", number = "", door } = step;
    const attributes = { class: kinds(this.kind(state, step.key), { lost: step.lost }), "data-key": step.key };
    if (state === "now") attributes["aria-current"] = "step";
    const parts = [node("span", { class: "n" }, number), node("span", { class: "what" }, step.title ?? "")];
    if (door) {
      parts.push(node("span", { class: `door ${door}`, title: this.said[door] }, markOf(DOORS[door], this.said[door])));
    }
    parts.push(...(step.due ?? []).map((due) => node("span", { class: "due" }, due)));
    return node("li", attributes, ...parts, ...(step.inside ?? []).map((area) => this.area(area)));
  }

  // A table across

  facing(area) {
    const [above, below] = this.sides(area);
    const token = area.parts.find((part) => part.type === "token");
    const turn = { "turn-top": above.is_turn, "turn-bottom": below.is_turn };
    const top = [this.hand(above, "top"), this.piles(above, "top")];
    const middle = [this.lanes(above, below), ...(token ? [this.token(token, above)] : [])];
    const bottom = [this.piles(below, "bottom"), this.hand(below, "bottom")];
    return node("div", { class: kinds("facing", turn) }, ...top, ...middle, ...bottom);
  }

  sides(area) {
    const [one, other] = area.parts.filter((part) => part.type === "area");
    this.isTurned = this.how.bottom === other.owner;
    return this.isTurned ? [one, other] : [other, one];
  }

  hand(side, place) {
    const zones = side.parts.filter((part) => part.type === "zone" && part.layout !== "stack");
    const hands = zones.filter((zone) => zone.role === "hand");
    const name = side.is_turn ? [markOf("turn")] : [];
    name.push(node("b", {}, this.named(side)));
    name.push(...this.seat(side).map((seat) => node("span", { class: "quiet" }, seat)));
    for (const zone of hands) {
      const shown = { size: true, always: this.isCounted(zone) };
      name.push(node("span", { class: kinds("quiet", shown) }, `${zone.title} ${size(zone)}`));
    }
    this.owner = this.named(side);
    const cards = hands.flatMap((zone) => [...this.lying(zone), ...this.gone(zone)]);
    this.owner = "";
    cards.push(...zones.flatMap((zone) => this.coming(zone)));
    const attributes = { class: kinds(`hand ${place}`, { turn: side.is_turn }) };
    for (const zone of hands) attributes["data-key"] = zone.key;
    return node("div", attributes, node("p", { class: "name" }, ...name), node("ul", { class: "held" }, ...cards));
  }

  piles(side, place) {
    const heaps = side.parts.filter((part) => part.type === "zone" && part.layout === "pile");
    return node("ul", { class: `piles ${place}` }, ...heaps.map((zone) => this.pile(zone)));
  }

  pile(zone) {
    const { role = "" } = zone;
    const mark = this.marks[zone.key] ?? "";
    const top = role === "discard" ? this.cardsOf(zone).at(-1)?.face : undefined;
    const heap = top?.value ? [sign(top.sign), node("b", {}, top.value)] : [];
    if (top && !top.value) heap.push(node("span", { class: "top" }, top.title));
    if (role === "deck" && size(zone) !== "0") heap.push(markOf("token"));
    const flags = { none: size(zone) === "0", [role]: role, ...this.flags(zone.key, mark) };
    const attributes = { class: kinds("pile", flags), "data-key": zone.key, ...(top ? { title: top.title } : {}) };
    const heapOf = node("span", { class: "heap" }, ...heap, ...marked(mark));
    return node("li", attributes, heapOf, node("span", { class: "quiet" }, zone.title), node("b", { class: "size" }, size(zone)));
  }

  token(token, above) {
    const place = !token.at ? "neutral" : token.at === above.owner ? "top" : "bottom";
    const attributes = {
      class: this.kind(`token ${place}`, token.key),
      "data-key": token.key,
      role: "img",
      "aria-label": `${token.title}: ${this.how.players?.[token.at] || token.at || "—"}`,
    };
    return node("div", attributes, markOf("token"), node("span", { class: "quiet" }, token.title));
  }

  lanes(above, below) {
    const others = stacksOf(below);
    const lanes = stacksOf(above).map((one, at) => this.lane(at + 1, [above, one], [below, others[at]]));
    const { column = 1 } = this.how;
    const at = this.isTurned ? lanes.length + 1 - column : column;
    return node("div", { class: `lanes at-${at}` }, ...(this.isTurned ? lanes.reverse() : lanes));
  }

  lane(number, above, below) {
    const { title } = above[1];
    const parts = [this.stack(...above, "top"), this.plate(...above), node("p", { class: "quiet label" }, title)];
    parts.push(this.plate(...below), this.stack(...below, "bottom"));
    const here = number === (this.how.column ?? 1);
    const lit = [above[1].key, below[1].key].includes(this.focus);
    if (!here) {
      const href = (this.how.link ?? "").replace("COLUMN", number);
      parts.push(node("a", { class: "opens", href, "data-column": number, "aria-label": title }));
    }
    return node("div", { class: kinds("lane", { here, lit }) }, ...parts);
  }

  plate(side, zone) {
    const { head } = zone;
    const mark = this.marks[head.key] ?? "";
    const done = head.done ? `, ${this.said.done}` : "";
    const said = `${this.named(side)}, ${zone.title}: ${head.title}${done}, ${this.said.total} ${head.value}`;
    const attributes = {
      class: kinds(`plate ${this.tint(head.sign)}`.trim(), { done: head.done, ...this.flags(head.key, mark) }),
      "data-key": head.key,
      role: "img",
      "aria-label": said,
      title: said,
    };
    const parts = [sign(head.sign), node("span", { class: "name" }, head.title)];
    if (head.done) parts.push(markOf("legal"));
    const total = node("b", { class: kinds("value", { full: head.full, lead: head.leads }) }, head.value);
    return node("div", attributes, ...parts, ...marked(mark), total);
  }

  stack(side, zone, place) {
    const where = `${this.named(side)}, ${zone.title}`;
    const cards = this.cardsOf(zone);
    const lain = cards.map((card, at) => this.lain(card, where, at === cards.length - 1));
    const extras = this.ghosts.filter((ghost) => ghost.zone === zone.key).map((ghost) => [ghost.at, this.ghost(ghost)]);
    for (const card of (zone.coming ?? []).map((number) => this.how.deck[number])) {
      extras.push([card.above, this.chip(card, "flight", "commit")]);
    }
    const count = Math.min(lain.length + extras.length, MOST);
    const flags = { [`n${count}`]: count > 1, empty: !cards.length, many: cards.length + extras.length > MANY, ...this.flags(zone.key, "") };
    return node("ol", { class: kinds(`stack ${place}`, flags), "data-key": zone.key }, ...placed(lain, extras));
  }

  lain(card, where, isLast) {
    const mark = this.marks[card.key] ?? "";
    const state = `${card.down ? this.said.down : this.said.up}, ${isLast ? this.said.top : this.said.under}`;
    const said = `${this.name(card)}, ${state}`;
    const acts = isLast && !card.down && card.key === this.acting;
    const flags = { down: card.down, up: !card.down, under: !isLast, acts, ...this.flags(card.key, mark) };
    const title = card.down || !card.face ? said : wholeText(card.face);
    const inner = card.down ? this.down(card, mark) : this.up(card, mark, isLast);
    const attributes = { class: this.tinted("card", card.face, flags), "data-key": card.key };
    return node("li", attributes, this.linked(card, inner, `${said}, ${where}`, title));
  }

  up(card, mark, isLast) {
    const { title = "", sign: name, value = "", texts = [] } = card.face ?? {};
    const head = [sign(name), node("b", { class: "name" }, title), ...marked(mark)];
    const parts = [node("span", { class: "head" }, ...head, node("b", { class: "value" }, value))];
    if (isLast) {
      const filled = texts.filter(([, words]) => words).length;
      return [...parts, ...texts.map(([, words]) => node("span", { class: words ? `text of-${filled}` : "text none" }, words))];
    }
    const first = texts[0]?.[1];
    return first ? [...parts, node("span", { class: "text" }, first)] : parts;
  }

  down(card, mark) {
    const corner = node("span", { class: "corner" }, card.face?.title ?? this.said.down);
    return [node("span", { class: "head" }, corner, ...marked(mark), node("b", { class: "value" }, card.value ?? ""))];
  }

  kind(kind, key) {
    return key in this.marks ? `${kind} changed` : kind;
  }
}

function isPlace(part) {
  return part.type === "zone" && Boolean(part.counters?.length || part.facts?.length);
}

function figuresOf(card) {
  return card.figures ?? card.face?.figures ?? [];
}

function allOf({ face }) {
  return face?.texts?.length ? wholeText(face) : "";
}

function placed(cards, extras) {
  const found = [...cards];
  extras.sort(([one = cards.length], [other = cards.length]) => other - one);
  for (const [at, extra] of extras) found.splice(Math.min(at ?? cards.length, cards.length), 0, extra);
  return found;
}

function kinds(kind, flags) {
  const holds = Object.keys(flags).filter((name) => flags[name]);
  return [kind, ...holds].join(" ");
}

function orbs(ready, used) {
  const kinds = [...Array(ready).fill("orb"), ...Array(used).fill("orb used")].slice(0, ORBS);
  const dots = kinds.map((kind) => node("span", { class: kind }));
  return node("span", { class: "orbs", "aria-hidden": "true" }, ...dots);
}

function against(total) {
  return total.against ? [node("span", { class: "against" }, `:${total.against}`)] : [];
}

function limit(zone) {
  if (zone.limit === undefined) return [];
  const count = zone.cards?.length ?? 0;
  const over = count > zone.limit;
  return [" ", node("span", { class: kinds("limit", { over }) }, over ? `${count} > ${zone.limit}` : `≤ ${zone.limit}`)];
}

function marked(mark) {
  return mark && mark !== "changed" ? [markOf(mark)] : [];
}

function sign(name = "", words = "", tint = "") {
  const said = words ? { role: "img", "aria-label": words } : { "aria-hidden": "true" };
  return node("svg", { class: `i sign ${tint}`.trimEnd(), ...said }, node("use", { href: `#s-${name}` }));
}

function size(zone) {
  return zone.unknown ? "?" : String(zone.count ?? zone.cards?.length ?? 0);
}

function stacksOf(area) {
  return area.parts.filter((part) => part.type === "zone" && part.layout === "stack");
}

function wholeText({ title, texts = [] }) {
  return [title, ...texts.map(([, words]) => words).filter(Boolean)].join(" / ");
}
