// Arrows and circles that the user draws with the right button; Shift and Alt choose other colours, the same one again
// erases it, a click on the board all of them.

import { board, squareCentre } from "../../../../study/src/html_page/board.js";
import { squareAt } from "./board_input.js";
import { act, state } from "./state.js";

/** The colours, by the keys that are held. */
const COLOURS = { plain: "#1f7a4d", shift: "#b3201a", alt: "#2b6cb0", both: "#b7791f" };
/** @typedef {{from: string, to: string, keys: keyof typeof COLOURS}} Shape */
/** The shapes by their squares. @type {Map<string, Shape>} */
const shapes = new Map();
/** Where a shape begins that is being drawn. */
let firstSquare = "";

const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");

/** The moves of the arrows that are drawn, for a picture. @returns {string[]} */
export const drawnArrows = () => [...shapes.values()].filter(({ from, to }) => from !== to).map(({ from, to }) => from + to);

/** @param {Shape} shape */
function shapeMarkup({ from, to, keys }) {
  const [[x0, y0], [x1, y1]] = [squareCentre(from), squareCentre(to)];
  const colour = COLOURS[keys];
  if (from === to) return `<circle cx="${x0}" cy="${y0}" r="23" stroke="${colour}"/>`;
  const length = Math.hypot(x1 - x0, y1 - y0);
  const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
  /** @param {number} along @param {number} across */
  const point = (along, across) => `${(x0 + dx * along - dy * across).toFixed(1)} ${(y0 + dy * along + dx * across).toFixed(1)}`;
  const head = `M${point(length - 3, 0)}L${point(length - 20, 10)}L${point(length - 20, -10)}Z`;
  return `<path d="M${point(14, 0)}L${point(length - 18, 0)}" stroke="${colour}"/><path class="head" d="${head}" fill="${colour}"/>`;
}

const drawShapes = () => { layer.innerHTML = [...shapes.values()].map(shapeMarkup).join(""); };

export function clearShapes() {
  if (!shapes.size) return;
  shapes.clear();
  drawShapes();
}

/** @param {PointerEvent} event */
function onPointerDown(event) {
  if (event.button === 0) return clearShapes();
  if (event.button !== 2) return;
  firstSquare = squareAt(event);
  board.setPointerCapture(event.pointerId);
  if (state.premove) act.setPremove(null);
}

/** @param {PointerEvent} event */
function onPointerUp(event) {
  if (event.button !== 2 || !firstSquare) return;
  const [from, to] = [firstSquare, squareAt(event)];
  firstSquare = "";
  if (!to) return;
  const keys = event.shiftKey ? (event.altKey ? "both" : "shift") : event.altKey ? "alt" : "plain";
  const known = shapes.get(from + to);
  shapes.delete(from + to);
  if (known?.keys !== keys) shapes.set(from + to, { from, to, keys });
  drawShapes();
}

export function bindShapes() {
  layer.setAttribute("class", "shapes");
  board.append(layer);
  board.addEventListener("contextmenu", (event) => event.preventDefault());
  board.addEventListener("pointerdown", onPointerDown);
  board.addEventListener("pointerup", onPointerUp);
}
