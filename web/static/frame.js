// A page in a frame tells the page around it how high it would like to be: { audit: "height", height: 540 }.

const LOWEST = 240;
const HIGHEST = 560;

function wanted() {
  const outer = (selector) => document.querySelector(selector)?.offsetHeight ?? 0;
  const table = Math.min(HIGHEST, Math.max(LOWEST, Math.round(innerWidth * 0.6)));
  const panel = document.querySelector('[data-slot="panel"]')?.scrollHeight ?? 0;
  const isBeside = matchMedia("(max-height: 34rem) and (orientation: landscape)").matches;
  return outer("header") + outer(".time") + (isBeside ? Math.max(table, panel) : table + panel + 24);
}

let said = 0;

function tell() {
  const height = wanted();
  if (height === said) return;
  said = height;
  parent.postMessage({ audit: "height", height }, "*");
}

if (parent !== window) {
  new ResizeObserver(tell).observe(document.querySelector('[data-slot="panel"]'));
  addEventListener("resize", tell);
  tell();
}
