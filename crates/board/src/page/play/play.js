// A game against the engine: shows the state sent by the program, and sends actions.

import { arrow, byId, drawBoard, piecesAfter, queryAll, scrollToMove } from "../../../../study/src/html_page/board.js";
import {
  announce, closest, confirmNotice, createButton, createElement, keepCurrentInSight, onClick, queryButtons, setCurrent, setReason, setText,
  showNotice, translation,
} from "../core/elements.js";
import { askUser } from "../core/undo_redo.js";
import { enterMode, flipTo, stepTo } from "../core/modes.js";
import { animateMove, labelBoard, setMoves } from "../core/board_input.js";
import { shortScore } from "../core/evaluations.js";
import { endText, renderEndCard } from "./end_card.js";
import { renderWelcome, suitStrength } from "./own_level.js";
import { USUAL_STRENGTH } from "../data.js";
import { gameHasChanged, isGameRunning, lastPly, nameOfMove, openGameIn, shownPly, treeOfGame } from "./played_game.js";
import { isBlackBelow, isForTwo, isGuest, playerName, renderClocks, renderPlayers, setClockStart } from "../core/players.js";
import { clearPremove, premovesOf, setPremove, takePremove } from "./premove.js";
import { forgetUnfinished, offerUnfinished, onEvents, request } from "../core/session.js";
import { option, presentMove } from "../core/sound.js";
import { act, modes, provide, refresh, state } from "../core/state.js";
import { store } from "../core/store.js";
import { transport } from "../core/transport.js";
import { timeOf } from "../core/tree_view.js";

// --- the board, and what the program says of the game ---

/** The moves that may be made now: premoves while Chuhe thinks.
 * @param {GameState} game @param {Pieces} pieces @returns {{legal: string[], onMove: ((move: string) => void) | null}} */
function allowedMoves(game, pieces) {
  if (state.viewedPly !== null || game.end || state.proposedMove || isSent(game)) return { legal: [], onMove: null };
  if (game.seat !== "both" && game.side !== game.seat && option("premove")) {
    return { legal: premovesOf(pieces, game.seat), onMove: setPremove };
  }
  return { legal: game.legal, onMove: option("confirm") ? proposeMove : playMove };
}

/** The move that is on its way to the program, and the turn of the game in which it was made: it is shown at once. */
const sent = { turn: -1, move: "" };
/** @param {GameState} game */
const isSent = (game) => sent.turn === game.turn && state.viewedPly === null;

/** @param {string} move */
function playMove(move) {
  if (sendMove(move)) animateMove(move);
}

/** Sends a move and shows it; whether there is a game to play it in. @param {string} move */
function sendMove(move) {
  state.hint = null;
  const { game } = state;
  if (!game) return false;
  Object.assign(sent, { turn: game.turn, move });
  drawGame(game);
  request("play", { move }).then(({ error, closed, lost }) => {
    if (!error && !closed && !lost) return;
    // It is not played.
    if (sent.turn === game.turn) sent.turn = -1;
    if (state.mode === "play") refresh();
  });
  return true;
}

/** @param {GameState} game */
function drawGame(game) {
  const moves = game.moves.slice(0, shownPly());
  if (state.proposedMove) moves.push(state.proposedMove);
  else if (isSent(game)) moves.push(sent.move);
  const isCurrent = state.viewedPly === null;
  const hintArrow = state.hint && state.hint.turn === game.turn && isCurrent && !game.end ? arrow(state.hint.move, "best", "#1f7a4d") : "";
  const premoveArrow = state.premove && isCurrent ? arrow(state.premove, "other", "#2b6cb0") : "";
  drawBoard(game.start, moves, hintArrow + premoveArrow);
  const pieces = piecesAfter(game.start, moves);
  const { legal, onMove } = allowedMoves(game, pieces);
  const isShown = isCurrent && !state.proposedMove && !isSent(game);
  setMoves(pieces, legal, isShown ? game.check : "", onMove, game.forbidden);
}

/** Shows a move and asks whether it is meant. @param {string} move */
function proposeMove(move) {
  state.proposedMove = move;
  refresh();
  animateMove(move);
  byId("confirmMove").focus();
}

/** @param {boolean} isConfirmed */
function answerProposal(isConfirmed) {
  const move = state.proposedMove;
  state.proposedMove = null;
  // It stands there already.
  if (isConfirmed && move) sendMove(move);
  refresh();
}

/** @param {ServerEvents} events */
function onGameEvents(events) {
  if (events.hint) state.hint = events.hint;
  if (events.game) return onGame(events.game);
  if (events.hint && state.mode === "play") { refresh(); announce(hintText(events.hint)); }
}

/** The ply that was looked at before the page was loaded again. @param {number} last */
function lastViewedPly(last) {
  const ply = store.tab.get("ply");
  return ply && Number(ply) < last ? Number(ply) : null;
}

/** @param {GameState} next */
function onGame(next) {
  const before = state.game;
  if (before && before.turn !== next.turn) state.proposedMove = null;
  state.game = next;
  const wasSent = before?.turn === sent.turn;
  // Another turn, also of a program that was started again and counts anew.
  if (sent.turn !== next.turn) sent.turn = -1;
  setClockStart();
  const isNew = !before || before.start !== next.start || before.moves.length > lastPly();
  const hasGrown = before && !isNew && lastPly() > before.moves.length;
  if (before && (isNew || hasGrown)) gameHasChanged();
  if (!before) state.viewedPly = lastViewedPly(lastPly());
  else if (isNew || hasGrown || (state.viewedPly ?? 0) >= lastPly()) state.viewedPly = null;
  renderMoves(next);
  if (state.mode !== "play") return;
  // The user's side is below, as long as the user does not flip the board.
  if (before ? isBlackBelow(before) !== isBlackBelow(next) : !store.tab.get("turned")) flipTo(isBlackBelow(next));
  if (state.premove && (isNew || next.end)) clearPremove();
  refresh();
  if (hasGrown) {
    const move = next.moves[lastPly() - 1];
    const captured = piecesAfter(next.start, next.moves.slice(0, -1)).has(move.slice(2));
    const name = nameOfMove(next, lastPly() - 1);
    presentMove(move, { captured, check: next.check, over: next.end, name, isShown: wasSent && move === sent.move });
    announce([name, ...statusTexts(next)].join(" "));
  }
  const premove = state.premove && !next.thinking && next.legal.length ? takePremove(next) : null;
  if (premove) playMove(premove);
}

// --- status and moves ---

/** Whether it is Chuhe's turn; it may have failed to move. @param {GameState} game */
const isEnginesTurn = ({ two, end, seat, side }) => !two && !end && seat !== "both" && seat !== side;

/** @param {Hint} hint */
const hintText = ({ line, score }) => translation("hintLine", { line, score: shortScore(score) });

/** @param {GameState} game @returns {string[]} */
function statusTexts(game) {
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
function renderMoves(game) {
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
function renderGame(game) {
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

// --- the opening, and what was agreed before the first move ---

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
  suitStrength(game);
  byId("about").hidden = game.moves.length > 0 || Boolean(game.end);
  if (game.clocks) byId("aboutClock").textContent = clockName(game.clocks.control);
  else setText(byId("aboutClock"), translation("noClock"));
  byId("aboutRules").textContent = [...byId("lawOf").options].find((option) => option.value === game.rules)?.text ?? game.rules;
  renderEndCard(game);
  renderOpening(game);
  if (!isForTwo(game)) requestOpening(game);
}

// --- user actions ---

/** Begins a game; returns what is wrong, if it does not begin. One that runs is kept before.
 * @param {Partial<GameOptions> & {seat: string, position: string, remote?: Side | null}} options @returns {Promise<string | null>} */
async function beginGame({ remote, ...options }) {
  const isKept = isGameRunning() && state.game?.saved;
  const usual = { clock: null, rules: byId("lawOf").value, strength: state.game?.strength ?? USUAL_STRENGTH };
  const game = { ...usual, ...options };
  const reply = await (remote ? request("new-shared-game", { ...game, remote }) : request("new-game", game));
  if (reply.error) return reply.error;
  [state.hint, state.proposedMove, state.viewedPly] = [null, null, null];
  clearPremove();
  forgetUnfinished();
  flipTo(options.two ? remote === "red" : options.seat === "black");
  enterMode("play");
  if (isKept) confirmNotice(translation("runningKept"));
  return null;
}

/** @param {SubmitEvent} event */
async function onTypedMove(event) {
  event.preventDefault();
  const field = byId("typed");
  const reply = await request("play", { move: field.value });
  if (!reply.error) { field.value = ""; showNotice(null); }
}

export function bindPlay() {
  modes.play = {
    drawBoard: () => { if (state.game) drawGame(state.game); },
    renderPanel: () => { if (state.game) renderGame(state.game); },
    ply: shownPly,
    lastPly,
    goTo: (ply) => { state.viewedPly = ply === lastPly() ? null : ply; },
    moves: () => state.game?.moves ?? [],
    enter: () => {
      if (state.game && !store.tab.get("turned")) flipTo(isBlackBelow(state.game));
      offerUnfinished();
    },
  };
  addEventListener("pagehide", () => store.tab.set("ply", state.viewedPly === null ? "" : String(state.viewedPly)));
  setInterval(renderClocks, 100);
  keepCurrentInSight(scroller());
  onEvents(onGameEvents);
  for (const button of queryButtons("[data-request]")) {
    button.addEventListener("click", async () => {
      const name = /** @type {RequestName} */ (button.dataset.request);
      // A person waits for the answer: a slip would be the end of the game.
      if (name === "resign" && state.game?.two && await askUser(translation("resignAsk"), ["resign", "cancel"]) !== "resign") return;
      request(name);
    });
  }
  byId("moves").addEventListener("click", (event) => {
    const move = closest(event, ".move");
    if (move) stepTo(Number(move.dataset.ply));
  });
  byId("typing").addEventListener("submit", onTypedMove);
  onClick({
    analyseGame: () => openGameIn("analyse"), confirmMove: () => answerProposal(true), refuseMove: () => answerProposal(false),
    keepGame: () => { if (state.game) act.keepInList(treeOfGame(state.game)); },
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || state.mode !== "play" || !state.game) return;
    if (state.premove) setPremove(null);
    else if (state.proposedMove) answerProposal(false);
  });
}

provide({ beginGame });
