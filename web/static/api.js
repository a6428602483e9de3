// The page of the API, drawn by Swagger UI.

const place = document.getElementById("api");
globalThis.SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
