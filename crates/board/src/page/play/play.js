// A game against the engine: shows the state sent by the program, and sends actions.

import { arrow, byId, drawBoard, piecesAfter } from "../../../../study/src/html_page/board.js";
import { announce, closest, confirmNotice, onClick, queryButtons, showNotice, translation } from "../core/elements.js";
import { askUser } from "../core/undo_redo.js";
import { enterMode, flipTo, stepTo } from "../core/modes.js";
import { animateMove, setMoves } from "../core/board_input.js";
import { hintText, renderGame, renderMoves, statusTexts } from "./play_view.js";
import { gameHasChanged, isGameRunning, lastPly, nameOfMove, openGameIn, shownPly, treeOfGame } from "./played_game.js";
import { isBlackBelow, renderClocks, setClockStart } from "../core/players.js";
import { clearPremove, playPremove, premovesOf, setPremove } from "./premove.js";
import { onEvents, request } from "../core/session.js";
import { option, presentMove } from "../core/sound.js";
import { act, modes, provide, refresh, state } from "../core/state.js";
import { store } from "../core/store.js";

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
    presentMove(move, { captured, check: next.check, over: next.end, name, isShown: before.turn === sent.turn && move === sent.move });
    announce([name, ...statusTexts(next)].join(" "));
  }
  // Another turn, also of a program that was started again and counts anew.
  if (sent.turn !== next.turn) sent.turn = -1;
  if (state.premove && !next.thinking && next.legal.length) playPremove(next);
}

// --- user actions ---

/** Begins a game; returns what is wrong, if it does not begin. One that runs is kept before.
 * @param {Partial<GameOptions> & {seat: string, position: string, remote?: Side | null}} options @returns {Promise<string | null>} */
async function beginGame({ remote, ...options }) {
  const isKept = isGameRunning() && state.game?.saved;
  const usual = { clock: null, rules: byId("lawOf").value, strength: state.game?.strength ?? "level 8" };
  const game = { ...usual, ...options };
  const reply = await (remote ? request("new-shared-game", { ...game, remote }) : request("new-game", game));
  if (reply.error) return reply.error;
  [state.hint, state.proposedMove, state.viewedPly] = [null, null, null];
  clearPremove();
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
    enter: () => { if (state.game && !store.tab.get("turned")) flipTo(isBlackBelow(state.game)); },
  };
  addEventListener("pagehide", () => store.tab.set("ply", state.viewedPly === null ? "" : String(state.viewedPly)));
  setInterval(renderClocks, 100);
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
