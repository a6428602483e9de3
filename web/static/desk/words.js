// A new table: its game, then its words, such as the protocols of a game, chosen one after the other.

import { button, by, make, problem, sign } from "./elements.js";
import { ask, desk, say } from "./server.js";

const LAST = "audit-table-game";
let asked = 0;

// The button of the game that is chosen.
export const chosenGame = () => document.querySelector("#games-of [aria-pressed=true]");

// Calls `begin` with the words that were chosen, and the game.
export function chooseTable(begin) {
  const games = [...by("games-of").children];
  const choose = (ruleset) => {
    if (chosenGame()?.dataset.ruleset !== ruleset) by("found")?.replaceChildren(); // the answer of another game
    localStorage.setItem(LAST, ruleset);
    if (by("from-sheet")) by("from-sheet").elements.ruleset.value = ruleset;
    for (const one of games) one.setAttribute("aria-pressed", String(one.dataset.ruleset === ruleset));
    const { example, line } = chosenGame().dataset;
    if (by("example")) by("example").hidden = !example;
    if (by("from-line")) by("from-line").elements.position.placeholder = example && `${example.split("(")[0].slice(0, 18)}…`;
    for (const one of document.querySelectorAll("[data-first-line]")) one.placeholder = line;
    return chooseWords(ruleset, (words) => begin(words, ruleset));
  };
  for (const one of games) one.onclick = () => choose(one.dataset.ruleset);
  const last = localStorage.getItem(LAST);
  return choose(games.some((one) => one.dataset.ruleset === last) ? last : desk.dataset.ruleset);
}

// The words of the game that was asked for last, in whichever order the answers come.
async function chooseWords(ruleset, begin) {
  asked += 1;
  const mine = asked;
  let told;
  try {
    told = await ask("words", { ruleset });
  } catch (error) {
    if (mine === asked) problem(error.message);
    return;
  }
  if (mine !== asked) return;
  const picked = [];
  for (const one of document.querySelectorAll("#new-game .more-seats")) one.hidden = told.needed > 1;
  const grid = by("words");
  const show = () => {
    by("picked").textContent = picked.length ? picked.map((one) => one.title).join(" · ") : (told.needed > 1 ? say("named", { name: say("choose-words", { n: told.needed }), what: told.said }) : told.said);
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
  show();
}
