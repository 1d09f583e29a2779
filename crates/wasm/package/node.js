// The engine in Node: a worker thread, and the command line.
import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { MessageChannel, Worker } from "node:worker_threads";

// Whether this module is the program that runs.
export function isMain(address) {
  try {
    return Boolean(process.argv[1]) && pathToFileURL(realpathSync(process.argv[1])).href === address;
  } catch {
    return false;
  }
}

// Whether a person reads Chinese: by the variables that the native program looks at, or else as the system is set.
function isChinese() {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  const hasSetting = ["darwin", "win32"].includes(process.platform);
  const locale = LC_ALL || LC_MESSAGES || LANG || (hasSetting ? Intl.DateTimeFormat().resolvedOptions().locale : "");
  return /^zh(?![a-z])/i.test(locale);
}

// Starts the engine on a thread. Its counter is raised with each message, so that the thread, which is busy or asleep,
// can wait for one. That of the program writes to standard output itself.
export function startWorker({ wasm, bench, isProgram, terminal } = {}) {
  const { port1, port2 } = new MessageChannel();
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL("./node-worker.js", import.meta.url), {
    workerData: { port: port2, counter, wasm: String(wasm ?? new URL("./chuhe.wasm", import.meta.url)), bench, isProgram, terminal },
    transferList: [port2],
    // Those of the program may not be for a thread.
    execArgv: [],
    // The search recurses hundreds of plies deep.
    resourceLimits: { stackSizeMb: 16 },
  });
  const worker = {
    onReady() {},
    onOutput() {},
    onBench() {},
    onClose() {},
    // Sends bytes of input; null is its end.
    send(bytes) {
      port1.postMessage(bytes);
      Atomics.add(counter, 0, 1);
      Atomics.notify(counter, 0);
    },
    terminate: () => thread.terminate(),
  };
  thread.on("message", (message) => {
    if (message === "ready") worker.onReady();
    else if (message instanceof Uint8Array) worker.onOutput(message);
    else worker.onBench(message);
  });
  let failure;
  thread.on("error", (error) => (failure = error));
  thread.on("exit", () => {
    port1.close();
    worker.onClose(failure);
  });
  return worker;
}

// `node chuhe.js`: a UCCI and UCI engine at standard input and output. `node chuhe.js bench [PLIES]`: its signature.
export async function runCommandLine([command, depth]) {
  if (command === "bench") return runBench(Number(depth ?? 0));
  if (command !== undefined) {
    console.error(isChinese() ? "用法：node chuhe.js [bench [层数]]" : "usage: node chuhe.js [bench [PLIES]]");
    process.exitCode = 2;
    return;
  }
  // Hosts get English, whatever the person's language is: they decode in different ways.
  const isPerson = process.stdin.isTTY && process.stdout.isTTY;
  const worker = startWorker({ isProgram: true, terminal: isPerson ? (isChinese() ? "zh" : "en") : "" });
  process.stdin.on("data", (bytes) => worker.send(bytes));
  process.stdin.on("end", () => worker.send(null));
  process.stdin.on("error", () => worker.send(null));
  worker.onClose = (error) => {
    if (error) {
      console.error(`chuhe: ${error.message}`);
      process.exitCode = 1;
    }
    process.stdin.destroy();
  };
}

function runBench(depth) {
  const worker = startWorker({ bench: { depth } });
  worker.onBench = ({ nodes, seconds, memory }) => {
    console.log(`${seconds.toFixed(3)} s, ${Math.round(memory / 1e6)} MB\n${nodes} nodes ${Math.round(nodes / seconds)} nps`);
  };
  worker.onClose = (error) => {
    if (!error) return;
    console.error(`chuhe: ${error.message}`);
    process.exitCode = 1;
  };
}
