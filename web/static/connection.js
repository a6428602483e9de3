// Without a connection no link and no form leads to the empty page of the browser: the page stays, and says why.

let note = null;

function say(words) {
  note?.remove();
  note = document.createElement("p");
  note.className = "away";
  note.setAttribute("role", "alert");
  note.textContent = words;
  (document.querySelector("dialog[open]") ?? document.body).append(note);
}

const leads = (link) => link?.origin === location.origin && !link.hasAttribute("download") && link.target !== "_blank" && !(link.hash && link.pathname === location.pathname && link.search === location.search);

// Where pages come from the device itself nothing is said: they need no connection.
export function stayWhileAway() {
  const words = document.body.dataset.away;
  if (!words) return;
  const stay = (event) => {
    if (navigator.onLine || event.defaultPrevented) return;
    if (event.type === "click" && !leads(event.target.closest?.("a[href]"))) return;
    event.preventDefault();
    say(words);
  };
  addEventListener("click", stay);
  addEventListener("submit", stay);
  addEventListener("online", () => note?.remove());
}
