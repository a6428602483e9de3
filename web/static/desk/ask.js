// The page for the table, to ask what happens.

import { begin } from "./asking.js";

begin().then(() => document.body.classList.add("lively"));
