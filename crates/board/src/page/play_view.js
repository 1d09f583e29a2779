// What is shown of a game: players, clocks, moves and status, what was agreed before the first move, the opening, and what
// can be done at its end.

import { byId, isFlipped, piecesAfter, piecesOf, queryAll, scrollToMove } from "./board.js";
import { bilingual, createButton, createElement, queryButtons, setText, translation } from "./elements.js";
import { LEVELS } from "./data.js";
import { currentMode } from "./modes.js";
import { labelBoard } from "./move_input.js";
import { beginGame, game as currentGame, hint, nameOfMove, openGameIn, proposedMove, shownPly, viewedPly } from "./play.js";
import { request } from "./session.js";
import { transport } from "./transport.js";

// --- players and clocks ---

/** The pieces captured by a side. @param {GameState} game @param {Side} side @returns {string[]} */
function capturedPieces(game, side) {
  /** @param {Pieces} pieces @param {string} letter */
  const count = (pieces, letter) => [...pieces.values()].filter((other) => other === letter).length;
  const [before, now] = [piecesOf(game.start), piecesAfter(game.start, game.moves.slice(0, shownPly()))];
  const letters = side === "red" ? "rncabp" : "RNCABP";
  return [...letters].flatMap((letter) => Array(Math.max(0, count(before, letter) - count(now, letter))).fill(letter));
}

/** @param {GameState} game @param {Side} side */
function playerName(game, side) {
  if (game.seat === "both") return translation(side);
  if (game.seat === side) return translation("you");
  return { zh: `楚河 ${game.strength_name.zh}`, en: `Chuhe, ${game.strength_name.en}` };
}

/** The lines of the players, with the side of each.
 * @returns {[HTMLElement, Side][]} */
const playerLines = () => [[byId("above"), isFlipped ? "red" : "black"], [byId("below"), isFlipped ? "black" : "red"]];

/** @param {GameState} game */
function renderPlayers(game) {
  for (const [line, side] of playerLines()) {
    const [name, captured] = /** @type {[HTMLElement, HTMLElement]} */ ([line.querySelector("b"), line.querySelector(".taken")]);
    setText(name, playerName(game, side));
    line.className = `player ${side}${game.side === side && !game.end ? " turn" : ""}`;
    /** @param {string} letter */
    const drawing = (letter) => `<svg viewBox="-25 -25 50 50"><use href="#piece-${letter}"/></svg>`;
    captured.innerHTML = capturedPieces(game, side).map(drawing).join("");
  }
  renderClocks();
}

/** @param {number} milliseconds */
function clockText(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  const text = seconds < 20 ? (Math.floor(seconds * 10) / 10).toFixed(1).padStart(4, "0") : String(Math.floor(seconds % 60)).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${text}`;
}

/** When the program has sent the clocks, and whether it was asked since about one that has run out. */
const clockState = { sentAt: 0, isChecked: false };

/** To be called when the clocks have been sent. */
export const setClockStart = () => Object.assign(clockState, { sentAt: Date.now(), isChecked: false });

/** The clocks run between updates. */
export function renderClocks() {
  const game = currentGame;
  for (const [line, side] of playerLines()) {
    const clock = /** @type {HTMLElement} */ (line.querySelector("time"));
    clock.hidden = !game?.clocks;
    if (!game?.clocks) continue;
    const isRunning = game.side === side && !game.end;
    const left = game.clocks[side] - (isRunning ? Date.now() - clockState.sentAt : 0);
    clock.textContent = clockText(left);
    if (isRunning && left <= 0 && !clockState.isChecked) {
      clockState.isChecked = true;
      request("check-clock");
    }
  }
}

// --- status and moves ---

/** @type {Record<string, string>} */
const RESULTS = { "1-0": "redWins", "0-1": "blackWins" };

/** @param {GameState} game @returns {Bilingual[]} */
export function statusTexts(game) {
  if (game.end) return [translation(RESULTS[game.end.result] ?? "drawn"), game.end.text];
  const check = game.check ? [translation("check")] : [];
  if (viewedPly !== null) return [translation("earlierPosition")];
  if (proposedMove) return [translation("confirmMove")];
  if (game.thinking) return [...check, translation("thinking")];
  const texts = [...check, translation(game.seat === "both" ? `${game.side}Turn` : "yourTurn")];
  if (game.message) texts.push(game.message);
  if (!game.saved) texts.push(translation("notSaved"));
  if (hint?.turn === game.turn) texts.push(hint.text);
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
    row.append(createButton("move", { ply: index + 1 }, bilingual(nameOfMove(game, index))));
  });
  byId("moves").replaceChildren(...rows);
}

function renderCurrentMove() {
  const [list, ply] = [byId("moves"), shownPly()];
  for (const move of queryAll("#moves .move")) {
    const isCurrent = Number(move.dataset.ply) === ply;
    move.classList.toggle("here", isCurrent);
    // Of the moves one is reached by the tabulator.
    move.tabIndex = isCurrent || !ply && move.dataset.ply === "1" ? 0 : -1;
    if (!isCurrent) continue;
    scrollToMove(move, list);
    if (list.contains(document.activeElement)) move.focus({ preventScroll: true });
  }
}

/** @param {GameState} game */
export function renderGame(game) {
  const count = game.moves.length;
  renderPlayers(game);
  setText(byId("status"), ...statusTexts(game));
  byId("confirming").hidden = !proposedMove;
  byId("keepGame").hidden = game.saved || !count;
  labelBoard(shownPly() ? nameOfMove(game, shownPly() - 1) : null);
  renderCurrentMove();
  /** @type {Record<string, boolean>} */
  const isPossible = {
    "undo": game.can_undo, "hint": game.legal.length > 0 && !game.thinking, "move-now": game.thinking,
    "offer-draw": !game.end && !game.thinking && count > 0, "resign": !game.end && count > 0,
  };
  for (const button of queryButtons("[data-request]")) button.disabled = !isPossible[button.dataset.request ?? ""];
  const level = levelOf(game);
  if (level && document.activeElement !== byId("level")) byId("level").value = String(level);
  renderLevel();
  renderConditions(game);
}

// --- levels and conditions ---

/** The level of a game, 0 if its strength is none. @param {GameState} game */
const levelOf = (game) => Number(game.strength.match(/^level (\d+)$/)?.[1] ?? 0);

/** A level in words. @param {number} level @returns {Bilingual} */
export const levelName = (level) => ({ zh: `${level} · ${LEVELS[level - 1].zh}`, en: `${level} · ${LEVELS[level - 1].en}` });

export const renderLevel = () => setText(byId("class"), levelName(Number(byId("level").value)));

/** The name of the opening, and of which game it is. @type {{start: string, moves: number, name: Bilingual | null}} */
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
  if (currentMode === "play" && currentGame) renderOpening(currentGame);
}

/** @param {GameState} game */
function renderOpening(game) {
  const name = game.moves.length && opening.start === game.start ? opening.name : null;
  byId("opening").hidden = !name;
  if (name) setText(byId("opening"), name);
}

/** A time control as minutes and seconds. @param {string | undefined} control @returns {string} */
function clockName(control) {
  const [, seconds, increment] = control?.match(/^(\d+)\+(\d+)$/) ?? [];
  return seconds ? `${Number(seconds) / 60} + ${increment}` : control ?? "∞";
}

/** @param {GameState} game */
function renderConditions(game) {
  byId("about").hidden = game.moves.length > 0 || Boolean(game.end);
  byId("inviting").hidden = byId("about").hidden;
  const level = levelOf(game);
  setText(byId("aboutLevel"), level ? levelName(level) : game.strength_name);
  byId("aboutClock").textContent = clockName(game.clocks?.control);
  byId("aboutRules").textContent = [...byId("lawOf").options].find((option) => option.value === game.rules)?.text ?? game.rules;
  byId("ending").hidden = !game.end || viewedPly !== null;
  byId("swapSides").hidden = game.seat === "both";
  renderOpening(game);
  requestOpening(game);
}

/** @type {Record<Seat, Seat>} */
const OTHER_SEAT = { red: "black", black: "red", both: "both" };

export function bindPlayView() {
  /** Plays again under the same conditions. @param {(seat: Seat) => Seat} seatOf */
  const playAgain = (seatOf) => {
    if (!currentGame) return;
    const { seat, clocks, rules, strength, start } = currentGame;
    beginGame({ seat: seatOf(seat), clock: clocks?.control ?? null, rules, strength, position: start });
  };
  byId("rematch").addEventListener("click", () => playAgain((seat) => seat));
  byId("swapSides").addEventListener("click", () => playAgain((seat) => OTHER_SEAT[seat]));
  byId("reviewGame").addEventListener("click", async () => { if (await openGameIn("games")) byId("review").click(); });
}
