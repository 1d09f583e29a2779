// The board of all pages that show games: places the pieces of a position on the picture, and handles the common
// actions: flip the board, choose the colours. A module of the board page; pages that are one file have it in
// front of their own script, without the word `export`.

/** The element with this id.
 * @template {string} Id @param {Id} id @returns {ElementById<Id>} */
export const byId = (id) => /** @type {ElementById<Id>} */ (/** @type {unknown} */ (document.getElementById(id)));
/** @type {(selector: string) => HTMLElement[]} */
export const queryAll = (selector) => [...document.querySelectorAll(selector)].map((element) => /** @type {HTMLElement} */ (element));
/** @type {SVGSVGElement} */
export const board = /** @type {SVGSVGElement} */ (document.querySelector(".stage .board"));
/** Whether black is below. */
export let isFlipped = false;

/** The pieces of a position: square to FEN letter. @param {string} fen @returns {Pieces} */
export function piecesOf(fen) {
  const pieces = new Map();
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else pieces.set("abcdefghi"[file++] + (9 - index), letter);
    }
  });
  return pieces;
}

/** The centre of a square in the picture. @param {string} square @returns {[number, number]} */
export function squareCentre(square) {
  const [file, rank] = ["abcdefghi".indexOf(square[0]), Number(square[1])];
  return isFlipped ? [50 * (8 - file), 50 * rank] : [50 * file, 50 * (9 - rank)];
}

/** @param {string} symbol @param {string} square */
function useOn(symbol, square) {
  const [x, y] = squareCentre(square);
  return `<use href="#${symbol}" x="${x}" y="${y}"/>`;
}

/** An arrow from the edge of the piece, which stays readable, almost to the centre of the target.
 * @param {string} move @param {string} kind @param {string} colour */
export function arrow(move, kind, colour) {
  const [[x0, y0], [x1, y1]] = [squareCentre(move.slice(0, 2)), squareCentre(move.slice(2))];
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (!length) return "";
  /** @param {number} distance */
  const point = (distance) => `${(x0 + ((x1 - x0) * distance) / length).toFixed(1)} ${(y0 + ((y1 - y0) * distance) / length).toFixed(1)}`;
  return `<path d="M${point(21)}L${point(length - 5)}" fill="none" stroke="${colour}" stroke-width="7"
    stroke-linecap="round" opacity=".72" marker-end="url(#head-${kind})"/>`;
}

/** The pieces after these moves. @param {string} fen @param {string[]} moves @returns {Pieces} */
export function piecesAfter(fen, moves) {
  const pieces = piecesOf(fen);
  for (const move of moves) {
    const [from, to] = [move.slice(0, 2), move.slice(2)];
    pieces.set(to, pieces.get(from) ?? "");
    if (from !== to) pieces.delete(from);
  }
  return pieces;
}

/** A layer of the picture. @param {string} selector */
const layer = (selector) => /** @type {SVGElement} */ (board.querySelector(selector));

/** What the layers show that are filled with text. @type {Map<string, string>} */
const filled = new Map();

/** Sets what a layer shows, unless it does. @param {string} selector @param {string} content */
function fill(selector, content) {
  if (filled.get(selector) === content) return;
  filled.set(selector, content);
  layer(selector).innerHTML = content;
}

/** Puts the pieces where they belong. Those that stay are not touched, and one that has moved is the same element: a browser
 * draws each that is new from the start. @param {Pieces} pieces */
function placePieces(pieces) {
  const stand = layer(".pieces");
  /** @param {string} symbol @param {string | null} x @param {string | null} y */
  const name = (symbol, x, y) => `${symbol} ${x} ${y}`;
  const wanted = new Map([...pieces].map(([square, letter]) => {
    const [x, y] = squareCentre(square).map(String);
    return [name(`#piece-${letter}`, x, y), { symbol: `#piece-${letter}`, x, y }];
  }));
  /** @type {Map<string, Element[]>} */
  const free = new Map();
  for (const use of [...stand.children]) {
    const symbol = use.getAttribute("href") ?? "";
    if (wanted.delete(name(symbol, use.getAttribute("x"), use.getAttribute("y")))) continue;
    free.set(symbol, [...free.get(symbol) ?? [], use]);
  }
  for (const { symbol, x, y } of wanted.values()) {
    const use = free.get(symbol)?.pop() ?? document.createElementNS("http://www.w3.org/2000/svg", "use");
    for (const animation of use.getAnimations()) animation.cancel();
    use.removeAttribute("class");
    for (const [attribute, value] of Object.entries({ href: symbol, x, y })) {
      if (use.getAttribute(attribute) !== value) use.setAttribute(attribute, value);
    }
    if (!use.parentNode) stand.append(use);
  }
  for (const use of [...free.values()].flat()) use.remove();
}

/** Shows the position after these moves, with these arrows.
 * @param {string} fen @param {string[]} moves @param {string} arrows */
export function drawBoard(fen, moves, arrows) {
  const pieces = piecesAfter(fen, moves);
  const last = moves.length ? moves[moves.length - 1] : "";
  const marks = last ? useOn("mark-from", last.slice(0, 2)) + useOn("mark-to", last.slice(2)) : "";
  const wood = isFlipped ? "#board-black" : "#board-red";
  if (layer(".wood").getAttribute("href") !== wood) layer(".wood").setAttribute("href", wood);
  placePieces(pieces);
  fill(".marks", marks);
  fill(".arrows", arrows);
}

export function flipBoard() {
  isFlipped = !isFlipped;
  document.body.classList.toggle("turned", isFlipped);
}

/** Scrolls the list of moves, never the page. @param {HTMLElement} move @param {HTMLElement} list */
export function scrollToMove(move, list = byId("moves")) {
  const top = move.offsetTop;
  if (top < list.scrollTop || top + move.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - (list.clientHeight - move.offsetHeight) / 2;
  }
}

/** Binds actions to keys and to the buttons that name them.
 * @param {Record<string, () => void>} actions @param {Record<string, string>} keys */
export function bindActions(actions, keys) {
  document.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target instanceof Element && target.closest("select, input, textarea")) return;
    // What has the focus is pressed by the space bar.
    if (event.key === " " && target instanceof Element && target.closest("button, summary, a")) return;
    actions[action]();
    event.preventDefault();
  });
  for (const button of queryAll("[data-go]")) button.addEventListener("click", () => actions[button.dataset.go ?? ""]());
}

/** The wheel steps through a game; a click or touch on the curve goes to that part of it.
 * @param {Record<string, () => void>} actions @param {(part: number) => void} goToPart */
export function bindWheelAndCurve(actions, goToPart) {
  board.addEventListener("wheel", (event) => {
    actions[event.deltaY > 0 ? "on" : "back"]();
    event.preventDefault();
  }, { passive: false });
  const curve = byId("curve");
  /** @param {PointerEvent} event */
  const go = (event) => {
    const { left, width } = curve.getBoundingClientRect();
    goToPart((event.clientX - left) / width);
  };
  curve.addEventListener("pointerdown", (event) => { curve.setPointerCapture(event.pointerId); go(event); });
  curve.addEventListener("pointermove", (event) => { if (event.buttons) go(event); });
}

document.getElementById("theme")?.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

document.body.classList.add("alive");
