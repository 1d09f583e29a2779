// The engine of the board in a module worker. Messages to it: `{ start: { wasm, files, words } }`, once; `{ id, path, body }`, a
// request as the server takes it; `{ tables }`, the endgame tables; `{ hidden }`, whether nobody sees the page. Each has a `flag`, an address that exists
// until the next message has been sent. Messages from it: `{ ready }`, `{ events }`, `{ id, reply }` (null if the request
// was bad), `{ files }` by their names (null for one that is removed), and `{ error }`, the last one.
import { canSuspend, startBoard } from "./module.js";

// How often the clock is looked at, and how long this worker was suspended at least if it was not looked at.
const HEARTBEAT = 1000;
const SUSPENDED = 4000;

const decoder = new TextDecoder();
/** @typedef {{start: {wasm: WebAssembly.Module | BufferSource, files: Record<string, Uint8Array>, words: import("./module.js").Words | null}}} Start */
/** @typedef {{id: number, path: string, body: string}} PageRequest */
/** @typedef {{flag?: string} & Partial<Start> & Partial<PageRequest> & {tables?: Uint8Array, hidden?: boolean}} Message */
/** Messages not handled yet. @type {Message[]} */
const waiting = [];
const suspending = canSuspend();
/** @type {import("./module.js").Board | undefined} */
let board;
let busy = false;
let flag = "";
let hidden = false;
/** The reply that was written last. @type {string | null} */
let reply = null;

// Messages arrive when this thread has nothing else to do: a message to itself comes behind them.
const { port1, port2 } = new MessageChannel();

function pause() {
  return new Promise((resolve) => {
    port2.onmessage = resolve;
    port1.postMessage(0);
  });
}

// Time while this worker is suspended, as by the lock of a screen, does not count, nor does that of a user who does not see
// the page: no clock runs out unseen.
let checkedAt = performance.now();
let uncounted = 0;
function now() {
  const time = performance.now();
  if (time - checkedAt > SUSPENDED || (hidden && !busy)) uncounted += time - checkedAt;
  checkedAt = time;
  return time - uncounted;
}
setInterval(now, HEARTBEAT);

// Whether the page has sent a message since. A request is the one thing that a busy worker can do to learn it.
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

const [SOME, NONE] = [new Uint8Array(1), new Uint8Array()];

/** @type {import("./module.js").Host} */
const host = {
  suspending,
  interval: suspending ? 8 : 25,
  now,
  read: () => (suspending ? pause().then(() => (waiting.length ? SOME : NONE)) : isFlagGone() ? SOME : NONE),
  wait: () => {},
  // A letter says what it is.
  write(bytes) {
    const kind = String.fromCharCode(bytes[0]);
    const content = bytes.subarray(1);
    if (kind === "a") reply = decoder.decode(content);
    else if (kind === "e") postMessage({ events: JSON.parse(decoder.decode(content)) });
    else if (kind === "r") postMessage({ files: { [decoder.decode(content)]: null } });
    else {
      const end = content.indexOf(10);
      postMessage({ files: { [decoder.decode(content.subarray(0, end))]: content.slice(end + 1) } });
    }
  },
};

/** @param {Message} message */
async function handle(message) {
  flag = message.flag ?? flag;
  if (message.start) {
    const { wasm, files, words } = message.start;
    const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    board = await startBoard(module, host, files, words);
    postMessage({ ready: true, suspending });
  } else if (message.id) {
    reply = null;
    await board?.answer(message.path ?? "", message.body ?? "");
    postMessage({ id: message.id, reply });
  } else if (message.tables) {
    await board?.lendTables(message.tables);
  } else if (message.hidden !== undefined) {
    now();
    hidden = message.hidden;
  }
}

async function handleAll() {
  if (busy) return;
  busy = true;
  try {
    for (let goesOn = true; goesOn; ) {
      for (let next = waiting.shift(); next; next = waiting.shift()) await handle(next);
      goesOn = board !== undefined && await board.runJob();
      await pause();
      goesOn ||= waiting.length > 0;
    }
  } catch (error) {
    postMessage({ error: error instanceof Error ? error.message : String(error) });
    return close();
  }
  now();
  busy = false;
}

onmessage = ({ data }) => {
  waiting.push(data);
  handleAll();
};
