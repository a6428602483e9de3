// Pictures as plain trees [tag, attributes, children], and trees as elements. The other half is web/drawing/tree.py.

const SVG = "http://www.w3.org/2000/svg";
let measures = null;

export function useGeometry(geometry) {
  measures = geometry;
}

export function geometry() {
  return measures;
}

export function node(tag, attributes = {}, ...children) {
  return [tag, attributes, children];
}

export function text(x, y, kind, words, more = {}) {
  return node("text", { x, y, class: kind, ...more }, words);
}

export function rect(x, y, width, height, kind, radius = 4) {
  return node("rect", { x, y, width, height, rx: radius, class: kind });
}

export function icon(name, x, y, kind = "icon") {
  const { icons } = measures;
  return node("path", { class: kind, d: icons[name] ?? icons.event, transform: `translate(${x} ${y})` });
}

export function sign(protocol, x, y) {
  const { signs } = measures;
  return node("path", { class: "sign", d: signs[protocol] ?? signs[""], transform: `translate(${x} ${y})` });
}

export function clipped(words, columns) {
  return words.length <= columns ? words : `${words.slice(0, columns - 1).trimEnd()}…`;
}

export function wrapped(words, columns, lines) {
  let found = [];
  let line = "";
  for (const word of words.split(/\s+/).filter(Boolean)) {
    if (line && line.length + 1 + word.length > columns) {
      found.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  if (line) found.push(line);
  if (found.length > lines) {
    found = [...found.slice(0, lines - 1), clipped(found.slice(lines - 1).join(" "), columns)];
  }
  return found.map((each) => clipped(each, columns));
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
