// Games that come into the page from other apps and go out of it: opened and shared files, all kept games at once, and
// the reminder to save them. It uses the scripts of the page, which are there when the document is.

/** So many games may end between two reminders. */
const GAMES_BETWEEN_REMINDERS = 5;
const FINISHED = "chuhe.finished";

const finishedGames = {
  count() { try { return Number(localStorage.getItem(FINISHED)); } catch { return 0; } },
  set(count) { try { localStorage.setItem(FINISHED, String(count)); } catch { /* then nothing is kept either */ } },
};

/** All games that are kept, as one PGN. @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function allGames() {
  const parts = [await keptFiles.read("games.pgn"), await keptFiles.read("unfinished.pgn")].filter(Boolean);
  for (const { id } of (await wish("shelf")).kept ?? []) {
    const { tree } = await wish("unshelve", { id });
    const file = tree && await wish("write", { format: "pgn", tree });
    if (file?.bytes) parts.push(Uint8Array.from(atob(file.bytes), (letter) => letter.charCodeAt(0)));
  }
  const gap = new TextEncoder().encode("\n");
  return new Uint8Array(await new Blob(parts.flatMap((part) => [part, gap])).arrayBuffer());
}

async function saveAllGames() {
  const bytes = await allGames();
  if (!bytes.length) return notice(shellText("nothingKept"));
  save({ name: "chuhe-games.pgn", kind: "application/x-chess-pgn", bytes: encode(bytes) });
  finishedGames.set(0);
}

/** Counts finished games, and reminds of saving them where the browser may delete them. */
async function gameFinished() {
  finishedGames.set(finishedGames.count() + 1);
  if (!keptFiles.keeps()) return;
  const isSafe = await navigator.storage?.persisted?.() || await navigator.storage?.persist?.();
  const games = finishedGames.count();
  if (isSafe || games < GAMES_BETWEEN_REMINDERS) return;
  strip.ask(shellText("remind", { games }), [
    [shellText("saveAllNow"), saveAllGames],
    [shellText("later"), () => finishedGames.set(0)],
  ]);
}

/** Opens what another app has shared with this one, or the file that the system has opened with it. */
async function openHanded() {
  // Not in every browser, and unknown to the compiler.
  globalThis["launchQueue"]?.setConsumer(async ({ files: [handle] }) => { if (handle) takeFile(await handle.getFile()); });
  if (location.search !== "?shared") return;
  history.replaceState(null, "", location.pathname + location.hash);
  const cache = await caches.open(`chuhe-shared:${SITE}`);
  const shared = await cache.match("shared");
  await cache.delete("shared");
  if (shared) await takeFile(new File([await shared.blob()], "shared"));
}

function addButton(menu, label, deed) {
  const button = Object.assign(document.createElement("button"), { type: "button" });
  strip.label(button, label);
  button.addEventListener("click", deed);
  document.querySelector(menu)?.append(button);
}

addEventListener("DOMContentLoaded", () => {
  // The script of the page has not come, which `check.js` tells.
  if (typeof onNews === "undefined") return;
  addButton("#saving > div", shellText("saveAll"), saveAllGames);
  if (navigator.share) {
    addButton("#copying > div", shellText("share"), async () => {
      const file = await files.pgn();
      if (!file.bytes) return;
      const text = new TextDecoder().decode(Uint8Array.from(atob(file.bytes), (letter) => letter.charCodeAt(0)));
      // The user may change his mind.
      await navigator.share({ text }).catch(() => {});
    });
  }
  let [isOpen, wasOver] = [false, true];
  onNews((news) => {
    // The first news say that the page is open at the engine, which reads games.
    if (!isOpen) openHanded();
    isOpen = true;
    if (!news.game) return;
    const isOver = Boolean(news.game.over);
    if (isOver && !wasOver) gameFinished();
    wasOver = isOver;
  });
});
