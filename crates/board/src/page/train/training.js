// The training: its screens, what is due today, and its entry in the top of the page.

import { addPlace, showPlace } from "../core/address.js";
import { board, byId, isFlipped, queryAll } from "../../../../study/src/html_page/board.js";
import { LOCALE, setText, translation } from "../core/elements.js";
import { addAction, enterMode, pressVisible } from "../core/modes.js";
import { focusedByPointer, labelBoard } from "../core/board_input.js";
import { isGuest, renderPlayers } from "../core/players.js";
import { onEvents, request } from "../core/session.js";
import { modes, provide, refresh, state } from "../core/state.js";
import { drawScene, setScene, sideAfter, stopPlaying, turnTo } from "./train_scene.js";
import { START } from "../core/tree.js";

/** The screens by their names; each registers itself. */
export const screens = /** @type {Record<ScreenName, TrainScreen>} */ ({});
// The tactics and the openings come when they are first opened, and take these places.
/** @param {"tactics" | "openings" | "learn"} name @param {() => Promise<() => void>} load */
const comesLater = (name, load) => {
  screens[name] = {
    render: () => {},
    enter: async (rest) => {
      (await load())();
      if (state.screen === name) screens[name].enter?.(rest);
    },
  };
};
comesLater("tactics", async () => (await import("./tactics.js")).bindTactics);
comesLater("learn", async () => (await import("./learn.js")).bindLearn);
comesLater("openings", async () => (await import("./openings.js")).bindOpenings);
/** Whether the board was turned before the training. */
let wasFlipped = false;

/** The minutes between the person's clock and UTC. */
export const offset = () => -new Date().getTimezoneOffset();

/** A day in words. @param {string} day @returns {string} */
export function dayText(day) {
  const date = new Date(`${day}T12:00`);
  const away = Math.round((date.getTime() - new Date().setHours(12, 0, 0, 0)) / 864e5);
  if (away <= 1) return translation(away === 1 ? "tomorrow" : "today");
  const fields = /** @type {const} */ ({ weekday: "short", day: "numeric", month: "short" });
  return date.toLocaleDateString(LOCALE, fields);
}

/** What was asked last: each request waits for the one before, as they may overtake each other. @type {Promise<unknown>} */
let asked = Promise.resolve();

/** Sends a request of the training. @template {TrainDo} Do @param {Do} what @param {TrainFields<Do>} fields
 * @returns {Promise<TrainReply<Do>>} */
export function ask(what, fields) {
  const send = () => request("train", /** @type {TrainRequest} */ (/** @type {unknown} */ ({ do: what, ...fields })));
  const reply = /** @type {Promise<TrainReply<Do>>} */ (asked.then(send, send));
  asked = reply;
  return reply;
}

// --- screens ---

/** What of the screen that is opened is wanted, as its address has it. */
let wanted = "";

function showScreen() {
  document.body.dataset.screen = state.screen;
  for (const part of queryAll("[data-screen]")) {
    if (part !== document.body) part.hidden = !part.dataset.screen?.split(" ").includes(state.screen);
  }
  // An exercise is one of today's.
  const within = { exercise: "today", games: "today", learn: "today", ending: "endings" }[String(state.screen)] ?? state.screen;
  for (const entry of queryAll("[data-screen-of]")) {
    if (entry.dataset.screenOf === within) entry.setAttribute("aria-current", "page");
    else entry.removeAttribute("aria-current");
  }
  setText(byId("trainNews"), null);
  const rest = wanted;
  wanted = "";
  screens[state.screen].enter?.(rest);
}

/** Opens a screen, in history in the place of the current one if there is nothing to go back to. What follows its name in the
 * address says what of it is wanted. @param {ScreenName} name @param {boolean} replaces @param {string} rest */
export function openScreen(name, replaces = false, rest = "") {
  wanted = rest;
  if (state.mode === "train") {
    screens[state.screen].leave?.();
    stopPlaying();
  }
  state.screen = name;
  if (state.mode !== "train") return enterMode("train");
  showScreen();
  refresh();
  showPlace(replaces);
  if (!focusedByPointer && !document.activeElement?.checkVisibility()) board.focus();
}

/** @type {Mode} */
const trainMode = {
  drawBoard: drawScene,
  renderPanel: () => {
    const { fen, moves, ply } = state.scene;
    labelBoard(null);
    renderPlayers(translation, fen, moves.slice(0, ply), sideAfter(fen, ply));
    screens[state.screen].render();
  },
  ply: () => state.scene.ply,
  lastPly: () => state.scene.moves.length,
  goTo: (ply) => { stopPlaying(); state.scene.ply = ply; },
  moves: () => state.scene.moves,
  enter: () => {
    wasFlipped = isFlipped;
    if (state.scene.fen === "9") setScene(START, []);
    showScreen();
    readToday();
  },
  leave: () => { screens[state.screen].leave?.(); stopPlaying(); turnTo(wasFlipped); },
  place: () => ["train", ...state.screen === "today" ? [] : [state.screen], screens[state.screen].place?.() ?? ""].filter(Boolean).join("/"),
};

// --- what is due ---

/** The number of what is due. */
export const dueCount = () => Object.values(state.today?.due ?? {}).reduce((sum, count) => sum + count, 0);

/** Asks what is due. */
export async function readToday() {
  if (isGuest()) return;
  const reply = await ask("today", { offset: offset() });
  if (!reply.due) return;
  state.today = /** @type {TrainToday} */ (reply);
  renderEntry();
  if (state.mode === "train") refresh();
}

/** The entry in the top says how much is due; it counts down with the answers. @param {number} due */
export function renderEntry(due = dueCount()) {
  byId("trainDue").textContent = due ? String(Math.min(due, 99)) : "";
}

/** @param {ServerEvents} events */
function onTrainEvents({ train }) {
  if (!train || !state.today) return;
  const isNews = train.kept !== state.today.queue.kept || train.done !== state.today.queue.done;
  state.today.queue = train;
  if (isNews) readToday();
  else if (state.mode === "train") refresh();
}

export function bindTrain() {
  modes.train = trainMode;
  addPlace("train", (rest) => {
    const [name, ...more] = rest.split("/");
    openScreen(name in screens ? /** @type {ScreenName} */ (name) : "today", false, more.join("/"));
    return true;
  });
  onEvents(onTrainEvents);
  addAction("hint", "h", ["play", "train"], () => pressVisible("#hintExercise, #tacticHint, #lessonHint, [data-request=hint]"));
  addAction("solution", "s", ["train"], () => pressVisible("#showExercise, #tacticShow, #lessonShow"));
  addAction("nextOne", "n", ["train"], () => pressVisible(":is(#goOnExercise, #tacticAgain, #tacticNext, #lessonNext, #nextRuling, #endingAgain, #endingNew)"));
  for (const entry of queryAll("[data-screen-of]")) {
    entry.addEventListener("click", () => openScreen(/** @type {ScreenName} */ (entry.dataset.screenOf)));
  }
  // On another day other cards are due.
  addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") readToday(); });
}

provide({ ask, readToday, openLessons: () => openScreen("learn") });
