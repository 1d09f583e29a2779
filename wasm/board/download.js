// Brings the engine: downloads it with progress, goes on after an interruption, unpacks and compiles it on the way.

// Filled in by the packaging: the version of all files together, and the packed module.
const BUILD = { version: "VERSION", engine: "chuhe.bin", size: Number("ENGINE_SIZE"), hash: "ENGINE_HASH" };

const engineFile = (() => {
  // A module with one SIMD instruction, to ask whether there are any.
  const SIMD = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

  const isSupported = () =>
    typeof WebAssembly === "object" && WebAssembly.validate(SIMD) && typeof DecompressionStream === "function";

  /** @param {number} bytes */
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

  /** @param {number} time */
  const pause = (time) => new Promise((done) => setTimeout(done, time));

  /** Waits, but not longer than until the network is back. @param {number} time */
  const pauseOrNetwork = (time) => {
    const back = new Promise((done) => addEventListener("online", done, { once: true }));
    return navigator.onLine ? Promise.race([pause(time), back]) : back;
  };

  /** Downloads the packed engine, over as many requests as it takes, and passes its bytes on as they come. Returns all.
   * @param {(piece: Uint8Array<ArrayBuffer>) => Promise<void>} pass @returns {Promise<Uint8Array<ArrayBuffer>>} */
  async function download(pass) {
    const all = new Uint8Array(BUILD.size);
    let done = 0;
    const tell = (name) => {
      strip.progress(shellText(name, { done: megabytes(done), total: megabytes(BUILD.size) }), done / BUILD.size);
    };
    tell("loading");
    for (let failures = 0; done < BUILD.size; ) {
      const before = done;
      try {
        const answer = await fetch(`${BUILD.engine}?${BUILD.version}`, done ? { headers: { Range: `bytes=${done}-` } } : {});
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
          await pass(piece);
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
    return all;
  }

  /** Whether these are the bytes of this version. Without https browsers do not tell. @param {Uint8Array<ArrayBuffer>} bytes */
  async function isRight(bytes) {
    if (!globalThis.crypto?.subtle) return true;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === BUILD.hash;
  }

  return {
    /** The compiled module, and the packed bytes. Rejected with a text where there can be no engine.
     * @returns {Promise<{module: WebAssembly.Module, packed: Uint8Array<ArrayBuffer>}>} */
    async load() {
      if (!isSupported()) throw toldError(shellText("noSimd"));
      const unpacker = new DecompressionStream("gzip");
      const writer = unpacker.writable.getWriter();
      const headers = { "Content-Type": "application/wasm" };
      const compiled = WebAssembly.compileStreaming(new Response(unpacker.readable, { headers }));
      const broken = (error) => { throw toldError(shellText("broken", { reason: error.message })); };
      // It may fail before anybody waits for it.
      compiled.catch(() => {});
      try {
        const packed = await download((piece) => writer.write(piece).catch(broken));
        if (!await isRight(packed)) throw toldError(shellText("mixed"));
        strip.progress(shellText("preparing"), null);
        await writer.close();
        return { module: await compiled.catch(broken), packed };
      } finally {
        strip.done();
      }
    },
  };
})();
