// What is shown of a game: players, clocks, moves and status, what was agreed before the first move, the opening. The lines
// of the players are there in every state, so that the board stays where it is.

import { byId, queryAll, scrollToMove } from "../../../../study/src/html_page/board.js";
import { LEVELS } from "../data.js";
import { createButton, createElement, keepCurrentInSight, queryButtons, setCurrent, setReason, setText, translation } from "../core/elements.js";
import { endText, renderEndCard } from "./end_card.js";
import { renderWelcome } from "./own_level.js";
import { labelBoard } from "../core/board_input.js";
import { shortScore } from "../core/evaluations.js";
import { nameOfMove, shownPly } from "./played_game.js";
import { isForTwo, isGuest, playerName, renderPlayers } from "../core/players.js";
import { act, state } from "../core/state.js";
import { transport } from "../core/transport.js";
import { timeOf } from "../core/tree_view.js";

// --- status and moves ---

/** Whether it is Chuhe's turn; it may have failed to move. @param {GameState} game */
const isEnginesTurn = ({ two, end, seat, side }) => !two && !end && seat !== "both" && seat !== side;

/** @param {Hint} hint */
export const hintText = ({ line, score }) => translation("hintLine", { line, score: shortScore(score) });

/** @param {GameState} game @returns {string[]} */
export function statusTexts(game) {
  const end = endText(game);
  if (end) return [end];
  const check = game.check ? [translation("check")] : [];
  if (state.viewedPly !== null) return [translation("earlierPosition")];
  if (state.proposedMove) return [translation("confirmMove")];
  if (game.thinking) return [...check, translation("thinking")];
  const turn = isEnginesTurn(game) ? [] : game.two ? act.twoTexts(game, game.two) : [translation(game.seat === "both" ? `${game.side}Turn` : "yourTurn")];
  const texts = [...check, ...turn];
  if (game.message) texts.push(game.message);
  if (!game.saved && !isGuest()) texts.push(translation("notSaved"));
  if (state.hint?.turn === game.turn) texts.push(hintText(state.hint));
  return texts;
}

/** @param {GameState} game */
export function renderMoves(game) {
  const black = game.start.split(" ")[1] === "b" ? 1 : 0;
  const first = Number(game.start.split(" ")[5]) || 1;
  /** @type {HTMLElement[]} */
  const rows = [];
  game.moves.forEach((_, index) => {
    const place = index + black;
    if (!rows.length || place % 2 === 0) rows.push(document.createElement("li"));
    const row = rows[rows.length - 1];
    if (!row.childNodes.length) {
      row.append(createElement("span", { className: "number" }, String(first + Math.floor(place / 2))));
      if (place % 2) row.append(createElement("span", { className: "gap" }, "…"));
    }
    row.append(createButton("move", { ply: index + 1, part: "move" }, nameOfMove(game, index), ...timeOf(game.times[index])));
  });
  byId("moves").replaceChildren(...rows);
}

/** What scrolls the moves of the game. */
const scroller = () => /** @type {HTMLElement} */ (byId("moves").parentElement);

function renderCurrentMove() {
  const [list, ply] = [byId("moves"), shownPly()];
  for (const move of queryAll("#moves .move")) {
    const isCurrent = Number(move.dataset.ply) === ply;
    move.classList.toggle("here", isCurrent);
    setCurrent(move, isCurrent);
    // Of the moves one is reached by the tabulator.
    move.tabIndex = isCurrent || !ply && move.dataset.ply === "1" ? 0 : -1;
    if (!isCurrent) continue;
    scrollToMove(move, scroller());
    if (list.contains(document.activeElement)) move.focus({ preventScroll: true });
  }
}

/** Why a request is not possible now. @param {GameState} game @param {string} name @returns {string | null} */
function reasonAgainst(game, name) {
  const { two, end, thinking, can_undo, legal } = game;
  if (name === "move-now") return thinking || isEnginesTurn(game) ? null : "yourTurn";
  if (two?.role === "watcher") return "onlyWatching";
  const tooEarly = game.moves.length ? null : "noMoveYet";
  if (name === "undo") return can_undo ? null : two && game.moves.length > 1 ? "askedAlready" : "noMoveYet";
  if (end) return "gameIsOver";
  if (name === "hint") return two ? "noHelp" : thinking || !legal.length ? "thinking" : null;
  return name === "offer-draw" && thinking ? "thinking" : tooEarly;
}

/** @param {GameState} game */
export function renderGame(game) {
  renderPlayers((side) => playerName(game, side), game.start, game.moves.slice(0, shownPly()), game.end ? null : game.side);
  setText(byId("status"), ...statusTexts(game));
  byId("confirming").hidden = !state.proposedMove;
  labelBoard(shownPly() ? nameOfMove(game, shownPly() - 1) : null);
  renderCurrentMove();
  const isAsked = game.thinking || isEnginesTurn(game);
  for (const button of queryButtons("[data-request]")) {
    const name = button.dataset.request ?? "";
    const reason = reasonAgainst(game, name);
    setReason(button, reason === null ? null : translation(reason));
    // A hint and the end of its thinking are never possible at once: they have one place.
    if (name === "move-now") button.hidden = !isAsked;
    if (name === "hint" && button.matches(".tile")) button.hidden = isAsked;
  }
  renderConditions(game);
  act.renderTwo(game);
}

// --- levels and conditions ---

/** The level of a game, 0 if its strength is none. @param {GameState} game */
export const levelOf = (game) => Number(game.strength.match(/^level (\d+)$/)?.[1] ?? 0);

/** The Elo of the strongest level that has one. */
const MOST_ELO = 3500;
/** The Elo of a level, which may be half a step between two. @param {number} level */
export function eloOfLevel(level) {
  const [low, high] = [Math.floor(level), Math.ceil(level)].map((step) => Number(LEVELS[step - 1]?.match(/\d{4}/)?.[0] ?? MOST_ELO));
  return 10 * Math.round((low + high) / 20);
}

/** A level in words. @param {number} level @returns {string} */
export const levelName = (level) => (
  Number.isInteger(level) ? `${level} · ${LEVELS[level - 1]}` : `${Math.floor(level)}½ · ${translation("eloNumber", { elo: eloOfLevel(level) })}`
);

/** The name of the opening, and of which game it is. @type {{start: string, moves: number, name: string | null}} */
let opening = { start: "", moves: 0, name: null };

/** Openings have names for about fifteen moves of each side. */
const OPENING_PLIES = 30;

/** @param {GameState} game */
async function requestOpening({ start, moves, rules }) {
  const isKnown = opening.start === start && opening.moves <= moves.length;
  if (isKnown && opening.moves === moves.length || moves.length > OPENING_PLIES && isKnown) return;
  opening = { start, moves: moves.length, name: isKnown ? opening.name : null };
  if (!moves.length) return;
  const query = { start, moves: moves.slice(0, OPENING_PLIES), rules };
  const facts = await transport.send("position-facts", query).catch(() => null);
  if (opening.start !== start || opening.moves !== moves.length) return;
  opening.name = facts?.opening ?? opening.name;
  if (state.mode === "play" && state.game) renderOpening(state.game);
}

/** @param {GameState} game */
function renderOpening(game) {
  const name = game.moves.length && opening.start === game.start ? opening.name : null;
  setText(byId("opening"), name);
}

/** A time control as minutes and seconds. @param {string} control @returns {string} */
function clockName(control) {
  const [, seconds, increment] = control.match(/^(\d+)\+(\d+)$/) ?? [];
  return seconds ? `${Number(seconds) / 60} + ${increment}` : control;
}

/** @param {GameState} game */
function renderConditions(game) {
  renderWelcome(game);
  byId("about").hidden = game.moves.length > 0 || Boolean(game.end);
  if (game.clocks) byId("aboutClock").textContent = clockName(game.clocks.control);
  else setText(byId("aboutClock"), translation("noClock"));
  byId("aboutRules").textContent = [...byId("lawOf").options].find((option) => option.value === game.rules)?.text ?? game.rules;
  renderEndCard(game);
  renderOpening(game);
  if (!isForTwo(game)) requestOpening(game);
}

export const bindPlayView = () => keepCurrentInSight(scroller());
