// Rulings: repetitions of the association's rule book, and who loses by them.

import { byId } from "../../../../study/src/html_page/board.js";
import { announce, closest, createButton, createElement, onClick, queryButtons, setCurrent, setReason, setText, translation } from "../core/elements.js";
import { focusedByPointer } from "../core/board_input.js";
import { refresh, state } from "../core/state.js";
import { playOn, setScene, sideAfter } from "./train_scene.js";
import { ask, offset, openScreen, readToday, screens } from "./training.js";

async function nextRuling() {
  const after = state.ruling?.question.id;
  state.ruling = null;
  const { ruling: question } = await ask("rulings", { offset: offset(), ...after ? { after } : {} });
  if (state.screen !== "rulings") return;
  if (!question) return openScreen("today", true);
  state.ruling = { question, key: "", verdict: null };
  playMoves();
}

/** Shows the figure; once it is ruled, each move has arrows to what it threatens. */
function setFigure() {
  if (!state.ruling) return;
  const { question: { fen, moves }, verdict } = state.ruling;
  setScene(fen, []);
  const deeds = verdict?.deeds ?? [];
  const first = moves.length - deeds.length + 1;
  deeds.forEach(({ threats }, index) => { state.scene.threats[first + index] = threats; });
}

/** Plays the moves of the figure on the board. */
function playMoves() {
  if (!state.ruling) return;
  setFigure();
  playOn(state.ruling.question.moves);
  refresh();
}

/** Shows the position after a move of the repetition. @param {Event} event */
function onDeedClick(event) {
  const ply = closest(event, ".step")?.dataset.ply;
  if (!ply || !state.ruling) return;
  setFigure();
  Object.assign(state.scene, { moves: state.ruling.question.moves, ply: Number(ply) });
  refresh();
}

/** What each move of the repetition does. @param {RulingQuestion} question @param {Deed[]} deeds */
function deedRows({ fen, moves }, deeds) {
  const first = moves.length - deeds.length + 1;
  return deeds.map(({ move, text }, index) => {
    const ply = first + index;
    const isRed = sideAfter(fen, ply - 1) === "red";
    const step = createButton(isRed ? "step red" : "step", { ply }, move.name);
    setCurrent(step, state.scene.ply === ply);
    return createElement("li", {}, step, " ", text);
  });
}

/** @param {string} key */
async function answer(key) {
  const current = state.ruling;
  if (!current || current.verdict) return;
  const verdict = await ask("ruling-answer", { id: current.question.id, key, offset: offset() });
  if (state.ruling !== current || verdict.right === undefined) return;
  Object.assign(current, { key, verdict });
  playMoves();
  if (verdict.sentence) announce(verdict.sentence);
  if (!focusedByPointer) byId("nextRuling").focus();
  // On a phone the reason is below what is seen.
  byId("nextRuling").scrollIntoView({ block: "nearest" });
  readToday();
}

function renderRuling() {
  byId("rulingParts").hidden = !state.ruling;
  if (!state.ruling) return;
  const { question, key, verdict } = state.ruling;
  setText(byId("rulingText"), question.text);
  const list = byId("rulingChoices");
  if (list.dataset.of !== question.id) {
    list.dataset.of = question.id;
    list.replaceChildren(...question.choices.map((choice) => createButton("deed", { choice: choice.key }, choice.text)));
  }
  for (const button of queryButtons("#rulingChoices button")) {
    const { choice } = button.dataset;
    setReason(button, verdict && translation(verdict.right ? "rulingRight" : "rulingWrong"));
    button.classList.toggle("is-chosen", choice === key || choice === verdict?.answer);
  }
  setText(byId("rulingSaid"), verdict && translation(verdict.right ? "rulingRight" : "rulingWrong"));
  byId("rulingSaid").className = `said is-${verdict?.right ? "right" : "wrong"}`;
  setText(byId("rulingWhy"), verdict?.sentence, verdict?.article);
  byId("rulingDeeds").replaceChildren(...deedRows(question, verdict?.deeds ?? []));
  byId("nextRuling").hidden = !verdict;
}

export function bindRulings() {
  screens.rulings = { render: renderRuling, enter: () => { if (!state.ruling || state.ruling.verdict) nextRuling(); else playMoves(); } };
  byId("rulingChoices").addEventListener("click", (event) => {
    const key = closest(event, "button")?.dataset.choice;
    if (key) answer(key);
  });
  onClick({ nextRuling, playRuling: playMoves, rulingDeeds: onDeedClick });
}
