// The program itself: Python in a worker. Of all open pages of the site, the worker of one answers.
import { loadPyodide } from "./pyodide.mjs";

const scope = new URL("../", import.meta.url).pathname;
const channel = new BroadcastChannel(`audit${scope}`);
const folder = `/kept${scope}`.replace(/\/$/, "");
const PATIENCE = 5000;
const QUIET = 300;

function synced(pyodide, fromDevice) {
  return new Promise((resolve, reject) => {
    pyodide.FS.syncfs(fromDevice, (problem) => (problem ? reject(problem) : resolve()));
  });
}

async function started() {
  const here = new URL("./", import.meta.url).href;
  const compiled = await caches.match(`${here}program.zip`);
  const [pyodide, program] = await Promise.all([
    loadPyodide({ indexURL: here }),
    (compiled ?? await fetch(`${here}program.tar.xz`)).arrayBuffer(),
  ]);
  pyodide.unpackArchive(program, compiled ? "zip" : "xztar", { extractDir: "/app" });
  pyodide.FS.mkdirTree(folder);
  pyodide.FS.mount(pyodide.FS.filesystems.IDBFS, {}, folder);
  await synced(pyodide, true).catch(unkept);
  pyodide.globals.set("given", pyodide.toPy([folder, scope]));
  pyodide.runPython(`
import sys
sys.dont_write_bytecode = False  # what is compiled at the first start is kept for every later one
sys.path.insert(0, "/app")
sys.path.append("/app/stdlib")  # what Python does not begin with
from web.offline.device import Device
device = Device(*given)
`);
  return { pyodide, isFirst: !compiled };
}

/** Keeps the compiled modules of a first start, a few at a time: questions come first. */
async function settle(pyodide, whenIdle) {
  const here = new URL("./", import.meta.url).href;
  const cache = await caches.open((await caches.keys()).find((name) => name.startsWith(`audit ${scope} `)));
  const steps = pyodide.runPython(`
from pathlib import Path
from web.offline.settling import settle
settle(Path("/app"), Path(next(place for place in sys.path if place.endswith(".zip"))), Path("/made"))
`);
  for (const name of steps) {
    if (name) {
      const content = pyodide.FS.readFile(`/made/${name}`);
      await cache.put(here + name, new Response(content, { headers: { "content-type": "application/zip" } }));
      pyodide.FS.unlink(`/made/${name}`);
    }
    await whenIdle();
  }
}

function unkept() {
  channel.postMessage({ kind: "unkept" });
}

function answerTo(pyodide, device, { method, address, headers, body }) {
  const answer = device.answer(method, address, pyodide.toPy(headers), pyodide.toPy(new Uint8Array(body ?? [])));
  const [status, named, content] = answer.toJs({ create_pyproxies: false });
  answer.destroy();
  return { status, headers: named, body: content };
}

async function serve() {
  const { pyodide, isFirst } = await started();
  const device = pyodide.globals.get("device");
  const done = new Set();
  let last = Promise.resolve();
  let at = performance.now() + PATIENCE;
  /** Until the first page is answered, with all that it asks for. */
  const quiet = async () => {
    while (performance.now() < at) await new Promise((later) => setTimeout(later, QUIET));
    await last;
  };
  const take = async (request) => {
    const answer = answerTo(pyodide, device, request);
    if (!["GET", "HEAD"].includes(request.method)) await synced(pyodide, false).catch(unkept);
    channel.postMessage({ kind: "answer", id: request.id, ...answer });
    at = performance.now() + QUIET;
  };
  channel.addEventListener("message", ({ data }) => {
    if (data.kind === "is-ready") channel.postMessage({ kind: "ready" });
    if (data.kind !== "request" || done.has(data.id)) return;
    done.add(data.id);
    last = last.then(() => take(data)).catch((error) => {
      channel.postMessage({ kind: "answer", id: data.id, status: 500, headers: [], body: String(error) });
    });
  });
  await synced(pyodide, false).catch(unkept);
  channel.postMessage({ kind: "ready" });
  await quiet();
  try {
    if (device.begin()) await synced(pyodide, false).catch(unkept);
  } catch (error) {
    console.error(error);
  }
  const whenIdle = () => last.then(() => new Promise((done) => setTimeout(done, 20)));
  if (isFirst) await settle(pyodide, whenIdle).catch((error) => console.error(error));  // it answers all the same
  channel.postMessage({ kind: "settled" });
  await new Promise(() => {});
}

// Only its own page is told: those of other pages have workers of their own, one of which takes over.
navigator.locks.request(`audit${scope}`, serve).catch((error) => self.postMessage({ kind: "failed", said: String(error) }));
