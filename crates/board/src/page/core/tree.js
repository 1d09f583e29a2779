// The analysed game: a tree of moves with comments and marks. It survives a reload; every page has its own. Games may
// have 20,000 moves: nothing here takes more than one pass over them, and nothing is recursive.

import { change, forgetChanges } from "./undo_redo.js";
import { act, provide, refresh, state } from "./state.js";
import { store } from "./store.js";

/** The signs of marks, by their numbers. @type {Record<number, string>} */
export const SIGNS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
export const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/** @param {number} parent @param {string} move @param {string | null} name @returns {SentNode} */
export const newNode = (parent, move, name) => ({ parent, move, name, comment: "", marks: [] });

/** The tree with nothing but a position. @param {string} start @returns {SentTree} */
export const bareTree = (start) => ({ start, tags: [], result: "*", nodes: [newNode(0, "", null)] });

/** A tree from the form in which it is sent. @param {SentTree} sent @param {string} id Its id in the list of games.
 * @returns {GameTree} */
function treeOf({ start, tags, result, nodes }, id = "") {
  /** @type {TreeNode[]} */
  const moves = nodes.map((node) => ({ ...node, children: [], depth: 0 }));
  moves.forEach((node, id) => {
    if (!id) return;
    moves[node.parent].children.push(id);
    node.depth = moves[node.parent].depth + 1;
  });
  return { start, tags, result, nodes: moves, edited: false, id };
}

state.tree = treeOf(bareTree(START));

/** Puts another tree in the place of this one; that can be undone. @param {SentTree} sent @param {string} id */
export function loadTree(sent, id = "") {
  const [before, node, reviewBefore] = [state.tree, state.node, state.review];
  const next = treeOf(sent, id);
  /** @param {GameTree} value @param {number} at @param {Review | null} found */
  const put = (value, at, found) => () => { [state.tree, state.node] = [value, at]; state.review = found; };
  change(put(next, 0, null), put(before, node, reviewBefore), { isEdit: false });
  act.otherGameOpened();
  act.lookForReview();
}

/** The tree in the form in which it is sent, without removed nodes. @returns {SentTree} */
export function sentTree() {
  /** @type {SentNode[]} */
  const nodes = [];
  /** Nodes with the index of their parent. @type {[number, number][]} */
  const waiting = [[0, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [id, parent] = next;
    const { move, comment, marks, name, time, clock, children } = state.tree.nodes[id];
    const index = nodes.push({ parent, move, comment, marks, name, time, clock }) - 1;
    for (let at = children.length - 1; at >= 0; at--) waiting.push([children[at], index]);
  }
  return { start: state.tree.start, tags: state.tree.tags, result: state.tree.result, nodes };
}

/** The timer that saves the game. @type {number | undefined} */
let saveTimer;

/** What is drawn of the tree is out of date. */
export const invalidateTree = () => { state.drawnTree = null; };

/** To be called after every change of the tree: draws it anew, and saves it soon. */
export function treeChanged() {
  invalidateTree();
  clearTimeout(saveTimer);
  saveTimer = setTimeout(saveTree, 500);
}

function saveTree() {
  clearTimeout(saveTimer);
  saveTimer = undefined;
  store.saveAnalysis(sentTree(), document.visibilityState === "hidden");
}

/** The game that was analysed before the page was loaded. @param {SentTree} sent */
export function restoreTree(sent) {
  [state.tree, state.node] = [treeOf(sent, store.tab.get("game") ?? ""), 0];
  if (sent.nodes.length > 1 || sent.start !== START) act.otherGameOpened();
  // A reload shows the position that was shown.
  for (const move of (store.tab.get("line") ?? "").split(" ")) state.node = childBy(state.node, move) ?? state.node;
  invalidateTree();
  forgetChanges();
  clearTimeout(saveTimer);
  if (state.mode !== "play") refresh();
  act.lookForReview();
}

export function bindTree() {
  addEventListener("pagehide", () => {
    store.tab.set("line", movesTo(state.node).join(" "));
    store.tab.set("game", state.tree.id);
  });
  addEventListener("visibilitychange", () => { if (saveTimer && document.visibilityState === "hidden") saveTree(); });
}

/** The most moves in an address: of a longer line it names the state alone. */
const MOST_MOVES = 300;

/** The start and the moves of a position as fields of an address. @param {string} start @param {string[]} moves */
export function positionFields(start, moves) {
  const fields = new URLSearchParams({ ...start === START ? {} : { fen: start }, ...moves.length ? { moves: moves.join(" ") } : {} });
  return fields.toString();
}

/** The place of the analysed game in the address: of one that is in no list its position. @param {"analyse" | "review"} mode */
export function gamePlace(mode) {
  if (state.tree.id) return `games/${state.tree.id}${mode === "review" ? "/review" : ""}`;
  const moves = movesTo(state.node);
  if (mode === "review" || moves.length > MOST_MOVES) return mode;
  return [mode, positionFields(state.tree.start, moves)].filter(Boolean).join("&");
}

/** The node that the moves of a position lead to, if the tree has them. @param {string} start @param {string[]} moves @returns {number | null} */
export function nodeOf(start, moves) {
  if (start !== state.tree.start) return null;
  let at = 0;
  for (const move of moves) {
    const next = childBy(at, move);
    if (next === undefined) return null;
    at = next;
  }
  return at;
}

/** The nodes from the first move to this one. @param {number} id @returns {number[]} */
function pathTo(id) {
  const path = [];
  for (let at = id; at; at = state.tree.nodes[at].parent) path.push(at);
  return path.reverse();
}

/** The nodes of the line through the current node, to its end. @returns {number[]} */
export function currentLine() {
  const line = pathTo(state.node);
  for (let at = state.node; state.tree.nodes[at].children.length; line.push(at)) [at] = state.tree.nodes[at].children;
  return line;
}

/** The nodes of the main line, with the first position. @returns {number[]} */
export function mainLine() {
  const line = [0];
  for (let at = 0; state.tree.nodes[at].children.length; line.push(at)) [at] = state.tree.nodes[at].children;
  return line;
}

/** The node after this many moves of the line. @type {(ply: number) => number} */
export const nodeAtPly = (ply) => (ply ? currentLine()[ply - 1] : 0);
/** @type {(id: number) => string[]} */
export const movesTo = (id) => pathTo(id).map((node) => state.tree.nodes[node].move);

/** The child of a node with this move, if any. @type {(parent: number, move: string) => number | undefined} */
const childBy = (parent, move) => state.tree.nodes[parent].children.find((id) => state.tree.nodes[id].move === move);

/** Plays moves from the current node; those that are there already are followed.
 * @param {string[]} moves @param {string[]} names @param {{isEdit?: boolean}} options */
export function addMoves(moves, names, options = {}) {
  const [nodes, from] = [state.tree.nodes, state.node];
  let at = state.node;
  let known = 0;
  for (let next = childBy(at, moves[0]); next !== undefined; next = childBy(at, moves[known])) [at, known] = [next, known + 1];
  if (known === moves.length) { state.node = at; return; }
  const parent = at;
  const first = nodes.length;
  for (let index = known; index < moves.length; index++) {
    const id = nodes.push({ ...newNode(at, moves[index], names[index]), children: [], depth: nodes[at].depth + 1 }) - 1;
    if (at !== parent) nodes[at].children.push(id);
    at = id;
  }
  const end = at;
  change(
    () => { nodes[parent].children = [...nodes[parent].children, first]; state.node = end; },
    () => { nodes[parent].children = nodes[parent].children.filter((child) => child !== first); state.node = from; },
    options,
  );
}

/** Adds a tree that was sent below a node, after the moves that are there; a comment is added to one that is there.
 * @param {number} root @param {SentNode[]} sent */
export function graft(root, sent) {
  const { nodes } = state.tree;
  /** By the index of a sent node: the node of the tree. */
  const ids = [root];
  /** @typedef {{children: number[], comment: string}} Content */
  /** The children and comments before and after, by their node. @type {Map<number, {before: Content, next: Content}>} */
  const edits = new Map();
  /** @param {number} id */
  const edit = (id) => {
    const { children, comment } = nodes[id];
    const found = edits.get(id) ?? { before: { children, comment }, next: { children: [...children], comment } };
    edits.set(id, found);
    return found.next;
  };
  for (const [index, { parent, move, name, comment, marks }] of sent.entries()) {
    if (index) {
      const at = ids[parent];
      const known = edit(at).children.find((id) => nodes[id].move === move);
      ids.push(known ?? nodes.push({ ...newNode(at, move, name), marks, children: [], depth: nodes[at].depth + 1 }) - 1);
      if (known === undefined) edit(at).children.push(ids[index]);
    }
    const own = nodes[ids[index]].comment;
    if (comment && !own.includes(comment)) edit(ids[index]).comment = [own, comment].filter(Boolean).join("\n");
  }
  const [from, all] = [state.node, [...edits]];
  change(
    () => { for (const [id, { next }] of all) Object.assign(nodes[id], next); state.node = root; },
    () => { for (const [id, { before }] of all) Object.assign(nodes[id], before); state.node = from; },
  );
}

/** Removes a move and its descendants. @param {number} id */
export function prune(id) {
  const parent = state.tree.nodes[state.tree.nodes[id].parent];
  const [before, node] = [parent.children, state.node];
  change(
    () => { parent.children = before.filter((child) => child !== id); state.node = state.tree.nodes[id].parent; },
    () => { parent.children = before; state.node = node; },
  );
}

/** Makes the line to a node the main line. @param {number} id */
export function promote(id) {
  const line = pathTo(id);
  const before = line.map((node) => state.tree.nodes[state.tree.nodes[node].parent].children);
  /** @param {number[][]} lists */
  const set = (lists) => () => line.forEach((node, at) => { state.tree.nodes[state.tree.nodes[node].parent].children = lists[at]; });
  change(set(line.map((node, at) => [node, ...before[at].filter((child) => child !== node)])), set(before));
}

/** Writes the comment of a node; what is typed in one go is undone in one go. @param {number} id @param {string} text */
export function setComment(id, text) {
  const node = state.tree.nodes[id];
  const before = node.comment;
  change(() => { node.comment = text; state.node = id; }, () => { node.comment = before; state.node = id; }, { merge: node });
}

/** @param {number} id @param {number[]} marks */
export function setMarks(id, marks) {
  const node = state.tree.nodes[id];
  const before = node.marks;
  change(() => { node.marks = marks; state.node = id; }, () => { node.marks = before; state.node = id; });
}

provide({ sentTree, treeChanged });
