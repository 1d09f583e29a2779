// The WebAssembly module: what it calls, and input into its memory. Works in browsers and in Node.

// A module with one SIMD instruction, to ask whether there are any.
const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

export function hasSimd() {
  return typeof WebAssembly === "object" && WebAssembly.validate(SIMD);
}

// Whether a module can wait for a promise (JavaScript Promise Integration).
export function canSuspend() {
  return typeof WebAssembly === "object" && "Suspending" in WebAssembly;
}

// The module, instantiated: `call` calls one of its functions with numbers, `put` one that takes bytes. The host has
//   write(bytes)   takes output: whole lines; the bytes are the host's only during the call
//   read()         the bytes of input that have come since, of no length if there are none; null after the end
//   wait(ms)       returns when there is input, or after so many milliseconds
//   interval       how often input is asked for while the engine thinks, in milliseconds
//   suspending     read and wait return promises
//   now()          the milliseconds of a clock that never goes back, unless the usual one serves
async function instantiate(module, host) {
  let memory;
  let pending;
  let trouble;
  const bytes = (start, length) => new Uint8Array(memory.buffer, start, length);
  const announce = (input) => {
    pending = input;
    return input === null ? -1 : input.length;
  };
  const imports = {
    now: host.now ?? (() => performance.now()),
    since_epoch: () => Date.now(),
    random(start, length) {
      for (let at = 0; at < length; at += 65536) {
        crypto.getRandomValues(bytes(start + at, Math.min(65536, length - at)));
      }
    },
    write: (start, length) => host.write(bytes(start, length)),
    panic(start, length) {
      trouble = new TextDecoder().decode(bytes(start, length));
    },
    decode(encoding, start, length) {
      const text = new TextDecoder(["gb18030", "big5"][encoding], { ignoreBOM: true }).decode(bytes(start, length));
      return announce(new TextEncoder().encode(text));
    },
    next_input: () => announce(host.read()),
    take_input: (start) => bytes(start, pending.length).set(pending),
    wait: (milliseconds) => host.wait(milliseconds),
  };
  if (host.suspending) {
    imports.next_input = new WebAssembly.Suspending(async () => announce(await host.read()));
    imports.wait = new WebAssembly.Suspending((milliseconds) => host.wait(milliseconds));
  }
  const { exports } = await WebAssembly.instantiate(module, { chuhe: imports });
  memory = exports.memory;
  const call = (name, ...values) => {
    const explain = (error) => {
      throw new Error(trouble ?? `the engine has failed: ${error.message}`);
    };
    try {
      if (!host.suspending) return exports[name](...values);
      return WebAssembly.promising(exports[name])(...values).catch(explain);
    } catch (error) {
      return explain(error);
    }
  };
  const put = (name, input, ...values) => {
    bytes(exports.input_buffer(input.length), input.length).set(input);
    return call(name, ...values);
  };
  const lendTables = (bytes) => put("lend_tables", bytes);
  const start = async (name) => {
    await call(name, host.interval);
    if (trouble) throw new Error(trouble);
  };
  return { call, put, lendTables, start, memory: () => memory.buffer.byteLength };
}

// An engine that speaks UCI and UCCI, with the endgame tables in these bytes: to a host, or to a person at a terminal, whose
// language is "zh" or "en".
export async function startEngine(module, tables, host, terminal = "") {
  const { call, put, lendTables, start, memory } = await instantiate(module, host);
  await lendTables(tables);
  if (terminal) await call("use_terminal", Number(terminal === "zh"));
  await start("start");
  return {
    // Handles input, with all that its lines ask for. False, or a promise of it, when the session is over.
    handle: async (input) => Boolean(await (input === null ? call("end_input") : put("handle_input", input))),
    // The nodes of the bench, to this depth or its own.
    bench: async (depth = 0) => call("bench", depth),
    memory,
  };
}

// The board of a page, with the files of an earlier run by their names, and with the words of its language where the module has
// none. It writes a letter and a content, see
// `wasm/src/board.rs`.
export async function startBoard(module, host, files, words = null) {
  const encoder = new TextEncoder();
  const { call, put, lendTables, start, memory } = await instantiate(module, host);
  // A name, and what belongs to it.
  const putNamed = (name, title, content) => {
    const bytes = encoder.encode(title);
    return put(name, joined([bytes, content]), bytes.length);
  };
  if (words) await putNamed("put_words", words.language, words.bytes);
  for (const [title, content] of Object.entries(files)) await putNamed("put_file", title, content);
  await start("open_board");
  return {
    // The status of a request; its answer is written.
    answer: (path, body) => putNamed("answer", path, encoder.encode(body)),
    // The endgame tables, which may come later.
    lendTables,
    // Goes on with a job; whether any waits.
    runJob: async () => Boolean(await call("run_job")),
    memory,
  };
}

// Several pieces of input in one.
export function joined(pieces) {
  if (pieces.length === 1) return pieces[0];
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
