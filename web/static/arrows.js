// Arrows from where a card set out to where it will lie; they need the places that the browser has found for both.
import { element, node } from "./tree.js";

export function showArrows(slots, changes) {
  const { arrows, table } = slots;
  const paths = Object.entries(changes.origins ?? {}).flatMap(([card, zone]) => arrow(arrows, table, card, zone));
  paths.push(...moves(table, arrows), ...causes(arrows, table, changes.path ?? []));
  clip(arrows, table);
  if (paths.length || arrows.childElementCount) arrows.replaceChildren(...paths.map((path) => element(path, true)));
}

// No arrow leaves the part of the table that is in sight.
function clip(arrows, table) {
  const [all, seen] = [arrows.getBoundingClientRect(), inSight(table)];
  arrows.style.clipPath = `inset(${seen.top - all.top}px ${all.right - seen.right}px ${all.bottom - seen.bottom}px ${seen.left - all.left}px)`;
}

// The part of the table that is in sight: what scrolls is the scene in it.
function inSight(table) {
  const [outer, scene] = [table, table.firstElementChild ?? table].map((one) => one.getBoundingClientRect());
  const [top, left] = [Math.max(outer.top, scene.top), Math.max(outer.left, scene.left)];
  return new DOMRect(left, top, Math.min(outer.right, scene.right) - left, Math.min(outer.bottom, scene.bottom) - top);
}

// Where something lies once what moves it has come to rest.
function restingPlace(one) {
  const box = one.getBoundingClientRect();
  const { e: x, f: y } = new DOMMatrix(getComputedStyle(one).transform);
  return new DOMRect(box.x - x, box.y - y, box.width, box.height);
}

function touches(one, other) {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
}

// Where there are no columns: from what is left of a card, or from the frame it came out of, to where it lies now; and
// along a path. A card that nobody could see before set out from the one back that is missing.
function moves(table, arrows) {
  if (table.classList.contains("across")) return [];
  const moved = [...table.querySelectorAll(".chip.changed:not(.ghost, .back)")];
  const unseen = [...table.querySelectorAll('.ghost[data-key=""]')];
  const ways = moved.map((to) => {
    const at = `[data-key="${CSS.escape(to.dataset.key)}"]`;
    const frame = to.querySelector(".i.play") ? `, .box${at} > h3 > b` : "";
    return [table.querySelector(`.ghost${at}${frame}`) ?? (moved.length === 1 ? unseen[0] : undefined), to];
  });
  for (const left of table.querySelectorAll(".path > .left > .gone")) {
    ways.push([left, left.closest(".path").querySelector(".changed .i")]);
  }
  const [zero, seen] = [arrows.getBoundingClientRect(), inSight(table)];
  const ends = ways.filter(([from, to]) => from && to).map((pair) => pair.map(restingPlace));
  return ends.filter((pair) => pair.every((box) => touches(box, seen))).flatMap(([from, to]) => way(from, to, zero));
}

// An arc from the edge of one box to the nearest edge of another.
function way(from, to, zero) {
  const middle = (box) => [box.left + box.width / 2 - zero.left, box.top + box.height / 2 - zero.top];
  const [[x, y], [toX, toY]] = [middle(from), middle(to)];
  const isLevel = Math.abs(toY - y) < (from.height + to.height) / 2;
  const edge = (box, [atX, atY], side) => (isLevel ? [atX + (side * Math.sign(toX - x) * box.width) / 2, atY] : [atX, atY + (side * Math.sign(toY - y) * box.height) / 2]);
  const [outX, outY] = edge(from, [x, y], 1);
  const [tipX, tipY] = edge(to, [toX, toY], -1);
  const [bendX, bendY] = isLevel ? [tipX - (tipX - outX) / 4, Math.min(outY, tipY) - 24] : [tipX, (outY + tipY) / 2];
  const startX = isLevel ? outX + (tipX - outX) / 4 : outX;
  const angle = Math.atan2(tipY - bendY, tipX - bendX);
  const barb = (turn) => `${tipX - 8 * Math.cos(angle + turn)} ${tipY - 8 * Math.sin(angle + turn)}`;
  const line = `M${outX} ${outY}C${startX} ${bendY} ${bendX} ${bendY} ${tipX} ${tipY}`;
  return [node("path", { d: line }), node("path", { class: "head", d: `M${barb(0.6)}L${tipX} ${tipY}L${barb(-0.6)}` })];
}

// The way from what caused a step to what the step touched: beside the cards, so that it lies on no words.
function causes(arrows, table, keys) {
  const places = keys.map((key) => table.querySelector(`[data-key="${CSS.escape(key)}"]`)).filter(Boolean);
  const [zero, seen] = [arrows.getBoundingClientRect(), inSight(table)];
  return places.slice(1).flatMap((place, at) => {
    const [from, to] = [places[at], place].map(restingPlace);
    if (!touches(from, seen) || !touches(to, seen)) return [];
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
  const box = restingPlace(place);
  const isOuter = place.closest(".stack") ? outward > 0 : outward < 0;
  return [Math.round(box.left + box.width / 2 - zero.left), Math.round((isOuter ? box.bottom : box.top) - zero.top)];
}
