// What the engine has found about the moves of the analysed game, for the list of moves: the score after a move, and what
// it has cost its side.

import { translation } from "./elements.js";
import { state } from "./state.js";

/** @typedef {{score: string, chance: number, depth: number}} Evaluation */

/** The evaluations of positions, by the node of the move that led there. @type {WeakMap<TreeNode, Evaluation>} */
const evaluations = new WeakMap();

/** From this loss of chances on a move is inaccurate, a mistake, a blunder: the limits of a review. */
const LIMITS = /** @type {const} */ ([[0.2, "blunder"], [0.1, "mistake"], [0.05, "dubious"]]);

/** Of less depth an evaluation says nothing about the cost of a move. */
export const LEAST_DEPTH = 8;

/** Notes what was found about the position after a node; returns whether it is news.
 * @param {number} id @param {Evaluation} found */
export function noteEvaluation(id, found) {
  const node = state.tree.nodes[id];
  const known = evaluations.get(node);
  if (known && known.depth > found.depth) return false;
  evaluations.set(node, found);
  return !known || known.score !== found.score || known.chance !== found.chance;
}

/** A score of the program as the page writes it, everywhere the same: from red's side, in tenths of a piece; `+M3` is a
 * mate of red in three moves, `-#` one of black that is on the board, `R` a win by the rules, `T` one by the tables.
 * @param {string} score */
export const shortScore = (score) => (
  /^[+-][\d.]+$/.test(score) ? Number(score).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" }) : score
);

/** The kinds of wins, by the first letter of their score. @type {Record<string, string>} */
const WINS = { M: "scoreMates", "#": "scoreMated", R: "scoreRules", T: "scoreTables" };

/** The same in words. @param {string} score */
export function scoreInWords(score) {
  const value = shortScore(score).slice(1);
  if (value === ".0") return translation("scoreLevel");
  const side = translation(score[0] === "-" ? "black" : "red");
  return translation(WINS[value[0]] ?? "scoreAhead", { side, value: value.replace(/^M/, "") });
}

/** Shows the score after a move, nothing if none is known. @param {HTMLElement} element @param {number} id */
export function showScore(element, id) {
  const found = evaluations.get(state.tree.nodes[id]);
  element.textContent = found ? shortScore(found.score) : "";
  if (!found) return;
  element.setAttribute("role", "img");
  element.ariaLabel = element.title = scoreInWords(found.score);
}

/** How bad a move was, as a class, `""` if it was not. @param {number} id */
export function lossClass(id) {
  const { parent, depth } = state.tree.nodes[id];
  const [before, after] = [evaluations.get(state.tree.nodes[parent]), evaluations.get(state.tree.nodes[id])];
  if (!id || !before || !after || Math.min(before.depth, after.depth) < LEAST_DEPTH) return "";
  const isRed = (state.tree.start.split(" ")[1] === "b") === (depth % 2 === 0);
  const loss = (before.chance - after.chance) * (isRed ? 1 : -1);
  return LIMITS.find(([limit]) => loss >= limit)?.[1] ?? "";
}
