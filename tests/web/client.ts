// What a program in TypeScript does with the generated client. `make clients` checks its types against the API.
// node client.js SERVER LOG POSITION TOKEN OTHER-TOKEN PUBLISHER-TOKEN prints one JSON object.
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];
type Client = ReturnType<typeof createClient<paths>>;

const clientOf = (server: string, token?: string): Client =>
  createClient<paths>({ baseUrl: server, headers: token ? { Authorization: `Bearer ${token}` } : {} });

/** The answer, or the problem as an error. */
function expected<T>(answer: { data?: T; error?: Schemas["Problem"] }): T {
  if (answer.data === undefined) throw new Error(answer.error?.detail ?? "no answer");
  return answer.data;
}

/** Record a game event by event; the verdict of each. */
async function recorded(client: Client, log: string): Promise<{ id: string; verdicts: Record<number, string> }> {
  const [header, ...events] = readFileSync(log, "utf-8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const { id, version } = expected(await client.POST("/api/v1/games", { body: { header } }));
  let now = version;
  const verdicts: Record<number, string> = {};
  for (const event of events as Schemas["Event.compile"][]) {
    const body = { expected: now, events: [event] };
    const answer = expected(await client.POST("/api/v1/games/{id}/events", { params: { path: { id } }, body }));
    for (const step of answer.steps) if (step.seq) verdicts[step.seq] = step.verdict;
    now = answer.version;
  }
  return { id, verdicts };
}

/** Every game, page by page. */
async function allGames(client: Client): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Schemas["Games"] = expected(await client.GET("/api/v1/games", { params: { query: { cursor } } }));
    found.push(...page.games.map((game) => game.id));
    cursor = page.next;
  }
  return found;
}

/** Ask until a server that allows three requests says that it was too often; after how many seconds there is room. */
async function tooOften(client: Client): Promise<number | null> {
  const params = { path: { id: "none" } };
  for (let asked = 0; asked < 4; asked++) {
    const { response } = await client.GET("/api/v1/games/{id}", { params });
    if (response.status === 429) return Number(response.headers.get("Retry-After"));
  }
  return null;
}

const [server, log, position, token, other, publisher, strict] =
  process.argv.slice(2) as [string, string, string, string, string, string, string];
const everybody = clientOf(server);
const scorekeeper = clientOf(server, token);
const refused = await everybody.POST("/api/v1/games", { body: { header: {} } });
const { id, verdicts } = await recorded(scorekeeper, log);
const body = { expected: 0, events: [{ seq: 1, type: "turn_began", player: "A", turn: 1 }] as Schemas["Event.compile"][] };
const conflict = await scorekeeper.POST("/api/v1/games/{id}/events", { params: { path: { id } }, body });
const games = await allGames(everybody);
const query = { form: "json" } as const;
const file = await clientOf(server, publisher).GET("/api/v1/games/{id}/file", { params: { path: { id: games[0]! }, query }, parseAs: "text" });
const asked = expected(await everybody.POST("/api/v1/ask", { body: { position, events: ["A plague-1 2"] } }));
const told = {
  refused: [refused.response.status, refused.error?.error], verdicts, games, asked: asked.steps.at(-1)?.verdict,
  findings: expected(await scorekeeper.GET("/api/v1/games/{id}/findings", { params: { path: { id } } })).findings.length,
  conflict: [conflict.response.status, conflict.error?.error, conflict.error?.data],
  file: file.data, wait: await tooOften(clientOf(strict, other)),
};
console.log(JSON.stringify(told));
