// The analysis mode: lines with arrows, the evaluation bar, and the verdict, book moves and tablebase result of the
// position.

let looked = null;
let thoughts = null;
// Increases with every request, also over reloads, because requests may arrive out of order.
let question = Date.now();
let showsArrows = true;
const engine = { on: true, threat: false, lines: 3 };

/** @type {(moves?: string[]) => object} */
const place = (moves = movesTo(here)) => ({ start: tree.start, moves, rules: byId("lawOf").value });

function drawAnalysis() {
  const moves = movesTo(here);
  drawBoard(tree.start, moves, showsArrows && !learning ? arrowsOfLines() : "");
  const [legal, check] = looked?.node === here ? [looked.over ? [] : looked.legal, looked.check] : [[], ""];
  allow(after(tree.start, moves), legal, check, learning ? tryMove : playHere, looked?.forbidden);
}

// The first move of each line that is nearly as good as the best; a threat has its own colour.
function arrowsOfLines() {
  if (!thoughts || thoughts.node !== here) return "";
  const best = thoughts.lines[0]?.chance ?? 0;
  const near = thoughts.lines.filter((line) => Math.abs(line.chance - best) < 0.2);
  const drawn = near.map(({ moves: [move] }, index) => {
    if (engine.threat) return arrow(move, "bad", "#c2410c");
    return index ? arrow(move, "other", "#2b6cb0") : arrow(move, "best", "#1f7a4d");
  });
  return drawn.reverse().join("");
}

/** Goes to a node and requests its facts. @param {number} id */
async function visit(id) {
  here = id;
  [thoughts, looked] = [null, null];
  refresh();
  const answer = await wish("look", place());
  if (here === id && answer.legal) know(answer);
}

/** Shows the facts about the current node. @param {any} answer */
function know(answer) {
  [thoughts, looked] = [null, { ...answer, node: here }];
  keepTree();
  refresh();
  think();
}

/** @param {string} move */
async function playHere(move) {
  const from = here;
  const answer = await wish("look", place([...movesTo(from), move]));
  if (here !== from || !answer.name) return;
  grow(move, answer.name);
  know(answer);
  glide(move);
  speak([answer.name, answer.over].filter(Boolean).map(plain).join(" "));
}

/** Plays the moves of a line from the current node. @param {string[]} moves */
const playLine = async (moves) => { for (const move of moves) await playHere(move); };

/** @param {object} more */
function think(more = {}) {
  question += 1;
  if (!engine.on || looked?.over || mode === "play" || mode === "setup") return wish("rest", { number: question });
  return wish("think", { ...place(), number: question, lines: engine.lines, threat: engine.threat, nodes: null, ...more });
}

onNews((news) => {
  if (!news.thoughts || news.thoughts.number !== question || !modes[mode].thinks) return;
  thoughts = { ...news.thoughts, node: here };
  if (learning) return judgeTry(thoughts);
  tellThoughts();
  if (!hand.drag) drawAnalysis();
});

// --- the panel ---

function tellLooked() {
  const shown = looked?.node === here ? looked : null;
  write(byId("known"), shown?.over, shown?.opening, shown?.table);
  byId("book").replaceChildren(...(shown?.book ?? []).map((entry) => (
    makeButton("step", { line: entry.move }, both(entry.name), ` ${entry.share} % `, entry.opening ? both(entry.opening) : "")
  )));
  const comment = byId("comment");
  if (document.activeElement !== comment) comment.value = tree.nodes[here].comment;
  for (const button of all("[data-mark]")) button.setAttribute("aria-pressed", tree.nodes[here].marks.includes(Number(button.dataset.mark)));
  for (const button of all("[data-branch]")) button.disabled = !here;
  byId("engine").setAttribute("aria-pressed", engine.on);
  byId("threat").setAttribute("aria-pressed", engine.threat);
}

modes.analyse = {
  thinks: true,
  draw: drawAnalysis,
  tell: () => { tellThoughts(); tellLooked(); tellTree(); },
  at: () => pathTo(here).length,
  last: () => lineHere().length,
  to: (ply) => { visit(pathOf(ply)); },
  moves: () => lineHere().map((id) => tree.nodes[id].move),
  enter: () => { visit(here); },
  leave: () => { question += 1; wish("rest", { number: question }); },
};

// --- user actions ---

const ANALYSING = ["analyse", "games"];
add("engine", "l", ANALYSING, () => { engine.on = !engine.on; thoughts = null; refresh(); think(); });
add("threat", "x", ANALYSING, () => { engine.threat = !engine.threat; thoughts = null; refresh(); think(); });
add("arrows", "a", ANALYSING, () => { showsArrows = !showsArrows; drawAnalysis(); });
add("best", " ", ANALYSING, () => { const best = thoughts?.node === here && !engine.threat && thoughts.lines[0]; if (best) playHere(best.moves[0]); });
/** Goes to a sibling of the current node. @type {(by: number) => () => void} */
const turnTo = (by) => () => {
  const { children } = tree.nodes[tree.nodes[here].parent];
  const next = children[children.indexOf(here) + by];
  if (here && next !== undefined) visit(next);
};
add("nextBranch", "ArrowDown", ANALYSING, turnTo(1));
add("branchBefore", "ArrowUp", ANALYSING, turnTo(-1));

for (const name of ["lines", "book"]) {
  byId(name).addEventListener("click", (event) => {
    const step = event.target.closest(".step");
    if (step && !engine.threat) playLine(step.dataset.line.split(" "));
  });
}
byId("tree").addEventListener("click", (event) => {
  const move = event.target.closest(".move");
  if (move) visit(Number(move.dataset.node));
});
byId("countOfLines").addEventListener("change", (event) => { engine.lines = Number(event.target.value); think(); });
byId("lawOf").addEventListener("change", () => visit(here));
byId("comment").addEventListener("input", (event) => { tree.nodes[here].comment = event.target.value; keepTree(); tellTree(); });
for (const button of all("[data-mark]")) {
  button.addEventListener("click", () => {
    const [node, mark] = [tree.nodes[here], Number(button.dataset.mark)];
    node.marks = node.marks.includes(mark) ? [] : [mark];
    keepTree();
    refresh();
  });
}
byId("prune").addEventListener("click", () => { prune(here); visit(here); });
byId("promote").addEventListener("click", () => { promote(here); refresh(); });
byId("playHere").addEventListener("click", () => {
  const seat = (looked?.fen ?? tree.start).split(" ")[1] === "b" ? "black" : "red";
  beginGame({ seat, position: `${tree.start} moves ${movesTo(here).join(" ")}` });
});
