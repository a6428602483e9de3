// The table before a step and after it, side by side.
import { sceneTree } from "./scene.js";
import { node } from "./tree.js";

const FARTHEST = 8;
const MOST = 12;

// The tables before this step and after it, as elements to be made.
export async function beforeAndAfter(viewer) {
  const before = viewer.step - 1;
  const after = await settled(viewer, viewer.step, await stepAt(viewer, before));
  const { words } = viewer.data;
  return [
    node("h2", { id: "both-title" }, words.beforeAndAfter),
    ...differences(viewer, before, after),
    node("div", { class: "both" }, drawn(viewer, words.before, before, {}), drawn(viewer, words.after, after, marks(viewer, after))),
  ];
}

// What differs, in words: the cards that lie elsewhere, and the numbers that are others.
function differences(viewer, before, after) {
  const [old, now] = [before, after].map((number) => told(viewer, viewer.steps.at(number).scene.area));
  const lines = [...now].flatMap(([key, [name, value]]) => {
    const was = old.get(key)?.[1];
    return was === value || (was === undefined && !key.startsWith("#")) ? [] : [[name, was ?? "", value, Number(!key.startsWith("#"))]];
  });
  for (const [key, [name, was]] of old) if (key.startsWith("#") && !now.has(key)) lines.push([name, was, "–", 0]);
  lines.sort(([, , , one], [, , , other]) => one - other);
  const items = lines.slice(0, MOST).map(([name, was, value]) => node("li", {}, node("b", {}, name), `${was && ` ${was}`} → ${value}`));
  if (lines.length > MOST) items.push(node("li", { class: "quiet" }, `+${lines.length - MOST}`));
  return items.length ? [node("ul", { class: "differs" }, ...items)] : [];
}

// Of an area what can differ, by key: of a card that is known where it lies, of a number what it is.
function told(viewer, area, owner = "", found = new Map()) {
  const name = area.owner ? (viewer.data.table.players[area.owner] ?? area.owner) : owner;
  const of = (title) => [title, name].filter(Boolean).join(" · ");
  for (const part of area.parts ?? []) {
    if (part.type === "area") told(viewer, part, name, found);
    else if (part.type === "counter") found.set(part.key, [of(part.title), part.value]);
    else if (part.type === "token") found.set(part.key, [part.title, viewer.data.table.players[part.at] ?? part.at ?? "–"]);
    else if (part.type === "zone") {
      if (part.count !== undefined) found.set(part.key, [of(part.title), String(part.count)]);
      if (part.head) found.set(part.head.key, [of(part.title), part.head.value]);
      for (const total of part.counters ?? []) found.set(total.key, [`${of(part.title)} · ${total.title}`, total.value]);
      for (const card of (part.cards ?? []).map((number) => viewer.deck[number])) {
        if (card.face && part.layout !== "pile") found.set(`#${card.key}`, [card.face.title, of(part.title)]);
      }
    }
  }
  return found;
}

// The first step from there on that has changed the table and leaves nothing on its way.
async function settled(viewer, from, before) {
  const was = JSON.stringify(before.scene.area);
  for (let number = from; number <= Math.min(viewer.last, from + FARTHEST); number += 1) {
    const { scene, c } = await stepAt(viewer, number);
    if (JSON.stringify(scene.area) !== was && !Object.keys(c?.origins ?? {}).length) return number;
  }
  return from;
}

async function stepAt(viewer, number) {
  await viewer.steps.fetch(number);
  return viewer.steps.at(number);
}

// What the mistake touched is struck afterwards too.
function marks(viewer, after) {
  const { c = {} } = viewer.steps.at(viewer.step);
  return { ...viewer.steps.at(after).c, struck: c.struck ?? [], verdict: c.verdict };
}

function drawn(viewer, title, number, changes) {
  const tree = sceneTree(viewer.steps.at(number).scene, changes, viewer.how());
  const caption = `${title} · ${viewer.say("stepShort", { step: number, last: viewer.last })}`;
  return node("figure", {}, node("figcaption", {}, caption), node("div", { class: viewer.slots.table.className }, tree));
}
