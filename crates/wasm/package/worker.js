// The engine in a Web Worker: lines in and out by messages. It can be used without `chuhe.js`, as
// `new Worker("worker.js", { type: "module" })`, where WebAssembly can wait for a promise; elsewhere `stop` is heard
// during a search only from `chuhe.js`, which sends a flag with each search.
//
// A message to it is text of one or several lines; `{ wasm, suspending }`, the first one, says where the module is,
// with `tables.bin` beside it, and how input is waited for; `{ text, flag }` is a search that ends when the address `flag` is no more. Its messages are
// lines; `{ ready }`, `{ done: flag }` when such a search has been handled, `{ error }` and `{ closed }`.
import { canSuspend, hasSimd, joined, startEngine } from "./module.js";

const encoder = new TextEncoder();
// Messages not handled yet.
const waiting = [];
let engine;
let busy = false;
let suspending = canSuspend();
let flag = null;
let wake = () => {};

const host = {
  write(bytes) {
    const text = new TextDecoder().decode(bytes);
    for (const line of text.split("\n")) if (line) postMessage(line);
  },
  get suspending() {
    return suspending;
  },
  get interval() {
    return suspending ? 8 : 25;
  },
  read: () => (suspending ? readSuspended() : readFlag()),
  wait: (milliseconds) => (suspending ? waitSuspended(milliseconds) : waitForFlag(milliseconds)),
};

function encode(message) {
  const text = typeof message === "string" ? message : message.text;
  return encoder.encode(text.endsWith("\n") ? text : `${text}\n`);
}

// Messages arrive when this thread has nothing else to do: a message to itself comes behind them.
const { port1, port2 } = new MessageChannel();

async function readSuspended() {
  await new Promise((resolve) => {
    port2.onmessage = resolve;
    port1.postMessage(0);
  });
  return waiting.length ? joined(waiting.splice(0).map(encode)) : new Uint8Array();
}

function waitSuspended(milliseconds) {
  if (waiting.length) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

// Whether the page has taken the flag away. A request is the one thing that a busy worker can do to learn it.
function isFlagGone() {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", flag, false);
    request.send();
    return request.status !== 200;
  } catch {
    return true;
  }
}

function readFlag() {
  if (flag === null || !isFlagGone()) return new Uint8Array();
  flag = null;
  return encode("stop");
}

function waitForFlag(milliseconds) {
  const end = performance.now() + milliseconds;
  while (performance.now() < end && !(flag !== null && isFlagGone()));
}

async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.arrayBuffer();
}

async function handle(message) {
  if (engine === undefined) {
    const { wasm, suspending: asked = true } = typeof message === "string" ? {} : message;
    suspending &&= asked;
    if (!hasSimd()) throw new Error("this browser has no WebAssembly SIMD");
    const address = wasm ?? new URL("chuhe.wasm", import.meta.url).href;
    const [module, tables] = await Promise.all([load(address), load(new URL("tables.bin", address).href)]);
    engine = await startEngine(await WebAssembly.compile(module), new Uint8Array(tables), host);
    postMessage({ ready: true, suspending });
    if (typeof message !== "string") return true;
  }
  flag = message.flag ?? null;
  const goesOn = await engine.handle(encode(message));
  if (message.flag) postMessage({ done: message.flag });
  return goesOn;
}

async function handleAll() {
  if (busy) return;
  busy = true;
  try {
    while (waiting.length) {
      if (!(await handle(waiting.shift()))) {
        postMessage({ closed: true });
        return close();
      }
    }
  } catch (error) {
    postMessage({ error: error.message });
    return close();
  }
  busy = false;
}

onmessage = ({ data }) => {
  waiting.push(data);
  wake();
  handleAll();
};
