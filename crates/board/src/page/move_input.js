// Moves pieces by click, drag, touch or keyboard. `allow` sets the legal moves; while a position is set up, `hand.edit`
// is asked instead.

const NAMES = { k: "king", a: "advisor", b: "bishop", n: "horse", r: "rook", c: "cannon", p: "pawn" };
/** @typedef {{press: (square: string) => void, drag: (from: string, to: string) => void}} Editing */
/** @type {any} */
const hand = { legal: [], forbidden: [], pieces: new Map(), move: null, chosen: "", cursor: "", check: "", drag: null, edit: null };

const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
layer.setAttribute("class", "hand");
board.append(layer);
board.setAttribute("tabindex", "0");
board.setAttribute("role", "application");

/** Sets the position and its legal moves; `move` is called with the move made.
 * @param {Map<string, string>} pieces @param {string[]} legal @param {string | null} check
 * @param {((move: string) => void) | null} move @param {string[]} forbidden */
function allow(pieces, legal, check, move, forbidden = []) {
  Object.assign(hand, { pieces, legal, check, move, forbidden, drag: null });
  if (!targets(hand.chosen).length) hand.chosen = "";
  board.classList.toggle("live", legal.length > 0);
  drawHand();
}

/** @type {(square: string) => string[]} */
const targets = (square) => hand.legal.filter((move) => square && move.startsWith(square)).map((move) => move.slice(2));

/** Names the board for those who do not see it. @param {Both | null} last The last move. */
function nameBoard(last) {
  board.setAttribute("aria-label", [words("board"), last].filter(Boolean).map(plain).join(" "));
}

// The overlay: the selected piece, its targets, the king in check, the keyboard cursor.
function drawHand() {
  const circle = (square, kind, radius) => {
    const [x, y] = spot(square);
    return `<circle class="${kind}" cx="${x}" cy="${y}" r="${radius}"/>`;
  };
  let marks = hand.check ? circle(hand.check, "checked", 25) : "";
  if (hand.chosen) marks += circle(hand.chosen, "chosen", 24);
  for (const square of targets(hand.chosen)) {
    // Moves that lose at once by the repetition rules are marked.
    if (hand.forbidden.includes(hand.chosen + square)) marks += circle(square, "forbidden", 12);
    else marks += hand.pieces.has(square) ? circle(square, "prey", 24) : circle(square, "target", 8);
  }
  if (hand.cursor) marks += circle(hand.cursor, "cursor", 27);
  layer.innerHTML = marks;
  board.classList.toggle("choosing", Boolean(hand.chosen));
}

/** The square under the pointer. @param {PointerEvent} event @returns {[string, DOMPoint]} */
function under(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
  const [file, row] = [Math.round(at.x / 50), Math.round(at.y / 50)];
  if (file < 0 || file > 8 || row < 0 || row > 9) return ["", at];
  return ["abcdefghi"[turned ? 8 - file : file] + (turned ? row : 9 - row), at];
}

/** The element of the piece on a square. @param {string} square */
function drawingOn(square) {
  const [x, y] = spot(square);
  return board.querySelector(`.pieces use[x="${x}"][y="${y}"]`);
}

/** Takes up the piece on a square, if it may move; says where to. @param {string} square */
function choose(square) {
  const to = targets(square);
  hand.chosen = to.length ? square : "";
  if (hand.chosen) speak(`${told(square)}: ${plain(words("mayGo", { squares: to.map(told).join(", ") }))}`);
  drawHand();
}

/** Makes the move from the selected square to this one, if it is legal. @param {string} square @returns {boolean} */
function go(square) {
  if (!targets(hand.chosen).includes(square)) return false;
  const move = hand.chosen + square;
  hand.chosen = "";
  hand.move(move);
  return true;
}

/** Whether what has the focus was pointed at and not reached by keys: then arrow keys step through the game. */
let pointed = false;
document.addEventListener("pointerdown", () => { pointed = true; }, true);
document.addEventListener("keydown", (event) => { if (event.key === "Tab") pointed = false; }, true);

/** Whether the last press has made a move. */
let playedByPress = false;

board.addEventListener("pointerdown", (event) => {
  hand.cursor = "";
  // The keys are those of the board from here on.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (event.button !== 0 || !event.isPrimary) return;
  const [square] = under(event);
  // A click removes the keyboard cursor.
  if (event.pointerType === "mouse") event.preventDefault();
  playedByPress = Boolean(square) && !hand.edit && go(square);
  if (!square || playedByPress) return;
  const again = square === hand.chosen;
  if (!hand.edit) choose(square);
  if (!hand.chosen && !hand.edit) return;
  hand.drag = { square, again, from: [event.clientX, event.clientY], moving: false, piece: drawingOn(square) };
  board.setPointerCapture(event.pointerId);
});

// The click that follows a touch would hit what the end of a game puts there, such as the button of a rematch.
board.addEventListener("touchstart", (event) => { if (playedByPress) event.preventDefault(); }, { passive: false });

board.addEventListener("pointermove", (event) => {
  const { drag } = hand;
  if (!drag) return;
  drag.moving ||= Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) > 4;
  if (!drag.moving || !drag.piece) return;
  const [, at] = under(event);
  if (drag.piece.nextSibling) drag.piece.parentNode.append(drag.piece);
  drag.piece.classList.add("lifted");
  drag.piece.setAttribute("x", at.x);
  drag.piece.setAttribute("y", at.y);
});

board.addEventListener("pointerup", (event) => {
  const { drag } = hand;
  hand.drag = null;
  if (!drag) return;
  const [square] = under(event);
  if (hand.edit) {
    if (drag.moving && drag.piece) { putBack(drag); return hand.edit.drag(drag.square, square); }
    return hand.edit.press(drag.square);
  }
  if (!drag.moving) return drag.again ? choose("") : undefined;
  putBack(drag);
  glides = false;
  if (!go(square)) choose("");
});

board.addEventListener("pointercancel", () => { if (hand.drag) putBack(hand.drag); hand.drag = null; });

function putBack({ piece, square }) {
  piece?.classList.remove("lifted");
  const [x, y] = spot(square);
  piece?.classList.remove("lifted");
  piece?.setAttribute("x", x);
  piece?.setAttribute("y", y);
}

// --- keyboard ---

/** The contents of a square in words. @param {string} square */
function told(square) {
  const letter = hand.pieces.get(square);
  if (!letter) return `${square} ${plain(words("empty"))}`;
  const side = letter === letter.toLowerCase() ? "black" : "red";
  return `${square} ${plain(words(side))} ${plain(words(NAMES[letter.toLowerCase()]))}`;
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

board.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // Without a cursor the keys are those of the page.
  if (!hand.cursor) return;
  const step = STEPS[event.key];
  if (step) {
    const sign = turned ? -1 : 1;
    const file = "abcdefghi".indexOf(hand.cursor[0]) + sign * step[0];
    const rank = Number(hand.cursor[1]) + sign * step[1];
    if (file >= 0 && file < 9 && rank >= 0 && rank < 10) hand.cursor = "abcdefghi"[file] + rank;
    speak(told(hand.cursor));
  } else if (event.key === "Enter" || event.key === " ") {
    if (hand.edit) { hand.edit.press(hand.cursor); speak(told(hand.cursor)); }
    else if (!go(hand.cursor)) choose(hand.chosen === hand.cursor ? "" : hand.cursor);
  } else if (event.key === "Escape" && hand.chosen) {
    choose("");
  } else {
    return;
  }
  drawHand();
  event.preventDefault();
  event.stopPropagation();
});
board.addEventListener("focus", () => {
  if (pointed || !board.matches(":focus-visible")) return;
  hand.cursor ||= "e0";
  drawHand();
});
board.addEventListener("blur", () => { hand.cursor = ""; drawHand(); });

// --- animation ---

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** Whether the next move is animated; a dragged piece is not. @type {boolean} */
let glides = true;

/** Animates the piece of a move. @param {string} move */
function glide(move) {
  const piece = glides && !still.matches ? drawingOn(move.slice(2)) : null;
  glides = true;
  if (!piece) return;
  const [[x0, y0], [x1, y1]] = [spot(move.slice(0, 2)), spot(move.slice(2))];
  piece.parentNode.append(piece);
  piece.animate([{ transform: `translate(${x0 - x1}px, ${y0 - y1}px)` }, { transform: "none" }], { duration: 160, easing: "ease-out" });
}
