// Moves pieces by click, drag, touch or keyboard. `setMoves` sets the legal moves; while a position is set up,
// `moveInput.editor` is asked instead.

import { board, isFlipped, squareCentre } from "../../../../study/src/html_page/board.js";
import { COMMA, announce, translation } from "./elements.js";

/** @type {Record<string, string>} */
const PIECE_NAMES = { k: "king", a: "advisor", b: "bishop", n: "horse", r: "rook", c: "cannon", p: "pawn" };

/** Changes a position: a square is pressed, or a piece is dragged to another one, or off the board ("").
 * @typedef {{press: (square: string) => void, drag: (from: string, to: string) => void}} Editor */
/** @typedef {{square: string, wasSelected: boolean, from: [number, number], isMoving: boolean, piece: Element | null}} Drag */
/** What the board accepts, and what the user is doing: `selected` is the square of a lifted piece, `cursor` that of the
 * keyboard.
 * @typedef {{pieces: Pieces, legal: string[], forbidden: string[], check: string, onMove: ((move: string) => void) | null,
 *   selected: string, cursor: string, drag: Drag | null, editor: Editor | null}} MoveInput */

/** @type {MoveInput} */
export const moveInput = {
  pieces: new Map(), legal: [], forbidden: [], check: "", onMove: null, selected: "", cursor: "", drag: null, editor: null,
};

const overlay = document.createElementNS("http://www.w3.org/2000/svg", "g");

/** The pieces look as if they could be taken up until no move is legal for so long, in milliseconds. */
const REST = 300;
/** @type {number | undefined} */
let resting;

/** Sets the position and its legal moves; `onMove` is called with the move made.
 * @param {Pieces} pieces @param {string[]} legal @param {string | null} check
 * @param {((move: string) => void) | null} onMove @param {string[]} forbidden */
export function setMoves(pieces, legal, check, onMove, forbidden = []) {
  Object.assign(moveInput, { pieces, legal, check: check ?? "", onMove, forbidden, drag: null });
  if (!targets(moveInput.selected).length) moveInput.selected = "";
  clearTimeout(resting);
  if (legal.length) board.classList.add("live");
  // A browser computes every part of every piece anew for it: not in the frame that shows a move.
  else resting = setTimeout(() => board.classList.remove("live"), REST);
  drawOverlay();
}

/** @type {(square: string) => string[]} */
const targets = (square) => moveInput.legal.filter((move) => square && move.startsWith(square)).map((move) => move.slice(2));

/** With so many pieces or fewer, each is named. */
const FEW_PIECES = 12;

/** Names the board for those who do not see it. @param {string | null} lastMove */
export function labelBoard(lastMove) {
  const squares = [...moveInput.pieces.keys()].sort();
  const pieces = squares.length <= FEW_PIECES ? squares.map(describeSquare).join(COMMA) : "";
  board.setAttribute("aria-label", [translation("board"), pieces, lastMove].filter(Boolean).join(" "));
}

// The overlay: the selected piece, its targets, the king in check, the keyboard cursor.
function drawOverlay() {
  const { selected, check, cursor, forbidden, pieces } = moveInput;
  /** @param {string} square @param {string} kind @param {number} radius */
  const circle = (square, kind, radius) => {
    const [x, y] = squareCentre(square);
    return `<circle class="${kind}" cx="${x}" cy="${y}" r="${radius}"/>`;
  };
  let marks = check ? circle(check, "checked", 25) : "";
  if (selected) marks += circle(selected, "chosen", 24);
  for (const square of targets(selected)) {
    // Moves that lose at once by the repetition rules are marked.
    if (forbidden.includes(selected + square)) marks += circle(square, "forbidden", 12);
    else marks += pieces.has(square) ? circle(square, "prey", 24) : circle(square, "target", 8);
  }
  if (cursor) marks += circle(cursor, "cursor", 27);
  overlay.innerHTML = marks + (selected ? '<rect class="choice-of-square" x="-25" y="-25" width="450" height="500"/>' : "");
}

/** The place of the pointer in the picture. @param {PointerEvent} event */
const pointOf = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM()?.inverse());

/** The square under the pointer, "" if there is none. @param {PointerEvent} event @returns {string} */
export function squareAt(event) {
  const { x, y } = pointOf(event);
  const [file, row] = [Math.round(x / 50), Math.round(y / 50)];
  if (file < 0 || file > 8 || row < 0 || row > 9) return "";
  return "abcdefghi"[isFlipped ? 8 - file : file] + (isFlipped ? row : 9 - row);
}

/** The element of the piece on a square. @param {string} square */
function pieceElement(square) {
  const [x, y] = squareCentre(square);
  return board.querySelector(`.pieces use[x="${x}"][y="${y}"]`);
}

/** Selects the piece on a square, if it may move; says where to. @param {string} square */
function select(square) {
  const squares = targets(square);
  moveInput.selected = squares.length ? square : "";
  if (squares.length) {
    const may = translation("mayMoveTo", { squares: squares.map(describeSquare).join(", ") });
    announce(`${describeSquare(square)}: ${may}`);
  }
  drawOverlay();
}

/** Makes the move from the selected square to this one, if it is legal. @param {string} square @returns {boolean} */
function moveTo(square) {
  if (!targets(moveInput.selected).includes(square)) return false;
  const move = moveInput.selected + square;
  moveInput.selected = "";
  moveInput.onMove?.(move);
  return true;
}

/** Whether what has the focus was pointed at and not reached by keys: then arrow keys step through the game. */
export let focusedByPointer = false;

/** Whether the last press has made a move. */
let hasPressMoved = false;

/** @param {PointerEvent} event */
function onPointerDown(event) {
  moveInput.cursor = "";
  // The keys are those of the board from here on.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (event.button !== 0 || !event.isPrimary) return;
  const square = squareAt(event);
  // A click removes the keyboard cursor.
  if (event.pointerType === "mouse") event.preventDefault();
  hasPressMoved = Boolean(square) && !moveInput.editor && moveTo(square);
  if (!square || hasPressMoved) return;
  const wasSelected = square === moveInput.selected;
  if (!moveInput.editor) select(square);
  if (!moveInput.selected && !moveInput.editor) return;
  moveInput.drag = { square, wasSelected, from: [event.clientX, event.clientY], isMoving: false, piece: pieceElement(square) };
  board.setPointerCapture(event.pointerId);
}

/** @param {PointerEvent} event */
function onPointerMove(event) {
  const { drag } = moveInput;
  if (!drag) return;
  drag.isMoving ||= Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) > 4;
  if (!drag.isMoving || !drag.piece) return;
  const { x, y } = pointOf(event);
  if (drag.piece.nextSibling) drag.piece.parentNode?.append(drag.piece);
  drag.piece.classList.add("lifted");
  drag.piece.setAttribute("x", String(x));
  drag.piece.setAttribute("y", String(y));
}

/** @param {PointerEvent} event */
function onPointerUp(event) {
  const { drag, editor } = moveInput;
  moveInput.drag = null;
  if (!drag) return;
  const square = squareAt(event);
  if (editor) {
    if (!drag.isMoving || !drag.piece) return editor.press(drag.square);
    putBack(drag);
    return editor.drag(drag.square, square);
  }
  if (!drag.isMoving) {
    if (drag.wasSelected) select("");
    return;
  }
  putBack(drag);
  animatesNext = false;
  if (!moveTo(square)) select("");
}

/** @param {Drag} drag */
function putBack({ piece, square }) {
  const [x, y] = squareCentre(square);
  piece?.classList.remove("lifted");
  piece?.setAttribute("x", String(x));
  piece?.setAttribute("y", String(y));
}

// --- keyboard ---

/** The contents of a square in words. @param {string} square */
function describeSquare(square) {
  const letter = moveInput.pieces.get(square);
  if (!letter) return `${square} ${translation("empty")}`;
  const side = letter === letter.toLowerCase() ? "black" : "red";
  return `${square} ${translation(side)} ${translation(PIECE_NAMES[letter.toLowerCase()])}`;
}

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @param {KeyboardEvent} event */
function onKeyDown(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { cursor, editor } = moveInput;
  // Without a cursor the keys are those of the page.
  if (!cursor) return;
  const step = STEPS[event.key];
  if (step) {
    const sign = isFlipped ? -1 : 1;
    const file = "abcdefghi".indexOf(cursor[0]) + sign * step[0];
    const rank = Number(cursor[1]) + sign * step[1];
    if (file >= 0 && file < 9 && rank >= 0 && rank < 10) moveInput.cursor = "abcdefghi"[file] + rank;
    announce(describeSquare(moveInput.cursor));
  } else if (event.key === "Enter" || event.key === " ") {
    if (editor) { editor.press(cursor); announce(describeSquare(cursor)); }
    else if (!moveTo(cursor)) select(moveInput.selected === cursor ? "" : cursor);
  } else if (event.key === "Escape" && moveInput.selected) {
    select("");
  } else {
    return;
  }
  drawOverlay();
  event.preventDefault();
  event.stopPropagation();
}

// --- animation ---

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
/** Whether the next move is animated; a dragged piece is not. */
let animatesNext = true;

/** Animates the piece of a move. @param {string} move */
export function animateMove(move) {
  const piece = animatesNext && !reducedMotion.matches ? pieceElement(move.slice(2)) : null;
  animatesNext = true;
  if (!piece) return;
  const [[x0, y0], [x1, y1]] = [squareCentre(move.slice(0, 2)), squareCentre(move.slice(2))];
  piece.parentNode?.append(piece);
  piece.animate([{ transform: `translate(${x0 - x1}px, ${y0 - y1}px)` }, { transform: "none" }], { duration: 160, easing: "ease-out" });
}

export function bindMoveInput() {
  overlay.setAttribute("class", "hand");
  board.append(overlay);
  board.setAttribute("tabindex", "0");
  board.setAttribute("role", "application");
  /** @param {boolean} isPointed */
  const setPointed = (isPointed) => {
    focusedByPointer = isPointed;
    // Who points sees no frame around what was pressed.
    document.body.classList.toggle("pointed", isPointed);
  };
  document.addEventListener("pointerdown", () => setPointed(true), true);
  document.addEventListener("keydown", (event) => { if (event.key === "Tab") setPointed(false); }, true);
  board.addEventListener("pointerdown", onPointerDown);
  // The click that follows a touch would hit what the end of a game puts there, such as the button of a rematch.
  board.addEventListener("touchstart", (event) => { if (hasPressMoved) event.preventDefault(); }, { passive: false });
  board.addEventListener("pointermove", onPointerMove);
  board.addEventListener("pointerup", onPointerUp);
  board.addEventListener("pointercancel", () => { if (moveInput.drag) putBack(moveInput.drag); moveInput.drag = null; });
  board.addEventListener("keydown", onKeyDown);
  board.addEventListener("focus", () => {
    if (focusedByPointer || !board.matches(":focus-visible")) return;
    moveInput.cursor ||= "e0";
    drawOverlay();
  });
  board.addEventListener("blur", () => { moveInput.cursor = ""; drawOverlay(); });
}
