// A new table: its words, such as the protocols of a game, chosen one after the other.

import { button, by, make, problem, sign } from "./elements.js";
import { ask, say } from "./server.js";

export async function chooseWords(ruleset, begin) {
  let told;
  try {
    told = await ask("words", { ruleset });
  } catch (error) {
    problem(error.message);
    return;
  }
  const picked = [];
  const grid = by("words");
  const show = () => {
    by("picked").textContent = picked.length ? picked.map((one) => one.title).join(" · ") : say("choose-words", { n: told.needed });
    for (const one of grid.children) one.setAttribute("aria-pressed", String(picked.some((word) => word.value === one.dataset.word)));
  };
  const pick = (word) => {
    const at = picked.findIndex((one) => one.value === word.value);
    if (at >= 0) picked.splice(at, 1);
    else picked.push(word);
    show();
    if (picked.length === told.needed) begin(picked.map((one) => one.value));
  };
  grid.replaceChildren(...told.words.map((word) => make("button", { type: "button", "data-word": word.value, click: () => pick(word) }, ...(word.sign ? [sign(word.sign)] : []), word.title)));
  by("words-title").hidden = !told.words.length;
  show();
}
