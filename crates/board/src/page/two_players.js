// A game of two people: its conditions in the dialog of a new game, who is there and who asks for what, and what invited
// devices see. The program is the referee, and gives no help before the end.

import { goToNode } from "./analyse.js";
import { byId, queryAll } from "./board.js";
import { queryButtons, setPressed, setReason, setText, showNotice, translation } from "./elements.js";
import { openInvitation } from "./lan.js";
import { currentMode, enterMode } from "./modes.js";
import { game as currentGame } from "./play.js";
import { onEvents, request } from "./session.js";
import { transport } from "./transport.js";
import { currentNode, loadTree, movesTo, sentTree, tree } from "./tree.js";

/** How often a page says that it is there, in milliseconds. The program waits for three times as long. */
const PRESENCE_INTERVAL = 4000;

/** A text with a name in it. @param {string} text @param {Bilingual} name @returns {Bilingual} */
const named = (text, name) => ({ zh: translation(text, { name: name.zh }).zh, en: translation(text, { name: name.en }).en });

/** Whether two people play and their game is not over. @param {GameState | null} game */
export const isForTwo = (game) => Boolean(game?.two && !game.end);

/** Whether black is below: the side of the user, or of who moves if the board is turned after each move.
 * @param {GameState} game */
export function isBlackBelow({ seat, two, side, end }) {
  if (!two) return seat === "black";
  return two.role === "black" || two.role === "both" && two.turns && side === "black" && !end;
}

/** The name of a player. @param {TwoPlayers} two @param {Side} side @returns {Bilingual} */
export function nameOfPlayer(two, side) {
  const name = two[side];
  const text = name === "Red" || name === "Black" || !name ? translation(side) : { zh: name, en: name };
  return two.role === side ? named("youNamed", text) : text;
}

/** What the line of news says of such a game. @param {GameState} game @param {TwoPlayers} two @returns {Bilingual[]} */
export function twoTexts(game, two) {
  if (two.waiting) return [translation("waitingForOther")];
  const turn = translation(two.role === game.side ? "yourTurn" : `${game.side}Turn`);
  const texts = two.away.filter((side) => side !== two.role).map((side) => named(two.stops ? "awayStops" : "awayGoesOn", translation(side)));
  return [turn, ...game.clocks ? texts : two.away.length ? [translation("away")] : []];
}

/** @param {GameState} game */
export function renderTwo(game) {
  const { two } = game;
  const isRunning = isForTwo(game);
  document.documentElement.dataset.two = two ? two.role : "none";
  byId("two").hidden = !isRunning;
  // What would be help has to wait.
  for (const tab of queryButtons('[role=tab][data-mode-of="analyse"], [role=tab][data-mode-of="review"], [role=tab][data-mode-of="setup"], #analyseGame')) {
    setReason(tab, isRunning ? translation("noHelp") : null);
  }
  if (isRunning && ["analyse", "review", "setup"].includes(currentMode)) setTimeout(() => enterMode("play"));
  renderTogether();
  if (!two || !isRunning) return;
  const { offer } = two;
  byId("twoOffer").hidden = !offer;
  byId("twoAnswer").hidden = !offer?.asked;
  if (offer) {
    const name = nameOfPlayer(two, offer.by);
    const text = offer.asked ? `asks-${offer.kind}` : `asked-${offer.kind}`;
    setText(byId("twoText"), named(text, name));
  }
  const isHost = document.documentElement.dataset.lan !== undefined && two.role !== "both" && !isGuest();
  byId("inviting").hidden = !isHost;
  byId("inviteOther").hidden = !two.waiting && !two.away.some((side) => side !== two.role);
  setText(byId("watchers"), two.watchers ? translation("watchers", { count: two.watchers }) : null);
}

// --- the analysis together ---

/** Whether what is analysed is shown to the other player, and his to this page. */
let isTogether = false;
/** What was shown or seen last. */
let lastShared = "";
const SHARE_INTERVAL = 500;

const analysed = () => ({ tree: sentTree(), line: movesTo(currentNode) });

function renderTogether() {
  const two = currentGame?.two;
  byId("together").hidden = !two || two.role === "both" || isForTwo(currentGame);
  if (byId("together").hidden) isTogether = false;
  setPressed(byId("together"), isTogether);
}

function shareAnalysis() {
  if (!isTogether || currentMode !== "analyse" || currentGame?.two?.role === "watcher") return;
  const shown = analysed();
  const text = JSON.stringify(shown);
  if (text === lastShared) return;
  lastShared = text;
  request("share-analysis", shown);
}

/** @param {ServerEvents} events */
function onShared({ shared }) {
  if (!shared || isForTwo(currentGame)) return;
  if (!isTogether) {
    // The other one has begun: this page is asked once, and goes on with its own game if it does not want to.
    return showNotice(translation("togetherOffer"), [["together", () => { isTogether = true; show(shared); }], ["dismiss", () => {}]]);
  }
  show(shared);
}

/** @param {{tree: SentTree, line: string[]}} shared */
function show({ tree: sent, line }) {
  if (currentMode !== "analyse") enterMode("analyse");
  if (JSON.stringify(sent.nodes.map((node) => [node.parent, node.move, node.comment, node.marks]))
    !== JSON.stringify(sentTree().nodes.map((node) => [node.parent, node.move, node.comment, node.marks]))) loadTree(sent, tree.id);
  let at = 0;
  for (const move of line) at = tree.nodes[at].children.find((id) => tree.nodes[id].move === move) ?? at;
  goToNode(at);
  lastShared = JSON.stringify(analysed());
  renderTogether();
}

/** Whether this page is that of an invited device. */
export const isGuest = () => document.documentElement.dataset.guest !== undefined;

/** An invited device sees its game and nothing else. @param {OpenReply} reply */
export function setAccess({ access }) {
  if (access !== "player" && access !== "watcher") return;
  document.documentElement.dataset.guest = access;
  for (const part of queryAll("[data-mode-of=games], [data-mode-of=train], [data-mode-of=setup], .card .small, #newGame, #rematch, #swapSides, #keepGame, #playHere, #keepTree")) {
    part.classList.add("not-for-guests");
  }
}

/** The conditions of the dialog. @param {FormData} values @returns {TwoOptions} */
export function twoOptions(values) {
  /** @param {string} name */
  const value = (name) => String(values.get(name) ?? "");
  const remote = value("remote");
  return {
    red: value("redName"), black: value("blackName"), remote: remote === "red" || remote === "black" ? remote : null,
    turns: values.has("turns"), stops: value("stops") !== "no",
  };
}

/** The conditions of a rematch. @param {TwoPlayers} two @param {boolean} isSwapped @returns {TwoOptions} */
export function twoAgain({ red, black, role, turns, stops }, isSwapped) {
  const remote = role === "red" ? "black" : role === "black" ? "red" : null;
  const other = remote === "red" ? "black" : remote && "red";
  return isSwapped ? { red: black, black: red, remote: other, turns, stops } : { red, black, remote, turns, stops };
}

function renderDialog() {
  const form = new FormData(byId("begin"));
  const isTwo = form.get("seat") === "two";
  byId("twoConditions").hidden = !isTwo;
  byId("levelRow").hidden = isTwo;
  byId("remoteRow").hidden = document.documentElement.dataset.lan === undefined;
  const isRemote = Boolean(form.get("remote"));
  byId("turnsRow").hidden = isRemote;
  byId("stopsRow").hidden = !isRemote;
}

export function bindTwo() {
  byId("begin").addEventListener("change", renderDialog);
  byId("newGame").addEventListener("click", renderDialog);
  /** Answers the offer that is shown. @param {boolean} accept */
  const answerOffer = (accept) => request("answer-offer", { number: currentGame?.two?.offer?.number ?? 0, accept });
  byId("acceptOffer").addEventListener("click", () => answerOffer(true));
  byId("declineOffer").addEventListener("click", () => answerOffer(false));
  byId("inviteOther").addEventListener("click", () => openInvitation("player"));
  byId("inviteWatcher").addEventListener("click", () => openInvitation("watcher"));
  byId("together").addEventListener("click", () => { isTogether = !isTogether; lastShared = ""; renderTogether(); });
  onEvents(onShared);
  setInterval(shareAnalysis, SHARE_INTERVAL);
  setInterval(() => {
    if (isForTwo(currentGame)) transport.send("present").catch(() => {});
  }, PRESENCE_INTERVAL);
  addEventListener("visibilitychange", () => {
    if (isForTwo(currentGame) && document.visibilityState === "visible") transport.send("check-clock").catch(() => {});
  });
}
