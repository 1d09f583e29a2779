// Games for the training: files and folders are read into the list of games, then their reviews wait in the queue.

import { byId } from "../../../../study/src/html_page/board.js";
import { createElement, setText, translation } from "../core/elements.js";
import { toBase64 } from "../core/save_file.js";
import { request } from "../core/session.js";
import { provide, refresh, state } from "../core/state.js";
import { areGamesWaiting, isMeKnown, renderMe, renderQueue, WAITING } from "./train_today.js";
import { ask, openScreen, readToday, screens } from "./training.js";
import { store } from "../core/store.js";
import { transport } from "../core/transport.js";

/** So much of a file is sent at once. */
const PART_SIZE = 6e6;

/** The files that are read: how many there are, how many are done, which wait, and which could not be read.
 * @type {{count: number, done: number, waiting: File[], failed: {title: string, error: string}[]}} */
const reading = { count: 0, done: 0, waiting: [], failed: [] };

/** Reads files, behind those that are read already, then has the games in them reviewed. @param {File[]} files */
async function addFiles(files) {
  if (!files.length) return;
  const isReading = reading.done < reading.count;
  if (!isReading) Object.assign(reading, { count: 0, done: 0, waiting: [], failed: [] });
  reading.count += files.length;
  reading.waiting.push(...files);
  openScreen("games");
  if (isReading) return;
  const ids = [];
  try {
    for (let file = reading.waiting.shift(); file; file = reading.waiting.shift()) {
      const { found, error } = await readFile(file);
      ids.push(...found);
      if (error) reading.failed.push({ title: file.name, error });
      reading.done += 1;
      refresh();
    }
  } finally {
    // Also where the program does not answer: files can be chosen again.
    reading.done = reading.count;
  }
  await addGames(ids);
}

/** Reads a file, a large one in parts that end where the tags of a game begin, behind an empty line.
 * @param {File} file @returns {Promise<{found: string[], error?: string}>} */
async function readFile(file) {
  /** @type {{found: string[], error?: string}} */
  const read = { found: [] };
  let at = 0;
  do {
    const part = new Uint8Array(await file.slice(at, at + PART_SIZE).arrayBuffer());
    let length = part.length;
    if (at + length < file.size) {
      const text = new TextDecoder("latin1").decode(part);
      length = Math.max(text.lastIndexOf("\n\n[") + 2, text.lastIndexOf("\r\n\r\n[") + 4);
      if (length < 5) return { ...read, error: translation("tooLarge") };
    }
    // What is wrong with it is told in a list.
    const { ids = [], errors = [], error } = await transport.send("read-file", { bytes: toBase64(part.subarray(0, length)), name: file.name });
    read.found.push(...ids);
    read.error ??= error ?? errors[0];
    at += length;
  } while (at < file.size);
  return read;
}

/** Has games of the list reviewed, once it is known who the person is. @param {string[]} ids */
async function addGames(ids) {
  if (!ids.length) return refresh();
  if (isMeKnown()) return sendGames(ids);
  const all = [...ids, ...(store.get(WAITING) ?? "").split("-")].filter((id) => id.length > 9).sort();
  store.set(WAITING, `${all[0]}-${all[all.length - 1]}`);
  refresh();
}

async function addWaiting() {
  if (!areGamesWaiting()) return;
  const [first, last] = (store.get(WAITING) ?? "").split("-");
  store.set(WAITING, "none");
  const games = ((await request("game-ids", {})).ids ?? []).filter((id) => id >= first && id <= last);
  if (games.length) await sendGames(games);
}

/** @param {string[]} games */
async function sendGames(games) {
  await ask("add", { games });
  await readToday();
}

// --- files that are dropped ---

/** The files in what was dropped, also those in folders. @param {DataTransfer} dropped @returns {Promise<File[]>} */
async function droppedFiles(dropped) {
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return entries.length ? (await Promise.all(entries.map(filesIn))).flat() : [...dropped.files];
}

/** @param {FileSystemEntry} entry @returns {Promise<File[]>} */
async function filesIn(entry) {
  if (entry.isFile) {
    return [await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject))];
  }
  const [reader, all] = [/** @type {FileSystemDirectoryEntry} */ (entry).createReader(), /** @type {File[]} */ ([])];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return all;
    all.push(...(await Promise.all(some.map(filesIn))).flat());
  }
}

// --- the screen ---

function renderGames() {
  renderQueue();
  renderMe();
  const { count, done, failed } = reading;
  setText(byId("readingText"), done < count ? translation("filesRead", { done, count }) : null);
  const faults = [...failed, ...state.today?.queue.failed ?? []];
  byId("faults").hidden = !faults.length;
  setText(byId("faultCount"), translation("notReviewed", { count: faults.length }));
  byId("faultList").replaceChildren(...faults.map(({ title, error }) => createElement("li", {}, createElement("b", {}, title), " ", error)));
}

export function bindTrainGames() {
  screens.games = { render: renderGames };
  for (const field of [byId("trainFiles"), byId("trainFolder")]) {
    field.addEventListener("change", () => {
      const files = [...field.files ?? []];
      // The same files can be chosen again.
      field.value = "";
      addFiles(files);
    });
  }
  // On phones there are no folders to choose.
  byId("trainFolder").closest("label")?.toggleAttribute("hidden", matchMedia("(pointer: coarse)").matches);
  byId("listedGames").addEventListener("click", async () => {
    addGames((await request("game-ids", {})).ids ?? []);
  });
}

provide({ addFiles, addWaiting, droppedFiles });
