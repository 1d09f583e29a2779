// The states of the board: play, analyse, review, setup, games, train. Each registers itself in `modes`; parts of the page name
// theirs in `data-in`. The root says in `data-state` where the page is: also that a win is looked for.

import { showPlace } from "./address.js";
import { bindActions, board, byId, flipBoard, isFlipped, queryAll } from "../../../../study/src/html_page/board.js";
import { dismissNotice, showNotice, translation } from "./elements.js";
import { openSheet } from "./settings_menus.js";
import { focusedByPointer, moveInput } from "./board_input.js";
import { clearShapes } from "./shapes.js";
import { presentMove } from "./sound.js";
import { modes, provide, refresh, state } from "./state.js";
import { store } from "./store.js";

/** Shows the parts of the page that belong to the current mode. */
function showParts() {
  for (const part of queryAll("[data-in]")) part.hidden = !part.dataset.in?.split(" ").includes(state.mode);
}

/** @param {ModeName} name */
export function enterMode(name) {
  modes[state.mode].leave?.();
  state.mode = name;
  document.body.dataset.mode = name;
  showParts();
  for (const tab of queryAll("[role=tab]")) {
    tab.setAttribute("aria-selected", String(tab.dataset.modeOf === name));
    tab.tabIndex = tab.dataset.modeOf === (["games", "train"].includes(name) ? "play" : name) ? 0 : -1;
  }
  for (const place of queryAll(".place")) {
    if (place.dataset.modeOf === name) place.setAttribute("aria-current", "page");
    else place.removeAttribute("aria-current");
  }
  dismissNotice();
  clearShapes();
  openSheet("");
  store.tab.set("mode", name);
  modes[name].enter?.();
  refresh();
  showPlace();
  // Who came here by keys goes on at the board, unless what was pressed is still there.
  if (!focusedByPointer && !document.activeElement?.checkVisibility()) board.focus();
}

/** Goes to the position after this many moves. @param {number} ply */
export function stepTo(ply) {
  const mode = modes[state.mode];
  const next = Math.max(0, Math.min(ply, mode.lastPly()));
  const [isForward, before] = [next === mode.ply() + 1, moveInput.pieces];
  mode.goTo(next);
  refresh();
  if (!isForward) return;
  const move = mode.moves()[next - 1];
  presentMove(move, { captured: before.has(move.slice(2)) });
}

/** Flips the board and remembers it for this tab. @param {boolean} isBlackBelow */
export function flipTo(isBlackBelow) {
  if (isFlipped !== isBlackBelow) flipBoard();
  store.tab.set("turned", isBlackBelow ? "black" : "red");
}

/** The timer of a game that plays by itself, 0 if none does. */
let playing = 0;
const PAUSE = 1500;

function autoplay() {
  clearInterval(playing);
  playing = playing ? 0 : setInterval(() => {
    const mode = modes[state.mode];
    if (mode.lastPly() > mode.ply()) return stepTo(mode.ply() + 1);
    clearInterval(playing);
    playing = 0;
  }, PAUSE);
}

/** A table of the keys. Without a connection it is not there. */
const showKeys = async () => (await import("./keys.js").catch(() => null))?.showKeys();

/** Presses the first of these buttons that can be pressed now. @param {string} selector */
export const pressVisible = (selector) => queryAll(selector).find((button) => button.checkVisibility() && !button.matches(":disabled"))?.click();

/** The actions by their names, and the keys that name them. @type {Record<string, () => void>} */
const actions = {
  first: () => stepTo(0),
  back: () => stepTo(modes[state.mode].ply() - 1),
  on: () => stepTo(modes[state.mode].ply() + 1),
  last: () => stepTo(modes[state.mode].lastPly()),
  flip: () => { flipTo(!isFlipped); refresh(); },
  autoplay,
  keys: () => { if (!byId("question").open) showKeys(); },
};
/** @type {Record<string, string>} */
const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "flip", F: "flip", p: "autoplay", "?": "keys" };

/** Adds an action of single modes, by a key or by a button that names it.
 * @param {string} name @param {string} key @param {ModeName[]} inModes @param {() => void} action */
export function addAction(name, key, inModes, action) {
  actions[name] = () => { if (inModes.includes(state.mode)) action(); };
  keys[key] = name;
}

// The wheel over the board steps through a game; small movements of a touchpad are added up.
function bindWheel() {
  let distance = 0;
  board.addEventListener("wheel", (event) => {
    if (event.ctrlKey || state.mode === "setup") return;
    event.preventDefault();
    distance += event.deltaMode ? event.deltaY * 40 : event.deltaY;
    if (Math.abs(distance) < 60) return;
    actions[distance > 0 ? "on" : "back"]();
    distance = 0;
  }, { passive: false });
}

// The tabs of the modes: arrows go from one to the next.
/** @param {KeyboardEvent} event */
function onTabKey(event) {
  if (focusedByPointer) return;
  const tabs = queryAll("[role=tab]");
  const at = tabs.findIndex((tab) => tab === event.target);
  /** @type {Record<string, number>} */
  const targets = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
  const next = targets[event.key];
  if (at < 0 || next === undefined) return;
  const tab = tabs[(next + tabs.length) % tabs.length];
  enterMode(/** @type {ModeName} */ (tab.dataset.modeOf));
  tab.focus();
  event.preventDefault();
  event.stopPropagation();
}

export function bindModes() {
  showParts();
  const list = byId("language");
  list.value = document.documentElement.lang;
  list.addEventListener("change", async () => {
    const address = store.addressIn(list.value);
    // A language that was never used may be out of reach: this page stays.
    if (!await fetch(address).then((answer) => answer.ok, () => false)) {
      list.value = document.documentElement.lang;
      return showNotice(translation("languageAway"));
    }
    store.set("language", list.value.toLowerCase());
    await store.flushed();
    store.tab.set("scroll", String(scrollY));
    location.assign(address);
  });
  bindWheel();
  document.querySelector(".states")?.addEventListener("keydown", (event) => onTabKey(/** @type {KeyboardEvent} */ (event)));
  for (const tab of queryAll("[data-mode-of]")) {
    tab.addEventListener("click", () => enterMode(/** @type {ModeName} */ (tab.dataset.modeOf)));
  }
  if (store.tab.get("turned") === "black") flipBoard();
}

/** To be called when all actions have been added. */
export const bindAllActions = () => bindActions(actions, keys);

provide({ enterMode });
