// Keeps the files of the site on the device, and has every other address answered by the program in the worker.
const SCOPE = new URL(self.registration.scope);
const CACHE = `audit ${SCOPE.pathname} ${VERSION}`;
const channel = new BroadcastChannel(`audit${SCOPE.pathname}`);
const waiting = new Map();
const PATIENCE = 120_000;
const KINDS = { mjs: "text/javascript", wasm: "application/wasm" };

self.addEventListener("install", (event) => {
  event.waitUntil(keepFiles());
});

async function keepFiles() {
  const cache = await caches.open(CACHE);
  let done = 0;
  await Promise.all(FILES.map(async (name) => {
    const answer = await fetch(new URL(name, SCOPE), { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    await keep(cache, name, answer);
    done += 1;
    channel.postMessage({ kind: "progress", share: done / FILES.length });
  }));
}

function keep(cache, name, answer) {
  if (!name.endsWith(".packed")) return cache.put(new URL(name, SCOPE), answer);
  const plain = name.replace(/\.packed$/, "");
  const body = answer.body.pipeThrough(new DecompressionStream("gzip"));
  const headers = { "content-type": KINDS[plain.split(".").pop()] };
  return cache.put(new URL(plain, SCOPE), new Response(body, { headers }));
}

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(`audit ${SCOPE.pathname} `) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

// A page that was loaded past this worker, or before it was active, asks to be taken over.
self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
  if (event.data === "claim") event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (address.origin !== SCOPE.origin || !address.pathname.startsWith(SCOPE.pathname)) return;
  if (event.request.destination === "document") {
    event.respondWith(kept("index.html"));
  } else {
    event.respondWith(answered(event.request, address.pathname.slice(SCOPE.pathname.length)));
  }
});

async function kept(name) {
  const found = await caches.match(new URL(name, SCOPE), { cacheName: CACHE });
  return found ?? Response.error();
}

async function answered(request, path) {
  if (path.startsWith("core/") || FILES.includes(path)) return kept(path);
  if (!path.startsWith("static/")) return asked(request);
  const cache = await caches.open(CACHE);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await asked(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function asked(request) {
  const id = crypto.randomUUID();
  const body = ["GET", "HEAD"].includes(request.method) ? null : await request.arrayBuffer();
  const headers = {
    ...Object.fromEntries(request.headers),
    "accept-language": request.headers.get("accept-language") ?? navigator.languages.join(","),
    "sec-fetch-site": "same-origin",
  };
  const message = { kind: "request", id, method: request.method, address: request.url.split("#")[0], headers, body };
  return new Promise((resolve) => {
    const late = setTimeout(() => settle({ id, status: 503, headers: [], body: "" }), PATIENCE);
    waiting.set(id, { message, resolve, late });
    channel.postMessage(message);
  });
}

channel.addEventListener("message", ({ data }) => {
  if (data.kind === "answer") settle(data);
  if (data.kind === "ready") for (const { message } of waiting.values()) channel.postMessage(message);
});

function settle({ id, status, headers, body }) {
  const found = waiting.get(id);
  if (!found) return;
  waiting.delete(id);
  clearTimeout(found.late);
  const isEmpty = [204, 205, 304].includes(status);
  found.resolve(new Response(isEmpty ? null : body, { status, headers }));
}
