// What the page of a static host has around it: `transport.js` of the page gets engine and files here.

const webShell = (() => {
  // The other tab that keeps games has been closed.
  const released = () => strip.ask(shellText("otherTabGone"), [[shellText("reload"), () => location.reload()], [shellText("later"), () => {}]]);

  // It is the longest wait, and begins before the script of the page is there.
  const engine = engineFile.load();
  // Nobody may wait for it yet.
  engine.catch(() => {});

  return {
    /** Brings the engine and the files that were kept. Rejected with a text (`wrong`) where there can be no engine. */
    async start() {
      const [{ module, ...bytes }, { files, trouble }] = await Promise.all([engine, keptFiles.load(released)]);
      if (trouble) strip.ask(trouble, [[shellText("ok"), () => {}]]);
      // What follows is not urgent.
      setTimeout(() => offline.prepare(bytes), 1000);
      return { module, files };
    },

    /** Keeps files, all of them or none; `null` stands for one that is removed. It is rejected if there is no room.
     * @param {Object<string, Uint8Array | null>} files @returns {Promise<void>} */
    persist: (files) => keptFiles.write(files),
  };
})();
