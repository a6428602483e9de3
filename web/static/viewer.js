// One game in the browser: where the reader is, and everything that follows from it.
import { showArrows } from "./arrows.js";
import { lasting, stepIn, withColumn, withStep } from "./addresses.js";
import { beforeAndAfter } from "./comparing.js";
import { cardDialog, cardIn, listenToDialogs, openDialog } from "./dialogs.js";
import { watchEdges } from "./edges.js";
import { asideAt, beside, GRAINS, markAsides, StepList } from "./list.js";
import { listen } from "./listening.js";
import { Live } from "./live.js";
import { announced, couldCome, fillPanel, ruleDialog, spoken } from "./panel.js";
import { held } from "./focus.js";
import { Steps } from "./patches.js";
import { Playing } from "./playing.js";
import { showRibbon } from "./ribbon.js";
import { sceneTree } from "./scene.js";
import { CALM, NARROW } from "./screen.js";
import { Strip } from "./strip.js";
import { element } from "./tree.js";

const REMEMBERED = "audit.grain";

class Viewer {
  constructor(data) {
    this.data = data;
    this.faces = {};
    this.deck = {};
    markAsides(data.overview);
    this.steps = new Steps(data, (table) => this.meet(table));
    this.step = data.step;
    this.last = data.last;
    this.bottom = data.bottom;
    this.column = Number(new URLSearchParams(location.search).get("column")) || 1;
    this.jumps = 0;
    this.unseen = 0;
    this.grain = rememberedGrain();
    this.slots = Object.fromEntries(
      [...document.querySelectorAll("[data-slot]")].map((each) => [each.dataset.slot, each]),
    );
    this.list = new StepList(this);
    this.strip = new Strip(this);
    this.live = new Live(this);
    this.playing = new Playing(this);
    document.documentElement.classList.add("with-script");
    document.body.classList.add("lively");
    for (const each of document.querySelectorAll(".scripted")) each.hidden = false;
    this.showGrain();
    listen(this);
    listenToDialogs();
    const arrows = () => showArrows(this.slots, this.steps.at(this.step)?.c ?? {});
    new ResizeObserver(arrows).observe(this.slots.table);
    this.slots.table.addEventListener("scroll", arrows, { capture: true, passive: true });
    watchEdges(this.slots.table);
    this.measure();
    const { column } = this;
    if (this.slots["could-list"]?.childElementCount) this.slots.could.dataset.step = this.step;
    this.render();
    if (new URLSearchParams(location.search).has("column")) this.showColumn(column);
    this.keepFocus();
    if (stepIn(location.href) !== this.step) history.replaceState(null, "", this.addressOf(this.step));
    addEventListener("popstate", () => this.cameBack());
    addEventListener("hashchange", () => this.followHash());
  }

  // Whoever took an option goes on choosing where they were.
  keepFocus() {
    const { fork } = this.data;
    const cameFrom = document.referrer && new URL(document.referrer).pathname === location.pathname;
    if (fork != null && cameFrom) this.slots.could?.querySelector("summary").focus({ preventScroll: true });
  }

  // Cards and faces that scenes name by number, from the numbers of the first ones on; each piece of the steps brings more.
  meet({ first: [card, face], cards, faces }) {
    faces.forEach((each, index) => (this.faces[face + index] = each));
    cards.forEach((each, index) => (this.deck[card + index] = { ...each, face: this.faces[each.face] }));
  }

  // How much of a narrow screen the head of the page takes, now and when its words need another line: the rest is the table's.
  measure() {
    const head = document.querySelector("header");
    if (!head) return;
    const measured = () => document.documentElement.style.setProperty("--head", `${head.offsetHeight}px`);
    new ResizeObserver(measured).observe(head);
    measured();
  }

  // Where to

  // Go to a step; `jump` is remembered for the way back. Says so where there is no such step.
  async go(step, { jump = false, back = false } = {}) {
    const nearest = Math.min(Math.max(0, step), this.last);
    this.tell(nearest === step ? "" : this.say("range", { wanted: step, step: nearest }));
    if (nearest === this.step) return;
    if (jump) this.jumps += 1;
    this.step = nearest;
    if (nearest === this.last) this.unseen = 0;
    if (!this.steps.has(nearest)) await this.load(nearest);
    if (this.step !== nearest || !this.steps.has(nearest)) return;
    if (!back) history[jump ? "pushState" : "replaceState"](null, "", this.addressOf(nearest));
    this.render();
  }

  // Steps were stored while the page is open: who stands on the last step goes along, all others are told.
  grow(news) {
    if (news.after > this.last || (news.after === this.last && !news.steps.length)) return;
    const goesAlong = this.step === this.last;
    const had = this.last;
    this.learn(news);
    this.unseen += Math.max(0, this.last - had);
    this.strip.redraw();
    this.strip.show(this.step, this.slots.live.textContent);
    this.list.fill(Math.min(this.step, this.last));
    this.list.show(Math.min(this.step, this.last));
    this.updateLinks();
    if (goesAlong || this.step > this.last) {
      this.step = -1;
      this.go(this.last);
      return;
    }
    this.slots.panel.querySelector(".where span").textContent = this.say("stepShort", { step: this.step, last: this.last });
    if (this.last > had) this.tell(this.count("new", this.unseen));
  }

  // What follows a step anew: later events may have explained its steps otherwise, or set earlier ones aside.
  learn(news) {
    const { data } = this;
    const { overview } = data;
    const known = news.after + 1;
    for (const kind of ["noted", "parts"]) overview[kind] = news[kind];
    for (const kind of ["verdicts", "depths", "recorded"]) overview[kind] = overview[kind].slice(0, known) + news[kind];
    overview.bands = [...overview.bands.filter(([start]) => start < known), ...news.bands];
    Object.assign(overview, { asides: news.asides, settled: news.settled });
    markAsides(overview);
    data.rules = { ...Object.fromEntries(Object.entries(data.rules).slice(0, news.had)), ...news.rules };
    for (const table of news.tables) this.meet(table);
    this.steps.extend(known, news.steps);
    data.last = news.last;
    this.last = news.last;
    const trust = document.querySelector("header .trust");
    if (trust) trust.textContent = news.trust;
  }

  async load(step) {
    this.tell(this.data.words.loading);
    try {
      await this.steps.fetch(step);
      this.tell("");
    } catch {
      this.tell(this.data.words.failed);
    }
  }

  // Where the way on leads beyond what has been fetched, that is fetched first.
  async stepOn(by) {
    const from = this.step;
    let next = beside(this, from, by);
    while (!this.steps.has(next)) {
      await this.load(next);
      if (this.step !== from || !this.steps.has(next)) return;
      next = beside(this, from, by);
    }
    if (next !== from) this.go(next);
    else this.playing.pause();
  }

  // The next step in that direction for which `wanted` holds.
  seek(by, wanted) {
    for (let step = this.step + by; step >= 0 && step <= this.last; step += by) {
      if (wanted(step)) {
        this.go(step, { jump: true });
        return;
      }
    }
    this.tell(this.data.words.none);
  }

  finding(by) {
    this.seek(by, (step) => "xou".includes(this.data.overview.verdicts[step]));
  }

  notable(by) {
    const { data } = this;
    const { verdicts, noted } = data.overview;
    this.seek(by, (step) => !asideAt(data, step) && (verdicts[step] !== "l" || noted.includes(step)));
  }

  recorded(by) {
    const looksInto = asideAt(this.data, this.step);
    const { overview } = this.data;
    this.seek(by, (step) => step === 0 || (overview.recorded[step] === "1" && (looksInto || !asideAt(this.data, step))));
  }

  turn(by) {
    const starts = this.data.overview.bands.map(([start]) => start);
    const found = by > 0 ? starts.find((start) => start > this.step) : starts.findLast((start) => start < this.step);
    this.go(found ?? (by > 0 ? this.last : 0), { jump: true });
  }

  // To where the last jump began; the browser's own Back does the same.
  goBack() {
    if (this.jumps) history.back();
    else this.tell(this.data.words.none);
  }

  followHash() {
    const step = new URLSearchParams(location.hash.slice(1)).get("step") ?? "";
    if (/^\d{1,9}$/.test(step)) this.go(Number(step), { jump: true });
  }

  cameBack() {
    if (location.hash.startsWith("#step=")) return;
    this.jumps = Math.max(0, this.jumps - 1);
    const step = stepIn(location.href);
    if (step !== undefined) this.go(step, { back: true });
  }

  // Looking

  turnRound() {
    this.bottom = this.bottom === "A" ? "B" : "A";
    this.keepInAddress("bottom", this.bottom);
    this.paint();
  }

  // What the reader has chosen for this game goes into the address, and so into its links.
  keepInAddress(name, value) {
    const address = new URL(location.href);
    address.searchParams.set(name, value);
    history.replaceState(null, "", address);
    this.updateLinks();
  }

  // Hidden cards are concealed by the page that the public gets, and shown again by the own page of the reader.
  conceal() {
    const { conceal } = this.slots;
    if (conceal) conceal.click();
    else this.tell(this.data.words.none);
  }

  // Stops at what a player began, at what moves or is decided, or at every event; kept for the next visit.
  stopAt(grain) {
    this.grain = grain;
    try {
      localStorage.setItem(REMEMBERED, grain);
    } catch {
      // a browser that keeps nothing still steps
    }
    this.keepInAddress("grain", grain);
    this.showGrain();
  }

  showGrain() {
    document.body.dataset.grain = this.grain;
    for (const link of document.querySelectorAll("[data-grain]:not(body)")) {
      link.toggleAttribute("aria-current", link.dataset.grain === this.grain);
    }
  }

  nextGrain() {
    this.stopAt(GRAINS[(GRAINS.indexOf(this.grain) + 1) % GRAINS.length]);
    this.tell(document.querySelector("[data-grain][aria-current]").textContent);
  }

  showColumn(column) {
    this.column = Math.max(1, column);
    this.paint();
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(lasting(location.href, this.step, this.steps.at(this.step)?.q));
      this.tell(this.data.words.copied);
    } catch {
      this.tell(this.data.words.notCopied);
    }
  }

  showRule(id) {
    const rule = id ?? this.steps.at(this.step)?.r?.[0];
    if (rule) openDialog(this, "rule", ruleDialog(this.data, rule));
    else this.tell(this.data.words.none);
  }

  // What lay where before this step, and where it lies after it.
  async showBoth() {
    if (!this.step) return;
    try {
      openDialog(this, "both", await beforeAndAfter(this));
    } catch {
      this.tell(this.data.words.failed);
    }
  }

  // Everything about a card that lies on the table, where its face is known; says whether it is.
  showCard(key) {
    const { area } = this.steps.at(this.step).scene;
    const card = cardIn(area, key, this.deck) ?? Object.values(this.deck).findLast((each) => each.key === key && each.face);
    if (!card) return false;
    openDialog(this, "card", cardDialog(this.data, card));
    return true;
  }

  showKeys() {
    openDialog(this, "keys");
  }

  // Showing

  // Everything is written before anything is measured: the page is laid out once a step.
  render() {
    const step = this.steps.at(this.step);
    this.column = columnOf(step) ?? this.column;
    const focus = held(this.slots);
    const before = this.redraw();
    fillPanel(this, step);
    showRibbon(this);
    const words = spoken(this.data, step, this.step);
    this.announce(announced(this.data, step, this.step));
    this.strip.show(this.step, words);
    this.slots.goto.value = this.step;
    this.showNotes();
    document.title = `${this.data.title} · ${this.step} – audit`;
    this.updateLinks();
    this.playing.show();
    this.list.show(this.step);
    focus();
    this.settle(before);
    this.options();
  }

  // The notes on this step; those that fit no step any more stay in sight.
  showNotes() {
    const { notes, "note-step": place, "note-last": until } = this.slots;
    for (const each of notes?.children ?? []) {
      const [first, last] = [Number(each.dataset.note), Number(each.dataset.last ?? each.dataset.note)];
      each.hidden = first >= 0 && (this.step < first || this.step > last);
    }
    if (place) place.value = this.step;
    if (until) until.placeholder = this.step;
  }

  // A screen reader hears at most one step a second while the game plays by itself.
  announce(words) {
    clearTimeout(this.speaking);
    const wait = this.playing.timer ? Math.max(0, (this.spokeAt ?? 0) + 1000 - Date.now()) : 0;
    const speak = () => {
      this.spokeAt = Date.now();
      this.slots.live.textContent = words;
    };
    if (wait) this.speaking = setTimeout(speak, wait);
    else speak();
  }

  // What could come, asked for only while somebody looks at it.
  async options() {
    const { could, "could-list": list } = this.slots;
    if (!could) return;
    const { step } = this;
    if (!could.open) return;
    if (could.dataset.step === String(step)) return;
    could.dataset.step = String(step);
    try {
      const answer = await fetch(this.data.addresses.options.replace(/\/0(?=$|\?)/, `/${step}`));
      const options = answer.ok ? await answer.json() : [];
      if (this.step !== step) return;
      const hadFocus = list.contains(document.activeElement);
      list.replaceChildren(...couldCome(this.data, options).map((tree) => element(tree)));
      if (hadFocus) could.querySelector("summary").focus({ preventScroll: true });
    } catch {
      this.tell(this.data.words.failed);
    }
  }

  paint() {
    this.settle(this.redraw());
  }

  // Draws the table; what is returned is where its cards stood before.
  redraw() {
    const step = this.steps.at(this.step);
    const before = this.places();
    const tree = sceneTree(step.scene, step.c ?? {}, this.how());
    this.slots.table.replaceChildren(element(tree));
    for (const each of document.querySelectorAll(".columns a")) {
      each.toggleAttribute("aria-current", Number(each.dataset.column) === this.column && NARROW.matches);
    }
    return before;
  }

  // How this reader wants the table drawn.
  how() {
    return {
      deck: this.deck,
      column: this.column,
      bottom: this.bottom,
      players: this.data.table.players,
      cards: this.data.table.link,
      link: withColumn(this.addressOf(this.step)),
    };
  }

  settle(before) {
    this.follow();
    if (!CALM.matches) this.move(before);
    showArrows(this.slots, this.steps.at(this.step).c ?? {});
  }

  // A table that scrolls by itself shows what is going on, and the text that is carried out whole.
  follow() {
    const box = this.slots.table.firstElementChild;
    if (box.scrollHeight <= box.clientHeight) return;
    const shown = (names) => [...box.querySelectorAll(names)].filter((each) => each.getClientRects().length);
    const step = shown(".box.open > ol > li[aria-current], li.changed[aria-current]").at(-1);
    const now = step ?? [".wrong", ".card.changed:not(.ghost)", ".changed"].flatMap(shown)[0];
    if (now) {
      const { top, height } = now.getBoundingClientRect();
      box.scrollTop += top - box.getBoundingClientRect().top - Math.max(0, box.clientHeight - height) / 2;
    }
    box.querySelector(".acts")?.scrollIntoView({ block: "nearest", container: "nearest" });
  }

  places() {
    const found = new Map();
    for (const card of this.slots.table.querySelectorAll(".card[data-key]")) {
      found.set(card.dataset.key, card.getBoundingClientRect());
    }
    return found;
  }

  // Cards that stand elsewhere now come from where they stood: 140 ms, and not at all for who asks for calm.
  move(before) {
    for (const card of this.slots.table.querySelectorAll(".card.changed[data-key], .flight[data-key]")) {
      const was = before.get(card.dataset.key);
      const now = card.getBoundingClientRect();
      if (!was || card.classList.contains("ghost")) continue;
      const [x, y] = [was.left - now.left, was.top - now.top];
      if (Math.abs(x) + Math.abs(y) < 2) continue;
      card.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], {
        duration: 140,
        easing: "ease-out",
      });
    }
  }

  updateLinks() {
    const { verdicts } = this.data.overview;
    const isFinding = (step) => "xou".includes(verdicts[step]);
    const steps = [...verdicts].map((_, step) => step);
    const targets = {
      first: this.step > 0 ? 0 : undefined,
      back: this.step > 0 ? beside(this, this.step, -1) : undefined,
      on: this.step < this.last ? beside(this, this.step, 1) : undefined,
      last: this.step < this.last ? this.last : undefined,
      "finding-back": steps.findLast((step) => step < this.step && isFinding(step)),
      "finding-on": steps.find((step) => step > this.step && isFinding(step)),
    };
    for (const link of document.querySelectorAll("[data-go]")) {
      const target = targets[link.dataset.go];
      if (target === undefined) {
        link.removeAttribute("href");
        link.setAttribute("role", "link");
        link.setAttribute("aria-disabled", "true");
      } else {
        link.href = this.addressOf(target);
        link.removeAttribute("role");
        link.removeAttribute("aria-disabled");
      }
    }
    for (const link of document.querySelectorAll(".variation [data-step]")) {
      link.toggleAttribute("aria-current", Number(link.dataset.step) === this.step);
    }
    for (const link of document.querySelectorAll(".languages a, .eyes a, [data-slot=conceal]")) {
      link.href = withStep(link.href, this.step);
    }
    for (const link of ["picture", "png", "png-public", "gif", "ask", "case", "sheet", "sheet-pdf"].map((name) => this.slots[name])) if (link) link.href = withStep(link.href, this.step);
    if (this.slots.snippet) {
      this.slots.snippet.value = this.slots.snippet.value.replace(/([?&](?:amp;)?step=)\d+/, `$1${this.step}`);
    }
  }

  addressOf(step) {
    return withStep(location.href, step);
  }

  tell(words) {
    this.slots.notice.textContent = words;
    this.slots.notice.hidden = !words;
  }

  say(key, values) {
    return this.data.words[key].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "…");
  }

  // A number of things, in the form that the language has for that number.
  count(key, n) {
    const forms = this.data.words[key];
    const form = forms[new Intl.PluralRules(this.data.language).select(n)] ?? forms.other;
    return form.replace("{n}", n);
  }
}

function rememberedGrain() {
  const asked = new URLSearchParams(location.search).get("grain");
  try {
    return [asked, localStorage.getItem(REMEMBERED)].find((grain) => GRAINS.includes(grain)) ?? "steps";
  } catch {
    return GRAINS.includes(asked) ? asked : "steps";
  }
}

// The column in which a step changed something: the one a narrow screen opens.
function columnOf(step) {
  const { focus } = step.c ?? {};
  const sides = step.scene.area.layout === "facing" ? step.scene.area.parts.filter((part) => part.type === "area") : [];
  for (const { parts } of sides) {
    const at = parts.filter((part) => part.layout === "stack").findIndex((zone) => zone.key === focus);
    if (at >= 0) return at + 1;
  }
}

function start() {
  window.audit = new Viewer(JSON.parse(document.getElementById("replay").textContent));
}

start();
