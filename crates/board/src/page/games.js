// Opens and saves games with the browser's dialogs, and reviews the current game.

/** @type {string | null} */
let handed = null;
/** @type {any} */
let review = null;

/** @type {(bytes: Uint8Array) => string} */
const encode = (bytes) => btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));

/** Reads a game from bytes that were dropped, pasted or chosen; returns whether there was one.
 * @param {string} bytes @param {number} number @returns {Promise<boolean>} */
async function takeIn(bytes, number = 0) {
  const answer = await wish("read", { bytes, number });
  if (!answer.tree || !await mayReplace()) return false;
  handed = bytes;
  learning = null;
  loadTree(answer.tree);
  const titles = byId("titles");
  titles.hidden = answer.titles.length < 2;
  titles.replaceChildren(...answer.titles.map((title, index) => new Option(`${index + 1}. ${title}`, index, false, index === number)));
  if (mode !== "games") enterMode("games");
  else visit(0);
  tellReview();
  if (answer.faults.length) notice(answer.faults[0]);
  return true;
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
/** @type {(format: string) => Promise<any>} */
async function writeTree(format) {
  const written = tree;
  const file = await wish("write", { format, tree: sentTree() });
  if (file.bytes) written.edited = false;
  return file;
}
/** A picture of the board in the look of the page; `apng` has the last moves. @param {string} format */
const picture = (format) => wish("picture", { ...place(), turned, arrows: drawnArrows(), format, look: looks() });
const files = {
  pgn: () => writeTree("pgn"),
  xqf: () => writeTree("xqf"),
  ubb: () => writeTree("ubb"),
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
  if (closest(event, "input, textarea")) return;
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
  // On a phone the progress and what is found are in a sheet.
  setTimeout(() => openSheet("files"));
  wish("rest", { number: ++question });
  wish("review", { tree: sentTree(), rules: byId("lawOf").value, time: Number(byId("reviewTime").value) });
});
byId("endReview").addEventListener("click", () => { wish("end-review"); byId("progress").hidden = true; });

onNews((news) => {
  if (!news.review) return;
  const { done, total, review: found } = news.review;
  Object.assign(byId("progress"), { hidden: Boolean(found), max: total, value: done });
  if (!found || review) return;
  const line = mainLine();
  const marked = [];
  found.moves.forEach((move, index) => {
    const mark = Number(Object.keys(SIGNS).find((number) => SIGNS[number] === move.mark) ?? 0);
    const node = tree.nodes[line[index + 1]];
    if (mark && node?.move === move.move) marked.push({ node, before: node.marks, after: [mark] });
  });
  const set = (name, value) => () => { for (const each of marked) each.node.marks = each[name]; review = value; };
  change(set("after", found), set("before", null), { edits: false });
  if (mode === "games") refresh();
  think();
});

modes.games = {
  ...modes.analyse,
  tell: () => { modes.analyse.tell(); tellTags(); tellKept(); tellReview(); tellLearning(); },
  enter: () => { readKept(); modes.analyse.enter(); },
  leave: () => { learning = null; modes.analyse.leave(); },
};
byId("curve").addEventListener("click", (event) => {
  const { left, width } = byId("curve").getBoundingClientRect();
  visit(mainLine()[Math.round(((event.clientX - left) / width) * review.moves.length)] ?? 0);
});
