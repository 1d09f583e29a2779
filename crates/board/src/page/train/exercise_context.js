// Beside an exercise, where there is room: the moves of its game around the question, the curve of the game, and when it was
// answered before. This module comes with the first exercise on a wide window, with its texts.

import { byId } from "../../../../study/src/html_page/board.js";
import { closest, createButton, createElement, inChinese, LOCALE, setCurrent } from "../core/elements.js";
import { refresh, state } from "../core/state.js";
import { setScene, sideAfter, stopPlaying } from "./train_scene.js";
import { ask } from "./training.js";
import { words } from "../words.js";

/** @type {Record<"game" | "curve" | "answers" | "right" | "wrong", string>} */
const TEXTS = {
  game: words("From the game"),
  curve: words("Red's chances in the game"),
  answers: words("Answered before"),
  right: words("right"),
  wrong: words("wrong"),
};
/** So many of the last answers are shown. */
const MOST_ANSWERS = 6;

/** What is shown, and of which question. @type {{question: TrainQuestion, context: ExerciseContext} | null} */
let shown = null;

/** @param {keyof TEXTS} name @param {...HTMLElement} content */
const part = (name, ...content) => createElement("section", {}, createElement("h2", {}, TEXTS[name]), ...content);

/** The moves in rows of two, with their numbers; the one that was a mistake is marked.
 * @param {TrainQuestion} question @param {ExerciseContext} around */
function moveList({ fen, ply, played }, { from, moves }) {
  const blackFirst = sideAfter(fen, 0) === "black" ? 1 : 0;
  const base = Number(fen.split(" ")[5]) || 1;
  const list = createElement("ol", { className: "moves" });
  /** @type {HTMLElement | null} */
  let row = null;
  moves.forEach((move, index) => {
    const place = from + index + blackFirst;
    if (!row || place % 2 === 0) {
      row = createElement("li", {}, createElement("span", { className: "number" }, String(base + Math.floor(place / 2))));
      if (place % 2) row.append(createElement("span", { className: "gap" }, "…"));
      list.append(row);
    }
    const isMistake = from + index === ply && played?.iccs === move.iccs;
    row.append(createButton(isMistake ? "move blunder" : "move", { ply: from + index + 1 }, move.name, isMistake ? " ?" : ""));
  });
  return list;
}

/** @param {number[]} chances @param {number} ply */
function curveOf(chances, ply) {
  const last = Math.max(1, chances.length - 1);
  const points = chances.map((chance, at) => `${((1000 * at) / last).toFixed(1)},${(240 * (1 - chance)).toFixed(1)}`).join(" ");
  const box = createElement("div", { className: "chart" });
  const x = ((1000 * Math.min(ply, last)) / last).toFixed(1);
  box.innerHTML = `<svg class="curve" viewBox="0 0 1000 240" preserveAspectRatio="none" aria-hidden="true"><rect class="paper" width="1000" height="240"/>`
    + `<path class="middle" d="M0 120H1000"/><polyline class="line" points="${points}"/><path class="cursor" d="M${x} 0V240"/></svg>`;
  return box;
}

/** @param {EarlierAnswer[]} answers */
const answerList = (answers) => createElement("p", { className: "row" }, ...answers.slice(-MOST_ANSWERS).map(({ day, right, tried }) => (
  createElement("span", { className: right ? "is-right" : "is-wrong" }, answerText(day, right, tried))
)));

/** `✗ 3 Nov: R2+3 (wrong)`. @param {string} day @param {boolean} right @param {NamedMove | null} tried @returns {string} */
function answerText(day, right, tried) {
  const date = new Date(`${day}T12:00`);
  const year = date.getFullYear() === new Date().getFullYear() ? {} : { year: /** @type {const} */ ("numeric") };
  const fields = /** @type {const} */ ({ day: "numeric", month: "short", ...year });
  const [sign, word] = [right ? "✓" : "✗", TEXTS[right ? "right" : "wrong"]];
  const [name, at] = [tried?.name, date.toLocaleDateString(LOCALE, fields)];
  if (!name) return `${sign} ${at} ${word}`;
  return inChinese ? `${sign} ${at}：${name}（${word}）` : `${sign} ${at}: ${name} (${word})`;
}

/** Marks the move that is shown on the board, if that is one of the game. */
function markCurrent() {
  if (!shown) return;
  const { question, context: { from, moves } } = shown;
  const { moves: played, ply: shownPly } = state.scene;
  const isGame = played.slice(question.ply, shownPly).every((move, index) => move === moves[question.ply - from + index]?.iccs);
  for (const button of byId("around").querySelectorAll(".move")) {
    const isCurrent = isGame && Number(/** @type {HTMLElement} */ (button).dataset.ply) === shownPly;
    button.classList.toggle("here", isCurrent);
    setCurrent(button, isCurrent);
  }
}

/** Shows what is beside a question; what came after it once it is answered.
 * @param {TrainQuestion} question @param {boolean} answered */
export async function renderAround(question, answered) {
  const box = byId("around");
  const key = `${question.id} ${question.answers} ${answered}`;
  if (box.dataset.of === key) return markCurrent();
  // The moves of the last question would tell of it.
  if (shown?.question.id !== question.id) box.replaceChildren();
  box.dataset.of = key;
  const reply = await ask("context", { id: question.id, answered });
  if (box.dataset.of !== key || !reply.moves) return;
  const context = /** @type {ExerciseContext} */ (reply);
  shown = { question, context };
  const { moves, curve, answers } = context;
  box.replaceChildren(
    ...(moves.length ? [part("game", moveList(question, context))] : []),
    ...(curve.length > 2 ? [part("curve", curveOf(curve, question.ply))] : []),
    ...(answers.length ? [part("answers", answerList(answers))] : []),
  );
  markCurrent();
}

byId("around").addEventListener("click", (event) => {
  const ply = Number(closest(event, ".move")?.dataset.ply);
  if (!ply || !shown) return;
  const { question, context: { from, moves } } = shown;
  // Moves before the question leave open what is asked.
  if (ply <= question.ply) stopPlaying();
  else setScene(question.fen, [...question.moves.slice(0, from), ...moves.map(({ iccs }) => iccs)]);
  state.scene.ply = ply;
  refresh();
});
