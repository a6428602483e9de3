// While games are still being judged the list is asked for again, so that it fills by itself.
const PAUSE = 2000;

async function fill() {
  const found = document.getElementById("found");
  try {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("found");
    if (answer.ok && fresh && !found.contains(document.activeElement)) found.replaceWith(fresh);
  } catch {
    // asked again later
  }
  if (Number(document.getElementById("found").dataset.waiting)) setTimeout(fill, PAUSE);
}

setTimeout(fill, PAUSE);
