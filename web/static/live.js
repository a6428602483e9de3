// A game that goes on: new steps as they are stored, for as long as somebody looks at the page.

const LATER = 30_000;

export class Live {
  constructor(viewer) {
    this.viewer = viewer;
    this.source = null;
    this.timer = null;
    if (!viewer.data.addresses.live) return;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.close() : this.open()));
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.open());
    this.open();
  }

  // From the last step that is settled; the browser comes back by itself, and says what it has had.
  open() {
    clearTimeout(this.timer);
    if (document.hidden || this.source) return;
    const address = new URL(this.viewer.data.addresses.live, location.href);
    address.searchParams.set("after", this.viewer.data.overview.settled);
    this.source = new EventSource(address);
    this.source.addEventListener("steps", (event) => this.viewer.grow(JSON.parse(event.data)));
    this.source.addEventListener("error", () => this.refused());
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  // The server has no room for one more, or is not there: not at once again.
  refused() {
    if (this.source?.readyState !== EventSource.CLOSED) return;
    this.close();
    this.timer = setTimeout(() => this.open(), LATER);
  }
}
