// The data of the scripts, which the program writes as `data.js`.

/** The texts of the page by their names. */
export const TEXTS: Record<string, string>;
/** The descriptions of the levels, the first of level 1. */
export const LEVELS: string[];
/** The strength of the game that the program begins with, where nobody has said another one. */
export const USUAL_STRENGTH: string;
