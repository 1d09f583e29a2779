// The data of the scripts, which the program writes as `data.js`.

/** The texts of the page by their names. */
export const TEXTS: Record<string, string>;
/** The descriptions of the levels, the first of level 1. */
export const LEVELS: string[];
