// The module that the program writes of `train/lessons.json`.

/** A lesson: the moves that solve it at each step, with the answers between them, and what is said in each language. With the
 * goal `free` every move is right that does not lose by the rules. */
interface Lesson { topic: string; goal: string; fen: string; before?: string[]; steps: string[][]; en: string; zh: string; "zh-Hant": string; vi: string }
export const LESSONS: Lesson[];
