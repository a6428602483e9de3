// Who plays at a table that is set: a name for each seat, typed here or where a question speaks of somebody.

import { by, make } from "./elements.js";
import { desk, say } from "./server.js";

const KEPT = "audit-table-players";
const LONGEST = 32;

export const namesOf = (players, seats) => seats.map((seat) => players.find((one) => one.seat === seat)?.name ?? "");

// The players whom the page began with; of a position that this device has kept, those who were kept with it.
export function playersTold(isKept) {
  const told = JSON.parse(desk.dataset.players ?? "[]");
  return told.length || !isKept ? told : JSON.parse(localStorage.getItem(KEPT) ?? "[]");
}

// The players whom an address names that somebody typed or pasted.
export function playersIn(text) {
  const named = URL.parse?.(text)?.searchParams.getAll("player") ?? [];
  return named.flatMap((one) => { const [seat, ...name] = one.trim().split(/\s+/); return name.length ? [{ seat, name: name.join(" ") }] : []; });
}

export function keepPlayers(players) {
  localStorage.setItem(KEPT, JSON.stringify(players));
}

// As an address names them: `A Ada`.
export const inWords = (players) => players.filter((one) => one.name).map(({ seat, name }) => `${seat} ${name}`);

// A field for the name at each seat; `changed` is told all players.
export function nameFields(players, seats, changed) {
  const names = namesOf(players, seats);
  const told = () => changed(seats.map((seat, at) => ({ seat, name: fields[at].value.trim().replace(/\s+/g, " ") })));
  const fields = names.map((name, at) => make("input", { name: `player-${seats[at]}`, value: name, maxlength: LONGEST, autocomplete: "off", spellcheck: "false", enterkeyhint: "done", placeholder: say("name"), "aria-label": say("player-at", { seat: seats[at] }), change: told, keydown: (event) => { if (event.key === "Enter") event.target.blur(); } }));
  by("players").replaceChildren(...fields.map((field, at) => make("label", {}, make("b", {}, seats[at]), field)));
}
