// A phone's sheet: its handle drags it open, shut and away, and what is done seldom is in it, in reach of a thumb.
import { HANDHELD, LYING } from "./screen.js";

const TOOLS =
  ".goto, .grains, .share, .controls [data-do='link'], .controls [data-do='turn-round'], .controls .handy, .bar .languages, .bar .eyes, .bar [data-do='keys']";
const IN_SIGHT = ".languages, .eyes";
const FAR = 30;

export function listenToSheet(viewer) {
  const grip = document.querySelector(".grip");
  drag(grip, grip.closest(".panel"));
  const homes = [...document.querySelectorAll(TOOLS)].map((tool) => ({ tool, mark: markBefore(tool) }));
  const place = () => {
    for (const { tool, mark } of homes) {
      if (LYING.matches || (HANDHELD.matches && !tool.matches(IN_SIGHT))) viewer.slots.tools.append(tool);
      else mark.after(tool);
    }
  };
  HANDHELD.addEventListener("change", place);
  place();
}

function markBefore(tool) {
  const mark = document.createComment("");
  tool.before(mark);
  return mark;
}

// A tap opens the sheet, puts it away, and brings it back.
export function turnSheet(grip) {
  const { classList } = grip.closest(".panel");
  setSheet(grip, classList.contains("open") ? "away" : classList.contains("away") ? "" : "open");
}

function setSheet(grip, to) {
  const panel = grip.closest(".panel");
  for (const each of ["open", "away"]) panel.classList.toggle(each, each === to);
  grip.setAttribute("aria-expanded", String(to === "open"));
  if (to !== "open") panel.scrollTop = 0;
}

function drag(grip, panel) {
  let from = null;
  grip.addEventListener("pointerdown", (event) => {
    delete grip.dataset.dragged;
    from = { y: event.clientY, height: panel.offsetHeight };
    grip.setPointerCapture(event.pointerId);
  });
  grip.addEventListener("pointermove", (event) => {
    if (from) panel.style.maxHeight = `${Math.max(60, from.height + from.y - event.clientY)}px`;
  });
  const end = (event) => {
    if (!from) return;
    const moved = from.y - event.clientY;
    panel.style.maxHeight = "";
    from = null;
    if (Math.abs(moved) < FAR) return;
    const was = ["away", "open"].find((each) => panel.classList.contains(each)) ?? "";
    const steps = ["away", "", "open"];
    setSheet(grip, steps[Math.max(0, Math.min(2, steps.indexOf(was) + Math.sign(moved)))]);
    grip.dataset.dragged = "";
  };
  grip.addEventListener("pointerup", end);
  grip.addEventListener("pointercancel", end);
}
