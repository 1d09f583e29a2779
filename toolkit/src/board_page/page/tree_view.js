// The tree of moves as players write it: red's and black's moves in two columns, comments below their move, variations
// indented.

/** The number before a move: for red always, for black where a line begins.
 * @param {number} place The plies before it, counted from a red move. @param {boolean} begins @returns {string} */
function numberText(place, begins) {
  const number = (Number(tree.start.split(" ")[5]) || 1) + Math.floor(place / 2);
  return place % 2 === 0 ? `${number}.` : begins ? `${number}…` : "";
}

/** The plies before the first move: one if black begins. */
const firstPlace = () => (tree.start.split(" ")[1] === "b" ? 1 : 0);

/** A move with its marks. @param {number} id @param {string} number */
function moveButton(id, number = numberText(firstPlace() + tree.nodes[id].depth - 1, true)) {
  const { name, marks } = tree.nodes[id];
  const button = makeButton("move", { node: id }, number ? `${number} ` : "", both(name));
  for (const mark of marks.filter((mark) => SIGNS[mark])) button.append(make("i", { className: MARK_CLASSES[mark] ?? "" }, SIGNS[mark]));
  return button;
}
const MARK_CLASSES = { 1: "good", 3: "good", 2: "mistake", 4: "blunder", 6: "dubious" };

/** The deepest nesting of variations that is drawn. */
const DEEPEST = 30;

/** The moves of a variation, in one paragraph, with its own variations below. Without recursion: files of strangers may
 * nest as they like. @param {number} first */
function branchOf(first) {
  const whole = make("div", { className: "branch" });
  const waiting = [{ box: whole, begin: first, depth: 1 }];
  for (let next = 0; next < waiting.length; next++) {
    const { box, begin, depth } = waiting[next];
    let begins = true;
    for (let id = begin; id !== undefined; [id] = tree.nodes[id].children) {
      const { comment, parent } = tree.nodes[id];
      box.append(moveButton(id, numberText(firstPlace() + tree.nodes[id].depth - 1, begins)), " ");
      if (comment) box.append(make("q", {}, comment), " ");
      const others = id === begin ? [] : tree.nodes[parent].children.slice(1);
      for (const other of others) {
        const inner = make("div", { className: "branch" });
        box.append(inner);
        if (depth < DEEPEST) waiting.push({ box: inner, begin: other, depth: depth + 1 });
        else inner.append(moveButton(other), " …");
      }
      begins = Boolean(comment) || others.length > 0;
    }
  }
  return whole;
}

/** The main line as rows of two moves, with what interrupts it between. */
function treeRows() {
  const rows = document.createDocumentFragment();
  const base = (Number(tree.start.split(" ")[5]) || 1);
  let row = null;
  for (let [id, at] = [tree.nodes[0].children[0], firstPlace()]; id !== undefined; at += 1) {
    const { comment, parent, children } = tree.nodes[id];
    if (!row) {
      row = make("div", { className: "pair" }, make("span", { className: "number" }, String(base + Math.floor(at / 2))));
      if (at % 2) row.append(make("span", { className: "gap" }, "…"));
      rows.append(row);
    }
    row.append(moveButton(id, ""));
    const others = tree.nodes[parent].children.slice(1);
    if (comment) rows.append(make("q", {}, comment));
    for (const other of others) rows.append(branchOf(other));
    if (at % 2 || comment || others.length) row = null;
    [id] = children;
  }
  return rows;
}

/** The tree whose moves are in the page, or null if it has changed. @type {Tree | null} */
let drawnTree = null;

function tellTree() {
  const place = byId("tree");
  if (drawnTree !== tree) {
    const { comment } = tree.nodes[0];
    place.replaceChildren(...(comment ? [make("q", {}, comment)] : []), treeRows());
    if (!place.childNodes.length) place.append(make("p", { className: "faint" }, both(words("noMoves"))));
    drawnTree = tree;
  }
  place.querySelector(".here")?.classList.remove("here");
  const current = place.querySelector(`[data-node="${here}"]`);
  current?.classList.add("here");
  if (current) reveal(current, place);
  else place.scrollTop = 0;
}
