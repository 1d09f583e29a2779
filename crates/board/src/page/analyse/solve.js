// Solving the position that is analysed: whether a win is proven, by which first move, and how long the defence holds
// out. The engine rests meanwhile.

import { byId } from "../../../../study/src/html_page/board.js";
import { announce, closest, onClick, setReason, setText, translation } from "../core/elements.js";
import { nextSearchNumber, onEvents, request } from "../core/session.js";
import { act, isSolving, modes, refresh, state } from "../core/state.js";
import { graft } from "../core/tree.js";
import { isBlackToMove, moveButtons } from "../core/tree_view.js";

/** The times that are tried, in seconds: the second one if the first was too short. */
const SOLVE_SECONDS = [60, 600];

/** Begins with the position shown. @param {number} seconds */
async function startSolving(seconds) {
  const number = nextSearchNumber();
  const begun = { node: state.node, tree: state.tree, number, startedAt: Date.now(), seconds, ruledOut: 0, result: null };
  state.solving = begun;
  state.analysis = null;
  refresh();
  request("stop-analysis", { number });
  const reply = await request("solve", { ...act.positionQuery(), number, seconds, nodes: null });
  if (reply.error && state.solving === begun) closeSolution();
}

/** Closes the card, and ends the search if it still runs. */
function closeSolution() {
  if (isSolving()) request("stop-solve");
  state.solving = null;
  renderSolution();
  if (modes[state.mode].analyses) act.startAnalysis();
}

/** @param {ServerEvents} events */
function onSolutionEvents({ solution }) {
  if (!solution || !state.solving || solution.number !== state.solving.number || state.solving.result) return;
  Object.assign(state.solving, { ruledOut: solution.ruled_out, result: solution.result });
  renderSolution();
  if (!state.solving?.result) return;
  announce(solutionTitle(state.solving, state.solving.result));
  if (modes[state.mode].analyses) act.startAnalysis();
}

/** What was found, in a sentence. @param {Solving} solving @param {Solution} result @returns {string} */
function solutionTitle({ seconds }, { settled, finished, sentences }) {
  if (settled || !finished) return sentences[0];
  return translation("notProven", { seconds });
}

/** What else is known. @param {Solving} solving @param {Solution} result @returns {(string | null)[]} */
function solutionDetails({ ruledOut }, { settled, finished, sentences }) {
  const bound = !settled && finished && ruledOut ? translation("ruledOut", { moves: ruledOut }) : null;
  return [bound, ...sentences.slice(1)];
}

export function renderSolution() {
  // Another game: what was solved is no longer there.
  if (state.solving && state.solving.tree !== state.tree) {
    if (isSolving()) request("stop-solve");
    state.solving = null;
  }
  byId("solution").hidden = !state.solving;
  setReason(byId("solve"), isSolving() ? translation("solving") : state.facts?.verdict ? translation("gameIsOver") : null);
  if (!state.solving) return;
  const { result, ruledOut, seconds, node } = state.solving;
  for (const name of ["solveProgress", "stopSolve"]) byId(name).hidden = Boolean(result);
  for (const name of ["addDefence", "addAll"]) byId(name).hidden = !result?.moves.length;
  byId("solveLonger").hidden = !result || result.settled || seconds >= SOLVE_SECONDS[1] || node !== state.node;
  renderProgress();
  if (!result) {
    setText(byId("solutionTitle"), translation("solving"));
    setText(byId("solutionText"), ruledOut ? translation("ruledOut", { moves: ruledOut }) : null);
    byId("defence").replaceChildren();
    return;
  }
  setText(byId("solutionTitle"), solutionTitle(state.solving, result));
  setText(byId("solutionText"), ...solutionDetails(state.solving, result));
  byId("defence").replaceChildren(...moveButtons(result.names, isBlackToMove(node), (index) => ({ count: index + 1 })));
}

// The time runs between updates.
function renderProgress() {
  if (!state.solving || state.solving.result) return;
  const { seconds, startedAt } = state.solving;
  Object.assign(byId("solveProgress"), { max: seconds, value: Math.min(seconds, (Date.now() - startedAt) / 1000) });
}

/** Adds the solution to the game: its moves become variations, with what is said about them.
 * @param {boolean} all Whether all defences are added, or the longest alone. */
async function addSolution(all) {
  if (!state.solving) return;
  const { node, tree: solvedTree } = state.solving;
  const reply = await request("solution-tree", { all });
  if (!reply.tree || state.tree !== solvedTree) return;
  graft(node, reply.tree.nodes);
  act.goToNode(state.node);
}

/** Plays the defence up to a move. @param {Event} event */
function playDefence(event) {
  const { count } = closest(event, ".step")?.dataset ?? {};
  if (!count || !state.solving?.result) return;
  state.node = state.solving.node;
  act.playLine(state.solving.result.moves.slice(0, Number(count)));
}

export function bindSolve() {
  onEvents(onSolutionEvents);
  setInterval(renderProgress, 250);
  onClick({
    solve: () => startSolving(SOLVE_SECONDS[0]), solveLonger: () => startSolving(SOLVE_SECONDS[1]),
    stopSolve: () => request("stop-solve"), closeSolution, addDefence: () => addSolution(false), addAll: () => addSolution(true),
    defence: playDefence,
  });
}
