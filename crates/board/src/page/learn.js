// Training on the mistakes of the reviewed game: find the better move at each of them. While a lesson is open the engine
// shows nothing.

import { facts, goToNode, positionQuery, startAnalysis } from "./analyse.js";
import { byId, drawBoard, piecesAfter } from "./board.js";
import { announce, localized, setText, showNotice, translation } from "./elements.js";
import { review } from "./review.js";
import { refresh } from "./modes.js";
import { setMoves } from "./move_input.js";
import { presentMove } from "./sound.js";
import { currentNode, mainLine, movesTo, tree } from "./tree.js";

/** The mistakes, the index of the one that is asked about, what is said of the last attempt, the move that was tried, the
 * moves shown behind the position, and whether the question is answered.
 * @typedef {{mistakes: ReviewedMove[], index: number, message: Bilingual | null, attempt: string | null, shown: string[],
 *   isSolved: boolean}} Lesson */

/** @type {Lesson | null} */
export let lesson = null;

export const endLesson = () => { lesson = null; };

/** @param {Side} side */
function startLesson(side) {
  const isMistake = (/** @type {ReviewedMove} */ move) => (
    move.side === side && ["?!", "?", "??"].includes(move.mark ?? "") && move.better.length > 0
  );
  const mistakes = review?.moves.filter(isMistake) ?? [];
  if (!mistakes.length) return showNotice(translation("noMistakes"));
  askAbout(mistakes, 0);
}

/** Asks about a mistake; after the last one the lesson ends. @param {ReviewedMove[]} mistakes @param {number} index */
function askAbout(mistakes, index) {
  const mistake = mistakes[index];
  lesson = mistake ? { mistakes, index, message: null, attempt: null, shown: [], isSolved: false } : null;
  goToNode(mistake ? mainLine()[mistake.ply - 1] : currentNode);
}

/** The node before the mistake. @param {Lesson} lesson */
const questionNode = ({ mistakes, index }) => mainLine()[mistakes[index].ply - 1];

/** The board of a lesson: the question, a move that was tried, or the answer. @param {Lesson} lesson */
export function drawLesson(lesson) {
  const isQuestion = currentNode === questionNode(lesson);
  const moves = [...movesTo(currentNode), ...(isQuestion ? lesson.shown : [])];
  drawBoard(tree.start, moves, "");
  const legal = isQuestion && !lesson.isSolved && !lesson.attempt && facts ? facts.legal : [];
  const check = lesson.shown.length ? "" : facts?.check ?? "";
  setMoves(piecesAfter(tree.start, moves), legal, check, (move) => tryMove(lesson, move), facts?.forbidden);
}

/** @param {Lesson} lesson @param {string} move */
function tryMove(lesson, move) {
  Object.assign(lesson, { attempt: move, shown: [move] });
  if (move === lesson.mistakes[lesson.index].better[0]) return solveQuestion(lesson, translation("bestFound"));
  lesson.message = translation("thinking");
  refresh();
  presentMove(move, {});
  startAnalysis({ ...positionQuery([...movesTo(questionNode(lesson)), move]), nodes: 150000, lines: 1, threat: false });
}

/** Rates the attempted move by the engine's analysis: a small loss counts as found.
 * @param {Lesson} lesson @param {Analysis} analysis */
export function judgeAttempt(lesson, analysis) {
  const before = lesson.mistakes[lesson.index].before?.chance ?? null;
  if (!lesson.attempt || lesson.isSolved || !analysis.final || analysis.chance === null || before === null) return;
  const sign = lesson.mistakes[lesson.index].side === "red" ? 1 : -1;
  const lost = sign * (before - analysis.chance);
  if (lost < 0.04) return solveQuestion(lesson, translation("alsoGood"));
  // The move is taken back for the next try.
  Object.assign(lesson, { message: translation("tryAgain", { lost: Math.round(100 * lost) }), attempt: null, shown: [] });
  refresh();
}

/** @param {Lesson} lesson @param {Bilingual} message */
function solveQuestion(lesson, message) {
  Object.assign(lesson, { message, attempt: null, isSolved: true });
  refresh();
  announce(localized(message));
}

/** Shows the answer; the lesson goes on. @param {Lesson} lesson */
function showAnswer(lesson) {
  lesson.shown = lesson.mistakes[lesson.index].better.slice(0, 1);
  const node = questionNode(lesson);
  if (currentNode !== node) goToNode(node);
  solveQuestion(lesson, translation("thisIsBest"));
}

export function renderLesson() {
  byId("lesson").hidden = !lesson;
  if (!lesson) return;
  const { mistakes, index, message, isSolved } = lesson;
  const mistake = mistakes[index];
  const values = { number: index + 1, count: mistakes.length, mark: mistake.mark ?? "" };
  const { zh } = translation("lesson", { ...values, played: mistake.chinese });
  const { en } = translation("lesson", { ...values, played: mistake.wxf });
  setText(byId("lessonText"), { zh, en }, message);
  byId("showLesson").disabled = isSolved;
}

export function bindLearn() {
  byId("learnRed").addEventListener("click", () => startLesson("red"));
  byId("learnBlack").addEventListener("click", () => startLesson("black"));
  byId("nextLesson").addEventListener("click", () => { if (lesson) askAbout(lesson.mistakes, lesson.index + 1); });
  byId("endLesson").addEventListener("click", () => { if (lesson) askAbout([], 0); });
  byId("showLesson").addEventListener("click", () => { if (lesson) showAnswer(lesson); });
}
