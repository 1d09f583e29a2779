// The analysed game: a tree of moves with comments and marks. It survives a reload; every page has its own.

/** @typedef {{parent: number, move: string, name: Both | null, comment: string, marks: number[], children: number[]}} Move */
/** @typedef {{start: string, tags: [string, string][], result: string, nodes: Move[]}} Tree */

const SIGNS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };
const START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/** @type {Tree} */
let tree = null;
/** The current node. @type {number} */
let here = 0;

/** @type {(parent: number, move: string, name: Both | null) => Move} */
const newNode = (parent, move, name) => ({ parent, move, name, comment: "", marks: [], children: [] });

/** Sets the tree from its wire form: a list of nodes with the index of their parent. @param {Tree} sent */
function loadTree({ start, tags, result, nodes }) {
  tree = { start, tags, result, nodes: nodes.map((node) => ({ ...node, children: [] })) };
  tree.nodes.forEach((node, id) => { if (id) tree.nodes[node.parent].children.push(id); });
  here = 0;
  keepTree();
}

// The tree in its wire form, without removed nodes.
function sentTree() {
  const [places, nodes] = [new Map(), []];
  const visit = (id, parent) => {
    const { move, comment, marks, name, children } = tree.nodes[id];
    places.set(id, nodes.length);
    nodes.push({ parent, move, comment, marks, name });
    for (const child of children) visit(child, places.get(id));
  };
  visit(0, 0);
  return { start: tree.start, tags: tree.tags, result: tree.result, nodes };
}

/** What waits to send the game to the program, which keeps it. @type {number | undefined} */
let keeps;

function keepTree() {
  clearTimeout(keeps);
  keeps = setTimeout(sendTree, 500);
}

function sendTree() {
  clearTimeout(keeps);
  keeps = undefined;
  store.keep(sentTree(), document.visibilityState === "hidden");
}
addEventListener("visibilitychange", () => { if (keeps && document.visibilityState === "hidden") sendTree(); });

const restoreTree = () => loadTree({ start: START, tags: [], result: "*", nodes: [newNode(0, "", null)] });

/** The game that was analysed before the page was loaded. @param {Tree} sent */
function resumeTree(sent) {
  loadTree(sent);
  clearTimeout(keeps);
  if (mode !== "play") refresh();
}

/** The nodes from the first move to this one. @param {number} id @returns {number[]} */
function pathTo(id) {
  const path = [];
  for (let at = id; at; at = tree.nodes[at].parent) path.unshift(at);
  return path;
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

/** The child of the current node with this move, if any. @type {(move: string) => number | undefined} */
const childBy = (move) => tree.nodes[here].children.find((id) => tree.nodes[id].move === move);

/** @param {string} move @param {Both} name */
function grow(move, name) {
  const id = childBy(move) ?? tree.nodes.push(newNode(here, move, name)) - 1;
  if (!tree.nodes[here].children.includes(id)) tree.nodes[here].children.push(id);
  here = id;
  keepTree();
}

/** Removes a move and its descendants. @param {number} id */
function prune(id) {
  const { parent } = tree.nodes[id];
  tree.nodes[parent].children = tree.nodes[parent].children.filter((child) => child !== id);
  here = parent;
  keepTree();
}

/** Makes the line to a node the main line. @param {number} id */
function promote(id) {
  for (const node of pathTo(id)) {
    const { children } = tree.nodes[tree.nodes[node].parent];
    children.unshift(...children.splice(children.indexOf(node), 1));
  }
  keepTree();
}
