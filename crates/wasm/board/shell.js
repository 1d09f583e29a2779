// What the page of a static host has around it: `transport.js` of the page gets engine and files here.

import { loadEngine } from "./download.js";
import { loadFiles, writeFiles } from "./files.js";
import { prepareOffline, untilKept } from "./offline.js";
import { translation } from "./elements.js";
import { ask } from "./status_bar.js";

export { ShellError } from "./status_bar.js";

// It is the longest wait, and begins before the modules of the page are there.
const engine = loadEngine();
// Nobody may wait for it yet.
engine.catch(() => {});

/** The other tab that keeps games has been closed. */
const offerReload = () => ask(translation("shell-otherTabGone"), [
  [translation("shell-reload"), () => location.reload()], [translation("shell-later"), () => {}],
]);

/** Brings the engine and the files that were kept. Rejected with a `ShellError` where there can be no engine. */
export async function start() {
  const [{ module, ...bytes }, { files, storageError }] = await Promise.all([engine, loadFiles(offerReload)]);
  if (storageError) ask(storageError, [[translation("shell-ok"), () => {}]]);
  // What follows is not urgent.
  setTimeout(() => prepareOffline(bytes), 1000);
  return { module, files, storageError };
}

/** Brings the endgame tables; unless they are wanted now, when they can be kept. @param {boolean} isUrgent */
export async function loadTables(isUrgent) {
  if (!isUrgent) await untilKept(10000);
  const answer = await fetch("tables.bin");
  if (!answer.ok || !answer.body) throw new Error(`tables.bin: ${answer.status}`);
  const unpacked = new Response(answer.body.pipeThrough(new DecompressionStream("gzip")));
  return new Uint8Array(await unpacked.arrayBuffer());
}

/** Keeps files, as `writeFiles` does. */
export const persist = writeFiles;
