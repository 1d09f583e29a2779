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
  if (learning) return drawLesson();
  const moves = movesTo(here);
  if (preview) {
    drawBoard(tree.start, [...moves, ...preview], "");
    return allow(after(tree.start, [...moves, ...preview]), [], "", null);
  }
  drawBoard(tree.start, moves, showsArrows ? arrowsOfLines() : "");
  const [legal, check] = looked?.node === here ? [looked.over ? [] : looked.legal, looked.check] : [[], ""];
  allow(after(tree.start, moves), legal, check, playHere, looked?.forbidden);
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
  [thoughts, looked, preview] = [null, null, null];
  refresh();
  const answer = await wish("look", place());
  if (here === id && answer.legal) know(answer);
}

/** Shows the facts about the current node. @param {any} answer */
function know(answer) {
  [thoughts, looked, preview] = [null, { ...answer, node: here }, null];
  refresh();
  think();
}

/** Plays the moves of a line from the current node. @param {string[]} moves */
async function playLine(moves) {
  const from = here;
  const answer = await wish("look", { ...place([...movesTo(from), ...moves]), named: moves.length });
  if (here !== from || !answer.names) return;
  const last = moves[moves.length - 1];
  const captured = after(tree.start, [...movesTo(from), ...moves.slice(0, -1)]).has(last.slice(2));
  grow(moves, answer.names);
  know(answer);
  moved(last, { ...answer, captured, name: answer.names[answer.names.length - 1] });
  speak([...answer.names, answer.over].filter(Boolean).map(plain).join(" "));
}

/** @param {string} move */
const playHere = (move) => playLine([move]);

/** @param {object} more */
function think(more = {}) {
  question += 1;
  if (!engine.on || isSolving() || learning && !more.nodes || looked?.over || mode === "play" || mode === "setup") return wish("rest", { number: question });
  return wish("think", { ...place(), number: question, lines: engine.lines, threat: engine.threat, nodes: null, ...more });
}

onNews((news) => {
  if (!news.thoughts || news.thoughts.number !== question || !modes[mode].thinks) return;
  thoughts = { ...news.thoughts, node: here };
  if (learning) return judgeTry(thoughts);
  tellThoughts();
  if (!hand.drag && !preview) drawAnalysis();
});

// --- the panel ---

function tellLooked() {
  const shown = looked?.node === here && !learning ? looked : null;
  write(byId("known"), shown?.over, shown?.opening, shown?.table);
  byId("book").replaceChildren(...(shown?.book ?? []).map((entry) => (
    makeButton("step", { line: entry.move }, both(entry.name), ` ${entry.share} % `, entry.opening ? both(entry.opening) : "")
  )));
  const field = byId("comment");
  if (document.activeElement !== field) field.value = tree.nodes[here].comment;
  for (const button of all("[data-mark]")) button.setAttribute("aria-pressed", tree.nodes[here].marks.includes(Number(button.dataset.mark)));
  for (const button of all("[data-branch]")) button.disabled = !here;
  tellHistory();
  byId("engine").setAttribute("aria-pressed", engine.on);
  byId("threat").setAttribute("aria-pressed", engine.threat);
}

modes.analyse = {
  thinks: true,
  draw: drawAnalysis,
  tell: () => { nameBoard(tree.nodes[here].name); tellThoughts(); tellLooked(); tellSolution(); tellTree(); },
  at: () => tree.nodes[here].depth,
  last: () => lineHere().length,
  to: (ply) => { visit(pathOf(ply)); },
  moves: () => lineHere().map((id) => tree.nodes[id].move),
  enter: () => { visit(here); },
  leave: () => { question += 1; wish("rest", { number: question }); },
};

// --- user actions ---

const ANALYSING = ["analyse", "games"];
/** @param {string} deed @param {string} key @param {() => void} work */
const addHelp = (deed, key, work) => add(deed, key, ANALYSING, () => { if (!learning) work(); });
addHelp("engine", "l", () => { engine.on = !engine.on; thoughts = null; refresh(); think(); });
addHelp("threat", "x", () => { engine.threat = !engine.threat; thoughts = null; refresh(); think(); });
addHelp("arrows", "a", () => { showsArrows = !showsArrows; drawAnalysis(); });
addHelp("best", " ", () => { const best = thoughts?.node === here && !engine.threat && thoughts.lines[0]; if (best) playHere(best.moves[0]); });
/** Goes to a sibling of the current node. @type {(by: number) => () => void} */
const goAside = (by) => () => {
  const { children } = tree.nodes[tree.nodes[here].parent];
  const next = children[children.indexOf(here) + by];
  if (here && next !== undefined) visit(next);
};
add("nextBranch", "ArrowDown", ANALYSING, goAside(1));
add("branchBefore", "ArrowUp", ANALYSING, goAside(-1));

byId("tree").addEventListener("click", (event) => {
  const move = event.target.closest(".move");
  if (move) visit(Number(move.dataset.node));
});
byId("countOfLines").addEventListener("change", (event) => { engine.lines = Number(event.target.value); think(); });
byId("lawOf").addEventListener("change", () => visit(here));
byId("comment").addEventListener("input", (event) => { comment(here, event.target.value); tellTree(); tellHistory(); });
for (const button of all("[data-mark]")) {
  button.addEventListener("click", () => {
    const mark = Number(button.dataset.mark);
    markMove(here, tree.nodes[here].marks.includes(mark) ? [] : [mark]);
    refresh();
  });
}
byId("prune").addEventListener("click", () => { prune(here); visit(here); });
byId("undoChange").addEventListener("click", () => travel("undo"));
byId("redoChange").addEventListener("click", () => travel("redo"));
byId("promote").addEventListener("click", () => { promote(here); refresh(); });
byId("playHere").addEventListener("click", () => {
  const seat = (looked?.fen ?? tree.start).split(" ")[1] === "b" ? "black" : "red";
  beginGame({ seat, position: `${tree.start} moves ${movesTo(here).join(" ")}` });
});
