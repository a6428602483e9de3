// The field for a line: what is typed becomes a decision that is open, or a longer line. Tab takes the first one; the
// arrows choose another, and Enter writes it down.

import { by, make } from "./elements.js";
import { ask, AwayError } from "./server.js";

const MOST = 8;

export class Completion {
  // `told` gives what the line belongs to, or nothing: its header, entries and the lines of the open choices.
  constructor(told, heard = () => {}) {
    Object.assign(this, { told, heard, field: by("line"), list: by("suggestions"), lines: [], at: -1, busy: null, sent: null });
    this.field.addEventListener("input", () => { this.sent = null; this.look(); });
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.field.addEventListener("blur", () => this.close());
    this.field.form.addEventListener("submit", () => this.leave(), { capture: true });
    this.list.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const option = event.target.closest("[role=option]");
      if (option) this.take(this.lines[Number(option.dataset.at)]);
    });
  }

  // Asks what the line may become. One question is under way at a time; the last line is always asked about.
  look() {
    this.busy ??= this.asked().finally(() => { this.busy = null; });
    return this.busy;
  }

  async asked() {
    for (let line = null; line !== this.field.value;) {
      line = this.field.value;
      const told = this.told();
      if (!told) return this.close();
      try {
        const found = await ask("next", { ...told, line });
        if (line !== this.field.value) continue;
        this.show(document.activeElement === this.field && line.trim() && line !== this.sent ? found.completions : []);
        this.heard(found, line);
      } catch (error) {
        this.close();
        if (!(error instanceof AwayError)) throw error;
      }
    }
    return undefined;
  }

  // A line that was chosen stays chosen as long as it is in the list.
  show(lines) {
    const was = this.lines[this.at];
    this.lines = lines.filter((line) => line !== this.field.value).slice(0, MOST);
    this.at = this.lines.indexOf(was);
    this.list.replaceChildren(...this.lines.map((line, at) => make("li", { role: "option", id: `suggestion-${at}`, "data-at": String(at) }, line.trim())));
    this.point();
  }

  close() {
    this.show([]);
  }

  // The line is written down: what it might have become is no longer offered, also where the answer is still on its way.
  leave() {
    this.sent = this.field.value;
    this.close();
  }

  point() {
    this.list.hidden = !this.lines.length;
    this.field.setAttribute("aria-expanded", String(this.lines.length > 0));
    [...this.list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === this.at)));
    if (this.at < 0) this.field.removeAttribute("aria-activedescendant");
    else this.field.setAttribute("aria-activedescendant", `suggestion-${this.at}`);
  }

  async key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const isTab = event.key === "Tab" && !event.shiftKey && this.field.value.trim() && (this.busy || this.lines.length);
    if (isTab) {
      event.preventDefault();
      await this.busy;
      if (this.lines.length) this.take(this.lines[Math.max(this.at, 0)]);
    } else if (this.lines.length && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.at = (this.at + step + this.lines.length + (this.at < 0 && step < 0 ? 1 : 0)) % this.lines.length;
      this.point();
    } else if (event.key === "Escape" && this.lines.length) {
      event.stopPropagation();
      this.close();
    } else if (event.key === "Enter" && this.at >= 0) {
      event.preventDefault();
      const line = this.lines[this.at];
      this.take(line);
      if (!line.endsWith(" ")) this.field.form.requestSubmit();
    }
  }

  take(line) {
    this.field.value = line;
    this.close();
    if (line.endsWith(" ")) this.look();
    else this.heard({ words: [] }, line);
  }
}
