// The board of all pages that show games: places the pieces of a position on the picture, and handles the common
// actions: flip the board, choose language and colours.
"use strict";

/** @type {(id: string) => any} */
const byId = (id) => document.getElementById(id);
/** @type {(selector: string) => any[]} */
const all = (selector) => [...document.querySelectorAll(selector)];
/** @type {SVGSVGElement} */
const board = document.querySelector(".stage .board");
/** @type {boolean} */
let turned = false;

/** The pieces of a position: square to FEN letter. @param {string} fen @returns {Map<string, string>} */
function placed(fen) {
  const pieces = new Map();
  fen.split(" ")[0].split("/").forEach((row, down) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += Number(sign);
      else pieces.set("abcdefghi"[file++] + (9 - down), sign);
    }
  });
  return pieces;
}

/** The centre of a square in the picture. @param {string} square @returns {[number, number]} */
function spot(square) {
  const [file, rank] = ["abcdefghi".indexOf(square[0]), Number(square[1])];
  return turned ? [50 * (8 - file), 50 * rank] : [50 * file, 50 * (9 - rank)];
}

/** @param {string} drawing @param {string} square */
function use(drawing, square) {
  const [x, y] = spot(square);
  return `<use href="#${drawing}" x="${x}" y="${y}"/>`;
}

/** From the edge of the piece, which stays readable, almost to the centre of the target.
 * @param {string} move @param {string} kind @param {string} colour */
function arrow(move, kind, colour) {
  const [[x0, y0], [x1, y1]] = [spot(move.slice(0, 2)), spot(move.slice(2))];
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (!length) return "";
  const along = (by) => `${(x0 + ((x1 - x0) * by) / length).toFixed(1)} ${(y0 + ((y1 - y0) * by) / length).toFixed(1)}`;
  return `<path d="M${along(21)}L${along(length - 5)}" fill="none" stroke="${colour}" stroke-width="7"
    stroke-linecap="round" opacity=".72" marker-end="url(#head-${kind})"/>`;
}

/** The pieces after these moves. @param {string} fen @param {string[]} moves @returns {Map<string, string>} */
function after(fen, moves) {
  const pieces = placed(fen);
  for (const move of moves) {
    const [from, to] = [move.slice(0, 2), move.slice(2)];
    pieces.set(to, pieces.get(from));
    if (from !== to) pieces.delete(from);
  }
  return pieces;
}

/** The pieces as they are drawn. */
let drawnPieces = "";

/** Shows the position after these moves, with these arrows.
 * @param {string} fen @param {string[]} moves @param {string} arrows */
function drawBoard(fen, moves, arrows) {
  const pieces = after(fen, moves);
  const last = moves.length ? moves[moves.length - 1] : "";
  const marks = last ? use("mark-from", last.slice(0, 2)) + use("mark-to", last.slice(2)) : "";
  board.querySelector(".wood").setAttribute("href", turned ? "#board-black" : "#board-red");
  const drawing = [...pieces].map(([square, letter]) => use(`piece-${letter}`, square)).join("");
  // Running animations are not interrupted if nothing has changed.
  if (drawing !== drawnPieces) board.querySelector(".pieces").innerHTML = drawing;
  drawnPieces = drawing;
  board.querySelector(".marks").innerHTML = marks;
  board.querySelector(".arrows").innerHTML = arrows;
}

function turnBoard() {
  turned = !turned;
  document.body.classList.toggle("turned", turned);
}

/** Scrolls the list of moves, never the page. @param {HTMLElement} move @param {HTMLElement} list */
function reveal(move, list = byId("moves")) {
  const top = move.offsetTop;
  if (top < list.scrollTop || top + move.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

/** Binds actions to keys and to the buttons that name them.
 * @param {Object<string, () => void>} deeds @param {Object<string, string>} keys */
function listen(deeds, keys) {
  document.addEventListener("keydown", (event) => {
    const deed = keys[event.key];
    if (!deed || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target instanceof Element && target.closest("select, input, textarea")) return;
    // What has the focus is pressed by the space bar.
    if (event.key === " " && target instanceof Element && target.closest("button, summary, a")) return;
    deeds[deed]();
    event.preventDefault();
  });
  for (const button of all("[data-go]")) button.addEventListener("click", () => deeds[button.dataset.go]());
}

/** The wheel steps through a game; a click or touch on the curve goes to that move.
 * @param {Object<string, () => void>} deeds @param {(part: number) => void} goTo */
function follow(deeds, goTo) {
  board.addEventListener("wheel", (event) => {
    deeds[event.deltaY > 0 ? "on" : "back"]();
    event.preventDefault();
  }, { passive: false });
  const curve = byId("curve");
  const go = (event) => {
    const { left, width } = curve.getBoundingClientRect();
    goTo((event.clientX - left) / width);
  };
  curve.addEventListener("pointerdown", (event) => { curve.setPointerCapture(event.pointerId); go(event); });
  curve.addEventListener("pointermove", (event) => { if (event.buttons) go(event); });
}

byId("language").addEventListener("click", () => {
  const root = document.documentElement;
  root.lang = root.dataset.language = root.dataset.language === "zh" ? "en" : "zh";
});

byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

document.body.classList.add("alive");
