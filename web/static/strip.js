// The strip: click or drag to seek.

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
