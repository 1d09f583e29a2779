// What the page remembers. All remembering passes through this file: settings and the analysed game are kept by the
// program, as the address of the page changes from run to run. A page without a server has `web/store.js` instead.

/** @type {Store} */
const store = (() => {
  /** @type {Object<string, string>} */
  const settings = JSON.parse(document.documentElement.dataset.settings ?? "{}");
  // One after the other, as requests may arrive in another order: the last one counts.
  let remembering = Promise.resolve();

  return {
    get: (name) => settings[name],
    set(name, value) {
      if (settings[name] === value) return;
      settings[name] = value;
      remembering = remembering.then(() => transport.send("remember", { name, value })).catch(() => {});
    },
    // A game that is too large to be kept is still there to be saved.
    keep: (tree, leaving = false) => { transport.send("keep", { tree }, leaving).catch(() => {}); },
    settled: () => remembering,
    tab: {
      get: (name) => sessionStorage.getItem(`chuhe.${name}`),
      set: (name, value) => sessionStorage.setItem(`chuhe.${name}`, value),
    },
  };
})();
