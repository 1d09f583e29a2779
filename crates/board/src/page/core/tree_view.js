// The tree of moves as players write it: red's and black's moves in two columns, comments below their move, variations
// indented.

import { byId, scrollToMove } from "../../../../study/src/html_page/board.js";
import { createButton, createElement, keepCurrentInSight, setCurrent, translation } from "./elements.js";
import { lossClass, showScore } from "./evaluations.js";
import { state } from "./state.js";
import { mainLine, SIGNS } from "./tree.js";

/** The number before a move: for red always, for black where a line begins.
 * @param {number} place The plies before it, counted from a red move. @param {boolean} begins @returns {string} */
export function numberText(place, begins) {
  const number = (Number(state.tree.start.split(" ")[5]) || 1) + Math.floor(place / 2);
  return place % 2 === 0 ? `${number}.` : begins ? `${number}…` : "";
}

/** The plies before the first move: one if black begins. */
export const firstPlace = () => (state.tree.start.split(" ")[1] === "b" ? 1 : 0);

/** How long a move took, as `7s` or `1:05`; what took less than a second is no news.
 * @param {number | null | undefined} seconds @param {string} className @returns {HTMLElement[]} */
export function timeOf(seconds, className = "") {
  if (!seconds) return [];
  const text = seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return [createElement("small", { className }, text)];
}

/** A move with its marks, score and time. @param {number} id @param {string} number */
export function moveButton(id, number = numberText(firstPlace() + state.tree.nodes[id].depth - 1, true)) {
  const { name, marks, time } = state.tree.nodes[id];
  const button = createButton("move", { node: id, part: "move" }, number ? `${number} ` : "", name ?? "");
  button.tabIndex = -1;
  for (const mark of marks.filter((mark) => SIGNS[mark])) button.append(createElement("i", { className: MARK_CLASSES[mark] ?? "" }, SIGNS[mark]));
  button.append(createElement("small", {}), ...timeOf(time, "time"));
  showEvaluation(button, id);
  return button;
}

/** Shows what the engine has found about a move beside it. @param {HTMLElement} button @param {number} id */
function showEvaluation(button, id) {
  const score = button.querySelector("small");
  if (score) showScore(score, id);
  button.dataset.loss = lossClass(id);
}

/** To be called when something was found about a node: it is shown there, and what its move has cost at its answers. @param {number} id */
export function evaluationFound(id) {
  for (const node of [id, ...state.tree.nodes[id].children]) {
    const button = queryMove(node);
    if (button) showEvaluation(button, node);
  }
}

/** @param {number} id @returns {HTMLElement | null} */
const queryMove = (id) => byId("tree").querySelector(`[data-node="${id}"]`);
/** @type {Record<number, string>} */
const MARK_CLASSES = { 1: "good", 3: "good", 2: "mistake", 4: "blunder", 6: "dubious" };

/** The deepest nesting of variations that is drawn. */
const MAX_DEPTH = 30;

/** The moves of a variation, in one paragraph, with its own variations below. Without recursion: files of strangers may
 * nest as they like. @param {number} first */
function variation(first) {
  const whole = createElement("div", { className: "branch" });
  /** @type {{box: HTMLElement, begin: number, depth: number}[]} */
  const waiting = [{ box: whole, begin: first, depth: 1 }];
  for (let next = 0; next < waiting.length; next++) {
    const { box, begin, depth } = waiting[next];
    let begins = true;
    for (let id = /** @type {number | undefined} */ (begin); id !== undefined; [id] = state.tree.nodes[id].children) {
      const { comment, parent } = state.tree.nodes[id];
      box.append(moveButton(id, numberText(firstPlace() + state.tree.nodes[id].depth - 1, begins)), " ");
      if (comment) box.append(createElement("q", {}, comment), " ");
      const others = id === begin ? [] : state.tree.nodes[parent].children.slice(1);
      for (const other of others) {
        const inner = createElement("div", { className: "branch" });
        box.append(inner);
        if (depth < MAX_DEPTH) waiting.push({ box: inner, begin: other, depth: depth + 1 });
        else inner.append(moveButton(other), " …");
      }
      begins = Boolean(comment) || others.length > 0;
    }
  }
  return whole;
}

/** So many plies of the main line are a part: of a long game only the parts in sight are drawn. It is even, so that each
 * begins with a new row. */
const PART_PLIES = 400;

/** A part of the main line as rows of two moves, with what interrupts it between.
 * @param {number[]} line The nodes of the part. @param {number} place The plies before it, counted from a red move. */
function treeRows(line, place) {
  const rows = document.createDocumentFragment();
  const base = (Number(state.tree.start.split(" ")[5]) || 1);
  /** @type {HTMLElement | null} */
  let row = null;
  for (const [index, id] of line.entries()) {
    const at = place + index;
    const { comment, parent } = state.tree.nodes[id];
    if (!row) {
      row = createElement("div", { className: "pair" }, createElement("span", { className: "number" }, String(base + Math.floor(at / 2))));
      if (at % 2) row.append(createElement("span", { className: "gap" }, "…"));
      rows.append(row);
    }
    row.append(moveButton(id, ""));
    const others = state.tree.nodes[parent].children.slice(1);
    if (comment) rows.append(createElement("q", {}, comment));
    for (const other of others) rows.append(variation(other));
    if (at % 2 || comment || others.length) row = null;
  }
  return rows;
}

/** What is in the page of a tree: its main line with the plies before each node, and its parts.
 * @typedef {{line: number[], places: Map<number, number>, parts: HTMLElement[]}} DrawnTree */

/** @type {DrawnTree} */
let drawn = { line: [], places: new Map(), parts: [] };

/** Draws the part with this number, unless it is drawn. @param {number} number */
function drawPart(number) {
  const part = drawn.parts[number];
  if (!part || part.childNodes.length) return;
  const from = Math.max(0, number * PART_PLIES - firstPlace());
  const to = (number + 1) * PART_PLIES - firstPlace();
  part.append(treeRows(drawn.line.slice(from, to), firstPlace() + from));
  part.style.minHeight = "";
  observer.unobserve(part);
}

// A part is drawn before it comes into sight.
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) drawPart(drawn.parts.findIndex((part) => part === target));
}, { root: byId("tree"), rootMargin: "100% 0px" });

/** The height of a row before one is drawn, in rem. */
const ROW_HEIGHT = 2;

function drawTree() {
  const list = byId("tree");
  const line = mainLine().slice(1);
  const count = Math.ceil((firstPlace() + line.length) / PART_PLIES);
  observer.disconnect();
  state.drawnTree = state.tree;
  drawn = { line, places: new Map(line.map((id, at) => [id, at])), parts: [] };
  const { comment } = state.tree.nodes[0];
  list.replaceChildren(...(comment ? [createElement("q", {}, comment)] : []));
  for (let number = 0; number < count; number++) {
    const part = createElement("div", { className: "part" });
    part.style.minHeight = `${(ROW_HEIGHT * Math.min(PART_PLIES, line.length - number * PART_PLIES)) / 2}rem`;
    drawn.parts.push(part);
    list.append(part);
    observer.observe(part);
  }
  if (count === 1) drawPart(0);
  if (!list.childNodes.length) list.append(createElement("p", { className: "faint" }, translation("noMoves")));
}

/** The number of the part in which a node is drawn: variations are with the move that they replace. @param {number} id */
function partOf(id) {
  let at = id;
  for (; at && !drawn.places.has(at); at = state.tree.nodes[at].parent) {
    const { parent } = state.tree.nodes[at];
    if (!parent || drawn.places.has(parent)) { [at] = state.tree.nodes[parent].children; break; }
  }
  return Math.floor((firstPlace() + (drawn.places.get(at) ?? 0)) / PART_PLIES);
}

/** The element of the current move, or of the first one: of all moves it is reached by the tabulator.
 * @type {HTMLElement | null} */
let currentButton = null;

export function renderTree() {
  const list = byId("tree");
  if (state.drawnTree !== state.tree) drawTree();
  const isFocused = list.contains(document.activeElement);
  if (currentButton) {
    currentButton.classList.remove("here");
    setCurrent(currentButton, false);
    currentButton.tabIndex = -1;
  }
  const number = partOf(state.node);
  drawPart(number);
  currentButton = drawn.parts[number]?.querySelector(state.node ? `[data-node="${state.node}"]` : ".move") ?? null;
  if (currentButton) currentButton.tabIndex = 0;
  if (!state.node || !currentButton) { list.scrollTop = 0; return; }
  currentButton.classList.add("here");
  setCurrent(currentButton, true);
  scrollToMove(currentButton, list);
  if (isFocused) currentButton.focus({ preventScroll: true });
}

export const bindTreeView = () => keepCurrentInSight(byId("tree"));

/** Whether black moves first in the lines of a node. @param {number} node */
export const isBlackToMove = (node) => (state.tree.start.split(" ")[1] === "b") !== (state.tree.nodes[node].depth % 2 === 1);

/** Buttons of the moves of a line. @param {string[]} names @param {boolean} blackBegins
 * @param {(index: number) => Record<string, string | number>} dataOf */
export const moveButtons = (names, blackBegins, dataOf) => names.map((name, index) => createButton(
  (index % 2 === 1) === blackBegins ? "step red" : "step", dataOf(index), name,
));
