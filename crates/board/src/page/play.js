// A game against the engine: shows the state sent by the program, and sends actions.

import { arrow, byId, drawBoard, piecesAfter } from "./board.js";
import { announce, closest, confirmNotice, localized, queryButtons, showNotice, translation } from "./elements.js";
import { keepInList } from "./game_list.js";
import { currentMode, enterMode, flipTo, modes, refresh, stepTo } from "./modes.js";
import { animateMove, setMoves } from "./move_input.js";
import { isGameRunning } from "./new_game.js";
import { renderClocks, renderGame, renderMoves, setClockStart, statusTexts } from "./play_view.js";
import { gameHasChanged, openGameIn, treeOfGame } from "./played_game.js";
import { clearPremove, playPremove, premove, premovesOf, setPremove } from "./premove.js";
import { onEvents, request } from "./session.js";
import { option, presentMove } from "./sound.js";
import { store } from "./store.js";
import { isBlackBelow } from "./two_players.js";

/** The state of the game, once the program has sent it. @type {GameState | null} */
export let game = null;
/** The ply that is looked at; null = the last one. @type {number | null} */
export let viewedPly = null;
/** @type {Hint | null} */
export let hint = null;
/** The move that waits to be confirmed, if moves are. @type {string | null} */
export let proposedMove = null;

const lastPly = () => game?.moves.length ?? 0;
export const shownPly = () => viewedPly ?? lastPly();

/** The moves that may be made now: premoves while Chuhe thinks.
 * @param {GameState} game @param {Pieces} pieces @returns {{legal: string[], onMove: ((move: string) => void) | null}} */
function allowedMoves(game, pieces) {
  if (viewedPly !== null || game.end || proposedMove) return { legal: [], onMove: null };
  if (game.seat !== "both" && game.side !== game.seat && option("premove")) {
    return { legal: premovesOf(pieces, game.seat), onMove: setPremove };
  }
  return { legal: game.legal, onMove: option("confirm") ? proposeMove : playMove };
}

/** @param {string} move */
function playMove(move) {
  hint = null;
  request("play", { move });
}

/** @param {GameState} game */
function drawGame(game) {
  const moves = game.moves.slice(0, shownPly());
  if (proposedMove) moves.push(proposedMove);
  const isCurrent = viewedPly === null;
  const hintArrow = hint && hint.turn === game.turn && isCurrent ? arrow(hint.move, "best", "#1f7a4d") : "";
  const premoveArrow = premove && isCurrent ? arrow(premove, "other", "#2b6cb0") : "";
  drawBoard(game.start, moves, hintArrow + premoveArrow);
  const pieces = piecesAfter(game.start, moves);
  const { legal, onMove } = allowedMoves(game, pieces);
  setMoves(pieces, legal, isCurrent && !proposedMove ? game.check : "", onMove, game.forbidden);
}

/** Shows a move and asks whether it is meant. @param {string} move */
function proposeMove(move) {
  proposedMove = move;
  refresh();
  animateMove(move);
  byId("confirmMove").focus();
}

/** @param {boolean} isConfirmed */
function answerProposal(isConfirmed) {
  const move = proposedMove;
  proposedMove = null;
  refresh();
  if (isConfirmed && move) request("play", { move });
}

/** @param {ServerEvents} events */
function onGameEvents(events) {
  if (events.hint) hint = events.hint;
  if (events.game) return onGame(events.game);
  if (events.hint && currentMode === "play") { refresh(); announce(localized(events.hint.text)); }
}

/** The ply that was looked at before the page was loaded again. @param {number} last */
function lastViewedPly(last) {
  const ply = store.tab.get("ply");
  return ply && Number(ply) < last ? Number(ply) : null;
}

/** @param {GameState} next */
function onGame(next) {
  const before = game;
  if (before && before.turn !== next.turn) proposedMove = null;
  game = next;
  setClockStart();
  const isNew = !before || before.start !== next.start || before.moves.length > lastPly();
  const hasGrown = before && !isNew && lastPly() > before.moves.length;
  if (before && (isNew || hasGrown)) gameHasChanged();
  if (!before) viewedPly = lastViewedPly(lastPly());
  else if (isNew || hasGrown || (viewedPly ?? 0) >= lastPly()) viewedPly = null;
  renderMoves(next);
  if (currentMode !== "play") return;
  // The user's side is below, as long as the user does not flip the board.
  if (before ? isBlackBelow(before) !== isBlackBelow(next) : !store.tab.get("turned")) flipTo(isBlackBelow(next));
  if (premove && (isNew || next.end)) clearPremove();
  refresh();
  if (hasGrown) {
    const move = next.moves[lastPly() - 1];
    const captured = piecesAfter(next.start, next.moves.slice(0, -1)).has(move.slice(2));
    const name = nameOfMove(next, lastPly() - 1);
    presentMove(move, { captured, check: next.check, over: next.end, name });
    announce([name, ...statusTexts(next)].map(localized).join(" "));
  }
  if (premove && !next.thinking && next.legal.length) playPremove(next);
}

/** @param {GameState} game @param {number} index @returns {Bilingual} */
export const nameOfMove = ({ names }, index) => ({ zh: names.zh[index], en: names.en[index] });

// --- user actions ---

/** Begins a game; returns what is wrong, if it does not begin. One that runs is kept before.
 * @param {Partial<GameOptions> & {seat: string, position: string}} options @returns {Promise<Bilingual | null>} */
export async function beginGame(options) {
  const isKept = isGameRunning() && game?.saved;
  const usual = { clock: null, rules: byId("lawOf").value, strength: game?.strength ?? "level 8" };
  const reply = await request("new-game", { ...usual, ...options });
  if (reply.error) return reply.error;
  [hint, proposedMove, viewedPly] = [null, null, null];
  clearPremove();
  flipTo(options.two ? options.two.remote === "red" : options.seat === "black");
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
    drawBoard: () => { if (game) drawGame(game); },
    renderPanel: () => { if (game) renderGame(game); },
    ply: shownPly,
    lastPly,
    goTo: (ply) => { viewedPly = ply === lastPly() ? null : ply; },
    moves: () => game?.moves ?? [],
    enter: () => { if (game && !store.tab.get("turned")) flipTo(isBlackBelow(game)); },
  };
  addEventListener("pagehide", () => store.tab.set("ply", viewedPly === null ? "" : String(viewedPly)));
  setInterval(renderClocks, 100);
  onEvents(onGameEvents);
  for (const button of queryButtons("[data-request]")) {
    button.addEventListener("click", () => request(/** @type {RequestName} */ (button.dataset.request)));
  }
  byId("moves").addEventListener("click", (event) => {
    const move = closest(event, ".move");
    if (move) stepTo(Number(move.dataset.ply));
  });
  byId("typing").addEventListener("submit", onTypedMove);
  byId("analyseGame").addEventListener("click", () => openGameIn("analyse"));
  byId("confirmMove").addEventListener("click", () => answerProposal(true));
  byId("refuseMove").addEventListener("click", () => answerProposal(false));
  byId("keepGame").addEventListener("click", () => { if (game) keepInList(treeOfGame(game)); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || currentMode !== "play" || !game) return;
    if (premove) setPremove(null);
    else if (proposedMove) answerProposal(false);
  });
}
