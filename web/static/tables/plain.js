// A table for any game: the position as nested lists. The other half is web/tables/plain.py.
import { node } from "../tree.js";

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export function draw(state, changes, words, how) {
  return node("div", { class: "plain" }, fields(state, "", new Set(changes.paths ?? [])));
}

function fields(value, path, marked) {
  const rows = Object.entries(value).map(([key, inner]) => {
    const deeper = path ? `${path}.${key}` : key;
    const kind = marked.has(deeper) ? { class: "changed" } : {};
    return node("li", kind, node("span", { class: "key" }, key.replaceAll("_", " ")), shown(inner, deeper, marked));
  });
  return node("ul", { class: "fields" }, ...rows);
}

function shown(value, path, marked) {
  const none = node("span", { class: "none" }, "–");
  if (isObject(value)) return Object.keys(value).length ? fields(value, path, marked) : none;
  if (Array.isArray(value)) {
    if (!value.length) return none;
    return node("ol", { class: "items" }, ...value.map((item) => node("li", {}, shown(item, path, new Set()))));
  }
  return node("span", { class: "value" }, said(value));
}

function said(value) {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "✓" : "–";
  return String(value);
}
