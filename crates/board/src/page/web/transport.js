// The connection to the engine in a worker, for a page without a server: the requests and events of `transport.js`, as
// messages. What the engine wants to be kept is kept before its reply is passed on.
//
// The engine takes in messages while it thinks: where WebAssembly can wait for a promise, it looks for them; elsewhere it
// learns that there are any from an address that is no more, which each message takes back and replaces.

import { showNotice } from "./elements.js";
import { loadTables, persist, ShellError, start as startShell } from "./shell.js";

/** The analysed game of a page that is leaving: it waits for no worker. */
const [UNSAVED, ANALYSIS_FILE] = ["chuhe.work", "analysis.json"];
/** A message of the worker.
 * @typedef {{ready?: boolean, error?: string, files?: Record<string, Uint8Array | null>, events?: ServerEvents, id?: number,
 *   reply?: string | null}} WorkerMessage */

/** @type {Worker | null} */
let worker = null;
/** The start of the worker, with what is wrong with storage. @type {Promise<Bilingual | undefined> | null} */
let started = null;
/** @type {string | null} */
let page = null;
/** The address that exists until the next message. */
let flag = "";
let lastId = 0;
/** The requests without a reply.
 * @type {Map<number, {resolve: (reply: string | null) => void, reject: (error: Error) => void}>} */
const waiting = new Map();
/** @type {((events: ServerEvents) => void) | null} */
let onEvents = null;
let onLost = () => {};
/** The events that nobody has taken yet. @type {ServerEvents} */
let pendingEvents = {};
/** All that came from the worker before is passed on and kept. */
let received = Promise.resolve();
/** Files that could not be kept: they are tried again with the next ones. @type {Record<string, Uint8Array | null>} */
let unkept = {};
/** Whether the last files were kept: a failure is told once. */
let isKeeping = true;

/** Uses the storage of the browser, if there is any. @template Value @param {(storage: Storage) => Value} use */
function withStorage(use) {
  try { return use(localStorage); } catch { return null; }
}

/** @param {Worker} to @param {object} message */
function post(to, message) {
  const old = flag;
  flag = URL.createObjectURL(new Blob(["1"]));
  to.postMessage({ ...message, flag });
  URL.revokeObjectURL(old);
}

async function startWorker() {
  // Its scripts come while the engine does.
  const begun = new Worker("board-worker.js", { type: "module", name: "chuhe" });
  const ready = new Promise((resolve, reject) => {
    /** @param {Error} error */
    const fail = (error) => { reject(error); stop(error); };
    begun.onerror = (event) => fail(new Error(event.message ?? "the worker cannot be started"));
    begun.onmessage = (/** @type {MessageEvent<WorkerMessage>} */ { data }) => {
      if (data.ready) resolve(null);
      else if (data.error) fail(new Error(data.error));
      else received = received.then(() => receive(data));
    };
  });
  // It may fail before anybody waits for it.
  ready.catch(() => {});
  const { module, files, storageError } = await startShell().catch((error) => { begun.terminate(); throw error; });
  const unsaved = withStorage((storage) => storage.getItem(UNSAVED));
  if (unsaved) files[ANALYSIS_FILE] = new TextEncoder().encode(unsaved);
  worker = begun;
  post(begun, { start: { wasm: module, files } });
  await ready;
  bringTables(false).catch(() => {});
  return storageError;
}

/** The endgame tables have come. */
let hasTables = false;
/** They come after the first view, or when they are first wanted. @param {boolean} isUrgent */
async function bringTables(isUrgent) {
  const to = worker;
  const tables = await loadTables(isUrgent);
  if (hasTables || !to || to !== worker) return;
  hasTables = true;
  post(to, { tables });
}

/** The worker has failed. @param {Error} error */
function stop(error) {
  console.error(error);
  worker?.terminate();
  [worker, started, hasTables] = [null, null, false];
  for (const { reject } of waiting.values()) reject(error);
  waiting.clear();
  onLost();
}

/** @param {WorkerMessage} message */
async function receive({ files, events, id, reply = null }) {
  if (files) {
    Object.assign(unkept, files);
    try {
      await persist(unkept);
      unkept = {};
      if (ANALYSIS_FILE in files) withStorage((storage) => storage.removeItem(UNSAVED));
      isKeeping = true;
    } catch (error) {
      if (isKeeping && error instanceof ShellError) showNotice(error.text, []);
      isKeeping = false;
    }
  }
  if (events && onEvents) onEvents(events);
  else Object.assign(pendingEvents, events);
  if (id) {
    waiting.get(id)?.resolve(reply);
    waiting.delete(id);
  }
}

/** @template Answer @param {string} path @param {object} body @returns {Promise<Answer>} */
async function ask(path, body) {
  const to = worker;
  if (!to) throw new Error("there is no worker");
  const id = ++lastId;
  /** @type {string | null} */
  const reply = await new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    post(to, { id, path, body: JSON.stringify(body) });
  });
  return JSON.parse(reply ?? "{}");
}

/** What this tab remembers where nothing can be stored. @type {Map<string, string>} */
const tabValues = new Map();
/** @type {Store["tab"]} */
export const tab = {
  get(name) { try { return sessionStorage.getItem(`chuhe.${name}`); } catch { return tabValues.get(name) ?? null; } },
  set(name, value) { try { sessionStorage.setItem(`chuhe.${name}`, value); } catch { tabValues.set(name, value); } },
};

/** @returns {Promise<OpenReply>} */
async function open() {
  started ??= startWorker();
  let storageError;
  try {
    storageError = await started;
  } catch (error) {
    started = null;
    if (error instanceof ShellError) return { error: error.text };
    throw error;
  }
  [onEvents, pendingEvents] = [null, {}];
  /** @type {OpenReply} */
  const reply = await ask("/open", { page });
  if (reply.page === undefined) return reply;
  page = reply.page;
  // A tab that has played goes on with its game; others ask.
  if (reply.unfinished && tab.get("plays")) {
    await ask(`/request/${page}`, { type: "resume-game" });
    reply.unfinished = null;
  }
  return { ...reply, storage_notes: [...storageError ? [storageError] : [], ...reply.storage_notes ?? []] };
}

/** Whether a request needs the tables. @param {object | undefined} fields */
const isOfEndings = (fields) => Boolean(fields && "do" in fields && String(fields.do).startsWith("ending"));

/** @type {Transport["send"]} */
async function send(name, fields, isLeaving = false) {
  if (!page) return {};
  if (["play", "new-game", "resume-game"].includes(name)) tab.set("plays", "yes");
  if (isLeaving && name === "save-analysis" && fields && "tree" in fields) {
    withStorage((storage) => storage.setItem(UNSAVED, JSON.stringify(fields.tree)));
  }
  if (!hasTables && isOfEndings(fields)) await bringTables(true);
  const reply = ask(`/request/${page}`, { type: name, ...fields });
  if (!isLeaving) return /** @type {Promise<Reply<typeof name>>} */ (reply);
  reply.catch(() => {});
  return {};
}

// The clock of a user who does not see the page stands still; who sees it again sees what is left.
addEventListener("visibilitychange", () => {
  if (!worker) return;
  post(worker, { hidden: document.visibilityState === "hidden" });
  if (document.visibilityState === "visible") send("check-clock").catch(() => {});
});

/** @type {Transport} */
export const transport = {
  open,
  send,
  sharedAddress: async (fields) => `${location.origin}${location.pathname}#${fields}`,
  address: (place) => `${location.origin}${location.pathname}${location.search}${place ? `#${place}` : ""}`,
  tokenChanged: () => false,
  listen(newOnEvents, newOnLost) {
    [onEvents, onLost] = [newOnEvents, newOnLost];
    onEvents(pendingEvents);
  },
  invitation: () => Promise.reject(new Error("there is no server")),
};
