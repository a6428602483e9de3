// A game played by itself, step after step, as fast as the reader likes.
import { element, markOf } from "./tree.js";

const REMEMBERED = "audit.speed";
const SPEEDS = [0.5, 1, 2, 4];

export class Playing {
  constructor(viewer) {
    this.viewer = viewer;
    this.speed = remembered();
    this.timer = null;
  }

  toggle() {
    if (this.timer) this.pause();
    else this.play();
  }

  play() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.viewer.stepOn(1), 1000 / this.speed);
    this.viewer.slots.play.replaceChildren(element(markOf("pause")));
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.viewer.slots.play.replaceChildren(element(markOf("start")));
  }

  faster(by) {
    const at = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[Math.min(Math.max(0, at), SPEEDS.length - 1)];
    try {
      localStorage.setItem(REMEMBERED, this.speed);
    } catch {
      // a browser that keeps nothing still plays
    }
    this.show();
    if (this.timer) this.play();
    this.viewer.tell(this.viewer.say("speed", { n: this.speed }));
  }

  show() {
    this.viewer.slots.speed.textContent = `${this.speed}×`;
  }
}

function remembered() {
  try {
    const speed = Number(localStorage.getItem(REMEMBERED));
    return SPEEDS.includes(speed) ? speed : 1;
  } catch {
    return 1;
  }
}
