// The files of the board, kept in IndexedDB. Only one tab writes them: the first, as long as it is open.

import { translation } from "./elements.js";
import { ShellError } from "./status_bar.js";

/** The path of this site. Sites of one origin, such as those of a user of GitHub, share storage: names begin with it. */
export const SITE = new URL(".", location.href).pathname;

const [NAME, STORE] = [`chuhe:${SITE}`, "files"];
/** @typedef {Record<string, Uint8Array<ArrayBuffer>>} Files */
/** @type {IDBDatabase | null} */
let database = null;
let isOwner = true;

/** @returns {Promise<IDBDatabase>} */
function openDatabase() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = request.onblocked = () => reject(request.error ?? new Error("blocked"));
  });
}

/** All files. @param {IDBDatabase} from @returns {Promise<Files>} */
function readAll(from) {
  return new Promise((resolve, reject) => {
    const transaction = from.transaction(STORE);
    const [names, values] = [transaction.objectStore(STORE).getAllKeys(), transaction.objectStore(STORE).getAll()];
    transaction.oncomplete = () => resolve(Object.fromEntries(names.result.map((name, index) => [name, values.result[index]])));
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Becomes the tab that keeps games, if no other one is; otherwise tells when that has been closed.
 * @param {() => void} onReleased @returns {Promise<boolean>} */
function claim(onReleased) {
  // Not in a page without https: there the last tab that writes is right.
  if (!navigator.locks) return Promise.resolve(true);
  const forever = new Promise(() => {});
  return new Promise((resolve) => {
    navigator.locks.request(NAME, { ifAvailable: true }, (lock) => {
      resolve(Boolean(lock));
      if (lock) return forever;
      navigator.locks.request(NAME, () => { onReleased(); return forever; });
    });
  });
}

/** Reads all files; says why none will be kept.
 * @param {() => void} onReleased @returns {Promise<{files: Files, storageError?: string}>} */
export async function loadFiles(onReleased) {
  isOwner = await claim(onReleased);
  try {
    const opened = await openDatabase();
    database = opened;
    opened.onversionchange = () => opened.close();
    const files = await readAll(opened);
    if (isOwner) return { files };
    // The other tab goes on with it.
    delete files["unfinished.pgn"];
    return { files, storageError: translation("shell-otherTab") };
  } catch {
    database = null;
    return { files: {}, storageError: translation("shell-noStorage") };
  }
}

/** Keeps files, all of them or none; `null` stands for one that is removed. It is rejected with a `ShellError` if there is
 * no room.
 * @param {Record<string, Uint8Array | null>} files @returns {Promise<void>} */
export function writeFiles(files) {
  const target = database;
  if (!target || !isOwner) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const fail = () => reject(new ShellError(translation("shell-full")));
    try {
      const transaction = target.transaction(STORE, "readwrite");
      const store = transaction.objectStore(STORE);
      transaction.oncomplete = () => resolve();
      transaction.onabort = fail;
      for (const [name, bytes] of Object.entries(files)) bytes ? store.put(bytes, name) : store.delete(name);
      // Not only when the event loop comes to it: the page may be about to end.
      transaction.commit();
    } catch {
      fail();
    }
  });
}

/** Whether anything is kept at all. */
export const keepsFiles = () => Boolean(database) && isOwner;

/** The file of this name, as it is kept now. @param {string} name @returns {Promise<Uint8Array<ArrayBuffer> | undefined>} */
export const readFile = async (name) => (database ? (await readAll(database))[name] : undefined);
