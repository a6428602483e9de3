// The table before a step and after it, side by side.
import { sceneTree } from "./scene.js";
import { node } from "./tree.js";

const FARTHEST = 8;

// The tables before this step and after it, as elements to be made.
export async function beforeAndAfter(viewer) {
  const before = viewer.step - 1;
  const after = await settled(viewer, viewer.step, await stepAt(viewer, before));
  const { words } = viewer.data;
  return [
    node("h2", { id: "both-title" }, words.beforeAndAfter),
    node("div", { class: "both" }, drawn(viewer, words.before, before, {}), drawn(viewer, words.after, after, marks(viewer, after))),
  ];
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
