// Training on the mistakes of the reviewed game: find the better move at each of them. While a lesson is open the engine
// shows nothing.

/** @type {{bad: any[], at: number, said: Both | null, move: string | null, shown: string[], done: boolean} | null} */
let learning = null;

/** @param {string} side */
function learn(side) {
  const bad = review.moves.filter((move) => move.side === side && ["?!", "?", "??"].includes(move.mark) && move.better.length);
  if (!bad.length) return notice(words("faultless"));
  learning = { bad, at: 0, said: null, move: null, shown: [], done: false };
  findNext(0);
}

/** Goes on to the next mistake; after the last one the lesson ends. @param {number} by */
function findNext(by) {
  learning.at += by;
  const mistake = learning.bad[learning.at];
  if (!mistake) learning = null;
  else Object.assign(learning, { said: null, move: null, shown: [], done: false });
  visit(mistake ? mainLine()[mistake.ply - 1] : here);
}

/** The node of the mistake that is asked about. */
const askedNode = () => mainLine()[learning.bad[learning.at].ply - 1];

// The board of a lesson: the question, a move that was tried, or the answer.
function drawLesson() {
  const isAsked = here === askedNode();
  const moves = [...movesTo(here), ...(isAsked ? learning.shown : [])];
  drawBoard(tree.start, moves, "");
  const mayTry = isAsked && !learning.done && !learning.move && looked?.node === here;
  allow(after(tree.start, moves), mayTry ? looked.legal : [], learning.shown.length ? "" : looked?.check, tryMove, looked?.forbidden);
}

/** @param {string} move */
function tryMove(move) {
  const mistake = learning.bad[learning.at];
  Object.assign(learning, { move, shown: [move] });
  if (move === mistake.better[0]) return solved(words("best"));
  learning.said = words("thinking");
  refresh();
  moved(move, {});
  think({ ...place([...movesTo(askedNode()), move]), nodes: 150000, lines: 1, threat: false });
}

/** Rates the attempted move by the engine's analysis: a small loss counts as found. @param {any} told */
function judgeTry(told) {
  if (!learning.move || learning.done || !told.final || told.chance === null) return;
  const mistake = learning.bad[learning.at];
  const lost = (mistake.side === "red" ? 1 : -1) * (mistake.before.chance - told.chance);
  if (lost < 0.04) return solved(words("goodToo"));
  // The move is taken back for the next try.
  Object.assign(learning, { said: words("notYet", { lost: Math.round(100 * lost) }), move: null, shown: [] });
  refresh();
}

/** @param {Both} said */
function solved(said) {
  Object.assign(learning, { said, move: null, done: true });
  refresh();
  speak(plain(said));
}

/** Shows the answer; the course goes on. */
function showAnswer() {
  const { better } = learning.bad[learning.at];
  Object.assign(learning, { shown: better.slice(0, 1) });
  if (here !== askedNode()) visit(askedNode());
  solved(words("answer"));
}

function tellLearning() {
  byId("lesson").hidden = !learning;
  document.body.classList.toggle("learning", Boolean(learning));
  const mistake = learning?.bad[learning.at];
  if (!mistake) return;
  const names = { number: learning.at + 1, count: learning.bad.length, mark: mistake.mark };
  const asked = { zh: words("lesson", { ...names, played: mistake.chinese }).zh, en: words("lesson", { ...names, played: mistake.wxf }).en };
  write(byId("lessonText"), asked, learning.said);
  byId("showLesson").disabled = learning.done;
}

byId("learnRed").addEventListener("click", () => learn("red"));
byId("learnBlack").addEventListener("click", () => learn("black"));
byId("nextLesson").addEventListener("click", () => findNext(1));
byId("endLesson").addEventListener("click", () => findNext(learning.bad.length));
byId("showLesson").addEventListener("click", showAnswer);
