// The module that the program writes with the texts of scripts that are loaded later: in the language of the page, by the
// English ones.
export const words: (english: string) => string;
