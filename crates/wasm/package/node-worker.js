// The engine on a thread of Node. It never returns to the event loop: input is asked for, or waited for.
import { readFileSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { joined, startEngine } from "./module.js";

const { port, counter, wasm, bench, isProgram, terminal } = workerData;
const pieces = [];
// No input will come any more; nobody reads the output any more.
let ended = false;
let unread = false;

// Takes what has come.
function receive() {
  for (let next; (next = receiveMessageOnPort(port)); ) {
    if (next.message === null) ended = true;
    else pieces.push(next.message);
  }
}

const STANDARD_OUTPUT = 1;
const pause = new Int32Array(new SharedArrayBuffer(4));

// Writes without a detour over the main thread, which may have to wait for the processor. Who has closed the output wants
// no more.
function print(bytes) {
  for (let written = 0; written < bytes.length && !unread; ) {
    try {
      written += writeSync(STANDARD_OUTPUT, bytes, written);
    } catch (error) {
      if (error.code === "EAGAIN") Atomics.wait(pause, 0, 0, 1);
      else ended = unread = true;
    }
  }
}

const host = {
  interval: 2,
  suspending: false,
  write: (bytes) => (isProgram ? print(bytes) : parentPort.postMessage(bytes.slice())),
  read() {
    receive();
    if (pieces.length) return joined(pieces.splice(0));
    return ended ? null : new Uint8Array();
  },
  wait(milliseconds) {
    const seen = Atomics.load(counter, 0);
    receive();
    if (!pieces.length && !ended) Atomics.wait(counter, 0, seen, milliseconds);
  },
};

// The endgame tables lie beside the module.
const source = wasm.startsWith("file:") ? new URL(wasm) : pathToFileURL(wasm);
const [module, tables] = [source, new URL("tables.bin", source)].map((path) => readFileSync(path));
const engine = await startEngine(new WebAssembly.Module(module), tables, host, terminal);
if (bench) {
  const begun = performance.now();
  const nodes = await engine.bench(bench.depth);
  parentPort.postMessage({ nodes, seconds: (performance.now() - begun) / 1000, memory: engine.memory() });
} else {
  parentPort.postMessage("ready");
  for (let goesOn = true; goesOn; ) {
    host.wait(Infinity);
    const input = host.read();
    if (input === null || input.length) goesOn = await engine.handle(input);
  }
}
port.close();
