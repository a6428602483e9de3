// The page around the pages: it keeps the program running while one goes from page to page.
const part = (id) => document.getElementById(id);

function chosenWords(address) {
  const words = JSON.parse(part("words").textContent);
  const asked = [new URL(address).searchParams.get("lang"), ...navigator.languages.map((code) => code.slice(0, 2))];
  const code = asked.find((each) => each in words) ?? "en";
  return { code, ...words[code] };
}

export async function start(root) {
  const shell = new Shell(root, chosenWords(location.href));
  shell.dress();
  try {
    await shell.run();
  } catch (error) {
    console.warn(error);
    shell.fail(shell.words.failed);
  }
}

class Shell {
  constructor(root, words) {
    this.root = root;
    this.words = words;
    this.channel = new BroadcastChannel(`audit${new URL(root).pathname}`);
  }

  dress() {
    document.documentElement.lang = this.words.code;
    for (const [rel, name] of [["stylesheet", "core/shell.css"], ["manifest", "manifest.webmanifest"], ["icon", "icon.svg"]]) {
      document.head.append(Object.assign(document.createElement("link"), { rel, href: this.root + name }));
    }
    part("private").textContent = this.words.private;
    part("open").firstElementChild.textContent = this.words.open;
    part("again").textContent = this.words.again;
    part("again").addEventListener("click", () => location.reload());
    part("update").textContent = this.words.update;
    document.body.dataset.drop = this.words.drop;
    this.say(this.words.starting);
  }

  say(text) {
    part("said").textContent = text;
  }

  note(text) {
    part("note").textContent = text;
  }

  fail(text) {
    this.say(text);
    part("progress").hidden = true;
    part("again").hidden = false;
  }

  async run() {
    if (!navigator.serviceWorker || !navigator.locks) return this.fail(this.words.insecure);
    this.channel.addEventListener("message", ({ data }) => this.hear(data));
    const registration = await navigator.serviceWorker.register(`${this.root}service.js`, { scope: this.root });
    await this.controlled(registration);
    this.offerUpdate(registration);
    this.say(this.words.starting);
    const ready = this.heard("ready");
    const failed = this.begun();
    this.channel.postMessage({ kind: "is-ready" });
    await Promise.race([ready, failed]);
    failed.catch(() => this.note(this.words.failed));
    this.show();
    return undefined;
  }

  /** Begins the program of this page; rejected as soon as it has failed. That of another page may answer all the same. */
  begun() {
    const worker = new Worker(`${this.root}core/worker.js`, { type: "module" });
    return new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }) => reject(new Error(data.said)));
      worker.addEventListener("error", (event) => reject(new Error(event.message)));
    });
  }

  async controlled(registration) {
    if (navigator.serviceWorker.controller) return;
    this.say(this.words.loading);
    part("progress").hidden = false;
    const failed = new Promise((resolve, reject) => {
      const watched = registration.installing ?? registration.waiting;
      watched?.addEventListener("statechange", () => watched.state === "redundant" && reject(new Error("not installed")));
    });
    const taken = new Promise((resolve) => {
      navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
    });
    registration.active?.postMessage("claim");
    await Promise.race([taken, failed]);
    part("progress").hidden = true;
  }

  offerUpdate(registration) {
    const offer = () => {
      if (!registration.waiting) return;
      this.note(this.words.newer);
      part("update").hidden = false;
    };
    part("update").addEventListener("click", () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      registration.waiting?.postMessage("take over");
    });
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", offer);
    });
    offer();
  }

  heard(kind) {
    return new Promise((resolve) => {
      this.channel.addEventListener("message", ({ data }) => data.kind === kind && resolve(data));
    });
  }

  hear(data) {
    if (data.kind === "progress") part("progress").value = data.share;
    if (data.kind === "unkept") this.note(this.words.unkept);
  }

  show() {
    const frame = Object.assign(document.createElement("iframe"), { name: "page", src: location.href, title: "audit" });
    frame.allow = "clipboard-read; clipboard-write; camera; fullscreen";
    this.frame = frame;
    frame.addEventListener("load", () => this.loaded());
    part("place").className = "running";
    part("place").replaceChildren(frame);
    part("bar").hidden = false;
    this.acceptDrops(document);
    part("file").addEventListener("change", () => this.open(part("file").files[0]));
    part("open").addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") part("file").click();
    });
    setInterval(() => this.mirror(), 250);
  }

  loaded() {
    this.acceptDrops(this.frame.contentDocument);
    this.mirror();
    this.frame.contentWindow.focus();
  }

  /** The address bar and the title say which page is open. */
  mirror() {
    const page = this.frame.contentWindow;
    if (!page || page.location.href === "about:blank") return;
    if (page.location.href !== location.href) history.replaceState(history.state, "", page.location.href);
    if (page.document.title && page.document.title !== document.title) document.title = page.document.title;
  }

  acceptDrops(target) {
    const over = (isOver) => document.body.classList.toggle("dropping", isOver);
    target.addEventListener("dragover", (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      over(true);
    });
    target.addEventListener("dragleave", (event) => event.relatedTarget || over(false));
    target.addEventListener("drop", (event) => {
      over(false);
      if (event.defaultPrevented || !event.dataTransfer.files.length) return;
      event.preventDefault();
      this.open(event.dataTransfer.files[0]);
    });
  }

  async open(file) {
    if (!file) return;
    const words = chosenWords(this.frame.contentWindow.location.href);
    const address = `${this.root}device/logs?lang=${words.code}`;
    const answer = await fetch(address, { method: "POST", body: await file.arrayBuffer() });
    const said = await answer.json().catch(() => ({ problems: [answer.status] }));
    part("file").value = "";
    this.note(said.problems ? [words.refused, ...said.problems].join("\n") : "");
    if (said.address) this.frame.contentWindow.location.assign(said.address);
  }
}
