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
function moveButton(id, number = numberText(firstPlace() + pathTo(id).length - 1, true)) {
  const { name, marks } = tree.nodes[id];
  const button = makeButton("move", { node: id }, number ? `${number} ` : "", both(name));
  for (const mark of marks.filter((mark) => SIGNS[mark])) button.append(make("i", { className: MARK_CLASSES[mark] ?? "" }, SIGNS[mark]));
  return button;
}
const MARK_CLASSES = { 1: "good", 3: "good", 2: "mistake", 4: "blunder", 6: "dubious" };

/** The moves of a variation, in one paragraph, with its own variations below. @param {number} first @param {number} place */
function branchOf(first, place) {
  const branch = make("div", { className: "branch" });
  let begins = true;
  for (let [id, at] = [first, place]; id !== undefined; at += 1) {
    const { comment, parent, children } = tree.nodes[id];
    branch.append(moveButton(id, numberText(at, begins)), " ");
    if (comment) branch.append(make("q", {}, comment), " ");
    const others = id === first ? [] : tree.nodes[parent].children.slice(1);
    for (const other of others) branch.append(branchOf(other, at));
    begins = Boolean(comment) || others.length > 0;
    [id] = children;
  }
  return branch;
}

/** The main line as rows of two moves, with what interrupts it between. */
function treeRows() {
  const rows = document.createDocumentFragment();
  const base = (Number(tree.start.split(" ")[5]) || 1);
  let row = null;
  for (let [id, at] = [tree.nodes[0].children[0], firstPlace()]; id !== undefined; at += 1) {
    const { comment, parent, children } = tree.nodes[id];
    if (!row) {
      row = make("div", { className: "pair" }, make("span", { className: "number" }, base + Math.floor(at / 2)));
      if (at % 2) row.append(make("span", { className: "gap" }, "…"));
      rows.append(row);
    }
    row.append(moveButton(id, ""));
    const others = tree.nodes[parent].children.slice(1);
    if (comment) rows.append(make("q", {}, comment));
    for (const other of others) rows.append(branchOf(other, at));
    if (at % 2 || comment || others.length) row = null;
    [id] = children;
  }
  return rows;
}

function tellTree() {
  const place = byId("tree");
  const { comment } = tree.nodes[0];
  place.replaceChildren(...(comment ? [make("q", {}, comment)] : []), treeRows());
  if (!place.childNodes.length) place.append(make("p", { className: "faint" }, both(words("noMoves"))));
  const current = place.querySelector(`[data-node="${here}"]`);
  current?.classList.add("here");
  if (current) reveal(current, place);
  else place.scrollTop = 0;
}
