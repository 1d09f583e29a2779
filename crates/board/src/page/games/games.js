// Opens and saves games with the browser's dialogs; the list of games.

import { addPlace } from "../core/address.js";
import { byId, drawBoard, isFlipped, queryAll } from "../../../../study/src/html_page/board.js";
import { closest, onClick, showNotice, translation } from "../core/elements.js";
import { currentLook } from "../core/settings_menus.js";
import { openListedGame, readGames, renderGameList, showOpenedGames } from "./game_list.js";
import { mayReplace } from "../core/undo_redo.js";
import { enterMode } from "../core/modes.js";
import { labelBoard, setMoves } from "../core/board_input.js";
import { renderPlayers } from "../core/players.js";
import { copyText, saveDownload, toBase64 } from "../core/save_file.js";
import { request } from "../core/session.js";
import { drawnArrows } from "../core/shapes.js";
import { act, modes, provide, state } from "../core/state.js";
import { currentLine, loadTree, movesTo, sentTree } from "../core/tree.js";
import { firstPlace, numberText } from "../core/tree_view.js";

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
  if (state.mode === "review") act.goToNode(0);
  else enterMode("analyse");
  if (errors.length) showNotice(errors[0]);
  return true;
}

/** @param {string} text */
const openText = (text) => openBytes(toBase64(new TextEncoder().encode(text)));

/** The game that the program was started with. @param {SentTree} sent */
function openGame(sent) {
  loadTree(sent);
  enterMode("analyse");
}

/** @param {File} file */
export async function openFile(file) {
  if (file.type.startsWith("image/")) return act.openPicture(file);
  if (file.size > 8e6) return showNotice(translation("tooLarge"));
  openBytes(toBase64(new Uint8Array(await file.arrayBuffer())), file.name);
}

function movesAsText() {
  const moves = currentLine().map((id, ply) => {
    const { name } = state.tree.nodes[id];
    return `${numberText(firstPlace() + ply, !ply)} ${name ? name : ""}`.trim();
  });
  return moves.join(" ");
}

/** The game as a file. @param {string} format @returns {Promise<Reply<"write-file">>} */
export async function writeGame(format) {
  const written = state.tree;
  const file = await request("write-file", { format, tree: sentTree() });
  if (file.bytes) written.edited = false;
  return file;
}

/** @param {string} format @returns {Promise<Reply<"write-file">>} */
function writeFile(format) {
  if (format === "html") return request("review-page", { language: document.documentElement.lang });
  if (["pgn", "xqf", "ubb"].includes(format)) return writeGame(format);
  // A picture of the board in the look of the page; `apng` has the last moves.
  return request("picture", { ...act.positionQuery(), flipped: isFlipped, arrows: drawnArrows(), format, style: currentLook() });
}

/** @param {ClipboardEvent} event */
function onPaste(event) {
  if (closest(event, "input, textarea") || !event.clipboardData) return;
  const [...files] = event.clipboardData.files;
  const text = event.clipboardData.getData("text");
  if (files.length && state.mode === "train") act.addFiles(files);
  else if (files.length) openFile(files[0]);
  else if (text.trim()) openText(text);
}

function bindFiles() {
  for (const button of queryAll("[data-save]")) {
    button.addEventListener("click", async () => saveDownload(await writeFile(button.dataset.save ?? "")));
  }
  onClick({ copyFen: () => copyText(state.facts?.fen ?? state.tree.start), copyMoves: () => copyText(movesAsText()) });
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
    if (state.mode === "train") act.addFiles(await act.droppedFiles(event.dataTransfer));
    else if (file) openFile(file);
  });
  document.addEventListener("paste", onPaste);
}

// The board beside the list shows the game that is open.
function drawOpenGame() {
  drawBoard(state.tree.start, movesTo(state.node), "");
  setMoves(new Map(), [], "", null);
}

export function bindGames() {
  modes.games = {
    drawBoard: drawOpenGame,
    renderPanel: () => {
      labelBoard(state.tree.nodes[state.node].name);
      renderPlayers(translation, state.tree.start, movesTo(state.node), null);
      renderGameList();
    },
    ply: () => state.tree.nodes[state.node].depth,
    lastPly: () => state.tree.nodes[state.node].depth,
    goTo: () => {},
    moves: () => movesTo(state.node),
    enter: () => { readGames(); },
  };
  /** @param {string} rest */
  const openPlaceOfGame = async (rest) => {
    const [id, mode] = rest.split("/");
    if (state.tree.id !== id && !await openListedGame(id)) return false;
    enterMode(mode === "review" ? "review" : "analyse");
    return true;
  };
  // Older addresses have `game`.
  for (const name of ["games", "game"]) addPlace(name, openPlaceOfGame);
  bindFiles();
}

provide({ openGame, openText });
