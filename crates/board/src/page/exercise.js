// The exercise: a position before a mistake, and the search for a better move. A wrong one is refuted on the board, then
// it is tried again. Nothing of the answer is in the page before it is given.

import { goToNode } from "./analyse.js";
import { board, byId } from "./board.js";
import { announce, bilingual, closest, createElement, localized, setPressed, setReason, setText, translation } from "./elements.js";
import { openListedGame } from "./game_list.js";
import { moveButtons } from "./lines_view.js";
import { refresh } from "./modes.js";
import { focusedByPointer } from "./move_input.js";
import { onEvents } from "./session.js";
import { presentMove } from "./sound.js";
import { ask, offset, openScreen, readToday, screen, screens } from "./training.js";
import { dropCards, editCards } from "./train_cards.js";
import { expectMove, playOn, scene, setScene, sideAfter } from "./train_scene.js";
import { transport } from "./transport.js";
import { nodeAtPly } from "./tree.js";

/** A line behind the question: the move that was tried, if it is not part of the line, and the moves that are shown.
 * @typedef {{label: string, before: string[], moves: NamedMove[]}} Line */
/** A question, and how far it is: asked, judged, answered wrongly or rightly, or the answer is shown. An answer that is
 * not sent yet is its rating.
 * @typedef {{question: TrainQuestion, left: number, phase: "ask" | "judge" | "wrong" | "right" | "shown", tried: string, number: number,
 *   isBest: boolean,
 *   wasWrong: boolean, hints: number, rating: 0 | 1 | 2 | 3 | 4, said: Bilingual | null, reason: Bilingual | null, lines: Line[]}} Exercise */

/** @type {Exercise | null} */
export let exercise = null;
/** Which cards are asked. @type {{deck?: string, kind?: CardKind, ids?: string[]}} */
let chosen = {};
/** How many of chosen cards there are. */
let chosenCount = 0;

/** So many moves of a line are shown. */
const SHOWN_MOVES = 6;

/** Asks one card after the other. @param {{deck?: string, kind?: CardKind, ids?: string[]}} which */
export function startExercise(which = {}) {
  chosen = which;
  chosenCount = which.ids?.length ?? 0;
  exercise = null;
  openScreen("exercise");
}

async function nextQuestion() {
  await sendAnswer();
  const after = exercise?.question.id;
  // Chosen cards are asked once each.
  if (after && chosen.ids) chosen.ids = chosen.ids.filter((id) => id !== after);
  const { question, left = 0, error } = await ask("question", { ...chosen, ...after ? { after } : {}, offset: offset() });
  if (screen !== "exercise" || error) return;
  if (!question) return endExercise();
  if (question.kind === "ruling") {
    exercise = null;
    return openScreen("rulings", true);
  }
  exercise = {
    question, left, phase: "ask", tried: "", number: 0, isBest: false, wasWrong: false, hints: 0, rating: 0, said: null, reason: null, lines: [],
  };
  askAgain();
}

function endExercise() {
  openScreen("today", true);
  exercise = null;
  readToday();
}

/** The question is open again. */
function askAgain() {
  if (!exercise) return;
  const { question } = exercise;
  Object.assign(exercise, { phase: "ask", tried: "" });
  setScene(question.fen, question.moves, question.side);
  expectMove(question, tryMove);
  if (!focusedByPointer) board.focus();
}

/** @param {string} move */
function tryMove(move) {
  if (exercise?.phase !== "ask") return;
  const { fen, moves, id } = exercise.question;
  Object.assign(exercise, { phase: "judge", tried: move, number: Date.now(), said: translation("thinking"), lines: [], reason: null });
  setScene(fen, [...moves, move]);
  presentMove(move, {});
  ask("try", { id, move, number: exercise.number });
}

/** @param {ServerEvents} events */
function onTrial({ trial }) {
  if (!trial || exercise?.phase !== "judge" || trial.number !== exercise.number) return;
  if (trial.error) {
    exercise.said = trial.error;
    return askAgain();
  }
  if (trial.right) {
    const lost = Math.round(100 * (trial.lost ?? 0));
    exercise.isBest = trial.best;
    solve("right", trial.best ? translation("bestFound") : translation("nearlyBest", { lost }), trial.reason, trial.line);
  } else refute(trial);
}

/** Shows what is wrong with the move that was tried. @param {TrainTrial} trial */
function refute({ lost, reply, reason }) {
  if (!exercise) return;
  const moves = reply.slice(0, SHOWN_MOVES);
  Object.assign(exercise, { phase: "wrong", reason, said: translation("itLoses", { lost: Math.round(100 * (lost ?? 0)) }) });
  exercise.lines = moves.length ? [{ label: "refutedBy", before: [exercise.tried], moves }] : [];
  if (!exercise.wasWrong) {
    Object.assign(exercise, { wasWrong: true, rating: 1 });
    sendAnswer();
  }
  playOn(moves.map(({ iccs }) => iccs));
  settled(exercise);
}

/** The question is answered, or its answer is shown. @param {"right" | "shown"} phase @param {Bilingual} said
 * @param {Bilingual | null} reason @param {NamedMove[]} line */
function solve(phase, said, reason, line) {
  if (!exercise) return;
  const [isFirst, moves] = [exercise.phase !== "right" && !exercise.wasWrong, line.slice(0, SHOWN_MOVES)];
  if (isFirst) exercise.rating = phase === "shown" ? 1 : exercise.hints ? 2 : 3;
  if (isFirst && phase === "shown") exercise.wasWrong = true;
  Object.assign(exercise, { phase, said, reason, lines: moves.length ? [{ label: "theLine", before: [], moves }] : [] });
  settled(exercise);
}

/** Tells the state of the question, also those who do not see it. @param {Exercise} current */
function settled({ said, reason }) {
  refresh();
  announce([said, reason].flatMap((text) => (text ? [localized(text)] : [])).join(" "));
  if (!focusedByPointer) byId("goOnExercise").focus();
}

/** Sends the answer, if there is one that was not sent. @param {boolean} isLeaving */
async function sendAnswer(isLeaving = false) {
  if (!exercise?.rating) return;
  const { question: { id }, rating } = exercise;
  exercise.rating = 0;
  const fields = { id, rating, offset: offset() };
  if (isLeaving) await transport.send("train", { do: "answer", ...fields }, true);
  else await ask("answer", fields);
}

// --- what the person asks for ---

async function giveHint() {
  const current = exercise;
  if (current?.phase !== "ask") return;
  const step = current.hints ? 2 : 1;
  current.hints = step;
  const { from, to = null } = await ask("hint", { id: current.question.id, step });
  if (exercise !== current || current.phase !== "ask" || !from) return;
  scene.hint = { from, to };
  scene.ply = scene.moves.length;
  current.said = translation(to ? "hintSquare" : "hintPiece", { from, to: to ?? "" });
  refresh();
  announce(localized(current.said));
}

async function showAnswer() {
  const current = exercise;
  if (!current || current.phase === "judge") return;
  const { best, line = [], reply = [], reason = null } = await ask("show", { id: current.question.id });
  if (exercise !== current || !best) return;
  const { fen, moves, played } = current.question;
  setScene(fen, moves);
  solve("shown", translation("thisIsBest"), reason, line);
  if (played && reply.length) current.lines.push({ label: "gameRefutedBy", before: [played.iccs], moves: reply.slice(0, SHOWN_MOVES) });
  playOn([best]);
}

/** On to the next card, or to another try. */
function goOn() {
  if (exercise?.phase === "wrong") askAgain();
  else if (exercise && ["right", "shown"].includes(exercise.phase)) nextQuestion();
}

async function dropCard() {
  const id = exercise?.question.id;
  if (!id) return;
  exercise = null;
  await dropCards([id]);
  nextQuestion();
}

async function openGameOfCard() {
  const { game, ply } = exercise?.question ?? {};
  if (!game?.id || ply === undefined || !await openListedGame(game.id)) return;
  goToNode(nodeAtPly(ply));
}

/** Shows a part of a line on the board. @param {Event} event */
function onLineClick(event) {
  const { line, count } = closest(event, ".step")?.dataset ?? {};
  const shown = exercise?.lines[Number(line)];
  if (!exercise || !shown) return;
  const { fen, moves } = exercise.question;
  setScene(fen, [...moves, ...shown.before, ...shown.moves.map(({ iccs }) => iccs)]);
  scene.ply = moves.length + shown.before.length + Number(count);
  refresh();
}

// --- the panel ---

/** What is asked. @param {TrainQuestion} question @returns {Bilingual} */
function questionText(question) {
  const { played, lost, deck, move_number: number } = question;
  if (!played) return translation(`${question.side}Turn`);
  const values = { number, name: played, lost: Math.round(100 * lost) };
  return translation(deck ? "otherPlayed" : "youPlayed", values);
}

/** @param {Line} line @param {number} index @param {TrainQuestion} question */
function lineElement({ label, before, moves }, index, question) {
  const blackBegins = sideAfter(question.fen, question.moves.length + before.length) === "black";
  const names = { zh: moves.map(({ zh }) => zh), en: moves.map(({ en }) => en) };
  const steps = moveButtons(names, blackBegins, (at) => ({ line: index, count: at + 1 }));
  return createElement("p", {}, createElement("b", {}, bilingual(translation(label))), " ", ...steps);
}

function renderExercise() {
  byId("exerciseParts").hidden = !exercise;
  if (!exercise) return;
  const { question, left, phase, said, reason, lines, isBest, wasWrong, hints, rating } = exercise;
  const { game, flagged, note } = question;
  const [number, count] = chosenCount ? [chosenCount - left + 1, chosenCount] : [question.number, question.count];
  const isOver = phase === "right" || phase === "shown";
  const about = [count > 1 ? `${number} / ${count}` : "", game.title, game.date.replaceAll(".", "-")].filter(Boolean).join(" · ");
  setText(byId("trainNews"), { zh: about, en: about });
  setText(byId("exerciseText"), questionText(question), isOver ? null : translation("findBetter"));
  byId("exerciseText").className = question.side;
  setText(byId("exerciseSaid"), said);
  byId("exerciseSaid").className = `said is-${phase}`;
  setText(byId("exerciseWhy"), reason);
  byId("exerciseLines").replaceChildren(...lines.map((line, index) => lineElement(line, index, question)));
  setText(byId("exerciseNote"), isOver && note ? { zh: note, en: note } : null);
  byId("goOnExercise").hidden = !isOver && phase !== "wrong";
  setText(byId("goOnExercise"), translation(phase === "wrong" ? "again" : "next"));
  byId("easyExercise").hidden = !isOver || wasWrong || hints > 0 || !rating;
  byId("hintExercise").hidden = phase !== "ask" && phase !== "judge";
  setReason(byId("hintExercise"), phase !== "ask" ? translation("thinking") : hints === 2 ? translation("noMoreHints") : null);
  byId("showExercise").hidden = phase === "shown" || phase === "right" && isBest;
  setReason(byId("showExercise"), phase === "judge" ? translation("thinking") : null);
  byId("cardDeeds").hidden = !isOver;
  byId("gameOfCard").hidden = !game.id;
  setPressed(byId("flagCard"), flagged);
}

export function bindExercise() {
  screens.exercise = {
    render: renderExercise,
    enter: () => { if (!exercise) nextQuestion(); else if (exercise.phase === "ask") askAgain(); },
    leave: () => { sendAnswer(); if (exercise && exercise.phase !== "ask") exercise = null; },
  };
  onEvents(onTrial);
  addEventListener("pagehide", () => { sendAnswer(true); });
  byId("goOnExercise").addEventListener("click", goOn);
  byId("easyExercise").addEventListener("click", () => { if (exercise) exercise.rating = 4; goOn(); });
  byId("hintExercise").addEventListener("click", giveHint);
  byId("showExercise").addEventListener("click", showAnswer);
  byId("endExercise").addEventListener("click", endExercise);
  byId("dropCard").addEventListener("click", dropCard);
  byId("gameOfCard").addEventListener("click", openGameOfCard);
  byId("exerciseLines").addEventListener("click", onLineClick);
  byId("flagCard").addEventListener("click", () => {
    if (!exercise) return;
    const { question } = exercise;
    question.flagged = !question.flagged;
    ask("edit", { id: question.id, flagged: question.flagged });
    refresh();
  });
  byId("noteCard").addEventListener("click", () => { if (exercise) editCards([exercise.question], exercise.question, refresh); });
}
