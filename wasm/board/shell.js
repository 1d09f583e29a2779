// What the page of a static host has around it: `transport.js` of the page gets engine and files here.

const webShell = (() => {
  const reload = () => location.reload();

  return {
    /** Brings the engine and the files that were kept. Rejected with a text (`wrong`) where there can be no engine. */
    async start() {
      const released = () => strip.ask(shellText("otherTabGone"), [[shellText("reload"), reload], [shellText("later"), () => {}]]);
      const [{ module, packed }, { files, trouble }] = await Promise.all([engineFile.load(), keptFiles.load(released)]);
      // What follows is not urgent.
      setTimeout(() => offline.prepare(packed), 1000);
      return { module, files, trouble };
    },

    /** Keeps files, all of them or none; `null` stands for one that is removed. It is rejected if there is no room.
     * @param {Object<string, Uint8Array | null>} files @returns {Promise<void>} */
    persist: (files) => keptFiles.write(files),
  };
})();
