// Pictures as plain trees [tag, attributes, children], and trees as elements. The other half is web/drawing/tree.py.

const SVG = "http://www.w3.org/2000/svg";
export function node(tag, attributes = {}, ...children) {
  return [tag, attributes, children];
}

// The element of a tree; everything inside an svg is of its namespace.
export function element(tree, inSvg = false) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const [tag, attributes, children] = tree;
  const svg = inSvg || tag === "svg";
  const made = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const child of children) made.append(element(child, svg));
  return made;
}

// A mark from the page's own icons.
export function markOf(name, words = "") {
  const attributes = { class: `i ${name}` };
  if (words) Object.assign(attributes, { role: "img", "aria-label": words });
  else attributes["aria-hidden"] = "true";
  return node("svg", attributes, node("use", { href: `#i-${name}` }));
}
