// A client of the API for browsers and Node.js. Copy it into your program.
// node audit_client.mjs http://127.0.0.1:8000 POSITION 'A refresh'

export class Client {
  /** To begin games and append to them, show a token of a scorekeeper (`audit token make`). */
  constructor(server, token = "") {
    this.root = `${server.replace(/\/$/, "")}/api/v1`;
    this.token = token;
  }

  /** May these events happen in that position? Without events: what can be chosen. */
  ask(position, events = [], lang = ["en"]) {
    return this.call("/ask", { position, events, lang });
  }

  /** Begin a game with the first line of its log; the same line again gives the same game. */
  begin(header) {
    return this.call("/games", { header });
  }

  /** Append events to a game that has so many; give each an `id`, and it is safe to send them twice. */
  append(game, events, expected) {
    return this.call(`/games/${encodeURIComponent(game)}/events`, { expected, events });
  }

  /** The decisions that are open now. */
  options(game) {
    return this.call(`/games/${encodeURIComponent(game)}/options`);
  }

  /** Every mistake of a stored game, with its rule. */
  findings(game, lang = "en") {
    return this.call(`/games/${encodeURIComponent(game)}/findings?lang=${lang}`);
  }

  /** Store a whole log, a line of JSON each, and give its findings. */
  async check(log) {
    const [header, ...events] = log.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
    const { id, version } = await this.begin(header);
    if (events.length > version) await this.append(id, events.slice(version), version);
    return this.findings(id);
  }

  async call(path, body) {
    const headers = { "Content-Type": "application/json" };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    const asked = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(this.root + path, asked);
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return answer.json();
  }
}

if (globalThis.process?.argv[1] && import.meta.url.endsWith(globalThis.process.argv[1].split("/").pop())) {
  const [server, position, ...events] = globalThis.process.argv.slice(2);
  console.log(JSON.stringify(await new Client(server).ask(position, events), null, 2));
}
