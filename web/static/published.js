// The beginning of a published file: the language, variation and step the address asks for, and options without a server.

// The page in the language and with the variation that the address asks for.
function chooseBody(asked) {
  const bodies = JSON.parse(document.getElementById("languages").textContent);
  const own = document.documentElement.lang;
  const shown = /^[1-9]$/.test(asked.get("shown")) ? `/${asked.get("shown")}` : "";
  const language = Object.keys(bodies).some((name) => name.split("/")[0] === asked.get("lang")) ? asked.get("lang") : own;
  const name = [`${language}${shown}`, language].find((each) => Object.hasOwn(bodies, each));
  if (!name) return;
  document.body.innerHTML = bodies[name];
  document.documentElement.lang = language;
}

// The data of the file, which is compressed in it.
export async function unpack() {
  for (const place of document.querySelectorAll('script[type="application/gzip"]')) {
    const bytes = Uint8Array.from(atob(place.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    place.textContent = await new Response(stream).text();
  }
}

// The step that an address asks for: ?step=, #step= or, for an event, ?seq=.
function stepAsked(data) {
  const asked = new URLSearchParams(location.search);
  const step = new URLSearchParams(location.hash.slice(1)).get("step") ?? asked.get("step") ?? "";
  if (/^\d+$/.test(step)) return Math.min(Number(step), data.last);
  const steps = Object.values(data.chunks).flatMap((piece) => piece.steps);
  const found = asked.has("seq") ? steps.findIndex((each) => each.q === Number(asked.get("seq"))) : -1;
  return found < 0 ? data.step : found;
}

function chooseStep() {
  const place = document.getElementById("replay");
  const data = JSON.parse(place.textContent);
  place.textContent = JSON.stringify({ ...data, step: stepAsked(data) });
  return data.options ?? { says: [], at: [] };
}

// What could come after a step, in the shape in which a server tells it.
function optionsAt(options, step) {
  return (options.at[step] ?? []).map(([must, rule, title, ...says]) => ({
    must: Boolean(must),
    rule: options.says[rule],
    title: options.says[title],
    says: says.map((number) => options.says[number]),
  }));
}

export function begin() {
  const asked = new URLSearchParams(location.search);
  chooseBody(asked);
  const options = chooseStep();
  return async (address) => ({
    ok: true,
    json: async () => optionsAt(options, Number(address.split("/").at(-1))),
  });
}
