// Games that come into the page from other apps and go out of it: opened and shared files, all kept games at once, and
// the reminder to save them.

import { showNotice } from "./elements.js";
import { keepsFiles, readFile, SITE } from "./files.js";
import { openFile, writeGame } from "./games.js";
import { fromBase64, saveFile } from "./save_file.js";
import { onEvents, request } from "./session.js";
import { translation } from "./elements.js";
import { ask } from "./status_bar.js";

/** So many games may end between two reminders. */
const GAMES_BETWEEN_REMINDERS = 5;
const EXPORTED_AT_ONCE = 200;
const FINISHED = "chuhe.finished";

const finishedGames = {
  count() { try { return Number(localStorage.getItem(FINISHED)); } catch { return 0; } },
  /** @param {number} count */
  set(count) { try { localStorage.setItem(FINISHED, String(count)); } catch { /* then nothing is kept either */ } },
};

/** All games that are kept, as one PGN. @returns {Promise<Blob>} */
async function allGames() {
  const parts = [await readFile("unfinished.pgn")];
  const { ids = [] } = await request("game-ids", {});
  // A part at a time, as the engine is busy with each.
  for (let at = 0; at < ids.length; at += EXPORTED_AT_ONCE) {
    const { bytes } = await request("export-games", { ids: ids.slice(at, at + EXPORTED_AT_ONCE), format: "pgn" });
    if (bytes) parts.push(fromBase64(bytes));
  }
  return new Blob(parts.flatMap((part) => (part ? [part, "\n"] : [])), { type: "application/x-chess-pgn" });
}

async function saveAllGames() {
  const games = await allGames();
  if (!games.size) return showNotice(translation("shell-nothingKept"));
  saveFile("chuhe-games.pgn", games);
  finishedGames.set(0);
}

/** Counts finished games, and reminds of saving them where the browser may delete them. */
async function gameFinished() {
  finishedGames.set(finishedGames.count() + 1);
  if (!keepsFiles()) return;
  const isSafe = await navigator.storage?.persisted?.() || await navigator.storage?.persist?.();
  const games = finishedGames.count();
  if (isSafe || games < GAMES_BETWEEN_REMINDERS) return;
  ask(translation("shell-remind", { games }), [
    [translation("shell-saveAllNow"), saveAllGames],
    [translation("shell-later"), () => finishedGames.set(0)],
  ]);
}

/** Opens what another app has shared with this one, or the file that the system has opened with it. */
async function openSharedFile() {
  window.launchQueue?.setConsumer(async ({ files: [handle] }) => { if (handle) openFile(await handle.getFile()); });
  if (location.search !== "?shared") return;
  history.replaceState(null, "", location.pathname + location.hash);
  const cache = await caches.open(`chuhe-shared:${SITE}`);
  const shared = await cache.match("shared");
  await cache.delete("shared");
  const content = await shared?.blob();
  if (content) await openFile(new File([content], "shared", { type: content.type }));
}

async function shareGame() {
  const file = await writeGame("pgn");
  // The user may change his mind.
  if (file.bytes) await navigator.share({ text: new TextDecoder().decode(fromBase64(file.bytes)) }).catch(() => {});
}

/** @param {string} menu @param {string} label @param {() => void} action */
function addButton(menu, label, action) {
  const button = Object.assign(document.createElement("button"), { type: "button" });
  button.textContent = label;
  button.addEventListener("click", action);
  document.querySelector(menu)?.append(button);
}

addButton("#saving > div", translation("shell-saveAll"), saveAllGames);
if ("share" in navigator) addButton("#copying > div", translation("shell-share"), shareGame);
let [isOpen, wasOver] = [false, true];
onEvents((events) => {
  // The first events say that the page is open at the engine, which reads games.
  if (!isOpen) openSharedFile();
  isOpen = true;
  if (!events.game) return;
  const isOver = Boolean(events.game.end);
  if (isOver && !wasOver) gameFinished();
  wasOver = isOver;
});
