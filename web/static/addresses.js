// The address of a step, and of a line of it on a narrow screen.

export function withStep(address, step) {
  const changed = new URL(address, location.href);
  changed.searchParams.set("step", step);
  return changed.pathname + changed.search;
}

export function withLine(address) {
  const changed = new URL(address, location.href);
  changed.searchParams.delete("line");
  return `${changed.pathname}${changed.search}&line=LINE`;
}
