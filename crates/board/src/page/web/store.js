// What the page of a static host remembers: settings in the storage of the browser, the analysed game among the files that
// the engine hands out.

import { tab, transport } from "./transport.js";

const SETTINGS = "chuhe.settings";
const LOOKS = ["theme", "pieces", "board", "coordinates", "octagons"];

/** @returns {Record<string, string>} */
function readSettings() {
  try { return JSON.parse(localStorage.getItem(SETTINGS) ?? "{}"); } catch { return {}; }
}

const settings = readSettings();
const root = document.documentElement;
for (const name of LOOKS) if (settings[name]) root.dataset[name] = settings[name];

/** @type {Store} */
export const store = {
  get: (name) => settings[name],
  set(name, value) {
    settings[name] = value;
    try { localStorage.setItem(SETTINGS, JSON.stringify(settings)); } catch { /* to remember is a convenience */ }
  },
  // A game that is too large to be kept is still there to be saved as a file.
  saveAnalysis: (tree, isLeaving = false) => { transport.send("save-analysis", { tree }, isLeaving).catch(() => {}); },
  flushed: () => Promise.resolve(),
  addressIn: (language) => `${language}.html${location.hash}`,
  tab,
};
