// A record and the server's: what is new here is sent, what another recorder wrote down first is put before it.
//
// An event has an id, so sending it twice stores it once. A game is made of its first line, so beginning it twice is one
// game, also where the server has forgotten it.

import { api, apiAt, RefusedError } from "./server.js";

const OWN = ["seq", "id", "at", "note", "because"];

// What an event says, whoever wrote it down.
export function content(event) {
  return JSON.stringify(Object.entries(event).filter(([key]) => !OWN.includes(key)).sort());
}

export const isRead = (entry) => typeof entry.type === "string";

// One exchange with the server. Returns what another recorder wrote first, or nothing.
export async function exchange(record, token) {
  if (!record.game) {
    await begun(record, token);
  }
  try {
    return await exchanged(record, token);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.told.error !== "unknown-game") throw error;
    await begun(record, token);
    return exchanged(record, token);
  }
}

async function begun(record, token) {
  record.game = (await api("games", token, { header: record.header }, apiAt(record.server ?? ""))).id;
  record.sent = 0;
}

async function exchanged(record, token) {
  const at = apiAt(record.server ?? "");
  const fresh = record.entries.slice(record.sent).filter(isRead);
  if (fresh.length) {
    const events = fresh.map((event, at) => ({ ...event, seq: record.sent + at + 1 }));
    try {
      record.sent = (await api(`games/${record.game}/events`, token, { expected: record.sent, events }, at)).version;
      return [];
    } catch (error) {
      if (!(error instanceof RefusedError) || error.told.error !== "version-conflict") throw error;
    }
  }
  const theirs = (await api(`games/${record.game}/events?after=${record.sent}`, token, undefined, at)).events;
  if (isOthers(record, theirs).length) return theirs;
  record.sent += theirs.length;
  return [];
}

// Those that another recorder wrote.
export function isOthers(record, theirs) {
  const own = new Set(record.entries.map((event) => event.id).filter(Boolean));
  return theirs.filter((event) => !event.id || !own.has(event.id));
}

// Puts what is stored before what is not sent yet. What both wrote is kept once.
// Returns what was the same, and what of ours now stands after theirs.
export function merged(record, theirs) {
  const others = isOthers(record, theirs);
  const stored = new Set(theirs.map((event) => event.id).filter(Boolean));
  const ours = record.entries.slice(record.sent).filter((event) => !stored.has(event.id));
  const same = ours.filter((event) => others.some((one) => content(one) === content(event)));
  record.entries = [...record.entries.slice(0, record.sent), ...theirs.map(({ seq, ...event }) => event)];
  record.sent = record.entries.length;
  return { others, same, left: ours.filter((event) => !same.includes(event)) };
}

export const writer = (event, unknown) => (event.id ?? "").split("~")[1] || unknown;
