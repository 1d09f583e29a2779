// Opens and saves games with the browser's dialogs; reviews the current game, and trains on its mistakes.

/** @type {string | null} */
let handed = null;
/** @type {any} */
let review = null;
/** @type {{bad: any[], at: number, said: Both | null, move: string | null} | null} */
let learning = null;

/** @type {(bytes: Uint8Array) => string} */
const encode = (bytes) => btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));

/** Reads a game from bytes that were dropped, pasted or chosen. @param {string} bytes @param {number} number */
async function takeIn(bytes, number = 0) {
  const answer = await wish("read", { bytes, number });
  if (!answer.tree) return;
  handed = bytes;
  review = null;
  loadTree(answer.tree);
  const titles = byId("titles");
  titles.hidden = answer.titles.length < 2;
  titles.replaceChildren(...answer.titles.map((title, index) => new Option(`${index + 1}. ${title}`, index, false, index === number)));
  if (mode !== "games") enterMode("games");
  else visit(0);
  tellReview();
  if (answer.faults.length) notice(answer.faults[0]);
}

/** The game that the program was started with. @param {Tree} sent */
function openTree(sent) {
  loadTree(sent);
  enterMode(sent.nodes.length > 1 ? "games" : "analyse");
}

/** @param {File} file */
async function takeFile(file) {
  if (file.size > 8e6) return notice(words("tooLarge"));
  takeIn(encode(new Uint8Array(await file.arrayBuffer())));
}

/** @param {{name: string, kind: string, bytes: string}} file */
function save({ name, kind, bytes }) {
  const data = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
  const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(new Blob([data], { type: kind })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** @param {string} text */
const copy = async (text) => { await navigator.clipboard.writeText(text); notice(words("copied")); };

const textOfMoves = () => lineHere().map((id, ply) => `${numberText(firstPlace() + ply, !ply)} ${plain(tree.nodes[id].name)}`.trim()).join(" ");
/** A picture of the board in the look of the page; `apng` has the last moves. @param {string} format */
const picture = (format) => wish("picture", { ...place(), turned, arrows: [], format, look: looks() });
const files = {
  pgn: () => wish("write", { format: "pgn", tree: sentTree() }),
  xqf: () => wish("write", { format: "xqf", tree: sentTree() }),
  ubb: () => wish("write", { format: "ubb", tree: sentTree() }),
  svg: () => picture("svg"),
  png: () => picture("png"),
  apng: () => picture("apng"),
  html: () => wish("review-page"),
};
for (const button of all("[data-save]")) {
  button.addEventListener("click", async () => {
    const file = await files[button.dataset.save]();
    if (file.bytes) save(file);
  });
}
byId("copyFen").addEventListener("click", () => copy(looked?.fen ?? tree.start));
byId("copyMoves").addEventListener("click", () => copy(textOfMoves()));
byId("file").addEventListener("change", (event) => { if (event.target.files[0]) takeFile(event.target.files[0]); });
byId("titles").addEventListener("change", (event) => takeIn(handed, Number(event.target.value)));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) takeFile(file);
});
document.addEventListener("paste", (event) => {
  if (event.target.closest?.("input, textarea")) return;
  const [file] = event.clipboardData.files;
  const text = event.clipboardData.getData("text");
  if (file) takeFile(file);
  else if (text.trim()) takeIn(encode(new TextEncoder().encode(text)));
});

// --- the review ---

/** @type {() => number[]} */
const mainLine = () => { const line = [0]; for (let at = 0; tree.nodes[at].children.length; line.push(at)) [at] = tree.nodes[at].children; return line; };

byId("review").addEventListener("click", () => {
  review = null;
  wish("rest", { number: ++question });
  wish("review", { tree: sentTree(), rules: byId("lawOf").value, time: Number(byId("reviewTime").value) });
});
byId("endReview").addEventListener("click", () => { wish("end-review"); byId("progress").hidden = true; });

onNews((news) => {
  if (!news.review) return;
  const { done, total, review: found } = news.review;
  Object.assign(byId("progress"), { hidden: Boolean(found), max: total, value: done });
  if (!found || review) return;
  review = found;
  const line = mainLine();
  review.moves.forEach((move, index) => {
    const mark = Number(Object.keys(SIGNS).find((number) => SIGNS[number] === move.mark) ?? 0);
    if (mark && tree.nodes[line[index + 1]]?.move === move.move) tree.nodes[line[index + 1]].marks = [mark];
  });
  keepTree();
  if (mode === "games") refresh();
  think();
});

modes.games = { ...modes.analyse, tell: () => { modes.analyse.tell(); tellTags(); tellReview(); tellLearning(); }, leave: () => { learning = null; modes.analyse.leave(); } };
byId("curve").addEventListener("click", (event) => {
  const { left, width } = byId("curve").getBoundingClientRect();
  visit(mainLine()[Math.round(((event.clientX - left) / width) * review.moves.length)] ?? 0);
});

// --- training: find the better move at each mistake ---

/** @param {string} side */
function learn(side) {
  const bad = review.moves.filter((move) => move.side === side && ["?!", "?", "??"].includes(move.mark) && move.better.length);
  if (!bad.length) return notice(words("faultless"));
  learning = { bad, at: 0, said: null, move: null };
  findNext(0);
}

/** @param {number} by */
function findNext(by) {
  learning.at += by;
  const mistake = learning.bad[learning.at];
  if (!mistake) learning = null;
  else Object.assign(learning, { said: null, move: null });
  visit(mistake ? mainLine()[mistake.ply - 1] : here);
}

/** @param {string} move */
function tryMove(move) {
  const mistake = learning.bad[learning.at];
  learning.move = move;
  if (move === mistake.better[0]) return solved(words("best"));
  learning.said = words("thinking");
  refresh();
  think({ ...place([...movesTo(here), move]), nodes: 150000, lines: 1, threat: false });
}

/** Rates the attempted move by the engine's analysis: a small loss counts as found. @param {any} told */
function judgeTry(told) {
  if (!learning.move || !told.final || told.chance === null) return;
  const mistake = learning.bad[learning.at];
  const lost = (mistake.side === "red" ? 1 : -1) * (mistake.before.chance - told.chance);
  if (lost < 0.04) return solved(words("goodToo"));
  Object.assign(learning, { said: words("notYet", { lost: Math.round(100 * lost) }), move: null });
  refresh();
}

/** @param {Both} said */
const solved = (said) => { Object.assign(learning, { said, move: null }); refresh(); };

function tellLearning() {
  byId("lesson").hidden = !learning;
  const mistake = learning?.bad[learning.at];
  if (!mistake) return;
  const played = { zh: mistake.chinese, en: mistake.wxf };
  const names = { number: learning.at + 1, count: learning.bad.length, mark: mistake.mark };
  write(byId("lessonText"), { zh: words("lesson", { ...names, played: played.zh }).zh, en: words("lesson", { ...names, played: played.en }).en }, learning.said);
}

byId("learnRed").addEventListener("click", () => learn("red"));
byId("learnBlack").addEventListener("click", () => learn("black"));
byId("nextLesson").addEventListener("click", () => findNext(1));
byId("endLesson").addEventListener("click", () => findNext(learning.bad.length));
byId("showLesson").addEventListener("click", () => { const { better } = learning.bad[learning.at]; learning = null; playLine(better.slice(0, 5)); });
