// The moves of the opening book, in at most two rows: of two moves that mirror each other in a position that mirrors
// itself one is shown, with the share of both.

import { byId, piecesOf } from "../../../../study/src/html_page/board.js";
import { createButton } from "../core/elements.js";

/** @typedef {PositionFacts["book"][number]} BookMove */

/** @param {string} square */
export const mirrored = (square) => "ihgfedcba"["abcdefghi".indexOf(square[0])] + square[1];

/** @param {string} fen */
function isSymmetric(fen) {
  const pieces = piecesOf(fen);
  return [...pieces].every(([square, letter]) => pieces.get(mirrored(square)) === letter);
}

/** The moves with mirror images merged. @param {BookMove[]} book @param {string} fen @returns {BookMove[]} */
function mergeMirrored(book, fen) {
  if (!isSymmetric(fen)) return book;
  /** @type {Map<string, BookMove>} */
  const merged = new Map();
  for (const entry of book) {
    const image = merged.get(mirrored(entry.move.slice(0, 2)) + mirrored(entry.move.slice(2)));
    if (image) image.share += entry.share;
    else merged.set(entry.move, { ...entry });
  }
  return [...merged.values()].sort((a, b) => b.share - a.share);
}

/** @param {PositionFacts | null} facts */
export function renderBook(facts) {
  byId("book").replaceChildren(...mergeMirrored(facts?.book ?? [], facts?.fen ?? "9").map((entry) => createButton(
    "step", { line: entry.move }, entry.name, ` ${entry.share} % `, entry.opening ? entry.opening : "",
  )));
}
