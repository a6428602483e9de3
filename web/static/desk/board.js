// The table, drawn from its scene so that everything on it can be tapped. A long tap, a second button or the menu key holds.

import { watchEdges } from "../edges.js";
import { element } from "../tree.js";
import { by } from "./elements.js";
import { say } from "./server.js";

const HELD = 450;
const NARROWEST = 90;
let heard = { tap() {}, hold() {} };
let told = new Set();
let names = new Map();

// `places` are the keys of places that can be tapped, `live` those of whatever can be used now, `about` those of which
// more can be said than which cards lie there.
export function draw(table, { places = [], live = [], about = [] } = {}) {
  told = new Set(about);
  const board = by("board");
  const focus = document.activeElement?.closest?.("#board [data-key]")?.dataset.key;
  names = new Map(Object.entries(table.names ?? {}));
  board.className = table.across ? "table across" : "table";
  board.replaceChildren(element(tapped(table.tree, new Set(places), new Set(live))));
  by("chapter").textContent = table.chapter;
  by("pending").textContent = table.pending.join(" · ");
  if (focus) [...board.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focus)?.querySelector("button")?.focus();
}

// The nearest thing of those keys in which something lies, or its own key.
export function nearest(key, keys) {
  let found = document.querySelector(`#board [data-key="${CSS.escape(key)}"]`);
  while (found && !keys.includes(found.dataset.key)) found = found.parentElement?.closest("#board [data-key]");
  return found?.dataset.key ?? key;
}

export function nameOf(key) {
  return names.get(key) ?? key;
}

// The name of a card with that of the place where it lies, whose it is; of a place, its own.
export function titleOf(key) {
  const card = document.querySelector(`#board .card[data-key="${CSS.escape(key)}"]`);
  const place = card?.parentElement.closest("#board [data-key]")?.dataset.key;
  return place ? `${nameOf(key)} (${nameOf(place)})` : nameOf(key);
}

function tapped(tree, places, live) {
  if (typeof tree === "string") return tree;
  let [tag, attributes, children] = tree;
  const kinds = (attributes.class ?? "").split(" ");
  const key = attributes["data-key"];
  children = children.filter((child) => typeof child === "string" || !/\bopens\b/.test(child[1].class ?? ""));
  if (kinds.includes("face")) {
    const { href, role, ...rest } = attributes;
    [tag, attributes] = ["button", { ...rest, type: "button" }];
  }
  if (key && live.has(key)) attributes = { ...attributes, class: `${attributes.class} possible` };
  if (key && !names.has(key)) names.set(key, said(tree));
  children = children.map((child) => tapped(child, places, live));
  if (key && places.has(key)) children = withPlace(children, kinds, key);
  else if (key && told.has(key)) children = withMore(children, kinds, key);
  return [tag, attributes, children];
}

function said(tree) {
  const isBox = (tree[1].class ?? "").split(" ").includes("box");
  const name = isBox ? tree[2].find((child) => child[0] === "h3")?.[2].find((child) => child[0] === "b") : find(tree, "name") ?? find(tree, "corner") ?? find(tree, "title");
  return name ? words(name) : words(tree);
}

function find(tree, kind) {
  if (typeof tree === "string") return null;
  if ((tree[1].class ?? "").split(" ").includes(kind)) return tree;
  return tree[2].reduce((found, child) => found ?? find(child, kind), null);
}

// The words of a thing, without how many cards lie there.
function words(tree) {
  if (typeof tree === "string") return tree;
  return (tree[1].class ?? "").split(" ").includes("size") ? "" : tree[2].map(words).join(" ").trim();
}

// What is only counted, and a card on its way, get a button to say more of them.
function withMore(children, kinds, key) {
  const more = ["button", { type: "button", class: "put more", "data-place": key, "aria-label": say("about-here", { place: nameOf(key) }) }, ["±"]];
  if (kinds.includes("count")) return [...children, " ", more];
  if (!kinds.includes("box")) return children;
  return children.map((child) => (typeof child !== "string" && child[0] === "h3" ? [child[0], child[1], [...child[2], more]] : child));
}

// A place gets a button of its own, at its open end.
function withPlace(children, kinds, key) {
  const put = ["button", { type: "button", class: "put", "data-place": key, "aria-label": say("put-here", { place: nameOf(key) }) }, ["+"]];
  if (kinds.includes("stack")) return [...children, ["li", { class: "put-at" }, [put]]];
  if (kinds.includes("hand")) {
    return children.map((child) => (typeof child !== "string" && child[0] === "ul" ? [child[0], child[1], [...child[2], ["li", { class: "put-at" }, [put]]]] : child));
  }
  return [...children, put];
}

// The column that has to be opened before a card in it can be aimed at; 0 where there is room enough.
export function shutColumn(key) {
  const lane = document.querySelector(`#board [data-key="${CSS.escape(key)}"]`)?.closest(".lane:not(.here)");
  return lane && lane.offsetWidth < NARROWEST ? [...lane.parentElement.children].indexOf(lane) + 1 : 0;
}

// Of a card that nobody knows, the place where it lies is meant.
function keyOf(target) {
  const put = target.closest(".put");
  if (put) return put.dataset.place;
  const found = target.closest("[data-key]");
  return found?.dataset.key === "?" ? found.parentElement.closest("[data-key]")?.dataset.key : found?.dataset.key;
}

export function listen(callbacks) {
  heard = callbacks;
  const board = by("board");
  watchEdges(board);
  let timer = 0;
  let held = false;
  const pressed = (key) => {
    for (const one of board.querySelectorAll(".pressed")) one.classList.remove("pressed");
    if (key) board.querySelector(`[data-key="${CSS.escape(key)}"]`)?.classList.add("pressed");
  };
  const hold = (key) => {
    held = true;
    pressed("");
    heard.hold(key);
  };
  const up = () => {
    clearTimeout(timer);
    pressed("");
  };
  board.addEventListener("pointerdown", (event) => {
    const key = keyOf(event.target);
    clearTimeout(timer);
    pressed(key);
    if (key && event.button === 0) timer = setTimeout(() => hold(key), HELD);
  });
  // The click that ends a hold means nothing, also where a dialog has come under the finger.
  document.addEventListener("pointerdown", () => { held = false; }, { capture: true });
  document.addEventListener("click", (event) => {
    if (!held) return;
    held = false;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  for (const name of ["pointerup", "pointercancel", "pointerleave", "scroll"]) board.addEventListener(name, up);
  board.addEventListener("contextmenu", (event) => {
    const key = keyOf(event.target);
    if (!key) return;
    event.preventDefault();
    clearTimeout(timer);
    if (!held) hold(key);
    held = event.pointerType === "touch";
  });
  board.addEventListener("click", (event) => {
    const key = keyOf(event.target);
    if (key) heard.tap(key);
  });
}
