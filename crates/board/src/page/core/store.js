// What the page remembers. All remembering passes through this file: settings and the analysed game are kept by the
// program, as the address of the page changes from run to run. A page without a server has `web/store.js` instead.

import { transport } from "./transport.js";

/** @type {Record<string, string>} */
const settings = JSON.parse(document.documentElement.dataset.settings ?? "{}");
// One after the other, as requests may arrive in another order: the last one counts.
let pending = Promise.resolve();

/** @type {Store} */
export const store = {
  get: (name) => settings[name],
  set(name, value) {
    if (settings[name] === value) return;
    settings[name] = value;
    const send = () => (name === "device-changes"
      ? transport.send("allow-changes", { allowed: value === "on" }) : transport.send("set-setting", { name, value }));
    // Where the program does not take it, it counts for this page.
    pending = pending.then(send).then(() => {}, () => {});
  },
  // A game that is too large to be kept is still there to be saved as a file.
  saveAnalysis: (tree, isLeaving = false) => { transport.send("save-analysis", { tree }, isLeaving).catch(() => {}); },
  flushed: () => pending,
  addressIn: (language) => `?language=${language}${location.hash}`,
  tab: {
    get: (name) => sessionStorage.getItem(`chuhe.${name}`),
    set: (name, value) => sessionStorage.setItem(`chuhe.${name}`, value),
  },
};
