// The review of the game that is analysed: begins and ends it, and marks the moves by what it has found.

import { byId } from "../../../../study/src/html_page/board.js";
import { onClick } from "../core/elements.js";
import { LEAST_DEPTH, noteEvaluation } from "../core/evaluations.js";
import { change } from "../core/history.js";
import { renderReview } from "./review_view.js";
import { onEvents, request } from "../core/session.js";
import { act, modes, refresh, state } from "../core/state.js";
import { gamePlace, mainLine, sentTree, SIGNS } from "../core/tree.js";
import { invalidateTree } from "../core/tree_view.js";

function startReview() {
  state.review = null;
  state.isReviewing = true;
  refresh();
  act.stopAnalysis();
  request("review", { tree: sentTree(), rules: byId("lawOf").value, time: Number(byId("reviewTime").value) });
}

/** @param {ServerEvents} events */
function onReviewEvents({ review: progress }) {
  if (!progress) return;
  const { done, total, review: found } = progress;
  Object.assign(byId("progress"), { max: total, value: done });
  if (!found || state.review) return;
  state.isReviewing = false;
  markMoves(found);
  noteEvaluations(found);
  invalidateTree();
  if (state.mode === "review") refresh();
  act.startAnalysis();
}

/** The scores of the review stand beside its moves. @param {Review} found */
function noteEvaluations({ positions }) {
  const line = mainLine();
  positions.forEach((position, ply) => {
    if (!position || position.chance === null || line[ply] === undefined) return;
    const { score, mate, chance, depth } = position;
    const sign = (mate ?? score ?? 0) < 0 ? "-" : "+";
    const text = mate ? `${sign}M${Math.abs(mate)}` : `${sign}${(Math.abs(score ?? 0) / 100).toFixed(2)}`;
    noteEvaluation(line[ply], { score: text, chance, depth: Math.max(depth, LEAST_DEPTH) });
  });
}

/** Sets the marks of a review, which can be undone with it. @param {Review} found */
function markMoves(found) {
  const line = mainLine();
  /** @type {{node: TreeNode, before: number[], after: number[]}[]} */
  const marked = [];
  found.moves.forEach((move, index) => {
    const mark = Number(Object.keys(SIGNS).find((number) => SIGNS[Number(number)] === move.mark) ?? 0);
    const node = state.tree.nodes[line[index + 1]];
    if (mark && node?.move === move.move) marked.push({ node, before: node.marks, after: [mark] });
  });
  /** @param {"before" | "after"} which @param {Review | null} value */
  const set = (which, value) => () => { for (const each of marked) each.node.marks = each[which]; state.review = value; };
  change(set("after", found), set("before", null), { isEdit: false });
}

export function bindReviewing() {
  modes.review = {
    ...modes.analyse,
    renderPanel: () => { modes.analyse.renderPanel(); renderReview(); },
    place: () => gamePlace("review"),
  };
  for (const name of ["review", "reviewAgain"]) byId(name).addEventListener("click", startReview);
  onClick({ endReview: () => { request("stop-review"); state.isReviewing = false; refresh(); } });
  onEvents(onReviewEvents);
  byId("curve").addEventListener("click", (event) => {
    const { left, width } = byId("curve").getBoundingClientRect();
    if (state.review) act.goToNode(mainLine()[Math.round(((event.clientX - left) / width) * state.review.moves.length)] ?? 0);
  });
}
