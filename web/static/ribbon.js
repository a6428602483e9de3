// Which chapter this is and which part of it, between the one before and the one after; web/games/page_words.py draws the same.
import { element, node } from "./tree.js";

export function showRibbon(viewer) {
  viewer.slots.ribbon.replaceChildren(...ribbon(viewer).map((tree) => element(tree)));
}

function ribbon(viewer) {
  const { step, last } = viewer;
  const { bands, parts } = viewer.data.overview;
  const names = viewer.steps.at(step).scene.chapter_parts ?? [];
  const here = Math.max(0, bands.findLastIndex(([start]) => start <= step));
  const [first, title] = bands[here];
  const end = bands[here + 1]?.[0] ?? last + 1;
  const inside = parts.filter(([start]) => start >= first && start < end);
  const now = inside.findLast(([start]) => start <= step)?.[0];
  const link = (kind, start, words) => {
    const attributes = kind ? { class: kind } : {};
    return node("a", { ...attributes, href: viewer.addressOf(start), "data-step": String(start) }, words);
  };
  const tree = here && bands[here - 1][1] ? [link("chapter before", ...bands[here - 1])] : [];
  tree.push(node("b", { class: "chapter" }, title));
  const items = inside.map(([start, at]) => node("li", start === now ? { "aria-current": "step" } : {}, link("", start, names[at])));
  if (items.length) tree.push(node("ol", {}, ...items));
  if (bands[here + 1]) tree.push(link("chapter after", ...bands[here + 1]));
  return tree;
}
