// The strip: click or drag to seek.

export class Strip {
  constructor(viewer) {
    this.viewer = viewer;
    this.strip = viewer.slots.strip;
    this.cursor = this.strip.querySelector(".cursor");
    this.from = null;
    this.strip.addEventListener("pointerdown", (event) => this.down(event));
    this.strip.addEventListener("pointermove", (event) => this.from !== null && this.seek(event, false));
    for (const kind of ["pointerup", "pointercancel"]) {
      this.strip.addEventListener(kind, () => (this.from = null));
    }
    this.strip.addEventListener("click", (event) => event.preventDefault());
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

  // A finding within three pixels is what was meant.
  findingNear(at, width) {
    const { last, data } = this.viewer;
    const reach = Math.ceil((4 * (last + 1)) / width);
    for (let by = 0; by <= reach; by++) {
      for (const step of [at - by, at + by]) {
        if ("xou".includes(data.overview.verdicts[step] ?? "l")) return step;
      }
    }
    return at;
  }

  show(step) {
    const at = `${(((2 * step + 1) * 100) / (2 * (this.viewer.last + 1))).toFixed(3)}%`;
    this.cursor.setAttribute("x1", at);
    this.cursor.setAttribute("x2", at);
  }
}
