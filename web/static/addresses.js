// The address of a step, and of a column of it on a narrow screen.

export function withStep(address, step) {
  const changed = new URL(address, location.href);
  changed.searchParams.set("step", step);
  return changed.pathname + changed.search;
}

export function withColumn(address) {
  const changed = new URL(address, location.href);
  changed.searchParams.delete("column");
  return `${changed.pathname}${changed.search}&column=COLUMN`;
}
