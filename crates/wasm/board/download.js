// Brings the engine: downloads it with progress, goes on after an interruption, unpacks and compiles it on the way. Later
// visits find it unpacked.

import { SITE } from "./files.js";
import { translation } from "./elements.js";
import { ShellError } from "./status_bar.js";
import { endProgress, showProgress } from "./status_bar.js";
import { lzmaUnpacker } from "./unpack.js";

// Filled in by the packaging: the version of all files together; the packed module, its sizes, and its hash.
export const BUILD = {
  version: "VERSION",
  engine: "chuhe.bin",
  size: Number("ENGINE_SIZE"),
  unpackedSize: Number("UNPACKED_SIZE"),
  hash: "ENGINE_HASH",
};
export const CACHE = `chuhe:${SITE}:${BUILD.version}`;
/** The name of the unpacked module in the cache. */
export const UNPACKED = "chuhe.wasm";

// A module with one SIMD instruction, to ask whether there are any.
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

const isSupported = () => typeof WebAssembly === "object" && WebAssembly.validate(SIMD);

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/** @param {number} time @returns {Promise<unknown>} */
const pause = (time) => new Promise((done) => setTimeout(done, time));

/** Waits, but not longer than until the network is back. @param {number} time */
const pauseOrNetwork = (time) => {
  const back = new Promise((done) => addEventListener("online", done, { once: true }));
  return navigator.onLine ? Promise.race([pause(time), back]) : back;
};

/** Downloads the packed engine, over as many requests as it takes, and tells how far it is.
 * @param {Uint8Array<ArrayBuffer>} all @param {(done: number) => void} pass @returns {Promise<void>} */
async function download(all, pass) {
  let done = 0;
  /** @param {"loading" | "retrying" | "offline"} name */
  const tell = (name) => {
    showProgress(translation(`shell-${name}`, { done: megabytes(done), total: megabytes(BUILD.size) }), done / BUILD.size);
  };
  tell("loading");
  for (let failures = 0; done < BUILD.size; ) {
    const before = done;
    try {
      // `browser_check.js` has asked already.
      const asked = window.chuheEngine;
      window.chuheEngine = null;
      /** @type {Record<string, string>} */
      const headers = done ? { Range: `bytes=${done}-` } : {};
      const response = await (asked ?? fetch(`${BUILD.engine}?${BUILD.version}`, { headers }));
      // There is no more of it: this is another one.
      if (response.status === 416) throw new ShellError(translation("shell-mixed"));
      if (!response.ok || !response.body) throw new ShellError(translation("shell-refused", { reason: response.status }), false);
      // The server may send all of it again: what is there already is passed over.
      let skip = response.status === 206 ? 0 : done;
      const reader = response.body.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        const piece = read.value.subarray(Math.min(skip, read.value.length));
        skip -= read.value.length - piece.length;
        if (done + piece.length > BUILD.size) throw new ShellError(translation("shell-mixed"));
        all.set(piece, done);
        done += piece.length;
        pass(done);
        tell("loading");
      }
      if (done === before) throw new ShellError(translation("shell-mixed"));
    } catch (error) {
      const known = error instanceof ShellError ? error : null;
      if (known?.final) throw error;
      failures = done > before ? 1 : failures + 1;
      if (known) showProgress(known.text, null);
      else tell(navigator.onLine ? "retrying" : "offline");
      await pauseOrNetwork(Math.min(500 * 2 ** failures, 15000));
    }
  }
}

/** Whether these are the bytes of this version. Without https browsers do not tell. @param {Uint8Array<ArrayBuffer>} bytes */
async function isRight(bytes) {
  if (!globalThis.crypto?.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("") === BUILD.hash;
}

/** The module that an earlier visit has unpacked. @returns {Promise<WebAssembly.Module | null>} */
async function keptModule() {
  if (!navigator.serviceWorker?.controller) return null;
  try {
    const found = await caches.match(UNPACKED, { cacheName: CACHE });
    return found?.headers.get("X-Hash") === BUILD.hash ? await WebAssembly.compileStreaming(found) : null;
  } catch {
    return null;
  }
}

/** A stream that is filled from outside. */
function openStream() {
  /** @type {ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>[]} */
  const controllers = [];
  const stream = new ReadableStream({ start: (controller) => { controllers.push(controller); } });
  return { stream, controller: controllers[0] };
}

/** The engine could not be compiled. @param {unknown} error @returns {never} */
function throwBroken(error) {
  throw new ShellError(translation("shell-broken", { reason: error instanceof Error ? error.message : String(error) }));
}

/** The compiled module; its bytes as well, if they have been downloaded. Rejected with a `ShellError` where there can be no
 * engine.
 * @returns {Promise<{module: WebAssembly.Module, packed?: Uint8Array<ArrayBuffer>, unpacked?: Uint8Array<ArrayBuffer>}>} */
export async function loadEngine() {
  if (!isSupported()) throw new ShellError(translation("shell-noSimd"));
  const kept = await keptModule();
  if (kept) return { module: kept };
  const packed = new Uint8Array(BUILD.size);
  const unpacker = lzmaUnpacker(packed, BUILD.unpackedSize);
  const { stream, controller } = openStream();
  const compiled = WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
  // It may fail before anybody waits for it.
  compiled.catch(() => {});
  try {
    await download(packed, (done) => {
      try { controller.enqueue(unpacker.advance(done).slice()); } catch (error) { throwBroken(error); }
    });
    if (!await isRight(packed)) throw new ShellError(translation("shell-mixed"));
    showProgress(translation("shell-preparing"), null);
    controller.close();
    return { module: await compiled.catch(throwBroken), packed, unpacked: unpacker.all() };
  } finally {
    endProgress();
  }
}
