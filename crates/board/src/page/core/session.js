// The session with the program: opens the page, sends requests and shows their errors, and passes events on.

import { openPlace, showPlace } from "./address.js";
import { announce, setRefusals, showNotice, translation } from "./elements.js";
import { enterMode } from "./modes.js";
import { setAccess } from "./players.js";
import { act, modes, refresh, state } from "./state.js";
import { store } from "./store.js";
import { transport } from "./transport.js";
import { restoreTree } from "./tree.js";

/** @type {((events: ServerEvents) => void)[]} */
const listeners = [];
/** Whether the page has been opened at the program since it was loaded. */
let isOpened = false;
/** Whether the page says that it was not let in. */
let isRefused = false;

/** The number of the last search that was asked for. It increases over reloads, too, as requests may arrive out of order. */
export let searchNumber = Date.now();
export const nextSearchNumber = () => ++searchNumber;

/** Sends a request; shows the error if it fails.
 * @template {RequestName} Name @param {Name} name @param {Requests[Name][0]} [fields] @returns {Promise<Reply<Name>>} */
export async function request(name, fields) {
  awaited.push(name);
  try {
    const reply = await transport.send(name, fields);
    if (reply.closed) await openSession();
    if (reply.error) { showNotice(reply.error); announce(reply.error); }
    return reply;
  } catch {
    showConnectionLost();
    return /** @type {Reply<Name>} */ ({ lost: true });
  } finally {
    awaited.splice(awaited.indexOf(name), 1);
  }
}

/** The requests that are not answered yet. @type {RequestName[]} */
const awaited = [];
/** Whether one of these requests is not answered yet. @param {RequestName[]} names */
export const isAwaited = (...names) => names.some((name) => awaited.includes(name));

/** Adds a listener for events. @param {(events: ServerEvents) => void} listener */
export const onEvents = (listener) => { listeners.push(listener); };

/** @param {ServerEvents} events */
function dispatch(events) {
  if (events.denied) { setRefusals(events.denied); refresh(); }
  if (events.game?.moves.length) forgetUnfinished();
  if (events.closed) openSession();
  else for (const listener of listeners) listener(events);
}

export const showConnectionLost = () => showNotice(translation("connectionLost"), []);

/** Opens the page at the program, then receives events. */
export async function openSession() {
  const reply = await transport.open().catch(() => null);
  if (!reply) return showConnectionLost();
  isRefused ||= Boolean(reply.refused);
  if (reply.refused) return showNotice(translation(reply.refused), []);
  if (reply.error) return showNotice(reply.error, []);
  if (isRefused) showNotice(null);
  isRefused = false;
  setAccess(reply);
  setRefusals(reply.denied ?? []);
  if (reply.storage_notes?.length) showNotice(reply.storage_notes.join(" "), []);
  if (reply.opened_game) { act.keepGame(); act.openGame(reply.opened_game); }
  if (reply.analysed_game && !isOpened) restoreTree(reply.analysed_game);
  const isFirst = !isOpened;
  isOpened = true;
  unfinished = reply.unfinished ?? null;
  offerUnfinished();
  transport.listen(dispatch, showConnectionLost);
  act.readToday();
  if (isFirst && !await act.followLink() && !reply.opened_game && !await openPlace()) returnToMode();
}

/** The game that was left unfinished, until it is gone on with or another one is played. @type {Unfinished | null} */
let unfinished = null;
export const forgetUnfinished = () => { unfinished = null; };

/** Offers to go on with it. */
export function offerUnfinished() {
  if (!unfinished || state.game?.moves.length) return;
  const { moves } = unfinished;
  showNotice(translation("unfinished", { moves }), [
    ["resume", async () => {
      const { error, closed, lost } = await request("resume-game");
      if (!error && !closed && !lost) forgetUnfinished();
    }],
    ["dismiss", forgetUnfinished],
  ]);
}

/** After a reload the tab is in the mode that it was in. */
function returnToMode() {
  const name = /** @type {ModeName | null} */ (store.tab.get("mode"));
  if (name && name !== state.mode && name in modes) enterMode(name);
  showPlace(true);
  // So was its place on a page that has changed its language.
  scrollTo(0, Number(store.tab.get("scroll") ?? 0));
  store.tab.set("scroll", "0");
}

export function bindSession() {
  addEventListener("pagehide", () => { transport.send("leave", {}, true); });
  addEventListener("pageshow", (event) => { if (event.persisted) openSession(); });
}
