// Opens and saves games with the browser's dialogs; the list of games.

import { addPlace } from "./address.js";
import { facts, goToNode, positionQuery } from "./analyse.js";
import { byId, drawBoard, isFlipped, queryAll } from "./board.js";
import { closest, localized, showNotice, translation } from "./elements.js";
import { currentLook } from "./frame.js";
import { openListedGame, readGames, renderGameList, showOpenedGames } from "./game_list.js";
import { mayReplace } from "./history.js";
import { currentMode, enterMode, modes } from "./modes.js";
import { labelBoard, setMoves } from "./move_input.js";
import { renderPlayers } from "./play_view.js";
import { request } from "./session.js";
import { drawnArrows } from "./shapes.js";
import { addFiles, droppedFiles } from "./train_games.js";
import { currentLine, currentNode, loadTree, movesTo, sentTree, tree } from "./tree.js";
import { firstPlace, numberText } from "./tree_view.js";

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return btoa(parts.join(""));
}
/** @param {string} base64 */
export const fromBase64 = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** Opens a file, given in base64: its games are in the list then. Of several the list is shown, a single one is opened.
 * Returns whether there was one. @param {string} bytes @param {string} name @returns {Promise<boolean>} */
async function openBytes(bytes, name = "") {
  const { tree: sent, ids = [], errors = [] } = await request("read-file", { bytes, name });
  if (!sent) return false;
  if (ids.length > 1) {
    showOpenedGames();
    showNotice(errors[0] ?? translation("gamesOpened", { count: ids.length }));
    return true;
  }
  if (!await mayReplace()) return false;
  loadTree(sent, ids[0]);
  if (currentMode === "review") goToNode(0);
  else enterMode("analyse");
  if (errors.length) showNotice(errors[0]);
  return true;
}

/** @param {string} text */
export const openText = (text) => openBytes(toBase64(new TextEncoder().encode(text)));

/** The game that the program was started with. @param {SentTree} sent */
export function openGame(sent) {
  loadTree(sent);
  enterMode("analyse");
}

/** @param {File} file */
export async function openFile(file) {
  if (file.size > 8e6) return showNotice(translation("tooLarge"));
  openBytes(toBase64(new Uint8Array(await file.arrayBuffer())), file.name);
}

/** Has the browser save a file. @param {string} name @param {Blob} content */
export function saveFile(name, content) {
  const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(content) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Has the browser save what the program has written, if it has, and all of it. @param {Partial<FileDownload & { error: Bilingual }>} file */
export function saveDownload({ name, bytes, content_type: type, error }) {
  if (name && bytes && !error) saveFile(name, new Blob([fromBase64(bytes)], { type }));
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
  const [...files] = event.clipboardData.files;
  const text = event.clipboardData.getData("text");
  if (files.length && currentMode === "train") addFiles(files);
  else if (files.length) openFile(files[0]);
  else if (text.trim()) openText(text);
}

function bindFiles() {
  for (const button of queryAll("[data-save]")) {
    button.addEventListener("click", async () => saveDownload(await writeFile(button.dataset.save ?? "")));
  }
  byId("copyFen").addEventListener("click", () => copyText(facts?.fen ?? tree.start));
  byId("copyMoves").addEventListener("click", () => copyText(movesAsText()));
  byId("file").addEventListener("change", () => {
    const [file] = byId("file").files ?? [];
    if (file) openFile(file);
    // The same file can be opened again.
    byId("file").value = "";
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    if (!event.dataTransfer) return;
    const [file] = event.dataTransfer.files;
    if (currentMode === "train") addFiles(await droppedFiles(event.dataTransfer));
    else if (file) openFile(file);
  });
  document.addEventListener("paste", onPaste);
}

// The board beside the list shows the game that is open.
function drawOpenGame() {
  drawBoard(tree.start, movesTo(currentNode), "");
  setMoves(new Map(), [], "", null);
}

export function bindGames() {
  modes.games = {
    drawBoard: drawOpenGame,
    renderPanel: () => {
      labelBoard(tree.nodes[currentNode].name);
      renderPlayers(translation, tree.start, movesTo(currentNode), null);
      renderGameList();
    },
    ply: () => tree.nodes[currentNode].depth,
    lastPly: () => tree.nodes[currentNode].depth,
    goTo: () => {},
    moves: () => movesTo(currentNode),
    enter: () => { readGames(); },
  };
  addPlace("game", async (rest) => {
    const [id, mode] = rest.split("/");
    if (tree.id !== id && !await openListedGame(id)) return false;
    enterMode(mode === "review" ? "review" : "analyse");
    return true;
  });
  bindFiles();
}
