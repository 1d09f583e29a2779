// A game of two people: its conditions in the dialog of a new game, who is there and who asks for what, and what invited
// devices see. The program is the referee, and gives no help before the end.

import { byId } from "../../../../study/src/html_page/board.js";
import { onClick, queryButtons, setPressed, setReason, setText, showNotice, translation } from "../core/elements.js";
import { openInvitation } from "./lan.js";
import { enterMode } from "../core/modes.js";
import { isForTwo, isGuest, named, nameOfPlayer } from "../core/players.js";
import { onEvents, request } from "../core/session.js";
import { act, provide, state } from "../core/state.js";
import { transport } from "../core/transport.js";
import { loadTree, movesTo, sentTree } from "../core/tree.js";

/** How often a page says that it is there, in milliseconds. The program waits for three times as long. */
const PRESENCE_INTERVAL = 4000;

/** What the line of news says of such a game. @param {GameState} game @param {TwoPlayers} two @returns {string[]} */
function twoTexts(game, two) {
  if (two.waiting) return [translation("waitingForOther")];
  const turn = translation(two.role === game.side ? "yourTurn" : `${game.side}Turn`);
  const texts = two.away.filter((side) => side !== two.role).map((side) => named(two.stops ? "awayStops" : "awayGoesOn", translation(side)));
  return [turn, ...game.clocks ? texts : two.away.length ? [translation("away")] : []];
}

/** @param {GameState} game */
function renderTwo(game) {
  const { two } = game;
  const isRunning = isForTwo(game);
  document.documentElement.dataset.two = two ? two.role : "none";
  byId("two").hidden = !isRunning;
  // What would be help has to wait.
  for (const tab of queryButtons('[role=tab][data-mode-of="analyse"], [role=tab][data-mode-of="review"], [role=tab][data-mode-of="setup"], #trainEntry, #analyseGame')) {
    setReason(tab, isRunning ? translation("noHelp") : null);
  }
  if (isRunning && ["analyse", "review", "setup", "train"].includes(state.mode)) setTimeout(() => enterMode("play"));
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

const analysed = () => ({ tree: sentTree(), line: movesTo(state.node) });

function renderTogether() {
  const two = state.game?.two;
  byId("together").hidden = !two || two.role === "both" || isForTwo(state.game);
  if (byId("together").hidden) isTogether = false;
  setPressed(byId("together"), isTogether);
}

function shareAnalysis() {
  if (!isTogether || state.mode !== "analyse" || state.game?.two?.role === "watcher") return;
  const shown = analysed();
  const text = JSON.stringify(shown);
  if (text === lastShared) return;
  lastShared = text;
  request("share-analysis", shown);
}

/** @param {ServerEvents} events */
function onShared({ shared }) {
  if (!shared || isForTwo(state.game)) return;
  if (!isTogether) {
    // The other one has begun: this page is asked once, and goes on with its own game if it does not want to.
    return showNotice(translation("togetherOffer"), [["together", () => { isTogether = true; show(shared); }], ["dismiss", () => {}]]);
  }
  show(shared);
}

/** @param {{tree: SentTree, line: string[]}} shared */
function show({ tree: sent, line }) {
  if (state.mode !== "analyse") enterMode("analyse");
  if (JSON.stringify(sent.nodes.map((node) => [node.parent, node.move, node.comment, node.marks]))
    !== JSON.stringify(sentTree().nodes.map((node) => [node.parent, node.move, node.comment, node.marks]))) loadTree(sent, state.tree.id);
  let at = 0;
  for (const move of line) at = state.tree.nodes[at].children.find((id) => state.tree.nodes[id].move === move) ?? at;
  act.goToNode(at);
  lastShared = JSON.stringify(analysed());
  renderTogether();
}

/** The conditions of the dialog. @type {Actions["twoOptions"]} */
function twoOptions(values) {
  /** @param {string} name */
  const value = (name) => String(values.get(name) ?? "");
  const remote = value("remote");
  return {
    remote: remote === "red" || remote === "black" ? remote : null,
    two: { red: value("redName"), black: value("blackName"), turns: values.has("turns"), stops: value("stops") !== "no" },
  };
}

/** The conditions of a rematch. @type {Actions["twoAgain"]} */
function twoAgain({ red, black, role, turns, stops }, isSwapped) {
  const remote = role === "red" ? "black" : role === "black" ? "red" : null;
  const other = remote === "red" ? "black" : remote && "red";
  return isSwapped ? { remote: other, two: { red: black, black: red, turns, stops } } : { remote, two: { red, black, turns, stops } };
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
  onClick({ newGame: renderDialog });
  /** Answers the offer that is shown. @param {boolean} accept */
  const answerOffer = (accept) => request("answer-offer", { number: state.game?.two?.offer?.number ?? 0, accept });
  onClick({
    acceptOffer: () => answerOffer(true), declineOffer: () => answerOffer(false), inviteOther: () => openInvitation("player"),
    inviteWatcher: () => openInvitation("watcher"), together: () => { isTogether = !isTogether; lastShared = ""; renderTogether(); },
  });
  onEvents(onShared);
  setInterval(shareAnalysis, SHARE_INTERVAL);
  setInterval(() => {
    if (isForTwo(state.game)) transport.send("present").catch(() => {});
  }, PRESENCE_INTERVAL);
  addEventListener("visibilitychange", () => {
    if (isForTwo(state.game) && document.visibilityState === "visible") transport.send("check-clock").catch(() => {});
  });
}

provide({ renderTwo, twoAgain, twoOptions, twoTexts });
