// The first screen of the training: how much is due, when the next card is, how far the reviews are, and who the person is.

import { byId } from "../../../../study/src/html_page/board.js";
import { asks, closest, COMMA, createButton, createElement, onClick, refusal, setPressed, setReason, setText, translation } from "../core/elements.js";
import { session, startExercise } from "./exercise.js";
import { act, refresh, state } from "../core/state.js";
import { store } from "../core/store.js";
import { ask, dayText, dueCount, offset, openScreen, readToday, screens } from "./training.js";

/** The names that recur in the games, while it is asked which are the person's. @type {{name: string, games: number}[] | null} */
let players = null;
/** The names that are chosen. @type {Set<string>} */
const names = new Set();
/** Whether the person wants to choose again. */
let isChoosing = false;

/** What is due, by its kind. @param {TrainToday} state @returns {string} */
function dueText({ due }) {
  const parts = /** @type {CardKind[]} */ (["mistake", "ending", "ruling", "tactic", "opening"]).filter((kind) => due[kind])
    .map((kind) => translation(due[kind] === 1 ? `one-${kind}` : `due-${kind}`, { count: due[kind] }));
  const list = parts.join(COMMA);
  return translation("dueParts", { count: dueCount(), list });
}

/** @param {TrainToday} state @returns {string[]} */
function todayTexts(state) {
  if (dueCount()) return [dueText(state)];
  if (!state.cards) return [translation("noCards")];
  return [translation("nothingDue"), ...state.next ? [translation("nextDue", { day: dayText(state.next) })] : []];
}

/** How far the reviews are, in a line. @param {QueueState} queue @returns {string[]} */
function queueTexts({ games, done, known, others, mistakes, kept, paused, waits, error, seconds_left: seconds }) {
  if (!games) return [];
  const texts = [translation("queueIs", { done, games, mistakes, kept })];
  if (known) texts.push(translation("queueKnown", { known }));
  if (others) texts.push(translation("queueOthers", { others }));
  if (error) texts.push(error);
  else if (paused && done < games) texts.push(translation("queuePaused"));
  else if (waits && done < games) texts.push(translation("queueWaits"));
  else if (seconds) texts.push(translation("minutesLeft", { minutes: Math.ceil(seconds / 60) }));
  return texts;
}

export function renderQueue() {
  const { queue } = state.today ?? {};
  const isRunning = Boolean(queue && queue.done < queue.games);
  byId("queue").hidden = !queue?.games;
  if (!queue) return;
  setText(byId("queueText"), ...queueTexts(queue));
  const share = queue.current ? queue.current.done / Math.max(1, queue.current.total) : 0;
  Object.assign(byId("queueProgress"), { max: queue.games || 1, value: queue.done + share, hidden: !isRunning });
  byId("pauseQueue").hidden = !isRunning;
  setText(byId("pauseQueue"), translation(queue.paused ? "goOn" : "pause"));
}

function renderToday() {
  renderQueue();
  renderMe();
  byId("beginTraining").hidden = !dueCount();
  byId("tenMore").hidden = Boolean(dueCount()) || !state.today?.cards;
  const { answers, right } = session;
  setText(byId("wentWell"), answers ? translation("wentWell", { answers, right }) : null);
  if (!state.today) return;
  byId("toGames").classList.toggle("main", !state.today.cards);
  // Who has no games trains all the same.
  byId("withoutGames").hidden = Boolean(state.today.cards);
  setText(byId("todayText"), ...todayTexts(state.today));
  setText(byId("todayError"), state.today.storage_error);
  const decks = state.today.decks.filter(({ due, name }) => due && (name || (state.today?.decks.length ?? 0) > 1));
  byId("dueDecks").replaceChildren(...(decks.length > 1 ? decks : []).map(({ name, due }) => (
    createButton("small", { deck: name }, name || translation("ownDeck"), ` ${due}`)
  )));
}

/** So many cards are asked at once beyond those that are due. */
const MORE = 10;

/** Asks cards that are not due yet, by chance. */
async function askMore() {
  const { cards = [] } = await ask("cards", { kind: "mistake", from: 0, count: 200, offset: offset() });
  const ids = cards.map(({ id }) => ({ id, place: Math.random() })).sort((a, b) => a.place - b.place).slice(0, MORE).map(({ id }) => id);
  if (ids.length) startExercise({ ids });
}

// --- who the person is ---

async function readPlayers() {
  const reply = await ask("players", {});
  players = reply.players ?? [];
  refresh();
}

/** Asks which of the names are the person's: once, or when the person wants to. */
export function renderMe() {
  const me = state.today?.me ?? [];
  const isAsked = isChoosing || areGamesWaiting();
  if (isAsked && !players) readPlayers();
  byId("whoAmI").hidden = !isAsked;
  byId("iAm").hidden = isAsked || !me.length;
  setText(byId("iAmText"), translation("youAre", { names: me.join(", ") }));
  if (!isAsked || !players) return;
  const list = byId("playerNames");
  const known = [...list.children].map((button) => /** @type {HTMLElement} */ (button).dataset.name).join("\n");
  if (known !== players.map(({ name }) => name).join("\n")) {
    list.replaceChildren(...players.map(({ name, games }) => createButton("name", { name }, name, createElement("small", {}, ` ${games}`))));
  }
  for (const button of list.children) setPressed(button, names.has(/** @type {HTMLElement} */ (button).dataset.name ?? ""));
  setReason(byId("thatIsMe"), names.size ? null : translation("chooseNames"));
}

/** The games that wait until it is known who the person is: the first and the last of them, which a closed page leaves to the
 * next one. */
export const WAITING = "train-waiting";
export const areGamesWaiting = () => (store.get(WAITING) ?? "").includes("-");

/** Whether the person has told the names, or wants the mistakes of both sides, or may not tell. */
export const isMeKnown = () => Boolean(state.today?.me.length) || refusal("train me") !== null || store.get("train-sides") === "both";

/** @param {string[]} me */
async function setMe(me) {
  [isChoosing, players] = [false, null];
  store.set("train-sides", me.length ? "one" : "both");
  await ask("me", { names: me });
  await readToday();
  await act.addWaiting();
}

export function bindToday() {
  asks("train me", byId("thatIsMe"), byId("bothSides"), byId("changeMe"));
  asks("train pause", byId("pauseQueue"));
  screens.today = { render: renderToday };
  onClick({ beginTraining: () => startExercise(), tenMore: askMore });
  byId("dueDecks").addEventListener("click", (event) => {
    const { deck } = closest(event, "button")?.dataset ?? {};
    if (deck !== undefined) startExercise({ deck });
  });
  onClick({ toGames: () => openScreen("games"), pauseQueue: () => ask(state.today?.queue.paused ? "resume" : "pause", {}) });
  byId("playerNames").addEventListener("click", (event) => {
    const { name } = closest(event, "button")?.dataset ?? {};
    if (name === undefined) return;
    if (!names.delete(name)) names.add(name);
    renderMe();
  });
  onClick({ thatIsMe: () => setMe([...names]), bothSides: () => setMe([]) });
  byId("changeMe").addEventListener("click", () => {
    isChoosing = true;
    for (const name of state.today?.me ?? []) names.add(name);
    refresh();
  });
}
