// The windows over the table: a rule, a card, before and after, help. They open at their top; a tap beside one closes it.
import { element, node } from "./tree.js";

export function openDialog({ slots }, name, content) {
  const dialog = slots[name];
  if (content) slots[`${name}-body`].replaceChildren(...content.map((each) => element(each)));
  dialog.showModal();
  dialog.scrollTop = 0;
}

export function listenToDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && isBeside(dialog.getBoundingClientRect(), event)) dialog.close();
    });
  }
}

function isBeside(box, { clientX: x, clientY: y }) {
  return x < box.left || x > box.right || y < box.top || y > box.bottom;
}

// Help, and of it the part that says what the signs of the table mean.
export function openMeanings(viewer) {
  openDialog(viewer, "keys");
  document.getElementById("signs")?.scrollIntoView({ block: "start" });
}

// Everything about a card: what is printed on it, and how it lies now.
export function cardDialog(data, { face, figures = [], facts = [], tags = [] }) {
  const printed = face.figures ?? [];
  const rows = [
    ...figures.map(([, title, value]) => [title, value]),
    ...printed.filter(([sign]) => !figures.some(([other]) => other === sign)).map(([, title, value]) => [title, value]),
    ...facts.map((fact) => ["", fact]),
    ...tags.map(([sign, word]) => [capital(word), meaningOf(sign)]),
    ...(face.texts ?? []).filter(([, words]) => words),
  ];
  if (!rows.length && !face.kind && !face.id) rows.push(["", data.words.nothingTold]);
  const link = face.id ? [node("p", {}, node("a", { href: `${data.table.link}#${face.id}` }, data.words.card))] : [];
  return [
    node("h2", { id: "card-title" }, face.title, ...(face.kind ? [" ", node("small", {}, face.kind)] : [])),
    node("dl", { class: "dialog-words" }, ...rows.map(([name, words]) => node("div", {}, node("dt", {}, name), node("dd", {}, words)))),
    ...link,
  ];
}

// The sentence of the legend about a sign, without the word that it begins with.
function meaningOf(sign) {
  return document.querySelector(`[data-meaning="${CSS.escape(sign)}"]`)?.textContent.replace(/^[^:.]*\s?:\s*/, "") ?? "";
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// The card of that key as it lies in a scene, where its face is known.
export function cardIn(area, key, deck) {
  for (const part of area.parts ?? []) {
    const inner = part.type === "track" ? part.steps.flatMap((step) => step.inside ?? []) : part.type === "area" ? [part] : [];
    for (const each of inner) {
      const found = cardIn(each, key, deck);
      if (found) return found;
    }
    const lying = [...(part.cards ?? []), ...(part.coming ?? [])].map((number) => deck[number]);
    const found = lying.find((card) => card.key === key && card.face);
    if (found) return found;
  }
  const own = area.card === undefined ? undefined : deck[area.card];
  return own?.key === key && own.face ? own : undefined;
}
