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
  for (const tab of all("[data-mode-of]")) {
    tab.setAttribute("aria-selected", tab.dataset.modeOf === name);
    tab.tabIndex = tab.dataset.modeOf === name ? 0 : -1;
  }
  notice(null);
  store.tab.set("mode", name);
  modes[name].enter?.();
  refresh();
  // Who came here by keys goes on at the board, unless what was pressed is still there.
  if (!pointed && !document.activeElement?.checkVisibility()) board.focus();
}

/** Goes to the position after this many moves. @param {number} ply */
function stepTo(ply) {
  const { at, last, to, moves } = modes[mode];
  const next = Math.max(0, Math.min(ply, last()));
  const [forward, before] = [next === at() + 1, hand.pieces];
  to(next);
  refresh();
  if (!forward) return;
  const move = moves()[next - 1];
  moved(move, { captured: before.has(move.slice(2)) });
}

// The program remembers the language and the colours.
for (const name of ["language", "theme"]) {
  const root = document.documentElement;
  byId(name).addEventListener("click", () => {
    store.set(name, root.dataset[name]);
    translateChoices();
    if (mode !== "play" || game) refresh();
  });
}

// What cannot hold two languages, such as a choice in a list or the name of a button, is given in the current one.
function translateChoices() {
  const { language } = document.documentElement.dataset;
  const own = (text) => text.split(" / ")[language === "zh" ? 0 : 1] ?? text;
  for (const element of all("[data-label]")) {
    const text = own(element.dataset.label);
    if (element.tagName === "OPTION") element.textContent = text;
    if (element.ariaLabel) element.ariaLabel = text;
    if (element.title) element.title = text;
  }
}
// In the page both stand side by side, for those without the script.
for (const element of all("option, [aria-label], [title]")) {
  const label = element.tagName === "OPTION" ? element.textContent : element.ariaLabel ?? element.title;
  if (label.split(" / ").length === 2) element.dataset.label = label;
}
translateChoices();

/** Turns the board and remembers it for this tab. @param {boolean} black Whether black is below. */
function turnTo(black) {
  if (turned !== black) turnBoard();
  store.tab.set("turned", black ? "black" : "red");
}

// The wheel over the board steps through a game; small movements of a touchpad are added up.
let wheeled = 0;
board.addEventListener("wheel", (event) => {
  if (event.ctrlKey || mode === "setup") return;
  event.preventDefault();
  wheeled += event.deltaMode ? event.deltaY * 40 : event.deltaY;
  if (Math.abs(wheeled) < 60) return;
  deeds[wheeled > 0 ? "on" : "back"]();
  wheeled = 0;
}, { passive: false });

// The tabs of the modes: arrows go from one to the next.
document.querySelector("nav").addEventListener("keydown", (event) => {
  if (pointed) return;
  const tabs = all("[data-mode-of]");
  const at = tabs.indexOf(event.target);
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (at < 0 || next === undefined) return;
  const tab = tabs[(next + tabs.length) % tabs.length];
  enterMode(tab.dataset.modeOf);
  tab.focus();
  event.preventDefault();
  event.stopPropagation();
});

const deeds = {
  first: () => stepTo(0),
  back: () => stepTo(modes[mode].at() - 1),
  on: () => stepTo(modes[mode].at() + 1),
  last: () => stepTo(modes[mode].last()),
  flip: () => { turnTo(!turned); refresh(); },
};
const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "flip", F: "flip" };

/** Actions of single modes, by a key or by a button that names them.
 * @param {string} deed @param {string} key @param {string[]} inModes @param {() => void} work */
function add(deed, key, inModes, work) {
  deeds[deed] = () => { if (inModes.includes(mode)) work(); };
  if (key) keys[key] = deed;
}
