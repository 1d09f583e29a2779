// The games mode: opens and saves games with the browser's dialogs, and reviews the current game.

import { analyseMode, facts, goToNode, positionQuery, startAnalysis, stopAnalysis } from "./analyse.js";
import { byId, isFlipped, queryAll } from "./board.js";
import { closest, localized, showNotice, translation } from "./elements.js";
import { currentLook, openSheet } from "./frame.js";
import { change, mayReplace } from "./history.js";
import { readKeptGames, renderKeptGames } from "./kept_games.js";
import { endLesson, renderLesson } from "./learn.js";
import { currentMode, enterMode, modes, refresh } from "./modes.js";
import { renderReview, renderTags } from "./review_view.js";
import { onEvents, request } from "./session.js";
import { drawnArrows } from "./shapes.js";
import { currentLine, loadTree, mainLine, sentTree, SIGNS, tree } from "./tree.js";
import { firstPlace, numberText } from "./tree_view.js";

/** The file that was opened last, in base64. */
let openedFile = "";
/** The review of the game, if there is one. @type {Review | null} */
export let review = null;

/** @param {Review | null} value */
export const setReview = (value) => { review = value; };

/** @param {Uint8Array} bytes */
const toBase64 = (bytes) => btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
/** @param {string} base64 */
export const fromBase64 = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** Opens a game of a file, given in base64; returns whether there was one.
 * @param {string} bytes @param {number} index @returns {Promise<boolean>} */
async function openBytes(bytes, index = 0) {
  const { tree: sent, titles = [], errors = [] } = await request("read-file", { bytes, index });
  if (!sent || !await mayReplace()) return false;
  openedFile = bytes;
  endLesson();
  loadTree(sent);
  byId("titles").hidden = titles.length < 2;
  byId("titles").replaceChildren(...titles.map((title, at) => new Option(`${at + 1}. ${title}`, String(at), false, at === index)));
  if (currentMode !== "games") enterMode("games");
  else goToNode(0);
  renderReview();
  if (errors.length) showNotice(errors[0]);
  return true;
}

/** @param {string} text */
export const openText = (text) => openBytes(toBase64(new TextEncoder().encode(text)));

/** The game that the program was started with. @param {SentTree} sent */
export function openGame(sent) {
  loadTree(sent);
  enterMode(sent.nodes.length > 1 ? "games" : "analyse");
}

/** @param {File} file */
export async function openFile(file) {
  if (file.size > 8e6) return showNotice(translation("tooLarge"));
  openBytes(toBase64(new Uint8Array(await file.arrayBuffer())));
}

/** Has the browser save a file. @param {string} name @param {Blob} content */
export function saveFile(name, content) {
  const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(content) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** @param {string} text */
export async function copyText(text) {
  await navigator.clipboard.writeText(text);
  showNotice(translation("copied"));
}

function movesAsText() {
  const moves = currentLine().map((id, ply) => {
    const { name } = tree.nodes[id];
    return `${numberText(firstPlace() + ply, !ply)} ${name ? localized(name) : ""}`.trim();
  });
  return moves.join(" ");
}

/** The game as a file. @param {string} format @returns {Promise<Reply<"write-file">>} */
export async function writeGame(format) {
  const written = tree;
  const file = await request("write-file", { format, tree: sentTree() });
  if (file.bytes) written.edited = false;
  return file;
}

/** @param {string} format @returns {Promise<Reply<"write-file">>} */
function writeFile(format) {
  if (format === "html") return request("review-page");
  if (["pgn", "xqf", "ubb"].includes(format)) return writeGame(format);
  // A picture of the board in the look of the page; `apng` has the last moves.
  return request("picture", { ...positionQuery(), flipped: isFlipped, arrows: drawnArrows(), format, style: currentLook() });
}

/** @param {ClipboardEvent} event */
function onPaste(event) {
  if (closest(event, "input, textarea") || !event.clipboardData) return;
  const [file] = event.clipboardData.files;
  const text = event.clipboardData.getData("text");
  if (file) openFile(file);
  else if (text.trim()) openText(text);
}

function bindFiles() {
  for (const button of queryAll("[data-save]")) {
    button.addEventListener("click", async () => {
      const { name, content_type: type, bytes } = await writeFile(button.dataset.save ?? "");
      if (name && bytes) saveFile(name, new Blob([fromBase64(bytes)], { type }));
    });
  }
  byId("copyFen").addEventListener("click", () => copyText(facts?.fen ?? tree.start));
  byId("copyMoves").addEventListener("click", () => copyText(movesAsText()));
  byId("file").addEventListener("change", () => {
    const [file] = byId("file").files ?? [];
    if (file) openFile(file);
  });
  byId("titles").addEventListener("change", () => openBytes(openedFile, Number(byId("titles").value)));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file) openFile(file);
  });
  document.addEventListener("paste", onPaste);
}

// --- the review ---

function startReview() {
  review = null;
  // On a phone the progress and what is found are in a sheet.
  setTimeout(() => openSheet("files"));
  stopAnalysis();
  request("review", { tree: sentTree(), rules: byId("lawOf").value, time: Number(byId("reviewTime").value) });
}

/** @param {ServerEvents} events */
function onReviewEvents({ review: progress }) {
  if (!progress) return;
  const { done, total, review: found } = progress;
  Object.assign(byId("progress"), { hidden: Boolean(found), max: total, value: done });
  if (!found || review) return;
  markMoves(found);
  if (currentMode === "games") refresh();
  startAnalysis();
}

/** Sets the marks of a review, which can be undone with it. @param {Review} found */
function markMoves(found) {
  const line = mainLine();
  /** @type {{node: TreeNode, before: number[], after: number[]}[]} */
  const marked = [];
  found.moves.forEach((move, index) => {
    const mark = Number(Object.keys(SIGNS).find((number) => SIGNS[Number(number)] === move.mark) ?? 0);
    const node = tree.nodes[line[index + 1]];
    if (mark && node?.move === move.move) marked.push({ node, before: node.marks, after: [mark] });
  });
  /** @param {"before" | "after"} which @param {Review | null} value */
  const set = (which, value) => () => { for (const each of marked) each.node.marks = each[which]; review = value; };
  change(set("after", found), set("before", null), { isEdit: false });
}

export function bindGames() {
  modes.games = {
    ...analyseMode,
    renderPanel: () => { analyseMode.renderPanel(); renderTags(); renderKeptGames(); renderReview(); renderLesson(); },
    enter: () => { readKeptGames(); analyseMode.enter?.(); },
    leave: () => { endLesson(); analyseMode.leave?.(); },
  };
  bindFiles();
  byId("review").addEventListener("click", startReview);
  byId("endReview").addEventListener("click", () => { request("stop-review"); byId("progress").hidden = true; });
  onEvents(onReviewEvents);
  byId("curve").addEventListener("click", (event) => {
    const { left, width } = byId("curve").getBoundingClientRect();
    if (review) goToNode(mainLine()[Math.round(((event.clientX - left) / width) * review.moves.length)] ?? 0);
  });
}
