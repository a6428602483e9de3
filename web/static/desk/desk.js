// The page for the table: its script is asked for after its style, which is needed to paint the page.

import(document.getElementById("desk").dataset.script);
