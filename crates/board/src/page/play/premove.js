// The premove: a move made while Chuhe thinks, played at once if it is legal then.

import { announce, translation } from "../core/elements.js";
import { provide, refresh, state } from "../core/state.js";

/** The squares that a piece may go to if nothing stands in its way. @param {string} letter @param {string} from */
function reachableSquares(letter, from) {
  const [file, rank] = ["abcdefghi".indexOf(from[0]), Number(from[1])];
  const isRed = letter === letter.toUpperCase();
  /** The rank as its own side counts it: its back rank is 0. @param {number} y */
  const ownRank = (y) => (isRed ? y : 9 - y);
  /** @param {number} x @param {number} y */
  const inPalace = (x, y) => x >= 3 && x <= 5 && ownRank(y) <= 2;
  /** @type {Record<string, (dx: number, dy: number, x: number, y: number) => boolean>} */
  const reaches = {
    k: (dx, dy, x, y) => dx + dy === 1 && inPalace(x, y),
    a: (dx, dy, x, y) => dx === 1 && dy === 1 && inPalace(x, y),
    b: (dx, dy, x, y) => dx === 2 && dy === 2 && ownRank(y) <= 4,
    n: (dx, dy) => dx * dy === 2,
    r: (dx, dy) => dx * dy === 0,
    c: (dx, dy) => dx * dy === 0,
    p: (dx, dy, x, y) => dx + dy === 1 && ownRank(y) >= ownRank(rank) && (dx === 0 || ownRank(rank) >= 5),
  };
  const squares = [];
  for (let x = 0; x < 9; x++) {
    for (let y = 0; y < 10; y++) {
      const isHere = x === file && y === rank;
      if (!isHere && reaches[letter.toLowerCase()](Math.abs(x - file), Math.abs(y - rank), x, y)) squares.push("abcdefghi"[x] + y);
    }
  }
  return squares;
}

/** All premoves of a side, also onto its own pieces, which may be taken until then.
 * @param {Pieces} pieces @param {Side} side @returns {string[]} */
export function premovesOf(pieces, side) {
  const own = [...pieces].filter(([, letter]) => (letter === letter.toUpperCase()) === (side === "red"));
  return own.flatMap(([from, letter]) => reachableSquares(letter, from).map((to) => from + to));
}

/** @param {string | null} move */
export function setPremove(move) {
  state.premove = move;
  if (state.mode === "play") refresh();
  if (move) announce(translation("premoveSet"));
}

/** Forgets the premove without drawing anything. */
export const clearPremove = () => { state.premove = null; };

/** The premove, which is forgotten; null if it cannot be played. @param {GameState} game @returns {string | null} */
export function takePremove(game) {
  const move = state.premove;
  state.premove = null;
  return move && game.legal.includes(move) ? move : null;
}

provide({ setPremove });
