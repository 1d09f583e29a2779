// The engine's lines, one row each. A click on the number of a line unfolds it, on a move plays up to there; the pointer
// over a move shows its board.

import { board, byId } from "../../../../study/src/html_page/board.js";
import { closest, createButton, createElement, onClick, setText, translation } from "../core/elements.js";
import { scoreInWords, shortScore } from "../core/evaluations.js";
import { focusedByPointer } from "../core/board_input.js";
import { act, isSolving, modes, provide, state } from "../core/state.js";
import { isBlackToMove, moveButtons } from "../core/tree_view.js";

/** The numbers of the unfolded lines. @type {Set<number>} */
const unfolded = new Set();

export const clearPreview = () => { state.preview = null; };

/** @param {AnalysisLine} line @param {number} number */
function lineRow(line, number) {
  const blackBegins = isBlackToMove(state.node) !== state.engine.showsThreat;
  const steps = moveButtons(line.names, blackBegins, (index) => ({ line: line.moves.slice(0, index + 1).join(" ") }));
  // The tabulator reaches the first move of a line, the arrows the others.
  for (const step of steps.slice(1)) step.tabIndex = -1;
  const end = line.end ? [createElement("em", { className: "judge" }, line.end)] : [];
  const score = createButton("score", { number }, createElement("small", {}, String(number)), " ", shortScore(line.score));
  score.title = `${number}: ${scoreInWords(line.score)}`;
  // Who speaks to the page says what is seen.
  score.ariaLabel = `${number} ${shortScore(line.score)}: ${scoreInWords(line.score)}`;
  score.setAttribute("aria-expanded", String(unfolded.has(number)));
  const className = unfolded.has(number) ? "unfolded" : "";
  return createElement("li", { className }, score, createElement("div", {}, ...steps, ...end));
}

/** What the letters at the end of scores mean, of those that are shown. @param {AnalysisLine[]} lines */
const legend = (lines) => [["T", "tableScore"], ["R", "ruleScore"]]
  .filter(([letter]) => lines.some(({ score }) => score.endsWith(letter))).map(([, name]) => translation(name));

/** What the engine does, in words. @param {Analysis | null} shown @returns {string | null} */
function engineStatus(shown) {
  // The engine rests while a win is looked for.
  if (isSolving()) return null;
  if (!state.engine.isOn) return translation("engineOff");
  // Of a game that is over the verdict is told beside.
  if (state.facts?.verdict) return null;
  if (!shown) return translation("thinking");
  return translation("searchEffort", { depth: shown.depth, speed: `${Math.round(shown.speed / 1000)}k` });
}

/** The bar: red's chance, and the score in short. Of a game that is over it says who has won. */
function renderBar() {
  const { result } = state.facts ?? {};
  if (result && result !== "*") {
    return showBar({ "1-0": 1, "0-1": 0 }[result] ?? 0.5, { "1-0": "1–0", "0-1": "0–1" }[result] ?? "½");
  }
  const shown = state.engine.showsThreat ? null : state.analysis;
  if (!shown || shown.chance === null) return;
  showBar(shown.chance, shortScore(shown.lines[0]?.score ?? ""));
}

/** @param {number} chance Red's. @param {string} score It stands at the end of the side that is better. */
function showBar(chance, score) {
  byId("bar").style.height = `${100 * chance}%`;
  byId("barScore").textContent = score;
  byId("barScore").classList.toggle("of-black", chance < 0.5);
}

export function renderAnalysis() {
  const list = byId("lines");
  const shown = state.analysis;
  setText(byId("effort"), engineStatus(shown));
  renderBar();
  // The lines keep their place while there are none yet.
  list.style.setProperty("--lines", String(state.engine.isOn && !state.facts?.verdict ? state.engine.lines : 0));
  // Elements under the pointer are not replaced.
  if (shown && (state.preview || list.matches(":active") || list.querySelector(":focus-visible"))) return;
  const lines = state.engine.isOn && shown ? shown.lines : [];
  list.replaceChildren(...lines.map((line, index) => lineRow(line, index + 1)));
  setText(byId("legend"), ...legend(lines));
}

/** @param {Event} event */
function unfold(event) {
  const score = closest(event, ".score");
  if (!score) return;
  const number = Number(score.dataset.number);
  if (!unfolded.delete(number)) unfolded.add(number);
  score.setAttribute("aria-expanded", String(unfolded.has(number)));
  score.parentElement?.classList.toggle("unfolded", unfolded.has(number));
}

/** @param {KeyboardEvent} event */
function onLineKey(event) {
  const step = closest(event, ".step");
  const isArrow = event.key === "ArrowRight" || event.key === "ArrowLeft";
  if (!isArrow || focusedByPointer || !step) return;
  const next = event.key === "ArrowRight" ? step.nextElementSibling : step.previousElementSibling;
  if (next instanceof HTMLElement && next.matches(".step")) next.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** Shows the board after a part of a line, or no longer. @param {string | undefined} line */
function setPreview(line) {
  if (!modes[state.mode].analyses || (state.preview?.join(" ") ?? "") === (line ?? "")) return;
  state.preview = line ? line.split(" ") : null;
  act.drawAnalysis();
}

/** Shows and plays lines whose moves name them. @param {HTMLElement} list */
function bindSteps(list) {
  /** The line that a finger has touched last. @type {string | undefined} */
  let touched;
  /** @param {Event} event */
  const lineOf = (event) => closest(event, ".step")?.dataset.line;
  // A list that changes under a pointer at rest shows nothing.
  list.addEventListener("pointermove", (event) => { if (!state.engine.showsThreat && event.pointerType === "mouse") setPreview(lineOf(event)); });
  list.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") setPreview(undefined); });
  list.addEventListener("focusin", (event) => {
    if (!state.engine.showsThreat && closest(event, ".step")?.matches(":focus-visible")) setPreview(lineOf(event));
  });
  list.addEventListener("focusout", () => setPreview(undefined));
  list.addEventListener("click", (event) => {
    const line = lineOf(event);
    if (!line || state.engine.showsThreat) return;
    // A finger looks first.
    if (event instanceof PointerEvent && event.pointerType === "touch" && touched !== line) {
      touched = line;
      return setPreview(line);
    }
    touched = undefined;
    act.playLine(line.split(" "));
  });
}

export function bindLines() {
  onClick({ lines: unfold });
  byId("lines").addEventListener("keydown", onLineKey);
  board.addEventListener("pointerdown", () => setPreview(undefined), true);
  bindSteps(byId("lines"));
  bindSteps(byId("book"));
}

provide({ bindSteps });
