// The keys, and only the keys. Silent with Alt or Meta, in any input, and while a dialog is open.

let typed = "";

const LETTERS = "audit.letters";

export function listenToKeys(viewer) {
  viewer.slots.goto.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave(viewer);
  });
  const { letters } = viewer.slots;
  if (letters) {
    letters.checked = lettersAreKeys();
    letters.addEventListener("change", () => remember(letters.checked));
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.isComposing || isTyping(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    const act = actionOf(viewer, event);
    if (typed && !/^(\d|Enter|Shift|Control)$/.test(event.key)) forgetDigits(viewer);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function isTyping(target) {
  return target instanceof Element && Boolean(target.closest("input, select, textarea, [contenteditable]"));
}

function actionOf(viewer, event) {
  const { key } = event;
  if (/^[0-9]$/.test(key) && !event.ctrlKey) return () => type(viewer, key);
  if (key === "Enter" && typed) return () => jump(viewer);
  if (/^[^\d\s]$/.test(key) && !event.ctrlKey && key !== "?" && !lettersAreKeys()) return null;
  const inList = event.target.closest?.(".steps");
  if (inList && (key === "ArrowDown" || key === "ArrowUp")) return () => viewer.stepOn(key === "ArrowDown" ? 1 : -1);
  if (/^Arrow(Up|Down)$/.test(key) && scrolls(event.target)) return null;
  if (event.ctrlKey) return { ArrowLeft: () => viewer.turn(-1), ArrowRight: () => viewer.turn(1) }[key];
  if ((key === " " || key === "Enter") && event.target.closest?.("a, button, summary")) return null;
  const shifted = event.shiftKey ? SHIFTED[key] : null;
  const act = shifted ?? PLAIN[key];
  return act ? () => act(viewer) : null;
}

// Whether something around it is longer than its place, so that up and down are for reading.
function scrolls(place) {
  const box = place.closest?.(".scene, .panel, .share");
  return Boolean(box) && box.scrollHeight > box.clientHeight + 1;
}

const SHIFTED = {
  ArrowLeft: (viewer) => viewer.recorded(-1),
  ArrowRight: (viewer) => viewer.recorded(1),
  N: (viewer) => viewer.finding(1),
  P: (viewer) => viewer.finding(-1),
};

const PLAIN = {
  ArrowLeft: (viewer) => viewer.stepOn(-1),
  ArrowRight: (viewer) => viewer.stepOn(1),
  ArrowUp: (viewer) => viewer.stepOn(-1),
  ArrowDown: (viewer) => viewer.stepOn(1),
  k: (viewer) => viewer.stepOn(-1),
  j: (viewer) => viewer.stepOn(1),
  "[": (viewer) => viewer.turn(-1),
  "]": (viewer) => viewer.turn(1),
  Home: (viewer) => viewer.go(0, { jump: true }),
  End: (viewer) => viewer.go(viewer.last, { jump: true }),
  n: (viewer) => viewer.notable(1),
  p: (viewer) => viewer.notable(-1),
  g: (viewer) => viewer.slots.goto.select(),
  b: (viewer) => viewer.goBack(),
  " ": (viewer) => viewer.playing.toggle(),
  "+": (viewer) => viewer.playing.faster(1),
  "-": (viewer) => viewer.playing.faster(-1),
  f: (viewer) => viewer.turnRound(),
  s: (viewer) => viewer.nextGrain(),
  v: (viewer) => viewer.showBoth(),
  x: (viewer) => viewer.conceal(),
  r: (viewer) => viewer.showRule(),
  c: (viewer) => viewer.copyLink(),
  "?": (viewer) => viewer.showKeys(),
  Escape: (viewer) => forget(viewer),
};

// Whoever speaks to the computer, or types by mistake, can have letters that do nothing.
function lettersAreKeys() {
  try {
    return localStorage.getItem(LETTERS) !== "off";
  } catch {
    return true;
  }
}

function remember(on) {
  try {
    localStorage.setItem(LETTERS, on ? "on" : "off");
  } catch {
    // a browser that keeps nothing still has keys
  }
}

// Escape gives the keys back after `g`.
function leave(viewer) {
  viewer.slots.goto.value = viewer.step;
  viewer.slots.goto.blur();
}

function forgetDigits(viewer) {
  typed = "";
  viewer.tell("");
}

function type(viewer, digit) {
  typed = (typed + digit).slice(-9);
  viewer.tell(viewer.say("goto", { n: typed }));
}

function jump(viewer) {
  const step = Number(typed);
  typed = "";
  viewer.tell("");
  viewer.go(step, { jump: true });
}

function forget(viewer) {
  typed = "";
  viewer.tell("");
  viewer.playing.pause();
}
