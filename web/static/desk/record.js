// The page for the table, to write down a game.

import { begin } from "./recording.js";

begin().then(() => document.body.classList.add("lively"));
