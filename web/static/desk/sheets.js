// What can be said of a card, a place or the whole table: one of several values, numbers, words.

import { button, closePicker, make } from "./elements.js";
import { say } from "./server.js";

// Everything that can be said of one thing. It is set at once, when all of it has been said.
export function sheet(key, about, set) {
  const said = new Map();
  const rows = [...rowsOf(about.fields, (field, value) => said.set(field.name, { do: "say", at: key, name: field.name, value })),
    ...about.counts.map((one) => counter(one, (number) => said.set(`#${one.name}`, { do: "count", to: key, name: one.name, number }))),
    ...(about.texts ?? []).map((one) => written(one, (value) => said.set(one.name, { do: "say", at: key, name: one.name, value })))];
  const done = (event) => { event.preventDefault(); closePicker(); set([...said.values()]); };
  return make("form", { class: "sheet", submit: done }, ...rows, rows.length ? make("button", { class: "done" }, `✓ ${say("set-so")}`) : null);
}

// Words that are typed as they are printed.
function written({ title, value }, set) {
  const field = make("textarea", { rows: 2, maxlength: 500, spellcheck: "false", input: () => set(field.value) });
  field.value = value;
  return make("label", { class: "written" }, title, field);
}

// Of a number that nobody has told, the first step says the guess; where that is 0, a step up says 1.
function counter({ title, number, is_known: isKnown }, set) {
  const said = () => set(input.value === "" ? null : Number(input.value));
  const input = make("input", { type: "number", inputmode: "numeric", min: 0, max: 999, placeholder: "?", value: isKnown ? number : "", "aria-label": title || say("how-many"), input: said });
  const step = (by_) => { input.value = input.value === "" ? number || Math.max(0, by_) : Math.max(0, Number(input.value) + by_); said(); };
  return make("p", { class: "counter" }, make("span", {}, title || say("how-many")), button("−", () => step(-1), { "aria-label": `${title} −1`.trim() }), input, button("+", () => step(1), { "aria-label": `${title} +1`.trim() }));
}

// Those of one value alone stand in one row.
export function rowsOf(given, set) {
  const made = given.map((field) => [field, choiceOf(field, (value) => set(field, value))]);
  const alone = made.filter(([field]) => field.choices.length === 1 && !field.title).map(([, row]) => row);
  const rows = made.filter(([, row]) => !alone.includes(row)).map(([, row]) => row);
  return alone.length ? [...rows, make("div", { class: "one-of" }, ...alone)] : rows;
}

// One of several values; of one value alone, whether it holds.
function choiceOf(field, set) {
  const title = field.title || (field.choices.length > 1 ? say(field.name) : "");
  const press = (one, event) => {
    const held = field.choices.length === 1 && event.target.getAttribute("aria-pressed") === "true";
    for (const each of event.target.parentElement.querySelectorAll("button")) each.setAttribute("aria-pressed", String(each === event.target && !held));
    set(held ? "" : one.value);
  };
  return make("div", { class: `one-of${title ? "" : " alone"}`, role: "group", "aria-label": title || field.choices[0].title }, title ? make("span", {}, title) : null,
    ...field.choices.map((one) => button(one.title, (event) => press(one, event), { "aria-pressed": String(one.value === field.value) })));
}
