// What the reader does with keys, mouse and fingers, and what it sets going.
import { stayWhileAway } from "./connection.js";
import { openMeanings } from "./dialogs.js";
import { listenToKeys } from "./keys.js";
import { HANDHELD, NARROW } from "./screen.js";
import { listenToSheet, turnSheet } from "./sheet.js";

export function listen(viewer) {
  listenToKeys(viewer);
  stayWhileAway();
  document.addEventListener("click", (event) => clicked(viewer, event));
  document.querySelector(".goto").addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = Number.parseInt(viewer.slots.goto.value, 10);
    if (Number.isInteger(wanted)) viewer.go(wanted, { jump: true });
    viewer.slots.goto.blur();
  });
  viewer.slots.could?.addEventListener("toggle", () => viewer.options());
  NARROW.addEventListener("change", () => viewer.paint());
  listenToFingers(viewer);
  listenToWheel(viewer);
  for (const each of document.querySelectorAll(".write-note, .share")) {
    each.addEventListener("toggle", ({ target }) => target.open && target.scrollIntoView({ block: "nearest" }));
  }
  listenToSheet(viewer);
  for (const kind of ["mouseover", "focusin", "mouseout", "focusout"]) {
    viewer.slots.pending.addEventListener(kind, (event) => outline(viewer, event.target, kind.endsWith("over") || kind === "focusin"));
  }
}

function clicked(viewer, event) {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  const target = event.target.closest("a, button");
  if (!target) {
    tapped(viewer, event.target);
    return;
  }
  const { go, step, do: action, column, rule, grain } = target.dataset;
  const key = target.closest("[data-key]")?.dataset.key;
  const actions = {
    play: () => viewer.playing.toggle(),
    "turn-round": () => viewer.turnRound(),
    link: () => viewer.copyLink(),
    "back-again": () => viewer.goBack(),
    keys: () => viewer.showKeys(),
    both: () => viewer.showBoth(),
    sheet: () => sheet(target),
  };
  if (action in actions) actions[action]();
  else if (step !== undefined) {
    viewer.go(Number(step), { jump: true });
    if (HANDHELD.matches && target.closest(".steps")) scrollTo({ top: 0 });
  }
  else if (grain !== undefined) viewer.stopAt(grain);
  else if (column !== undefined) viewer.showColumn(Number(column));
  else if (rule !== undefined) viewer.showRule(rule);
  else if (key !== undefined && target.hasAttribute("href")) {
    if (!viewer.showCard(key)) return;
  } else if (go) {
    if (target.hasAttribute("href")) viewer.go(Number(new URL(target.href).searchParams.get("step")), { jump: !["back", "on"].includes(go) });
  } else return;
  event.preventDefault();
}

const SIGNS = ".stat, .limit, .orbs, .path, .signs, .token, .status, .plate, .door";

// A tap on the table where no link is: a card and the title of a reveal say what they are, the steps of a reveal their
// names, a sign or a number what it means.
function tapped(viewer, place) {
  const { table } = viewer.slots;
  if (!table.contains(place)) return;
  const card = place.closest(".card[data-key]") ?? place.closest(".box[data-key] > h3")?.parentElement;
  if (card) viewer.showCard(card.dataset.key);
  else if (place.closest(".steps-of")) table.classList.toggle("step-names");
  else if (place.closest(SIGNS)) openMeanings(viewer);
}

// A tap on the handle; the click that ends a drag is none.
function sheet(grip) {
  if ("dragged" in grip.dataset) delete grip.dataset.dragged;
  else turnSheet(grip);
}

// A finger drawn across the table goes a step on or back.
function listenToFingers(viewer) {
  let from = null;
  const { table } = viewer.slots;
  table.addEventListener("touchstart", (event) => (from = event.touches.length === 1 ? event.touches[0] : null), { passive: true });
  table.addEventListener("touchend", (event) => {
    if (!from) return;
    const to = event.changedTouches[0];
    const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
    if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) viewer.stepOn(x < 0 ? 1 : -1);
    from = null;
  });
}

// The wheel over a table that is seen whole steps; over one that is not it scrolls.
function listenToWheel(viewer) {
  let turned = 0;
  viewer.slots.table.addEventListener("wheel", (event) => {
    const scene = viewer.slots.table.firstElementChild;
    if (event.ctrlKey || event.shiftKey || scene.scrollHeight > scene.clientHeight + 1 || document.documentElement.scrollHeight > innerHeight + 1) return;
    event.preventDefault();
    turned += event.deltaMode ? 50 * event.deltaY : event.deltaY;
    if (Math.abs(turned) < 50) return;
    viewer.stepOn(Math.sign(turned));
    turned = 0;
  }, { passive: false });
}

function outline(viewer, target, on) {
  const key = target.closest("[data-outline]")?.dataset.outline;
  if (!key) return;
  for (const each of viewer.slots.table.querySelectorAll("[data-key]")) {
    if (each.dataset.key === key) each.classList.toggle("outlined", on);
  }
}
