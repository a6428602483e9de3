// The address of a step, and of a column of it on a narrow screen.

const NAMES = ["step", "seq", "event", "decision"];
const MOST = 6;

export function withStep(address, step) {
  const changed = new URL(address, location.href);
  const here = new URLSearchParams(location.search);
  for (const name of NAMES) changed.searchParams.delete(name);
  changed.searchParams.set("step", step);
  for (const name of ["grain", "bottom"]) {
    const kept = here.get(name);
    if (kept) changed.searchParams.set(name, kept);
  }
  return changed.pathname + changed.search;
}

// The address on which an option is taken, by the rules of `web/games/address.py`; it keeps what the reader has chosen.
export function varied(address, taken) {
  const changed = new URL(address, location.href);
  const kept = changed.searchParams.getAll("vary");
  const shown = kept.length ? Number(changed.searchParams.get("shown") ?? 1) : 0;
  for (const name of ["vary", "shown", "decision"]) changed.searchParams.delete(name);
  const { texts, number, decision } = withTaken(kept, shown, taken);
  for (const text of texts) changed.searchParams.append("vary", text);
  if (number !== 1) changed.searchParams.set("shown", number);
  if (decision) changed.searchParams.set("decision", decision);
  return keptIn(changed);
}

function withTaken(kept, shown, taken) {
  if (shown && taken.startsWith(`${kept[shown - 1]}~`)) return { texts: kept.with(shown - 1, taken), number: shown };
  const there = kept.findIndex((text) => `${text}~`.startsWith(`${taken}~`));
  if (there >= 0) return { texts: kept, number: there + 1, decision: taken.split("~").length - 1 };
  const texts = [...kept, taken].slice(-MOST);
  return { texts, number: texts.length };
}

export function keptIn(address) {
  const changed = new URL(address, location.href);
  const here = new URLSearchParams(location.search);
  for (const name of ["grain", "bottom", "lang"]) {
    if (here.get(name)) changed.searchParams.set(name, here.get(name));
  }
  return changed.pathname + changed.search;
}

// The step that an address names, if it names one.
export function stepIn(address) {
  const asked = new URL(address, location.href).searchParams;
  const step = asked.get("step") ?? "";
  return /^\d{1,9}$/.test(step) && !asked.has("seq") && !asked.has("event") ? Number(step) : undefined;
}

// The address to give away: by the number of the event, which stays the same when steps before it are inferred.
export function lasting(address, step, seq) {
  const changed = new URL(withStep(address, step), address);
  if (seq === undefined) return changed.href;
  changed.searchParams.delete("step");
  changed.searchParams.set("seq", seq);
  return changed.href;
}

export function withColumn(address) {
  const changed = new URL(address, location.href);
  changed.searchParams.delete("column");
  return `${changed.pathname}${changed.search}&column=COLUMN`;
}
