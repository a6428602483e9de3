// What the page asks for. Everything is of the same origin, and the answer to a position or a record is whole in itself.

export const desk = document.getElementById("desk");
const words = JSON.parse(desk.dataset.words);

// The addresses of the page, without what the reader asked of this one.
const place = (name) => desk.dataset[name].split("?")[0];
export const HERE = place("here");
export const API = place("api");
export const GAMES = place("games");
export const RULES = place("rules");

// An address of the page itself, in the language that was asked for or in another; with what is asked there, where that
// is told, the step of a game that it is `from`, and the `players` who are named.
export function pageAt(path, position = "", event = null, { from = {}, players = [], lang = new URLSearchParams(location.search).get("lang") } = {}) {
  const asked = new URLSearchParams(from);
  if (position) asked.set("position", position);
  for (const one of players) asked.append("player", one);
  if (event !== null) asked.set("event", event);
  if (lang) asked.set("lang", lang);
  return `${HERE}${path}${asked.size ? `?${asked}` : ""}`;
}

// The page is at this address from now on, and in each other language too.
export function isNowAt(...told) {
  const [path, position, event, more] = told;
  history.replaceState(null, "", pageAt(...told));
  for (const one of document.querySelectorAll(".languages a")) one.href = pageAt(path, position, event ?? null, { ...more, lang: one.hreflang });
}

// A sentence of the page with its values in place.
export function say(name, values = {}) {
  return Object.entries(values).reduce((said, [key, value]) => said.replace(`{${key}}`, value), words[name] ?? name);
}

// There is no connection, or the server gave no answer that can be read.
export class AwayError extends Error {}

// What was sent cannot be taken: the answer of the server, with its status.
export class RefusedError extends Error {
  constructor(status, told) {
    super(told.detail ?? told.message ?? String(status));
    this.status = status;
    this.told = told;
  }
}

export async function answered(address, settings) {
  let got, told;
  try {
    got = await fetch(address, settings);
    told = await got.json();
  } catch {
    throw new AwayError(say("no-connection"));
  }
  if (!got.ok) {
    if (got.status >= 500) throw new AwayError(told.detail ?? told.message ?? say("no-connection"));
    throw new RefusedError(got.status, told);
  }
  return told;
}

function sending(body, more = {}) {
  return { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json", ...more } };
}

export function ask(path, body, token = "") {
  return answered(`${HERE}/${path}?lang=${desk.dataset.lang}`, sending(body, bearer(token)));
}

const bearer = (token) => (token ? { Authorization: `Bearer ${token}` } : {});

// The API of a server by the address that somebody typed, or "" where that is none; the page's own where nothing is.
export function apiAt(typed) {
  if (!typed.trim()) return API;
  const address = typed.trim().replace(/\/+$/, "").replace(/\/api\/v1$/, "");
  const whole = /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`;
  return /^https?:$/.test(URL.parse?.(whole)?.protocol ?? whole.split("//")[0]) ? `${whole}/api/v1/` : "";
}

// An operation of the API; `body` makes it a POST. `at` is the API of another server.
export function api(path, token, body, at = API) {
  return answered(`${at}${path}`, body ? sending(body, bearer(token)) : { headers: bearer(token), cache: "no-store" });
}
