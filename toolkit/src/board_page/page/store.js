// What the page remembers. All remembering passes through this file: settings and the analysed game are kept by the
// program, as the address of the page changes from run to run; another one with the same `store` keeps them elsewhere.

/**
 * @typedef {object} Store
 * @property {(name: string) => string | undefined} get A setting, as it was when the page was loaded or as it was set
 *   since. Names and values are words of small letters, digits and dashes.
 * @property {(name: string, value: string) => void} set Remembers a setting for all pages to come.
 * @property {(tree: SentTree, leaving?: boolean) => void} keep Keeps the analysed game. A page that is `leaving` waits for
 *   nothing.
 * @property {() => Promise<void>} settled When all that was set so far is remembered.
 * @property {{get: (name: string) => string | null, set: (name: string, value: string) => void}} tab What this tab of
 *   the browser remembers over a reload.
 */

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
