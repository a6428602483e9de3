// The strip: click or drag to seek. What it shows is drawn by web/games/page_words.py, and here again when a game goes on.
import { element, node } from "./tree.js";

const BARS = 1200;
const MARKED = 400;
const HIGH = 40;
const DEEPEST = 9;
const NAMES = { x: "illegal", o: "impossible", u: "undetermined" };

export class Strip {
  constructor(viewer) {
    this.viewer = viewer;
    this.strip = viewer.slots.strip;
    this.cursor = this.strip.querySelector(".cursor");
    this.from = null;
    this.become();
    this.strip.addEventListener("pointerdown", (event) => this.down(event));
    this.strip.addEventListener("pointermove", (event) => this.from !== null && this.seek(event, false));
    for (const kind of ["pointerup", "pointercancel"]) {
      this.strip.addEventListener(kind, () => (this.from = null));
    }
    this.strip.addEventListener("click", (event) => event.preventDefault());
  }

  // The page's own strip is a row of links; with a script it is one slider.
  become() {
    const { last } = this.viewer;
    const roles = { role: "slider", tabindex: 0, "aria-label": this.strip.dataset.label };
    for (const [name, value] of Object.entries({ ...roles, "aria-valuemin": 0, "aria-valuemax": last })) {
      this.strip.setAttribute(name, value);
    }
    this.strip.firstElementChild.setAttribute("aria-hidden", "true");
    for (const link of this.strip.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  }

  // The picture anew, after steps have been added.
  redraw() {
    const { last, data } = this.viewer;
    const picture = element(drawn(data.overview, last + 1));
    picture.setAttribute("aria-hidden", "true");
    this.strip.replaceChildren(picture);
    this.strip.setAttribute("aria-valuemax", last);
    this.cursor = this.strip.querySelector(".cursor");
  }

  down(event) {
    if (event.button) return;
    this.from = event.clientX;
    this.strip.setPointerCapture(event.pointerId);
    this.seek(event, true);
  }

  seek(event, jump) {
    const box = this.strip.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    const { last } = this.viewer;
    const at = Math.min(Math.max(0, Math.floor(part * (last + 1))), last);
    this.viewer.go(this.findingNear(at, box.width), { jump });
  }

  // A finding within four pixels is what was meant.
  findingNear(at, width) {
    const { last, data } = this.viewer;
    const reach = Math.floor((4 * (last + 1)) / width);
    for (let by = 0; by <= reach; by++) {
      for (const step of [at - by, at + by]) {
        if ("xou".includes(data.overview.verdicts[step] ?? "l")) return step;
      }
    }
    return at;
  }

  show(step, words) {
    this.strip.setAttribute("aria-valuenow", step);
    this.strip.setAttribute("aria-valuetext", words);
    const at = `${(((2 * step + 1) * 100) / (2 * (this.viewer.last + 1))).toFixed(3)}%`;
    this.cursor.setAttribute("x1", at);
    this.cursor.setAttribute("x2", at);
  }
}

function drawn(overview, total) {
  const stretched = { viewBox: `0 0 ${total} ${HIGH}`, preserveAspectRatio: "none", class: "bars" };
  const [recorded, inferred, aside] = bars(overview, total);
  const inner = node(
    "svg",
    { ...stretched, width: "100%", height: HIGH, y: 14 },
    node("path", { class: "bar", d: recorded }),
    node("path", { class: "bar inferred", d: inferred }),
    node("path", { class: "bar aside", d: aside }),
  );
  const parts = [...bands(overview, total), inner, ...marks(overview, total), cursor(total)];
  return node("svg", { class: "strip-picture", width: "100%", height: 56 }, ...parts);
}

function bars({ depths, verdicts }, total) {
  const each = Math.max(1, Math.ceil(total / BARS));
  const paths = ["", "", ""];
  for (let start = 0; start < total; start += each) {
    const deepest = Math.max(...depths.slice(start, start + each));
    const tall = 6 + Math.floor((deepest * (HIGH - 6)) / DEEPEST);
    const letters = [...verdicts.slice(start, start + each)];
    const kind = letters.every((letter) => letter < "a") ? 2 : Number(letters.every((letter) => "nN".includes(letter)));
    paths[kind] += `M${start} ${HIGH}v-${tall}h${each}v${tall}`;
  }
  return paths;
}

function bands({ bands: found }, total) {
  return found.slice(0, MARKED).map(([start], number) => {
    const end = found[number + 1]?.[0] ?? total;
    const side = number % 2 ? "second" : "first";
    const box = { x: percent(start, total), width: percent(end - start, total), y: 0, height: 56 };
    return node("rect", { class: `band ${side}`, ...box });
  });
}

function marks({ verdicts }, total) {
  const findings = [...verdicts].map((_, step) => step).filter((step) => verdicts[step] in NAMES);
  return findings.slice(0, MARKED).flatMap((step) => {
    const at = percent(2 * step + 1, 2 * total);
    const sort = NAMES[verdicts[step]];
    const sign = { href: `#i-${sort}`, x: at, y: 1, width: 13, height: 13, class: `mark ${sort}` };
    return [
      node("title", {}, String(step)),
      node("line", { x1: at, x2: at, y1: 15, y2: 54, class: "finding" }),
      node("g", { class: "centred" }, node("use", sign)),
    ];
  });
}

function cursor(total) {
  const at = percent(1, 2 * total);
  return node("line", { class: "cursor", x1: at, x2: at, y1: 0, y2: 56 });
}

function percent(part, whole) {
  return `${((part * 100) / whole).toFixed(3)}%`;
}
