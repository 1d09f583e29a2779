// The analysis mode: lines with arrows, the evaluation bar, and the verdict, book moves and tablebase result of the
// position.

import { showPlaceSoon } from "../core/address.js";
import { arrow, byId, drawBoard, piecesAfter, queryAll } from "../../../../study/src/html_page/board.js";
import { renderBook } from "./book_view.js";
import { askPlayedHere, bindPlayedHere, clearPlayedHere } from "./played_here.js";
import { announce, closest, onClick, queryButtons, setPressed, setText, translation } from "../core/elements.js";
import { noteEvaluation } from "../core/evaluations.js";
import { renderHistory } from "../core/undo_redo.js";
import { clearPreview, renderAnalysis } from "./lines_view.js";
import { addAction } from "../core/modes.js";
import { labelBoard, moveInput, setMoves } from "../core/board_input.js";
import { recordedName, renderPlayers } from "../core/players.js";
import { nextSearchNumber, onEvents, request, searchNumber } from "../core/session.js";
import { renderSolution } from "./solve.js";
import { presentMove } from "../core/sound.js";
import { act, isSolving, modes, provide, refresh, state } from "../core/state.js";
import { addMoves, currentLine, gamePlace, movesTo, nodeAtPly, promote, prune, setComment, setMarks } from "../core/tree.js";
import { evaluationFound, renderTree } from "../core/tree_view.js";

let showsArrows = true;
/** The node that the engine was asked about last. */
let analysedNode = 0;
const stopAnalysis = () => request("stop-analysis", { number: nextSearchNumber() });

/** @param {string[]} moves @returns {PositionQuery} */
export const positionQuery = (moves = movesTo(state.node)) => ({ start: state.tree.start, moves, rules: byId("lawOf").value });

/** Draws the board of the analysis, or of a line that is looked at. */
function drawAnalysis() {
  const moves = movesTo(state.node);
  if (state.preview) {
    drawBoard(state.tree.start, [...moves, ...state.preview], "");
    return setMoves(piecesAfter(state.tree.start, [...moves, ...state.preview]), [], "", null);
  }
  drawBoard(state.tree.start, moves, act.drawRefutation() || (showsArrows ? lineArrows() : ""));
  const legal = state.facts && !state.facts.verdict ? state.facts.legal : [];
  setMoves(piecesAfter(state.tree.start, moves), legal, state.facts?.check ?? "", (move) => { playLine([move]); }, state.facts?.forbidden);
}

// The first move of each line that is nearly as good as the best; a threat has its own colour.
function lineArrows() {
  if (!state.analysis) return "";
  const best = state.analysis.lines[0]?.chance ?? 0;
  const near = state.analysis.lines.filter((line) => Math.abs(line.chance - best) < 0.2);
  const arrows = near.map(({ moves: [move] }, index) => {
    if (state.engine.showsThreat) return arrow(move, "bad", "#c2410c");
    return index ? arrow(move, "other", "#2b6cb0") : arrow(move, "best", "#1f7a4d");
  });
  return arrows.reverse().join("");
}

/** @param {PositionFacts | null} known */
function setFacts(known) {
  [state.analysis, state.facts] = [null, known];
  if (!known) clearPlayedHere();
  clearPreview();
  refresh();
}

/** Goes to a node and requests its facts. @param {number} id */
export async function goToNode(id) {
  state.node = id;
  showPlaceSoon("analyse");
  setFacts(null);
  const reply = await request("position-facts", positionQuery());
  if (state.node === id && reply.legal) showFacts(/** @type {PositionFacts} */ (reply));
}

/** Shows the facts about the current node. @param {PositionFacts} known */
function showFacts(known) {
  setFacts(known);
  if (state.mode === "analyse") askPlayedHere();
  startAnalysis();
}

/** Plays the moves of a line from the current node. @param {string[]} moves */
async function playLine(moves) {
  const from = state.node;
  const reply = await request("position-facts", { ...positionQuery([...movesTo(from), ...moves]), name_last: moves.length });
  if (state.node !== from || !reply.names) return;
  const known = /** @type {PositionFacts} */ (reply);
  const last = moves[moves.length - 1];
  const captured = piecesAfter(state.tree.start, [...movesTo(from), ...moves.slice(0, -1)]).has(last.slice(2));
  addMoves(moves, known.names);
  showPlaceSoon("analyse");
  showFacts(known);
  presentMove(last, { captured, check: known.check, over: known.verdict, name: known.names[known.names.length - 1] });
  announce([...known.names, ...known.verdict ? [known.verdict] : []].join(" "));
}

/** Has the engine analyse the current node. */
function startAnalysis() {
  const isIdle = !state.engine.isOn || isSolving() || state.facts?.verdict;
  if (isIdle || !modes[state.mode].analyses) return stopAnalysis();
  analysedNode = state.node;
  return request("analyse", {
    ...positionQuery(), number: nextSearchNumber(), lines: state.engine.lines, threat: state.engine.showsThreat, nodes: null,
  });
}

/** @param {ServerEvents} events */
function onAnalysisEvents({ analysis: update }) {
  // What comes while another move is chosen is of the one before.
  if (!update || update.number !== searchNumber || analysedNode !== state.node || !modes[state.mode].analyses) return;
  state.analysis = update;
  const [best] = update.lines;
  if (best && update.chance !== null && !state.engine.showsThreat) {
    const found = { score: best.score, chance: update.chance, depth: update.depth };
    if (noteEvaluation(state.node, found)) evaluationFound(state.node);
  }
  renderAnalysis();
  if (!moveInput.drag && !state.preview) drawAnalysis();
}

// --- the panel ---

function renderFacts() {
  setText(byId("known"), state.facts?.verdict, state.facts?.opening, state.facts?.table);
  renderBook(state.facts);
  const { comment, marks } = state.tree.nodes[state.node];
  const field = byId("comment");
  if (document.activeElement !== field) field.value = comment;
  for (const button of queryAll("[data-mark]")) setPressed(button, marks.includes(Number(button.dataset.mark)));
  // Marks, comment and branches are those of a move; the first position has a comment alone.
  for (const button of queryButtons("[data-mark], #prune, #promote")) button.hidden = !state.node;
  renderHistory();
  setPressed(byId("engine"), state.engine.isOn);
  setPressed(byId("threat"), state.engine.showsThreat);
}

/** @returns {Side} */
const sideToMove = () => ((state.tree.start.split(" ")[1] === "b") === (state.tree.nodes[state.node].depth % 2 === 0) ? "black" : "red");

/** The name of a player of the analysed game. @param {Side} side @returns {string} */
function analysedPlayer(side) {
  const nameOf = (/** @type {string} */ role) => state.tree.tags.find(([tag]) => tag === role)?.[1] ?? "";
  const [name, other] = side === "red" ? [nameOf("Red"), nameOf("Black")] : [nameOf("Black"), nameOf("Red")];
  return name && name !== "?" ? recordedName(name, other) : translation(side);
}

/** @type {Mode} */
const analyseMode = {
  analyses: true,
  drawBoard: drawAnalysis,
  renderPanel: () => {
    labelBoard(state.tree.nodes[state.node].name);
    act.renderTags();
    renderPlayers(analysedPlayer, state.tree.start, movesTo(state.node), state.facts?.verdict ? null : sideToMove());
    renderAnalysis();
    renderFacts();
    renderSolution();
    renderTree();
  },
  ply: () => state.tree.nodes[state.node].depth,
  lastPly: () => currentLine().length,
  goTo: (ply) => { goToNode(nodeAtPly(ply)); },
  moves: () => currentLine().map((id) => state.tree.nodes[id].move),
  enter: () => { act.takePlayedGame(); goToNode(state.node); },
  leave: () => { stopAnalysis(); },
  place: () => gamePlace("analyse"),
};

// --- user actions ---

function toggleEngine() {
  state.engine.isOn = !state.engine.isOn;
  state.analysis = null;
  refresh();
  startAnalysis();
}

function toggleThreat() {
  state.engine.showsThreat = !state.engine.showsThreat;
  state.analysis = null;
  refresh();
  startAnalysis();
}

function playBestMove() {
  const best = state.engine.showsThreat ? null : state.analysis?.lines[0];
  if (best) playLine([best.moves[0]]);
}

/** Goes to a sibling of the current node. @param {number} by */
function goToSibling(by) {
  const { children } = state.tree.nodes[state.tree.nodes[state.node].parent];
  const next = children[children.indexOf(state.node) + by];
  if (state.node && next !== undefined) goToNode(next);
}

function playFromHere() {
  const seat = (state.facts?.fen ?? state.tree.start).split(" ")[1] === "b" ? "black" : "red";
  act.beginGame({ seat, position: `${state.tree.start} moves ${movesTo(state.node).join(" ")}` });
}

export function bindAnalysis() {
  modes.analyse = analyseMode;
  bindPlayedHere();
  onEvents(onAnalysisEvents);
  addAction("engine", "l", ["analyse", "review"], toggleEngine);
  addAction("threat", "x", ["analyse", "review"], toggleThreat);
  addAction("arrows", "a", ["analyse", "review"], () => { showsArrows = !showsArrows; drawAnalysis(); });
  addAction("best", " ", ["analyse", "review"], playBestMove);
  addAction("nextBranch", "ArrowDown", ["analyse", "review"], () => goToSibling(1));
  addAction("branchBefore", "ArrowUp", ["analyse", "review"], () => goToSibling(-1));

  byId("tree").addEventListener("click", (event) => {
    const move = closest(event, ".move");
    if (move) goToNode(Number(move.dataset.node));
  });
  byId("countOfLines").addEventListener("change", () => { state.engine.lines = Number(byId("countOfLines").value); startAnalysis(); });
  byId("lawOf").addEventListener("change", () => goToNode(state.node));
  byId("comment").addEventListener("input", () => {
    setComment(state.node, byId("comment").value);
    renderTree();
    renderHistory();
  });
  for (const button of queryAll("[data-mark]")) {
    button.addEventListener("click", () => {
      const mark = Number(button.dataset.mark);
      setMarks(state.node, state.tree.nodes[state.node].marks.includes(mark) ? [] : [mark]);
      refresh();
    });
  }
  onClick({
    prune: () => { prune(state.node); goToNode(state.node); }, promote: () => { promote(state.node); refresh(); }, playHere: playFromHere,
  });
}

provide({ drawAnalysis, goToNode, playLine, positionQuery, startAnalysis, stopAnalysis });
