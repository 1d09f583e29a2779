// The modes of the board: play, analyse, games, setup. Each mode draws the board itself.

/** @type {Object<string, any>} */
const modes = {};
let mode = "play";

// A mode draws the board (`draw`) and its notes (`tell`), has the current ply (`at`), the last ply (`last`) and the
// moves (`moves`), and goes to a ply (`to`).
const refresh = () => { modes[mode].draw(); modes[mode].tell(); };

/** @param {string} name */
function enterMode(name) {
  modes[mode].leave?.();
  mode = name;
  document.body.dataset.mode = name;
  for (const panel of all("[data-panel]")) panel.hidden = !panel.dataset.panel.split(" ").includes(name);
  for (const button of all("[data-mode-of]")) button.setAttribute("aria-selected", button.dataset.modeOf === name);
  notice(null);
  modes[name].enter?.();
  refresh();
}

/** Goes to the position after this many moves. @param {number} ply */
function stepTo(ply) {
  const { at, last, to, moves } = modes[mode];
  const next = Math.max(0, Math.min(ply, last()));
  const forward = next === at() + 1;
  to(next);
  refresh();
  if (forward) glide(moves()[next - 1]);
}

// The program remembers the language and the colours.
for (const name of ["language", "theme"]) {
  const root = document.documentElement;
  byId(name).addEventListener("click", () => store.set(name, root.dataset[name]));
}

const deeds = {
  first: () => stepTo(0),
  back: () => stepTo(modes[mode].at() - 1),
  on: () => stepTo(modes[mode].at() + 1),
  last: () => stepTo(modes[mode].last()),
  flip: () => { turnBoard(); refresh(); },
};
const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "flip", F: "flip" };

/** Actions of single modes, by a key or by a button that names them.
 * @param {string} deed @param {string} key @param {string[]} inModes @param {() => void} work */
function add(deed, key, inModes, work) {
  deeds[deed] = () => { if (inModes.includes(mode)) work(); };
  if (key) keys[key] = deed;
}
