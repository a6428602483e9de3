// The records of this device. Each is kept whole whenever it changes, before anything is asked or sent.

const PREFIX = "audit-record:";

// Under which the device knows the record that is open.
export const CURRENT = "audit-record-open";

export function keep(record) {
  localStorage.setItem(PREFIX + record.key, JSON.stringify(record));
}

export function kept() {
  return Object.keys(localStorage).filter((name) => name.startsWith(PREFIX)).map((name) => JSON.parse(localStorage.getItem(name))).sort((one, other) => other.touched - one.touched);
}

export function forget(record) {
  localStorage.removeItem(PREFIX + record.key);
}

export function newKey() {
  return crypto.getRandomValues(new Uint32Array(2)).reduce((text, number) => text + number.toString(36), "");
}

// The record as the lines of a log.
export function logOf(record) {
  return [record.header, ...record.entries.map((event, at) => ({ ...event, seq: at + 1 }))].map((line) => JSON.stringify(line)).join("\n") + "\n";
}
