// The analysis mode: lines with arrows, the evaluation bar, and the verdict, book moves and tablebase result of the
// position.

import { arrow, byId, drawBoard, piecesAfter, queryAll } from "./board.js";
import { renderBook } from "./book_view.js";
import { announce, closest, localized, queryButtons, setPressed, setText, translation } from "./elements.js";
import { noteEvaluation } from "./evaluations.js";
import { renderHistory } from "./history.js";
import { clearPreview, preview, renderAnalysis } from "./lines_view.js";
import { drawRefutation } from "./mistake_view.js";
import { addAction, currentMode, modes, refresh } from "./modes.js";
import { labelBoard, moveInput, setMoves } from "./move_input.js";
import { beginGame } from "./play.js";
import { renderPlayers } from "./play_view.js";
import { takePlayedGame } from "./played_game.js";
import { renderTags } from "./review_view.js";
import { onEvents, request } from "./session.js";
import { isSolving, renderSolution } from "./solve.js";
import { presentMove } from "./sound.js";
import {
  addMoves, currentLine, currentNode, gamePlace, movesTo, nodeAtPly, promote, prune, setComment, setCurrentNode, setMarks, tree,
} from "./tree.js";
import { evaluationFound, renderTree } from "./tree_view.js";

/** The facts about the current node, once they are known. @type {PositionFacts | null} */
export let facts = null;
/** The engine's analysis of the current node, once there is one. @type {Analysis | null} */
export let analysis = null;
// Increases with every request, also over reloads, because requests may arrive out of order.
let requestNumber = Date.now();
let showsArrows = true;
/** The node that the engine was asked about last. */
let analysedNode = 0;
export const engine = { isOn: true, showsThreat: false, lines: 3 };

export const nextRequestNumber = () => ++requestNumber;
export const stopAnalysis = () => request("stop-analysis", { number: nextRequestNumber() });
export const clearAnalysis = () => { analysis = null; };

/** @param {string[]} moves @returns {PositionQuery} */
export const positionQuery = (moves = movesTo(currentNode)) => ({ start: tree.start, moves, rules: byId("lawOf").value });

/** Draws the board of the analysis, or of a line that is looked at. */
export function drawAnalysis() {
  const moves = movesTo(currentNode);
  if (preview) {
    drawBoard(tree.start, [...moves, ...preview], "");
    return setMoves(piecesAfter(tree.start, [...moves, ...preview]), [], "", null);
  }
  drawBoard(tree.start, moves, drawRefutation() || (showsArrows ? lineArrows() : ""));
  const legal = facts && !facts.verdict ? facts.legal : [];
  setMoves(piecesAfter(tree.start, moves), legal, facts?.check ?? "", (move) => { playLine([move]); }, facts?.forbidden);
}

// The first move of each line that is nearly as good as the best; a threat has its own colour.
function lineArrows() {
  if (!analysis) return "";
  const best = analysis.lines[0]?.chance ?? 0;
  const near = analysis.lines.filter((line) => Math.abs(line.chance - best) < 0.2);
  const arrows = near.map(({ moves: [move] }, index) => {
    if (engine.showsThreat) return arrow(move, "bad", "#c2410c");
    return index ? arrow(move, "other", "#2b6cb0") : arrow(move, "best", "#1f7a4d");
  });
  return arrows.reverse().join("");
}

/** @param {PositionFacts | null} known */
function setFacts(known) {
  [analysis, facts] = [null, known];
  clearPreview();
  refresh();
}

/** Goes to a node and requests its facts. @param {number} id */
export async function goToNode(id) {
  setCurrentNode(id);
  setFacts(null);
  const reply = await request("position-facts", positionQuery());
  if (currentNode === id && reply.legal) showFacts(/** @type {PositionFacts} */ (reply));
}

/** Shows the facts about the current node. @param {PositionFacts} known */
function showFacts(known) {
  setFacts(known);
  startAnalysis();
}

/** Plays the moves of a line from the current node. @param {string[]} moves */
export async function playLine(moves) {
  const from = currentNode;
  const reply = await request("position-facts", { ...positionQuery([...movesTo(from), ...moves]), name_last: moves.length });
  if (currentNode !== from || !reply.names) return;
  const known = /** @type {PositionFacts} */ (reply);
  const last = moves[moves.length - 1];
  const captured = piecesAfter(tree.start, [...movesTo(from), ...moves.slice(0, -1)]).has(last.slice(2));
  addMoves(moves, known.names);
  showFacts(known);
  presentMove(last, { captured, check: known.check, over: known.verdict, name: known.names[known.names.length - 1] });
  announce([...known.names, ...known.verdict ? [known.verdict] : []].map(localized).join(" "));
}

/** Has the engine analyse the current node. */
export function startAnalysis() {
  const isIdle = !engine.isOn || isSolving() || facts?.verdict;
  if (isIdle || !modes[currentMode].analyses) return stopAnalysis();
  analysedNode = currentNode;
  return request("analyse", {
    ...positionQuery(), number: nextRequestNumber(), lines: engine.lines, threat: engine.showsThreat, nodes: null,
  });
}

/** @param {ServerEvents} events */
function onAnalysisEvents({ analysis: update }) {
  // What comes while another move is chosen is of the one before.
  if (!update || update.number !== requestNumber || analysedNode !== currentNode || !modes[currentMode].analyses) return;
  analysis = update;
  const [best] = update.lines;
  if (best && update.chance !== null && !engine.showsThreat) {
    const found = { score: best.score, chance: update.chance, depth: update.depth };
    if (noteEvaluation(currentNode, found)) evaluationFound(currentNode);
  }
  renderAnalysis();
  if (!moveInput.drag && !preview) drawAnalysis();
}

// --- the panel ---

function renderFacts() {
  setText(byId("known"), facts?.verdict, facts?.opening, facts?.table);
  renderBook(facts);
  const { comment, marks } = tree.nodes[currentNode];
  const field = byId("comment");
  if (document.activeElement !== field) field.value = comment;
  for (const button of queryAll("[data-mark]")) setPressed(button, marks.includes(Number(button.dataset.mark)));
  // Marks, comment and branches are those of a move; the first position has a comment alone.
  for (const button of queryButtons("[data-mark], #prune, #promote")) button.hidden = !currentNode;
  renderHistory();
  setPressed(byId("engine"), engine.isOn);
  setPressed(byId("threat"), engine.showsThreat);
}

/** @returns {Side} */
const sideToMove = () => ((tree.start.split(" ")[1] === "b") === (tree.nodes[currentNode].depth % 2 === 0) ? "black" : "red");

/** The name of a player of the analysed game. @param {Side} side @returns {Bilingual} */
function analysedPlayer(side) {
  const name = tree.tags.find(([tag]) => tag === (side === "red" ? "Red" : "Black"))?.[1];
  return name && name !== "?" ? { zh: name, en: name } : translation(side);
}

/** @type {Mode} */
export const analyseMode = {
  analyses: true,
  drawBoard: drawAnalysis,
  renderPanel: () => {
    labelBoard(tree.nodes[currentNode].name);
    renderTags();
    renderPlayers(analysedPlayer, tree.start, movesTo(currentNode), facts?.verdict ? null : sideToMove());
    renderAnalysis();
    renderFacts();
    renderSolution();
    renderTree();
  },
  ply: () => tree.nodes[currentNode].depth,
  lastPly: () => currentLine().length,
  goTo: (ply) => { goToNode(nodeAtPly(ply)); },
  moves: () => currentLine().map((id) => tree.nodes[id].move),
  enter: () => { takePlayedGame(); goToNode(currentNode); },
  leave: () => { stopAnalysis(); },
  place: () => gamePlace("analyse"),
};

// --- user actions ---

function toggleEngine() {
  engine.isOn = !engine.isOn;
  analysis = null;
  refresh();
  startAnalysis();
}

function toggleThreat() {
  engine.showsThreat = !engine.showsThreat;
  analysis = null;
  refresh();
  startAnalysis();
}

function playBestMove() {
  const best = engine.showsThreat ? null : analysis?.lines[0];
  if (best) playLine([best.moves[0]]);
}

/** Goes to a sibling of the current node. @param {number} by */
function goToSibling(by) {
  const { children } = tree.nodes[tree.nodes[currentNode].parent];
  const next = children[children.indexOf(currentNode) + by];
  if (currentNode && next !== undefined) goToNode(next);
}

function playFromHere() {
  const seat = (facts?.fen ?? tree.start).split(" ")[1] === "b" ? "black" : "red";
  beginGame({ seat, position: `${tree.start} moves ${movesTo(currentNode).join(" ")}` });
}

export function bindAnalysis() {
  modes.analyse = analyseMode;
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
  byId("countOfLines").addEventListener("change", () => { engine.lines = Number(byId("countOfLines").value); startAnalysis(); });
  byId("lawOf").addEventListener("change", () => goToNode(currentNode));
  byId("comment").addEventListener("input", () => {
    setComment(currentNode, byId("comment").value);
    renderTree();
    renderHistory();
  });
  for (const button of queryAll("[data-mark]")) {
    button.addEventListener("click", () => {
      const mark = Number(button.dataset.mark);
      setMarks(currentNode, tree.nodes[currentNode].marks.includes(mark) ? [] : [mark]);
      refresh();
    });
  }
  byId("prune").addEventListener("click", () => { prune(currentNode); goToNode(currentNode); });
  byId("promote").addEventListener("click", () => { promote(currentNode); refresh(); });
  byId("playHere").addEventListener("click", playFromHere);
}
