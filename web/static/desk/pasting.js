// What somebody pastes or drops: read elsewhere, shown with its questions here. Nothing of it is guessed.

import { button, by, closePicker, make, picker, problem } from "./elements.js";
import { ask, desk, say } from "./server.js";
import { chosenGame } from "./words.js";

const OUT = "out";

// Calls `use` with what was read: a position, or a header with entries.
export function takePasted(use) {
  const form = by("pasted");
  const read = () => gather({ text: form.elements.text.value, players: form.elements.players.value.trim() }, use);
  form.addEventListener("submit", (event) => { event.preventDefault(); read(); });
  document.addEventListener("dragover", (event) => { if (isOffered(event)) event.preventDefault(); });
  document.addEventListener("drop", async (event) => {
    if (!isOffered(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    by("paste").open = true;
    form.elements.text.value = file ? await file.text() : event.dataTransfer.getData("text");
    read();
  }, true);
}

const isOffered = (event) => !by("begin").hidden && [...event.dataTransfer?.types ?? []].some((type) => ["Files", "text/plain"].includes(type));

async function gather(given, use, answers = {}) {
  try {
    const found = await ask("gather", { ...given, ruleset: chosenGame()?.dataset.ruleset ?? desk.dataset.ruleset, answers });
    problem();
    if (found.questions.length || found.unread.length || found.told.length || found.position === null) shown(found, given, use, answers);
    else use(found);
  } catch (error) {
    problem(error.message);
  }
}

// The first question with its answers; then what was left out.
function shown(found, given, use, answers) {
  const [question] = found.questions;
  const parts = [];
  if (question) {
    parts.push(make("p", { class: "quiet" }, say("still-open", { n: found.questions.length })), make("p", { id: "question" }, question.message),
      make("div", { class: "row answers" }, ...question.answers.map((answer) => button(answer === OUT ? say("leave-out") : answer, () => gather(given, use, { ...answers, [question.number]: answer }), { "data-answer": answer }))));
  }
  parts.push(...listed("left-out", found.unread), ...listed("so-read", found.told));
  if (found.position === null) parts.push(make("p", { class: "quiet" }, say("no-position")));
  else parts.push(button(say("use-it"), () => { closePicker(); use(found); }, { class: "wide", id: "use-it" }));
  picker(say("gathered"), ...parts);
}

function listed(name, some) {
  return some.length ? [make("h3", {}, say(name)), make("ul", { class: name }, ...some.map((one) => make("li", {}, one.message)))] : [];
}
