// What cards are called where a game knows them by plain ids only. The other half is web/tables/naming.py.

export function called(card, words) {
  const names = words.called;
  if (!names) return card;
  const [plain, ...copy] = card.split("#");
  const name = names[plain.startsWith("?") ? "?" : plain] ?? readable(plain);
  return copy.length ? `${name} (${copy.join("#")})` : name;
}

function readable(card) {
  return card
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
