// Arrows from where a card set out to where it will lie; they need the places that the browser has found for both.
import { element, node } from "./tree.js";

export function showArrows(slots, changes) {
  const { arrows, table } = slots;
  const paths = Object.entries(changes.origins ?? {}).flatMap(([card, zone]) => arrow(arrows, table, card, zone));
  paths.push(...causes(arrows, table, changes.path ?? []));
  if (paths.length || arrows.childElementCount) arrows.replaceChildren(...paths.map((path) => element(path, true)));
}

// The way from what caused a step to what the step touched: beside the cards, so that it lies on no words.
function causes(arrows, table, keys) {
  const places = keys.map((key) => table.querySelector(`[data-key="${CSS.escape(key)}"]`)).filter(Boolean);
  const zero = arrows.getBoundingClientRect();
  return places.slice(1).flatMap((place, at) => {
    const [from, to] = [places[at], place].map((one) => one.getBoundingClientRect());
    const side = to.left > from.right ? "left" : "right";
    const [x, y] = [from.right - zero.left, from.top + Math.min(13, from.height / 2) - zero.top];
    const [toX, toY] = [to[side] - zero.left, to.top + Math.min(13, to.height / 2) - zero.top];
    const out = side === "left" ? -16 : 16;
    const line = `M${x} ${y}C${x + 16} ${y} ${toX + out} ${toY} ${toX} ${toY}`;
    const head = `M${toX + out / 2} ${toY - 5}L${toX} ${toY}L${toX + out / 2} ${toY + 5}`;
    return [node("path", { class: "cause", d: line }), node("path", { class: "cause head", d: head })];
  });
}

function arrow(arrows, table, card, zone) {
  const aim = table.querySelector(`.flight[data-key="${CSS.escape(card)}"]`);
  const source =
    table.querySelector(`.ghost[data-key="${CSS.escape(card)}"]`) ?? table.querySelector(`[data-key="${CSS.escape(zone)}"]`);
  if (!aim || !source || !aim.closest(".stack")) return [];
  const zero = arrows.getBoundingClientRect();
  const outward = aim.closest(".stack.top") ? -1 : 1;
  const [x, y] = end(source, zero, outward);
  const [toX, toY] = end(aim, zero, outward);
  const middle = (y + toY) / 2;
  const bend = source.closest(".stack") ? [x, y + outward * 26, toX, toY + outward * 26] : [x, middle, toX, middle];
  const tip = toY + outward * 3;
  const head = `M${toX - 5} ${tip + outward * 6}L${toX} ${tip}L${toX + 5} ${tip + outward * 6}`;
  return [
    node("path", { d: `M${x} ${y}C${bend.join(" ")} ${toX} ${tip}` }),
    node("path", { class: "head", d: head }),
  ];
}

// The middle of an element's outer edge: that of a stack looks away from the middle of the table, a hand's towards it.
function end(place, zero, outward) {
  const box = place.getBoundingClientRect();
  const isOuter = place.closest(".stack") ? outward > 0 : outward < 0;
  return [Math.round(box.left + box.width / 2 - zero.left), Math.round((isOuter ? box.bottom : box.top) - zero.top)];
}
