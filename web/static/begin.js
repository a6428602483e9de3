// Before the first paint: what the page looks like where scripts run. Nothing moves once they do.
document.documentElement.classList.add("with-script");

// The script of the page is asked for after its style, which is needed to paint the page.
const { script } = document.currentScript.dataset;
if (script) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: script }));
  addEventListener("DOMContentLoaded", () => import(script));
}
