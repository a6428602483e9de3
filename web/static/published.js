// The beginning of a published file: the language and the step the address asks for, and options without a server.

function chooseLanguage(asked) {
  const bodies = JSON.parse(document.getElementById("languages").textContent);
  if (!Object.hasOwn(bodies, asked)) return;
  document.body.innerHTML = bodies[asked];
  document.documentElement.lang = asked;
}

function chooseStep(asked) {
  const place = document.getElementById("replay");
  const data = JSON.parse(place.textContent);
  const step = /^\d+$/.test(asked) ? Math.min(Number(asked), data.last) : 0;
  place.textContent = JSON.stringify({ ...data, step });
  return data.options ?? { says: [], at: [] };
}

// What could come after a step, in the shape in which a server tells it.
function optionsAt(options, step) {
  return (options.at[step] ?? []).map(([must, rule, ...says]) => ({
    must: Boolean(must),
    rule: options.says[rule],
    says: says.map((number) => options.says[number]),
  }));
}

export function begin() {
  const asked = new URLSearchParams(location.search);
  chooseLanguage(asked.get("lang") ?? "");
  const options = chooseStep(asked.get("step") ?? "");
  return async (address) => ({
    ok: true,
    json: async () => optionsAt(options, Number(address.split("/").at(-1))),
  });
}
