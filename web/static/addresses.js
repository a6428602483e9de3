// The address of a step, and of a column of it on a narrow screen.

const NAMES = ["step", "seq", "event"];

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

// The address of a variation: it begins where its last decision leads, and keeps what the reader has chosen.
export function varied(address, vary) {
  const changed = new URL(address, location.href);
  changed.searchParams.set("vary", vary);
  return keptIn(changed);
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
