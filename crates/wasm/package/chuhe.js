#!/usr/bin/env node
// Chuhe, a xiangqi engine: `const engine = await Chuhe()` in a browser or in Node, `node chuhe.js` at a command line.
// Lines of UCI or UCCI go in by `engine.postMessage`, and out to the listeners.

const inNode = typeof process === "object" && Boolean(process.versions?.node);

// Commands that end a search.
const ENDS_SEARCH = /^\s*(stop|quit|exit|q|uci|ucci|go|perft|position|fen|startpos|uc[ic]newgame|uccinewgame|uxinewgame)\b/i;
const SEARCHES = /^\s*(go|perft)\b/i;

class Engine {
  #listeners = new Set();
  #send;
  #end;
  #settle;

  constructor(send, end) {
    this.#send = send;
    this.#end = end;
    this.closed = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Who does not ask hears of an error only here.
    this.closed.catch(() => {});
  }

  // Called with each line of the engine.
  onmessage = null;

  addMessageListener(listener) {
    this.#listeners.add(listener);
  }

  removeMessageListener(listener) {
    this.#listeners.delete(listener);
  }

  // Sends a line, or several.
  postMessage(text) {
    for (const line of String(text).split("\n")) if (line.trim()) this.#send(line);
  }

  // Ends the engine, whatever it does.
  terminate() {
    this.#end();
    this.#settle.resolve();
  }

  hear(line) {
    this.onmessage?.(line);
    for (const listener of this.#listeners) listener(line);
  }

  close(error) {
    if (error) this.#settle.reject(error);
    else this.#settle.resolve();
  }
}

// A worker that hears nothing while it thinks, except that a flag is gone: an address that the page takes back.
class DeafWorker {
  // The searches that have been sent and are not done: `{ flag, text, silent }`.
  searches = [];

  constructor(worker, hear) {
    this.worker = worker;
    this.hear = hear;
  }

  send(line) {
    const last = this.searches.at(-1);
    if (last) {
      if (/^\s*isready\b/i.test(line)) return this.hear("readyok");
      if (/^\s*ponderhit\b/i.test(line) && /\bponder\b/i.test(last.text)) return this.#ponderHit(last, line);
      if (ENDS_SEARCH.test(line)) this.searches.forEach(({ flag }) => URL.revokeObjectURL(flag));
      if (/^\s*stop\b/i.test(line)) return;
    }
    if (SEARCHES.test(line)) this.#search(line);
    else this.worker.postMessage(line);
  }

  // The search on the opponent's time ends, unheard, and one on the clock begins, which knows all that it has found.
  #ponderHit(last, line) {
    last.silent = true;
    URL.revokeObjectURL(last.flag);
    this.#search(last.text.replace(/\bponder\b/i, /\bdraw\b/i.test(line) ? "draw" : ""));
  }

  #search(text) {
    const flag = URL.createObjectURL(new Blob(["1"]));
    this.searches.push({ flag, text, silent: false });
    this.worker.postMessage({ text, flag });
  }

  receive(message) {
    if (typeof message === "string" && !this.searches[0]?.silent) this.hear(message);
    if (message.done) URL.revokeObjectURL(this.searches.shift().flag);
  }
}

function inBrowser({ wasm, worker: script, suspending } = {}) {
  const worker = new Worker(script ?? new URL("./worker.js", import.meta.url), { type: "module", name: "chuhe" });
  const address = new URL(wasm ?? new URL("./chuhe.wasm", import.meta.url), location.href).href;
  const engine = new Engine((line) => channel.send(line), () => worker.terminate());
  let channel = new DeafWorker(worker, (line) => engine.hear(line));
  return new Promise((resolve, reject) => {
    const fail = (text) => {
      const error = new Error(text);
      worker.terminate();
      reject(error);
      engine.close(error);
    };
    worker.onerror = (event) => fail(event.message ?? "the worker cannot be started");
    worker.onmessage = ({ data }) => {
      if (data.ready) {
        if (data.suspending) channel = { send: (line) => worker.postMessage(line), receive: (line) => engine.hear(line) };
        resolve(engine);
      } else if (data.error) fail(data.error);
      else if (data.closed) engine.close();
      else channel.receive(data);
    };
    worker.postMessage({ wasm: address, suspending });
  });
}

async function inNodeProcess({ wasm } = {}) {
  const { startWorker } = await import("./node.js");
  return new Promise((resolve, reject) => {
    const worker = startWorker({ wasm });
    const encoder = new TextEncoder();
    const engine = new Engine((line) => worker.send(encoder.encode(`${line}\n`)), () => worker.terminate());
    worker.onReady = () => resolve(engine);
    worker.onOutput = (bytes) => {
      for (const line of new TextDecoder().decode(bytes).split("\n")) if (line) engine.hear(line);
    };
    worker.onClose = (error) => {
      reject(error);
      engine.close(error);
    };
  });
}

export default function Chuhe(options) {
  return inNode ? inNodeProcess(options) : inBrowser(options);
}

if (inNode) {
  const { isMain, runCommandLine } = await import("./node.js");
  if (isMain(import.meta.url)) await runCommandLine(process.argv.slice(2));
}
