// The address says where one is: Back leads to the state before, a reload and a bookmark to the same one. A place is the
// name of a state, or what a part of the page has added, such as `games/12` for a game of the list; fields of a position may
// follow it.

import { placeOfAddress } from "./fragment.js";
import { act, modes, state } from "./state.js";
import { transport } from "./transport.js";

/** What opens the places that are no states, by the part before the slash; it is given what follows.
 * @type {Map<string, (rest: string) => Promise<boolean> | boolean>} */
const openers = new Map();

/** Adds places: `open` returns whether there is such a one. @param {string} name @param {(rest: string) => Promise<boolean> | boolean} open */
export const addPlace = (name, open) => { openers.set(name, open); };

/** Places that lead into a state of the board. @type {Record<string, ModeName>} */
const WITHIN = { solve: "analyse" };

/** Browsers take few changes of the address in a second: those that follow each other wait so long, in milliseconds. */
const REST = 400;
/** @type {number | undefined} */
let timer;
/** The address is another one now, which is what counts. */
export const forgetPlace = () => clearTimeout(timer);

/** Writes the place of the current state into the address: as a step that Back takes back, or in the place of the last one. */
export function showPlace(replaces = false) {
  forgetPlace();
  const place = modes[state.mode].place?.() ?? state.mode;
  const [before, next] = [placeOfAddress(), transport.address(place)];
  if (next === location.href) return;
  history[replaces || !before || before === place.split("&")[0] ? "replaceState" : "pushState"](null, "", next);
}

/** Writes it into the address soon, when only the position is another one. @param {ModeName} mode */
export function showPlaceSoon(mode) {
  forgetPlace();
  timer = window.setTimeout(() => { if (state.mode === mode) showPlace(true); }, REST);
}

/** Goes where the address says; returns whether it says anything. @returns {Promise<boolean>} */
export async function openPlace() {
  const [name, ...rest] = placeOfAddress().split("/");
  const open = rest.length || name === "train" ? openers.get(name) : undefined;
  if (open) return open(rest.join("/"));
  const mode = WITHIN[name] ?? /** @type {ModeName} */ (name);
  if (!(mode in modes)) return false;
  if (mode !== state.mode) act.enterMode(mode);
  showPlace(true);
  return true;
}
