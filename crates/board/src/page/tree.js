// The analysed game: a tree of moves with comments and marks. It survives a reload; every page has its own. Games may
// have 20,000 moves: nothing here takes more than one pass over them, and nothing is recursive.

/** @typedef {{parent: number, move: string, name: Both | null, comment: string, marks: number[], children: number[], depth: number}} Move */
/** @typedef {{start: string, tags: [string, string][], result: string, nodes: Move[], edited: boolean}} Tree */
/** The form in which a tree is sent: each node after its parent.
 * @typedef {{start: string, tags: [string, string][], result: string, nodes: object[]}} SentTree */

const SIGNS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/** @type {Tree} */
let tree = null;
/** The current node. @type {number} */
let here = 0;

/** @type {(parent: number, move: string, name: Both | null) => any} */
const newNode = (parent, move, name) => ({ parent, move, name, comment: "", marks: [], children: [], depth: 0 });

/** A tree from its wire form: a list of nodes with the index of their parent, each after its parent.
 * @param {any} sent @returns {Tree} */
function treeOf({ start, tags, result, nodes }) {
  const moves = nodes.map((node) => ({ ...node, children: [], depth: 0 }));
  moves.forEach((node, id) => {
    if (!id) return;
    moves[node.parent].children.push(id);
    node.depth = moves[node.parent].depth + 1;
  });
  return { start, tags, result, nodes: moves, edited: false };
}

/** Puts another tree in the place of this one; that can be undone. @param {any} sent */
function loadTree(sent) {
  const [before, place, was] = [tree, here, review];
  const next = treeOf(sent);
  const put = (that, at, found) => () => { [tree, here, review] = [that, at, found]; };
  if (!before) put(next, 0, null)();
  else change(put(next, 0, null), put(before, place, was), { edits: false });
  byId("tree").scrollTop = 0;
  treeChanged();
}

/** The tree with nothing but a position. @param {string} start */
const bareTree = (start) => ({ start, tags: [], result: "*", nodes: [newNode(0, "", null)] });

// The tree in its wire form, without removed nodes.
function sentTree() {
  const nodes = [];
  for (const waiting = [[0, 0]]; waiting.length;) {
    const [id, parent] = waiting.pop();
    const { move, comment, marks, name, children } = tree.nodes[id];
    const index = nodes.push({ parent, move, comment, marks, name }) - 1;
    for (let at = children.length - 1; at >= 0; at--) waiting.push([children[at], index]);
  }
  return { start: tree.start, tags: tree.tags, result: tree.result, nodes };
}

/** What waits to send the game to the program, which keeps it. @type {any} */
let keeps;

/** To be called after every change of the tree: draws it anew, and keeps it soon. */
function treeChanged() {
  drawn.tree = null;
  clearTimeout(keeps);
  keeps = setTimeout(sendTree, 500);
}

function sendTree() {
  clearTimeout(keeps);
  keeps = undefined;
  store.keep(sentTree(), document.visibilityState === "hidden");
}
addEventListener("visibilitychange", () => { if (keeps && document.visibilityState === "hidden") sendTree(); });

const restoreTree = () => loadTree(bareTree(START));

/** The game that was analysed before the page was loaded. @param {any} sent */
function resumeTree(sent) {
  [tree, here, drawn.tree] = [treeOf(sent), 0, null];
  forgetChanges();
  clearTimeout(keeps);
  if (mode !== "play") refresh();
}

/** The nodes from the first move to this one. @param {number} id @returns {number[]} */
function pathTo(id) {
  const path = [];
  for (let at = id; at; at = tree.nodes[at].parent) path.push(at);
  return path.reverse();
}

/** The nodes of the line through the current node, to its end. @returns {number[]} */
function lineHere() {
  const line = pathTo(here);
  for (let at = here; tree.nodes[at].children.length; line.push(at)) [at] = tree.nodes[at].children;
  return line;
}

/** The node after this many moves of the line. @type {(ply: number) => number} */
const pathOf = (ply) => (ply ? lineHere()[ply - 1] : 0);
/** @type {(id: number) => string[]} */
const movesTo = (id) => pathTo(id).map((node) => tree.nodes[node].move);

/** The child of a node with this move, if any. @type {(parent: number, move: string) => number | undefined} */
const childBy = (parent, move) => tree.nodes[parent].children.find((id) => tree.nodes[id].move === move);

/** Plays moves from the current node; those that are there already are followed.
 * @param {string[]} moves @param {Both[]} names */
function grow(moves, names) {
  const [nodes, from] = [tree.nodes, here];
  let at = here;
  let known = 0;
  for (let next = childBy(at, moves[0]); next !== undefined; next = childBy(at, moves[known])) [at, known] = [next, known + 1];
  if (known === moves.length) { here = at; return; }
  const parent = at;
  const first = nodes.length;
  for (let index = known; index < moves.length; index++) {
    const id = nodes.push({ ...newNode(at, moves[index], names[index]), depth: nodes[at].depth + 1 }) - 1;
    if (at !== parent) nodes[at].children.push(id);
    at = id;
  }
  const end = at;
  change(
    () => { nodes[parent].children = [...nodes[parent].children, first]; here = end; },
    () => { nodes[parent].children = nodes[parent].children.filter((child) => child !== first); here = from; },
  );
}

/** Adds a tree that was sent below a node, after the moves that are there; a comment is added to one that is there.
 * @param {number} root @param {any[]} sent */
function graft(root, sent) {
  const { nodes } = tree;
  /** By the index of a sent node: the node of the tree. */
  const ids = [root];
  /** The children and comments before and after, by their node. */
  const edits = new Map();
  const edit = (id) => {
    const { children, comment } = nodes[id];
    if (!edits.has(id)) edits.set(id, { before: { children, comment }, next: { children: [...children], comment } });
    return edits.get(id).next;
  };
  for (const [index, { parent, move, name, comment, marks }] of sent.entries()) {
    if (index) {
      const at = ids[parent];
      const known = edit(at).children.find((id) => nodes[id].move === move);
      ids.push(known ?? nodes.push({ ...newNode(at, move, name), marks, depth: nodes[at].depth + 1 }) - 1);
      if (known === undefined) edit(at).children.push(ids[index]);
    }
    const own = nodes[ids[index]].comment;
    if (comment && !own.includes(comment)) edit(ids[index]).comment = [own, comment].filter(Boolean).join("\n");
  }
  const [from, all] = [here, [...edits]];
  change(
    () => { for (const [id, { next }] of all) Object.assign(nodes[id], next); here = root; },
    () => { for (const [id, { before }] of all) Object.assign(nodes[id], before); here = from; },
  );
}

/** Removes a move and its descendants. @param {number} id */
function prune(id) {
  const parent = tree.nodes[tree.nodes[id].parent];
  const [before, place] = [parent.children, here];
  change(
    () => { parent.children = before.filter((child) => child !== id); here = tree.nodes[id].parent; },
    () => { parent.children = before; here = place; },
  );
}

/** Makes the line to a node the main line. @param {number} id */
function promote(id) {
  const line = pathTo(id);
  const before = line.map((node) => tree.nodes[tree.nodes[node].parent].children);
  const set = (lists) => () => line.forEach((node, at) => { tree.nodes[tree.nodes[node].parent].children = lists[at]; });
  change(set(line.map((node, at) => [node, ...before[at].filter((child) => child !== node)])), set(before));
}

/** Writes the comment of a node; what is typed in one go is undone in one go. @param {number} id @param {string} text */
function comment(id, text) {
  const node = tree.nodes[id];
  const before = node.comment;
  change(() => { node.comment = text; here = id; }, () => { node.comment = before; here = id; }, { merge: node });
}

/** @param {number} id @param {number[]} marks */
function markMove(id, marks) {
  const node = tree.nodes[id];
  const before = node.marks;
  change(() => { node.marks = marks; here = id; }, () => { node.marks = before; here = id; });
}
