// A card being revealed, as a track of steps. The other half is web/tables/lotr_reveal.py.
import { markOf, node } from "../tree.js";
import { called } from "./naming.js";

const OPENED_AT = { guarded: "9", "guarded-x": "9", surge: "12", replacement: "12" };

export function draw(state, changes, words) {
  return new Track(state, changes, words).whole();
}

class Track {
  constructor(state, changes, words) {
    Object.assign(this, { state, words, say: words.say, steps: words.steps });
    this.paths = new Set(changes.paths ?? []);
    this.frames = state.frames ?? {};
  }

  whole() {
    const roots = Object.keys(this.frames).filter((id) => !this.frames[id].parent);
    return node(
      "div",
      { class: "unveiling", role: "group", "aria-label": this.say.track },
      node("div", { class: "tracks" }, ...roots.map((id) => this.track(id))),
      this.zones(),
    );
  }

  track(id) {
    const frame = this.frames[id];
    const kind = `track${frame.open ? " open" : ""}${this.stopped(frame) ? " stopped" : ""}`;
    const steps = Object.entries(frame.track).sort(([one], [other]) => Number(one) - Number(other));
    const rows = steps.map(([step, passage]) => this.row(id, frame, step, passage));
    return node("section", { class: kind, "data-card": frame.card }, this.head(frame), node("ol", {}, ...rows));
  }

  stopped(frame) {
    return Boolean(frame.cancelled_at_3 || frame.discarded_at_3 || frame.left_at_4);
  }

  head(frame) {
    const { say } = this;
    const about = [say[frame.cause] ?? frame.cause, frame.player ?? ""];
    if (frame.started_as === "placed") about.push(say.placed);
    if (frame.peril) about.push(say.peril);
    if (this.stopped(frame)) about.push(frame.left_at_4 ? say.left : say.cancelled);
    const parts = [
      node("b", {}, called(frame.card, this.words)),
      node("span", { class: "quiet" }, about.filter(Boolean).join(" · ")),
    ];
    if (frame.surges_left) {
      const waiting = say.surges.replace("{n}", frame.surges_left);
      parts.push(node("span", { class: "surge" }, markOf("surge"), " ", waiting));
    }
    return node("h3", {}, ...parts);
  }

  row(id, frame, step, passage) {
    const fresh = passage === "now" && (this.paths.has(`frames.${id}.step`) || this.paths.has(`frames.${id}`));
    const lost = step === "7" && frame.when_revealed_cancelled;
    const attributes = { class: `${passage}${fresh ? " changed" : ""}${lost ? " lost" : ""}` };
    if (passage === "now") attributes["aria-current"] = "step";
    const parts = [node("span", { class: "n" }, step), node("span", { class: "what" }, this.steps[step] ?? "")];
    const window = frame.windows[step];
    if (window) {
      const shown = window === "open" ? "door-open" : "door-shut";
      parts.push(node("span", { class: `door ${window}` }, markOf(shown, this.say[window])));
    }
    const due = frame.due.filter((one) => one.step === step);
    parts.push(...due.map((one) => node("span", { class: "due" }, this.task(one))));
    parts.push(...this.children(id, step).map((child) => this.track(child)));
    return node("li", attributes, ...parts);
  }

  task({ what, source }) {
    const said = this.words.tasks[what] ?? what;
    return source ? `${said}: ${called(source, this.words)}` : said;
  }

  children(id, step) {
    return Object.entries(this.frames)
      .filter(([, frame]) => frame.parent === id && (OPENED_AT[frame.cause] ?? "7") === step)
      .map(([child]) => child);
  }

  // Beside the tracks

  zones() {
    const { state, say } = this;
    const rows = [
      this.zone("encounter_deck", say.deck, state.encounter_deck),
      this.zone("encounter_discard", say.discard, state.encounter_discard),
      this.zone("staging_area", say.staging, state.staging_area),
    ];
    for (const [player, cards] of Object.entries(state.engaged ?? {})) {
      rows.push(this.zone(`engaged.${player}`, say.engaged.replace("{player}", player), cards));
    }
    for (const [player, threat] of Object.entries(state.threat ?? {})) {
      rows.push(this.zone(`threat.${player}`, say.threat.replace("{player}", player), threat));
    }
    return node("dl", { class: "zones" }, ...rows);
  }

  zone(path, title, value) {
    const kind = this.paths.has(path) ? { class: "changed" } : {};
    return node("div", kind, node("dt", {}, title), node("dd", {}, this.shown(value)));
  }

  shown(value) {
    if (value === null || value === undefined) return this.say.unknown;
    if (Number.isInteger(value)) return String(value);
    return value.map((card) => called(card, this.words)).join(", ") || this.say.nothing;
  }
}
