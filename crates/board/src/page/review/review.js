// The review of the game that is analysed: begins and ends it, finds the one that was kept, and marks the moves.

import { byId } from "../../../../study/src/html_page/board.js";
import { onClick, showNotice } from "../core/elements.js";
import { LEAST_DEPTH, noteEvaluation } from "../core/evaluations.js";
import { change } from "../core/undo_redo.js";
import { isOld, renderReview } from "./review_view.js";
import { onEvents, request } from "../core/session.js";
import { act, modes, provide, refresh, state } from "../core/state.js";
import { transport } from "../core/transport.js";
import { gamePlace, invalidateTree, mainLine, sentTree, SIGNS } from "../core/tree.js";

function startReview() {
  state.review = null;
  state.isReviewing = true;
  refresh();
  act.stopAnalysis();
  request("review", { tree: sentTree(), rules: byId("lawOf").value, time: Number(byId("reviewTime").value) });
}

/** Shows the review that was kept of the game, if there is one. */
async function lookForReview() {
  const of = state.tree;
  if (of.nodes.length < 2) return;
  // An invited device has none, and who plays.
  const { review: found } = await transport.send("kept-review", { tree: sentTree() }).catch(() => /** @type {Reply<"kept-review">} */ ({}));
  if (!found || state.tree !== of || state.review || state.isReviewing) return;
  state.review = found;
  noteEvaluations(found);
  // What somebody has marked stays as it is.
  for (const { node, mark } of marksOf(found)) if (!node.marks.length) node.marks = [mark];
  invalidateTree();
  refresh();
}

/** The queue of the training has reviewed a game, or one comes back: what is kept is shown without being asked for.
 * @param {ServerEvents} events */
function onQueueEvents({ train }) {
  if (!train || train.done === reviewed) return;
  reviewed = train.done;
  if (!state.review && !state.isReviewing) lookForReview();
}
/** So many games of the queue were done. */
let reviewed = 0;

/** Reviews the game, unless that was done as well before. */
async function reviewGame() {
  if (state.review && state.review.moves.length !== mainLine().length - 1) state.review = null;
  if (!state.review) await lookForReview();
  if (!state.review || isOld(state.review)) startReview();
}

/** @param {ServerEvents} events */
function onReviewEvents({ review: progress }) {
  if (!progress) return;
  const { done, total, review: found, message } = progress;
  Object.assign(byId("progress"), { max: total, value: done });
  if (message) showNotice(message);
  if (!found || state.review) return;
  state.isReviewing = false;
  markMoves(found);
  noteEvaluations(found);
  invalidateTree();
  if (state.mode === "review") refresh();
  act.startAnalysis();
}

/** No evaluation is worth more pieces. */
const MOST = 150;

/** The scores of the review stand beside its moves. @param {Review} found */
function noteEvaluations({ positions }) {
  const line = mainLine();
  positions.forEach((position, ply) => {
    if (!position || position.chance === null || line[ply] === undefined) return;
    const { score, mate, chance, depth } = position;
    const sign = (score ?? 0) < 0 ? "-" : "+";
    const value = Math.abs(score ?? 0) / 100;
    // Nothing but a win by the tables or the rules counts so much.
    const win = mate ? `M${Math.abs(mate)}` : mate === 0 ? "#" : position.table ? "T" : "R";
    const text = `${sign}${mate !== null || value > MOST ? win : value.toFixed(2)}`;
    noteEvaluation(line[ply], { score: text, chance, depth: Math.max(depth, LEAST_DEPTH) });
  });
}

/** The moves that a review marks. @param {Review} found @returns {{node: TreeNode, mark: number}[]} */
function marksOf(found) {
  const line = mainLine();
  return found.moves.flatMap((move, index) => {
    const mark = Number(Object.keys(SIGNS).find((number) => SIGNS[Number(number)] === move.mark) ?? 0);
    const node = state.tree.nodes[line[index + 1]];
    return mark && node?.move === move.move ? [{ node, mark }] : [];
  });
}

/** Sets the marks of a review, which can be undone with it. @param {Review} found */
function markMoves(found) {
  const marked = marksOf(found).map(({ node, mark }) => ({ node, before: node.marks, after: [mark] }));
  /** @param {"before" | "after"} which @param {Review | null} value */
  const set = (which, value) => () => { for (const each of marked) each.node.marks = each[which]; state.review = value; };
  change(set("after", found), set("before", null), { isEdit: false });
}

export function bindReviewing() {
  modes.review = {
    ...modes.analyse,
    renderPanel: () => { modes.analyse.renderPanel(); renderReview(); },
    place: () => gamePlace("review"),
    enter: () => {
      modes.analyse.enter?.();
      if (!state.review && !state.isReviewing) lookForReview();
    },
  };
  for (const name of ["review", "reviewAgain", "renewReview"]) byId(name).addEventListener("click", startReview);
  onClick({ endReview: () => { request("stop-review"); state.isReviewing = false; refresh(); } });
  onEvents(onReviewEvents);
  onEvents(onQueueEvents);
  byId("curve").addEventListener("click", (event) => {
    const { left, width } = byId("curve").getBoundingClientRect();
    if (state.review) act.goToNode(mainLine()[Math.round(((event.clientX - left) / width) * state.review.moves.length)] ?? 0);
  });
}

provide({ lookForReview, reviewGame });
