// Solving the position that is analysed: whether a win is proven, by which first move, and how long the defence holds
// out. The engine rests meanwhile.

import { clearAnalysis, facts, goToNode, nextRequestNumber, playLine, positionQuery, startAnalysis } from "./analyse.js";
import { byId } from "./board.js";
import { announce, closest, localized, setReason, setText, translation } from "./elements.js";
import { isBlackToMove, moveButtons } from "./lines_view.js";
import { currentMode, modes, refresh } from "./modes.js";
import { onEvents, request } from "./session.js";
import { currentNode, graft, setCurrentNode, tree } from "./tree.js";

/** What is solved: the node, and the tree that it is of; then what is known.
 * @typedef {{node: number, tree: GameTree, number: number, startedAt: number, seconds: number, ruledOut: number,
 *   result: Solution | null}} Solving */

/** @type {Solving | null} */
export let solving = null;

/** The times that are tried, in seconds: the second one if the first was too short. */
const SOLVE_SECONDS = [60, 600];

/** Whether a search for a win runs. */
export const isSolving = () => Boolean(solving && !solving.result);

/** Begins with the position shown. @param {number} seconds */
async function startSolving(seconds) {
  const number = nextRequestNumber();
  const begun = { node: currentNode, tree, number, startedAt: Date.now(), seconds, ruledOut: 0, result: null };
  solving = begun;
  clearAnalysis();
  refresh();
  request("stop-analysis", { number });
  const reply = await request("solve", { ...positionQuery(), number, seconds, nodes: null });
  if (reply.error && solving === begun) closeSolution();
}

/** Closes the card, and ends the search if it still runs. */
function closeSolution() {
  if (isSolving()) request("stop-solve");
  solving = null;
  renderSolution();
  if (modes[currentMode].analyses) startAnalysis();
}

/** @param {ServerEvents} events */
function onSolutionEvents({ solution }) {
  if (!solution || !solving || solution.number !== solving.number || solving.result) return;
  Object.assign(solving, { ruledOut: solution.ruled_out, result: solution.result });
  renderSolution();
  if (!solving?.result) return;
  announce(localized(solutionTitle(solving, solving.result)));
  if (modes[currentMode].analyses) startAnalysis();
}

/** What was found, in a sentence. @param {Solving} solving @param {Solution} result @returns {Bilingual} */
function solutionTitle({ seconds }, { settled, finished, sentences }) {
  if (settled || !finished) return { zh: sentences.zh[0], en: sentences.en[0] };
  return translation("notProven", { seconds });
}

/** What else is known. @param {Solving} solving @param {Solution} result @returns {(Bilingual | null)[]} */
function solutionDetails({ ruledOut }, { settled, finished, sentences }) {
  const rest = { zh: sentences.zh.slice(1).join(""), en: sentences.en.slice(1).join(" ") };
  const bound = !settled && finished && ruledOut ? translation("ruledOut", { moves: ruledOut }) : null;
  return [bound, rest.en ? rest : null];
}

export function renderSolution() {
  // Another game: what was solved is no longer there.
  if (solving && solving.tree !== tree) {
    if (isSolving()) request("stop-solve");
    solving = null;
  }
  byId("solution").hidden = !solving;
  setReason(byId("solve"), isSolving() ? translation("solving") : facts?.verdict ? translation("gameIsOver") : null);
  if (!solving) return;
  const { result, ruledOut, seconds, node } = solving;
  for (const name of ["solveProgress", "stopSolve"]) byId(name).hidden = Boolean(result);
  for (const name of ["addDefence", "addAll"]) byId(name).hidden = !result?.moves.length;
  byId("solveLonger").hidden = !result || result.settled || seconds >= SOLVE_SECONDS[1] || node !== currentNode;
  renderProgress();
  if (!result) {
    setText(byId("solutionTitle"), translation("solving"));
    setText(byId("solutionText"), ruledOut ? translation("ruledOut", { moves: ruledOut }) : null);
    byId("defence").replaceChildren();
    return;
  }
  setText(byId("solutionTitle"), solutionTitle(solving, result));
  setText(byId("solutionText"), ...solutionDetails(solving, result));
  byId("defence").replaceChildren(...moveButtons(result.names, isBlackToMove(node), (index) => ({ count: index + 1 })));
}

// The time runs between updates.
function renderProgress() {
  if (!solving || solving.result) return;
  const { seconds, startedAt } = solving;
  Object.assign(byId("solveProgress"), { max: seconds, value: Math.min(seconds, (Date.now() - startedAt) / 1000) });
}

/** Adds the solution to the game: its moves become variations, with what is said about them.
 * @param {boolean} all Whether all defences are added, or the longest alone. */
async function addSolution(all) {
  if (!solving) return;
  const { node, tree: solvedTree } = solving;
  const language = document.documentElement.dataset.language ?? "";
  const reply = await request("solution-tree", { all, language });
  if (!reply.tree || tree !== solvedTree) return;
  graft(node, reply.tree.nodes);
  goToNode(currentNode);
}

/** Plays the defence up to a move. @param {Event} event */
function playDefence(event) {
  const { count } = closest(event, ".step")?.dataset ?? {};
  if (!count || !solving?.result) return;
  setCurrentNode(solving.node);
  playLine(solving.result.moves.slice(0, Number(count)));
}

export function bindSolve() {
  onEvents(onSolutionEvents);
  setInterval(renderProgress, 250);
  byId("solve").addEventListener("click", () => startSolving(SOLVE_SECONDS[0]));
  byId("solveLonger").addEventListener("click", () => startSolving(SOLVE_SECONDS[1]));
  byId("stopSolve").addEventListener("click", () => request("stop-solve"));
  byId("closeSolution").addEventListener("click", closeSolution);
  byId("addDefence").addEventListener("click", () => addSolution(false));
  byId("addAll").addEventListener("click", () => addSolution(true));
  byId("defence").addEventListener("click", playDefence);
}
