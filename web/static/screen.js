// What the reader's screen is like, and what they wish to be spared.

export const NARROW = matchMedia("(max-width: 40rem)");
// A phone, upright or lying: what is done seldom is in one sheet.
export const HANDHELD = matchMedia(
  "(max-width: 40rem) and (orientation: portrait), (max-width: 59.99rem) and (max-height: 34rem) and (orientation: landscape)",
);
export const LYING = matchMedia("(max-width: 59.99rem) and (max-height: 34rem) and (orientation: landscape)");
export const CALM = matchMedia("(prefers-reduced-motion: reduce)");
