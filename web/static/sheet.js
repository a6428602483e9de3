// A phone's sheet: its handle drags it open and shut, and what is done seldom is in it, in reach of a thumb.
import { HANDHELD } from "./screen.js";

const TOOLS =
  ".goto, .grains, .share, .controls [data-do='link'], .controls [data-do='turn-round'], .bar .languages, .bar .eyes, .bar [data-do='keys']";
const FAR = 30;

export function listenToSheet(viewer) {
  const grip = document.querySelector(".grip");
  drag(grip, grip.closest(".panel"));
  const homes = [...document.querySelectorAll(TOOLS)].map((tool) => ({ tool, mark: markBefore(tool) }));
  const place = () => {
    for (const { tool, mark } of homes) {
      if (HANDHELD.matches) viewer.slots.tools.append(tool);
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

export function openSheet(grip, open) {
  grip.closest(".panel").classList.toggle("open", open);
  grip.setAttribute("aria-expanded", String(open));
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
    openSheet(grip, moved > 0);
    grip.dataset.dragged = "";
  };
  grip.addEventListener("pointerup", end);
  grip.addEventListener("pointercancel", end);
}
