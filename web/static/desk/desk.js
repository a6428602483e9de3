// The page for the table: one page, two uses.

import { desk } from "./server.js";

const { begin } = await (desk.dataset.mode === "ask" ? import("./asking.js") : import("./recording.js"));
await begin();
document.body.classList.add("lively");
