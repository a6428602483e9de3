// Says where a table that scrolls by itself goes on, above or below what is in sight of it.
const SLIGHT = 4;

export function watchEdges(table) {
  const look = () => {
    const scene = table.firstElementChild;
    const below = scene ? scene.scrollHeight - scene.clientHeight - scene.scrollTop : 0;
    table.classList.toggle("more-above", Boolean(scene) && scene.scrollTop > SLIGHT);
    table.classList.toggle("more-below", below > SLIGHT);
  };
  new ResizeObserver(look).observe(table);
  new MutationObserver(look).observe(table, { childList: true });
  table.addEventListener("scroll", look, { capture: true, passive: true });
}
