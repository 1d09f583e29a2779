// What the page of a static host remembers: settings in the storage of the browser, the analysed game among the files that
// the engine hands out.

/** @type {Store} */
const store = (() => {
  const SETTINGS = "chuhe.settings";
  const LOOKS = ["theme", "pieces", "board", "coordinates", "octagons"];
  // Where nothing is stored, this page still knows what it was told.
  const tabs = new Map();

  /** @type {Object<string, string>} */
  const settings = (() => { try { return JSON.parse(localStorage.getItem(SETTINGS) ?? "{}"); } catch { return {}; } })();
  const root = document.documentElement;
  for (const name of LOOKS) if (settings[name]) root.dataset[name] = settings[name];
  const spoken = navigator.languages.map((language) => language.slice(0, 2).toLowerCase());
  root.lang = root.dataset.language = settings.language ?? spoken.find((code) => code === "zh" || code === "en") ?? "en";

  return {
    get: (name) => settings[name],
    set(name, value) {
      settings[name] = value;
      try { localStorage.setItem(SETTINGS, JSON.stringify(settings)); } catch { /* to remember is a convenience */ }
    },
    // A game that is too large to be kept is still there to be saved.
    keep: (tree, leaving = false) => { transport.send("keep", { tree }, leaving).catch(() => {}); },
    settled: () => Promise.resolve(),
    tab: {
      get: (name) => { try { return sessionStorage.getItem(`chuhe.${name}`); } catch { return tabs.get(name) ?? null; } },
      set: (name, value) => { try { sessionStorage.setItem(`chuhe.${name}`, value); } catch { tabs.set(name, value); } },
    },
  };
})();
