// The exercise: a position before a mistake, and the search for a better move. A wrong one is refuted on the board, then
// it is tried again. Nothing of the answer is in the page before it is given.

import { board, byId } from "../../../../study/src/html_page/board.js";
import { announce, asks, closest, createElement, onClick, setPressed, setReason, setText, translation } from "../core/elements.js";
import { focusedByPointer } from "../core/board_input.js";
import { onEvents } from "../core/session.js";
import { recordedTitle } from "../core/players.js";
import { presentMove } from "../core/sound.js";
import { act, provide, refresh, state } from "../core/state.js";
import { dropCards, editCards } from "./train_cards.js";
import { expectMove, playOn, setScene, sideAfter } from "./train_scene.js";
import { ask, offset, openScreen, readToday, renderEntry, screens } from "./training.js";
import { transport } from "../core/transport.js";
import { nodeAtPly } from "../core/tree.js";
import { moveButtons } from "../core/tree_view.js";

/** Which cards are asked. @type {{deck?: string, kind?: CardKind, ids?: string[]}} */
let chosen = {};
/** How many of chosen cards there are. */
let chosenCount = 0;
/** The answers since the exercises began, and those that were right at once. */
export const session = { answers: 0, right: 0 };

/** So many moves of a line are shown. */
const SHOWN_MOVES = 6;

/** Asks one card after the other. @param {{deck?: string, kind?: CardKind, ids?: string[]}} which */
export function startExercise(which = {}) {
  chosen = which;
  chosenCount = which.ids?.length ?? 0;
  Object.assign(session, { answers: 0, right: 0 });
  state.exercise = null;
  openScreen("exercise");
}

async function nextQuestion() {
  await sendAnswer();
  const after = state.exercise?.question.id;
  // Chosen cards are asked once each.
  if (after && chosen.ids) chosen.ids = chosen.ids.filter((id) => id !== after);
  const { question, left = 0, error } = await ask("question", { ...chosen, ...after ? { after } : {}, offset: offset() });
  if (state.screen !== "exercise" || error) return;
  if (!question) return endExercise();
  if (question.kind === "ruling") {
    state.exercise = null;
    return openScreen("rulings", true);
  }
  state.exercise = {
    question, left, phase: "ask", tried: "", number: 0, isBest: false, wasWrong: false, hints: 0, rating: 0, said: null, reason: null, lines: [],
  };
  const { fen, moves, side, kind } = question;
  if (kind !== "opening" || !moves.length) return askAgain();
  // The other side makes its move.
  setScene(fen, moves.slice(0, -1), side);
  const current = state.exercise;
  playOn(moves.slice(-1), () => { if (state.exercise === current && current.phase === "ask") askAgain(); });
}

function endExercise() {
  openScreen("today", true);
  state.exercise = null;
  readToday();
}

/** The question is open again. */
function askAgain() {
  if (!state.exercise) return;
  const { question } = state.exercise;
  Object.assign(state.exercise, { phase: "ask", tried: "" });
  setScene(question.fen, question.moves, question.side);
  expectMove(question, tryMove);
  if (!focusedByPointer) board.focus();
  announce(byId("exerciseText").innerText);
}

/** @param {string} move */
function tryMove(move) {
  if (state.exercise?.phase !== "ask") return;
  const { fen, moves, id } = state.exercise.question;
  Object.assign(state.exercise, { phase: "judge", tried: move, number: Date.now(), said: translation("thinking"), lines: [], reason: null });
  setScene(fen, [...moves, move]);
  presentMove(move, {});
  ask("try", { id, move, number: state.exercise.number });
}

/** @param {ServerEvents} events */
function onTrial({ trial }) {
  if (!trial || state.exercise?.phase !== "judge" || trial.number !== state.exercise.number) return;
  if (trial.error) {
    state.exercise.said = trial.error;
    return askAgain();
  }
  if (trial.right) {
    state.exercise.isBest = trial.best;
    const said = state.exercise.question.kind === "opening" ? ["inLine", "alsoInLine"] : ["bestFound", "nearlyBest"];
    solve("right", translation(said[trial.best ? 0 : 1]), trial.reason, trial.line);
  } else refute(trial);
}

/** Shows what is wrong with the move that was tried. @param {TrainTrial} trial */
function refute({ lost, reply, reason, line: [{ name: move }] }) {
  if (!state.exercise) return;
  const [moves, share] = [reply.slice(0, SHOWN_MOVES), Math.round(100 * (lost ?? 0))];
  // Little more than what is right still is no number to look at.
  const isOpening = state.exercise.question.kind === "opening";
  const said = translation(isOpening ? "notInLine" : share < 5 ? "isWeaker" : "itLoses", { move, lost: share });
  Object.assign(state.exercise, { phase: "wrong", reason, said });
  state.exercise.lines = moves.length ? [{ label: isOpening ? "theLine" : "refutedBy", before: [state.exercise.tried], moves }] : [];
  if (!state.exercise.wasWrong) {
    Object.assign(state.exercise, { wasWrong: true, rating: 1 });
    sendAnswer();
  }
  playOn(moves.map(({ iccs }) => iccs));
  settled(state.exercise);
}

/** The question is answered, or its answer is shown. @param {"right" | "shown"} phase @param {string} said
 * @param {string | null} reason @param {NamedMove[]} line */
function solve(phase, said, reason, line) {
  if (!state.exercise) return;
  const [isFirst, moves] = [state.exercise.phase !== "right" && !state.exercise.wasWrong, line.slice(0, SHOWN_MOVES)];
  if (isFirst) state.exercise.rating = phase === "shown" ? 1 : state.exercise.hints ? 2 : 3;
  if (isFirst && phase === "shown") state.exercise.wasWrong = true;
  Object.assign(state.exercise, { phase, said, reason, lines: moves.length ? [{ label: "theLine", before: [], moves }] : [] });
  settled(state.exercise);
}

/** Tells the state of the question, also those who do not see it. @param {Exercise} current */
function settled({ said, reason }) {
  refresh();
  announce([said, reason].flatMap((text) => (text ? [text] : [])).join(" "));
  if (!focusedByPointer) byId("goOnExercise").focus();
}

/** Sends the answer, if there is one that was not sent. @param {boolean} isLeaving */
async function sendAnswer(isLeaving = false) {
  if (!state.exercise?.rating) return;
  const { question: { id }, rating, tried } = state.exercise;
  state.exercise.rating = 0;
  const fields = { id, rating, offset: offset(), ...tried ? { move: tried } : {} };
  if (isLeaving) return void await transport.send("train", { do: "answer", ...fields }, true);
  session.answers += 1;
  if (rating > 1) session.right += 1;
  const { left } = await ask("answer", fields);
  if (left !== undefined) renderEntry(left);
}

// --- what the person asks for ---

async function giveHint() {
  const current = state.exercise;
  if (current?.phase !== "ask") return;
  const step = current.hints ? 2 : 1;
  current.hints = step;
  const { from, to = null } = await ask("hint", { id: current.question.id, step });
  if (state.exercise !== current || current.phase !== "ask" || !from) return;
  state.scene.hint = { from, to };
  state.scene.ply = state.scene.moves.length;
  current.said = translation(to ? "hintSquare" : "hintPiece", { from, to: to ?? "" });
  refresh();
  announce(current.said);
}

async function showAnswer() {
  const current = state.exercise;
  if (!current || current.phase === "judge") return;
  const { best, line = [], reply = [], reason = null } = await ask("show", { id: current.question.id });
  if (state.exercise !== current || !best) return;
  const { fen, moves, played } = current.question;
  setScene(fen, moves);
  solve("shown", translation("thisIsBest", { move: line[0]?.name ?? best }), reason, line);
  if (played && reply.length) current.lines.push({ label: "gameRefutedBy", before: [played.iccs], moves: reply.slice(0, SHOWN_MOVES) });
  playOn([best]);
}

/** On to the next card, or to another try. */
function goOn() {
  if (state.exercise?.phase === "wrong") askAgain();
  else if (state.exercise && ["right", "shown"].includes(state.exercise.phase)) nextQuestion();
}

async function dropCard() {
  const id = state.exercise?.question.id;
  if (!id) return;
  state.exercise = null;
  await dropCards([id]);
  nextQuestion();
}

async function openGameOfCard() {
  const { game, ply } = state.exercise?.question ?? {};
  if (!game?.id || ply === undefined || !await act.openListedGame(game.id)) return;
  act.goToNode(nodeAtPly(ply));
}

/** Shows a part of a line on the board. @param {Event} event */
function onLineClick(event) {
  const { line, count } = closest(event, ".step")?.dataset ?? {};
  const shown = state.exercise?.lines[Number(line)];
  if (!state.exercise || !shown) return;
  const { fen, moves } = state.exercise.question;
  setScene(fen, [...moves, ...shown.before, ...shown.moves.map(({ iccs }) => iccs)]);
  state.scene.ply = moves.length + shown.before.length + Number(count);
  refresh();
}

// --- the panel ---

/** What is asked. @param {TrainQuestion} question @returns {string} */
function questionText(question) {
  const { player, played, lost, deck, move_number: number } = question;
  if (!played) return translation(`${question.side}Turn`);
  const values = { number, player: player ?? "", name: played.name, lost: Math.round(100 * lost) };
  return translation(player ? "playerPlayed" : deck ? "otherPlayed" : "youPlayed", values);
}

/** @param {Line} line @param {number} index @param {TrainQuestion} question */
function lineElement({ label, before, moves }, index, question) {
  const blackBegins = sideAfter(question.fen, question.moves.length + before.length) === "black";
  const names = moves.map(({ name }) => name);
  const steps = moveButtons(names, blackBegins, (at) => ({ line: index, count: at + 1 }));
  return createElement("p", {}, createElement("b", {}, translation(label)), " ", ...steps);
}

/** Shows what is beside a question, where there is room. @param {TrainQuestion} question @param {boolean} isOver */
async function showAround(question, isOver) {
  if (!byId("around").checkVisibility()) return;
  // Without a connection it is not there.
  const part = await import("./exercise_context.js").catch(() => null);
  if (state.exercise?.question === question) part?.renderAround(question, isOver);
}

function renderExercise() {
  byId("exerciseParts").hidden = !state.exercise;
  if (!state.exercise) return;
  const { question, left, phase, said, reason, lines, isBest, wasWrong, hints, rating } = state.exercise;
  const { game, flagged, note } = question;
  const [number, count] = chosenCount ? [chosenCount - left + 1, chosenCount] : [question.number, question.count];
  const isOver = phase === "right" || phase === "shown";
  const about = [count > 1 ? `${number} / ${count}` : "", recordedTitle(game.title), game.date.replaceAll(".", "-")].filter(Boolean).join(" · ");
  setText(byId("trainNews"), about);
  const wanted = translation(question.kind === "opening" ? "yourOpening" : "findBetter");
  setText(byId("exerciseText"), question.opening, questionText(question), isOver ? null : wanted);
  byId("exerciseText").className = question.side;
  setText(byId("exerciseSaid"), said);
  byId("exerciseSaid").className = `said is-${phase}`;
  setText(byId("exerciseWhy"), reason);
  byId("exerciseLines").replaceChildren(...lines.map((line, index) => lineElement(line, index, question)));
  setText(byId("exerciseNote"), isOver && note ? note : null);
  byId("goOnExercise").hidden = !isOver && phase !== "wrong";
  setText(byId("goOnExercise"), translation(phase === "wrong" ? "again" : "next"));
  byId("easyExercise").hidden = !isOver || wasWrong || hints > 0 || !rating;
  byId("hintExercise").hidden = phase !== "ask" && phase !== "judge";
  setReason(byId("hintExercise"), phase !== "ask" ? translation("thinking") : hints === 2 ? translation("noMoreHints") : null);
  byId("showExercise").hidden = phase === "shown" || phase === "right" && isBest;
  setReason(byId("showExercise"), phase === "judge" ? translation("thinking") : null);
  showAround(question, isOver);
  byId("cardDeeds").hidden = !isOver;
  byId("gameOfCard").hidden = !game.id;
  setPressed(byId("flagCard"), flagged);
}

export function bindExercise() {
  screens.exercise = {
    render: renderExercise,
    enter: () => { if (!state.exercise) nextQuestion(); else if (state.exercise.phase === "ask") askAgain(); },
    leave: () => { sendAnswer(); if (state.exercise && state.exercise.phase !== "ask") state.exercise = null; },
  };
  onEvents(onTrial);
  addEventListener("pagehide", () => { sendAnswer(true); });
  onClick({
    goOnExercise: goOn, easyExercise: () => { if (state.exercise) state.exercise.rating = 4; goOn(); }, hintExercise: giveHint,
    showExercise: showAnswer, endExercise, dropCard, gameOfCard: openGameOfCard, exerciseLines: onLineClick,
  });
  asks("train edit", byId("flagCard"), byId("noteCard"));
  asks("train drop", byId("dropCard"));
  byId("flagCard").addEventListener("click", () => {
    if (!state.exercise) return;
    const { question } = state.exercise;
    question.flagged = !question.flagged;
    ask("edit", { id: question.id, flagged: question.flagged });
    refresh();
  });
  onClick({ noteCard: () => { if (state.exercise) editCards([state.exercise.question], state.exercise.question, refresh); } });
}

provide({ startExercise });
