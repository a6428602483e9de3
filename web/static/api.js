// The page of the API, drawn by Swagger UI.

const place = document.getElementById("api");

// What Swagger UI draws is put in order for screen readers as soon as it stands on the page.
const inOrder = () => {
  // Its groups stand right below the title of the page, which is outside its main part.
  for (const heading of place.querySelectorAll("h3.opblock-tag")) heading.setAttribute("aria-level", "2");
  const about = place.querySelector(".information-container");
  about?.setAttribute("role", "region");
  about?.setAttribute("aria-label", "API");
};
new MutationObserver(inOrder).observe(place, { childList: true, subtree: true });

globalThis.SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
