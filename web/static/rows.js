// Up and down arrows lead from row to row, to the same control where the next row has it.

const REACHED = "button, summary, input:not([type=hidden])";
const ARROWS = { ArrowDown: 1, ArrowUp: -1 };

document.addEventListener("keydown", (event) => {
  const by = ARROWS[event.key];
  if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isTyping(event.target)) return;
  const row = event.target.closest?.("[data-rows] > *");
  const next = row ? rowBeside(row, by) : document.querySelector("[data-rows] > *");
  const control = next && controlLike(event.target, row, next);
  if (!control) return;
  event.preventDefault();
  control.focus();
  control.closest("[data-rows] > *").scrollIntoView({ block: "nearest" });
});

function isTyping(target) {
  return target instanceof Element && Boolean(target.closest("input:not([type=checkbox]), select, textarea"));
}

function rowBeside(row, by) {
  let next = row;
  do next = by > 0 ? next.nextElementSibling : next.previousElementSibling;
  while (next && !controls(next).length);
  return next;
}

function controlLike(target, row, next) {
  const there = controls(next);
  const words = target.textContent.trim();
  return there.find((control) => row && words && control.textContent.trim() === words) ?? there[0];
}

function controls(row) {
  return [...row.querySelectorAll(REACHED)].filter((control) => control.checkVisibility());
}
