// A mistake that the review has found, when its move is chosen: what it has cost, the better move, and how it is refuted,
// with an arrow on the board.

import { arrow, byId } from "../../../../study/src/html_page/board.js";
import { closest, createElement, setText, translation } from "../core/elements.js";
import { act, provide, state } from "../core/state.js";
import { transport } from "../core/transport.js";
import { mainLine, movesTo } from "../core/tree.js";
import { isBlackToMove, moveButtons } from "../core/tree_view.js";

/** So many moves of a line are shown. */
const SHOWN_MOVES = 4;

/** A mistake with the names of the moves that were better, and of those that refute it.
 * @typedef {{move: ReviewedMove, node: number, better: string[], refutation: string[], names: string[]}} Mistake */

/** The mistakes that were looked at, by their review and ply. @type {WeakMap<Review, Map<number, Mistake>>} */
const known = new WeakMap();

/** The names of the last moves of a line. @param {string[]} before @param {string[]} line @returns {Promise<string[]>} */
async function namesOf(before, line) {
  const query = { ...act.positionQuery([...before, ...line]), name_last: line.length };
  const { names = [] } = line.length ? await transport.send("position-facts", query) : {};
  return names;
}

/** The reviewed move that is shown, if it was a mistake. */
function currentMove() {
  if (!state.review || state.mode !== "review") return null;
  const { depth } = state.tree.nodes[state.node];
  const move = state.review.moves[depth - 1];
  return move?.mark && move.mark.startsWith("?") && mainLine()[depth] === state.node ? move : null;
}

/** @param {ReviewedMove} move @param {Review} found */
async function requestMistake(move, found) {
  const node = state.node;
  const after = movesTo(node);
  const refutation = (found.positions[move.ply]?.best ?? []).slice(0, SHOWN_MOVES);
  const [better, names] = await Promise.all([
    namesOf(after.slice(0, -1), move.better.slice(0, SHOWN_MOVES - 1)), namesOf(after, refutation),
  ]);
  known.set(found, (known.get(found) ?? new Map()).set(move.ply, { move, node, better, refutation, names }));
  if (state.node === node) renderMistake();
}

export function renderMistake() {
  const move = currentMove();
  const box = byId("mistake");
  box.hidden = !move;
  if (!move || !state.review) return;
  const mistake = known.get(state.review)?.get(move.ply);
  if (!mistake) { requestMistake(move, state.review).catch(() => {}); }
  const values = { name: state.review.names[move.ply - 1], mark: move.mark ?? "", lost: Math.round(100 * (move.loss ?? 0)) };
  const said = createElement("span", {});
  setText(said, translation("mistakeWas", values));
  box.replaceChildren(said);
  if (!mistake) return;
  if (mistake.better.length) box.append(" ", label("betterWas"), " ", ...betterSteps(mistake));
  if (mistake.refutation.length) box.append(" ", label("refutedBy"), " ", ...refutationSteps(mistake));
}

/** @param {string} name */
function label(name) {
  const element = createElement("b", {});
  setText(element, translation(name));
  return element;
}

/** @param {Mistake} mistake */
const betterSteps = ({ better, node }) => moveButtons(better, !isBlackToMove(node), (index) => ({ better: index + 1 }));

/** @param {Mistake} mistake */
const refutationSteps = ({ refutation, names, node }) => (
  moveButtons(names, isBlackToMove(node), (index) => ({ line: refutation.slice(0, index + 1).join(" ") }))
);

/** The arrow of the move that refutes the mistake that is shown, `""` if none is. */
function drawRefutation() {
  const move = currentMove();
  const [answer] = move && state.review?.positions[move.ply]?.best || [];
  return answer ? arrow(answer, "bad", "#c2410c") : "";
}

export function bindMistake() {
  act.bindSteps(byId("mistake"));
  byId("mistake").addEventListener("click", (event) => {
    const count = Number(closest(event, ".step")?.dataset.better ?? 0);
    const move = currentMove();
    if (!count || !move) return;
    state.node = state.tree.nodes[state.node].parent;
    act.playLine(move.better.slice(0, count));
  });
}

provide({ drawRefutation });
