// Brings the engine: downloads it with progress, goes on after an interruption, unpacks and compiles it on the way. Later
// visits find it unpacked.

// Filled in by the packaging: the version of all files together; the packed module, its sizes, and its hash.
const BUILD = {
  version: "VERSION",
  engine: "chuhe.bin",
  size: Number("ENGINE_SIZE"),
  unpackedSize: Number("UNPACKED_SIZE"),
  hash: "ENGINE_HASH",
};
const CACHE = `chuhe:${SITE}:${BUILD.version}`;
/** The name of the unpacked module in the cache. */
const UNPACKED = "chuhe.wasm";

const engineFile = (() => {
  // A module with one SIMD instruction, to ask whether there are any.
  const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

  const isSupported = () => typeof WebAssembly === "object" && WebAssembly.validate(SIMD);

  /** @param {number} bytes */
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

  /** @param {number} time */
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
    const tell = (name) => {
      strip.progress(shellText(name, { done: megabytes(done), total: megabytes(BUILD.size) }), done / BUILD.size);
    };
    tell("loading");
    for (let failures = 0; done < BUILD.size; ) {
      const before = done;
      try {
        // `check.js` has asked already.
        const asked = globalThis["chuheEngine"];
        globalThis["chuheEngine"] = null;
        const headers = done ? { Range: `bytes=${done}-` } : {};
        const answer = await (asked ?? fetch(`${BUILD.engine}?${BUILD.version}`, { headers }));
        // There is no more of it: this is another one.
        if (answer.status === 416) throw toldError(shellText("mixed"));
        if (!answer.ok) throw toldError(shellText("refused", { reason: answer.status }), false);
        // The server may send all of it again: what is there already is passed over.
        let skip = answer.status === 206 ? 0 : done;
        const reader = answer.body.getReader();
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          const piece = read.value.subarray(Math.min(skip, read.value.length));
          skip -= read.value.length - piece.length;
          if (done + piece.length > BUILD.size) throw toldError(shellText("mixed"));
          all.set(piece, done);
          done += piece.length;
          pass(done);
          tell("loading");
        }
        if (done === before) throw toldError(shellText("mixed"));
      } catch (error) {
        if (error.final) throw error;
        failures = done > before ? 1 : failures + 1;
        if (error.wrong) strip.progress(error.wrong, null);
        else tell(navigator.onLine ? "retrying" : "offline");
        await pauseOrNetwork(Math.min(500 * 2 ** failures, 15000));
      }
    }
  }

  /** Whether these are the bytes of this version. Without https browsers do not tell. @param {Uint8Array<ArrayBuffer>} bytes */
  async function isRight(bytes) {
    if (!globalThis.crypto?.subtle) return true;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === BUILD.hash;
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

  return {
    /** The compiled module; its bytes as well, if they have been downloaded. Rejected with a text where there can be no
     * engine.
     * @returns {Promise<{module: WebAssembly.Module, packed?: Uint8Array<ArrayBuffer>, unpacked?: Uint8Array<ArrayBuffer>}>} */
    async load() {
      if (!isSupported()) throw toldError(shellText("noSimd"));
      const kept = await keptModule();
      if (kept) return { module: kept };
      const packed = new Uint8Array(BUILD.size);
      const unpacker = lzmaUnpacker(packed, BUILD.unpackedSize);
      /** @type {ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>} */
      let controller;
      const stream = new ReadableStream({ start: (given) => { controller = given; } });
      const headers = { "Content-Type": "application/wasm" };
      const compiled = WebAssembly.compileStreaming(new Response(stream, { headers }));
      // It may fail before anybody waits for it.
      compiled.catch(() => {});
      const broken = (error) => { throw toldError(shellText("broken", { reason: error.message })); };
      try {
        await download(packed, (done) => {
          try { controller.enqueue(unpacker.advance(done).slice()); } catch (error) { broken(error); }
        });
        if (!await isRight(packed)) throw toldError(shellText("mixed"));
        strip.progress(shellText("preparing"), null);
        controller.close();
        return { module: await compiled.catch(broken), packed, unpacked: unpacker.all() };
      } finally {
        strip.done();
      }
    },
  };
})();
