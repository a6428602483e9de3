// What the reader's screen is like, and what they wish to be spared.

export const NARROW = matchMedia("(max-width: 40rem)");
export const CALM = matchMedia("(prefers-reduced-motion: reduce)");
