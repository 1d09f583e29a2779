// The board of the training: a position with the moves that led to it, what is shown behind them, and where a move is
// expected.

import { arrow, drawBoard, flipBoard, isFlipped, piecesAfter, squareCentre } from "../../../../study/src/html_page/board.js";
import { setMoves } from "../core/board_input.js";
import { presentMove } from "../core/sound.js";
import { refresh, state } from "../core/state.js";

/** How long each move is looked at that is played by itself, in milliseconds. */
const STEP = 750;
/** @type {number | undefined} */
let timer;

export const stopPlaying = () => clearTimeout(timer);

/** Turns the board, for this state alone. @param {boolean} isBlackBelow */
export function turnTo(isBlackBelow) {
  if (isFlipped !== isBlackBelow) flipBoard();
}

/** Shows a position after some moves; the side is below. @param {string} fen @param {string[]} moves @param {Side | null} side */
export function setScene(fen, moves, side = null) {
  stopPlaying();
  state.scene = { fen, moves, ply: moves.length, input: null, hint: null, threats: [] };
  if (side) turnTo(side === "black");
  refresh();
}

/** Expects a move in the position shown. @param {Expected} expected @param {(move: string) => void} onMove */
export function expectMove({ legal, forbidden, check }, onMove) {
  state.scene.input = { ply: state.scene.moves.length, legal, forbidden, check, onMove };
  refresh();
}

/** The side to move after these moves. @param {string} fen @param {number} plies @returns {Side} */
export const sideAfter = (fen, plies) => ((fen.split(" ")[1] === "b") === (plies % 2 === 0) ? "black" : "red");

/** Plays moves on the board one after the other, unless the person steps through them. @param {string[]} moves
 * @param {() => void} [whenDone] */
export function playOn(moves, whenDone = () => {}) {
  stopPlaying();
  Object.assign(state.scene, { moves: [...state.scene.moves, ...moves], input: null, hint: null });
  const shown = state.scene;
  const next = () => {
    if (state.scene !== shown) return;
    if (state.scene.ply === state.scene.moves.length) return whenDone();
    advance();
    timer = setTimeout(next, STEP);
  };
  timer = setTimeout(next, STEP);
}

/** Makes the next move that is there. */
function advance() {
  const move = state.scene.moves[state.scene.ply];
  const captured = piecesAfter(state.scene.fen, state.scene.moves.slice(0, state.scene.ply)).has(move.slice(2));
  state.scene.ply += 1;
  refresh();
  presentMove(move, { captured });
}

/** @param {{from: string, to: string | null}} hint */
function drawHint({ from, to }) {
  if (to) return arrow(from + to, "best", "#1f7a4d");
  const [x, y] = squareCentre(from);
  return `<circle cx="${x}" cy="${y}" r="25" fill="none" stroke="#1f7a4d" stroke-width="5"/>`;
}

export function drawScene() {
  const { fen, moves, ply, input, hint, threats } = state.scene;
  const shown = moves.slice(0, ply);
  const isAsked = input?.ply === ply;
  const arrows = (threats[ply] ?? []).map((move) => arrow(move, "bad", "#b3201a"));
  drawBoard(fen, shown, hint && isAsked ? drawHint(hint) : arrows.join(""));
  const pieces = piecesAfter(fen, shown);
  if (input && isAsked) setMoves(pieces, input.legal, input.check, input.onMove, input.forbidden);
  else setMoves(pieces, [], "", null);
}
