// Small elements, the one dialog of the page, and what the reader is to see.

import { say } from "./server.js";

export const by = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function button(label, press, attributes = {}) {
  return make("button", { type: "button", click: press, ...attributes }, label);
}

export function sign(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "i sign");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#s-${name}`);
  svg.append(use);
  return svg;
}

export function mark(name) {
  const svg = sign("");
  svg.setAttribute("class", `i ${name}`);
  svg.firstChild.setAttribute("href", `#i-${name}`);
  return svg;
}

// The dialog with a title and whatever stands in it. It closes when something in it is chosen.
export function picker(title, ...parts) {
  const dialog = by("picker");
  by("picker-title").textContent = title;
  by("picker-body").replaceChildren(...parts);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  return dialog;
}

// What the card says that a dialog is about.
export const cardSays = (says) => says.map((words) => make("p", { class: "card-says" }, words));

export function closePicker() {
  if (by("picker").open) by("picker").close();
}

// Cards to choose from, those of one sign in a row.
export function cardGrid(groups, choose) {
  return make("div", { class: "cards-of" }, ...groups.map((group) => make("div", { class: "group", role: "group", "aria-label": group.title },
    make("span", { class: "group-title" }, ...(group.sign ? [sign(group.sign)] : []), group.title),
    make("div", { class: "row" }, ...group.cards.map((card) => button(card.title, () => {
      closePicker();
      choose(card.value);
    }, { "data-card": card.value, "aria-label": `${group.title} ${card.title}` }))))));
}

// Numbers to tap, from 0.
const MOST_NUMBER = 10;
export function numberGrid(choose) {
  return make("div", { class: "numbers" }, ...Array.from({ length: MOST_NUMBER + 1 }, (_, n) => button(String(n), () => choose(n), { "data-number": n })));
}

// A card that nothing has told of is called by its name.
export function naming(put, done = say("put-it")) {
  const input = make("input", { name: "card", autocomplete: "off", autocapitalize: "off", maxlength: 40, spellcheck: "false" });
  const named = (event) => {
    event.preventDefault();
    const card = input.value.trim().replace(/\s+/g, "-");
    if (!card) return;
    closePicker();
    put(card);
  };
  return make("form", { class: "naming", submit: named }, make("label", {}, `${say("name-card")} `, input), make("button", {}, done));
}

// Cards as the server lists them, put together by their sign.
export function grouped(cards) {
  const groups = new Map();
  for (const card of cards) {
    const name = card.sign ? card.title.slice(0, card.title.length - card.value.length).trim() : "";
    if (!groups.has(name)) groups.set(name, { title: name, sign: card.sign, cards: [] });
    groups.get(name).cards.push({ value: card.card, title: card.sign ? card.value : card.title });
  }
  return [...groups.values()];
}

// The form that was sent last, while nothing is on the table yet.
let sent = null;
by("begin").addEventListener("submit", (event) => { sent = event.target; }, { capture: true });

// What is wrong is said at the head of the form in which it was typed: the keyboard of a phone covers what is below.
export function problem(text = "", ...more) {
  const home = by("work").hidden ? sent ?? by("begin") : by("typed");
  if (home.firstElementChild !== by("problem")) home.prepend(by("problem"));
  by("problem").replaceChildren(text, ...more);
  by("problem").hidden = !text;
  if (!text) return;
  home.scrollIntoView({ block: "nearest" });
  by("problem").scrollIntoView({ block: "nearest" });
}

// Brings the beginning of something onto the screen, where it is not in the upper half already.
export function toSight(element) {
  const { top } = element.getBoundingClientRect();
  if (top < 0 || top > window.innerHeight / 2) element.scrollIntoView({ block: "start" });
}

export async function copied(text, where) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return;
  }
  const before = where.textContent;
  where.textContent = say("copied");
  setTimeout(() => { where.textContent = before; }, 1200);
}
