// Solving the position that is analysed: whether a win is proven, by which first move, and how long the defence holds
// out. The engine rests meanwhile.

/** @typedef {{soundness: string, settled: boolean, finished: boolean, sentences: {zh: string[], en: string[]}, moves: string[],
 *   names: {zh: string[], en: string[]}}} Found */
/** What is solved: the node, and the tree that it is of; then what is known.
 * @type {{node: number, tree: Tree, number: number, began: number, seconds: number, ruledOut: number, found: Found | null} | null} */
let solving = null;

/** The times that are tried, in seconds: the second one if the first was too short. */
const SOLVE_SECONDS = [60, 600];

/** Whether a search for a win runs. */
const isSolving = () => Boolean(solving && !solving.found);

/** Begins with the position shown. @param {number} seconds */
async function solve(seconds) {
  question += 1;
  solving = { node: here, tree, number: question, began: Date.now(), seconds, ruledOut: 0, found: null };
  thoughts = null;
  refresh();
  wish("rest", { number: question });
  const mine = solving;
  const answer = await wish("solve", { ...place(), number: mine.number, seconds, nodes: null });
  if (answer.wrong && solving === mine) closeSolution();
}

/** Puts the card away, and ends what still runs. */
function closeSolution() {
  const runs = isSolving();
  solving = null;
  if (runs) wish("end-solve");
  tellSolution();
  if (modes[mode].thinks) think();
}

onNews((news) => {
  if (!news.solution || news.solution.number !== solving?.number || solving.found) return;
  Object.assign(solving, { ruledOut: news.solution.ruled_out, found: news.solution.found });
  tellSolution();
  if (!solving?.found) return;
  speak(plain(solutionTitle(solving.found)));
  if (modes[mode].thinks) think();
});

/** What was found, in a sentence. @param {Found} found @returns {Both} */
function solutionTitle({ settled, finished, sentences }) {
  if (settled || !finished) return { zh: sentences.zh[0], en: sentences.en[0] };
  return words("notProven", { seconds: solving.seconds });
}

/** What else is known. @param {Found} found @returns {Both[]} */
function solutionText({ settled, finished, sentences }) {
  const rest = { zh: sentences.zh.slice(1).join(""), en: sentences.en.slice(1).join(" ") };
  const bound = !settled && finished && solving.ruledOut ? words("ruledOut", { moves: solving.ruledOut }) : null;
  return [bound, rest.en ? rest : null];
}

function tellSolution() {
  // Another game: what was solved is no longer there.
  if (solving && solving.tree !== tree) {
    if (isSolving()) wish("end-solve");
    solving = null;
  }
  byId("solution").hidden = !solving;
  byId("solve").disabled = isSolving() || Boolean(looked?.over);
  if (!solving) return;
  const { found, ruledOut } = solving;
  for (const name of ["solveProgress", "stopSolve"]) byId(name).hidden = Boolean(found);
  for (const name of ["addDefence", "addAll"]) byId(name).hidden = !found?.moves.length;
  byId("solveLonger").hidden = !found || found.settled || solving.seconds >= SOLVE_SECONDS[1] || solving.node !== here;
  tellSolveTime();
  if (!found) {
    write(byId("solutionTitle"), words("solving"));
    write(byId("solutionText"), ruledOut ? words("ruledOut", { moves: ruledOut }) : null);
    byId("defence").replaceChildren();
    return;
  }
  write(byId("solutionTitle"), solutionTitle(found));
  write(byId("solutionText"), ...solutionText(found));
  const black = (solving.tree.start.split(" ")[1] === "b") !== (tree.nodes[solving.node].depth % 2 === 1);
  byId("defence").replaceChildren(...found.moves.map((_, index) => makeButton(
    (index % 2 === 1) === black ? "step red" : "step", { count: index + 1 },
    both({ zh: found.names.zh[index], en: found.names.en[index] }),
  )));
}

// The time runs between updates.
function tellSolveTime() {
  if (!isSolving()) return;
  const spent = Math.min(solving.seconds, (Date.now() - solving.began) / 1000);
  Object.assign(byId("solveProgress"), { max: solving.seconds, value: spent });
}
setInterval(tellSolveTime, 250);

/** Adds the solution to the game: its moves become variations, with what is said about them.
 * @param {boolean} withAll Whether all defences are added, or the longest alone. */
async function addSolution(withAll) {
  const { node, tree: of } = solving;
  const answer = await wish("solution", { all: withAll, language: document.documentElement.dataset.language });
  if (!answer.tree || tree !== of) return;
  graft(node, answer.tree.nodes);
  visit(here);
}

byId("solve").addEventListener("click", () => solve(SOLVE_SECONDS[0]));
byId("solveLonger").addEventListener("click", () => solve(SOLVE_SECONDS[1]));
byId("stopSolve").addEventListener("click", () => wish("end-solve"));
byId("closeSolution").addEventListener("click", closeSolution);
byId("addDefence").addEventListener("click", () => addSolution(false));
byId("addAll").addEventListener("click", () => addSolution(true));
byId("defence").addEventListener("click", (event) => {
  const { count } = event.target.closest(".step")?.dataset ?? {};
  if (!count) return;
  const moves = solving.found.moves.slice(0, Number(count));
  here = solving.node;
  playLine(moves);
});
