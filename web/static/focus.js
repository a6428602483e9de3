// What a reader has focused stays focused when a step is drawn anew, or what stands in its place.

const REDRAWN = ["table", "panel", "ribbon", "pending", "could-list"];

// Call before something is drawn; what is returned gives the focus back afterwards.
export function held(slots) {
  const now = document.activeElement;
  const slot = REDRAWN.map((name) => slots[name]).find((each) => each?.contains(now) && each !== now);
  if (!slot) return () => {};
  const same = likeIt(now);
  return () => {
    const found = (same && slot.querySelector(same)) || slot.querySelector("a[href], button, summary, [tabindex]");
    if (found) found.focus({ preventScroll: true });
    else slot.closest("[tabindex]")?.focus({ preventScroll: true });
  };
}

function likeIt(element) {
  const key = element.closest("[data-key]")?.dataset.key;
  if (key && element.matches("a")) return `[data-key="${CSS.escape(key)}"] a, a[data-key="${CSS.escape(key)}"]`;
  for (const name of ["data-rule", "data-step", "data-column"]) {
    const value = element.getAttribute(name);
    if (value !== null) return `[${name}="${CSS.escape(value)}"]`;
  }
  return element.matches("[tabindex]") ? "[tabindex]" : "";
}
