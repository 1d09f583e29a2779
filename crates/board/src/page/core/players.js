// The players of a game: who they are, what each has taken, and their clocks. Their lines are there in every state, so that
// the board stays where it is.

import { byId, isFlipped, piecesAfter, piecesOf, queryAll } from "../../../../study/src/html_page/board.js";
import { setText, translation } from "./elements.js";
import { myName } from "./settings_menus.js";
import { tick } from "./sound.js";
import { state } from "./state.js";
import { transport } from "./transport.js";

/** A text with a name in it. @param {string} text @param {string} name @returns {string} */
export const named = (text, name) => translation(text, { name });

/** Whether two people play and their game is not over. @param {GameState | null} game */
export const isForTwo = (game) => Boolean(game?.two && !game.end);

/** Whether black is below: the side of the user, or of who moves if the board is turned after each move.
 * @param {GameState} game */
export function isBlackBelow({ seat, two, side, end }) {
  if (!two) return seat === "black";
  return two.role === "black" || two.role === "both" && two.turns && side === "black" && !end;
}

/** The name of a player. @param {TwoPlayers} two @param {Side} side @returns {string} */
export function nameOfPlayer(two, side) {
  const name = two[side];
  const text = name === "Red" || name === "Black" || !name ? translation(side) : name;
  return two.role === side ? named("youNamed", text) : text;
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

/** The pieces that a side has lost. @param {string} start @param {string[]} moves @param {Side} side @returns {string[]} */
function lostPieces(start, moves, side) {
  /** @param {Pieces} pieces @param {string} letter */
  const count = (pieces, letter) => [...pieces.values()].filter((other) => other === letter).length;
  const [before, now] = [piecesOf(start), piecesAfter(start, moves)];
  const letters = side === "red" ? "RNCABP" : "rncabp";
  return [...letters].flatMap((letter) => Array(Math.max(0, count(before, letter) - count(now, letter))).fill(letter));
}

/** The user, by the name that was told. @returns {string} */
export const own = () => myName() || translation("you");

/** A player as a game names it: in games with the program the user is "Player", and the program has its version.
 * @param {string} name @param {string} other The name of the other player. @returns {string} */
export function recordedName(name, other) {
  if (name === "Player" && other.startsWith("Chuhe ")) return own();
  const [, kind, number] = name.match(/^Chuhe (?:[\d.]+, )?(level|elo) (\d+)$/) ?? [];
  if (!kind) return name;
  return named("chuheNamed", kind === "elo" ? translation("eloNumber", { elo: number }) : translation("levelNumber", { level: number }));
}

/** The two players of a game in a title, as they are shown. @param {string} title @returns {string} */
export function recordedTitle(title) {
  const [red, black, more] = title.split(" – ");
  return black && !more ? `${recordedName(red, black)} – ${recordedName(black, red)}` : title;
}

/** @param {GameState} game @param {Side} side */
export function playerName(game, side) {
  if (game.two) return nameOfPlayer(game.two, side);
  if (game.seat === "both") return translation(side);
  if (game.seat === side) return own();
  return named("chuheNamed", game.strength_name);
}

/** The lines of the players, with the side of each.
 * @returns {[HTMLElement, Side][]} */
const playerLines = () => [[byId("above"), isFlipped ? "red" : "black"], [byId("below"), isFlipped ? "black" : "red"]];

/** Shows the players and what each has taken, in any state.
 * @param {(side: Side) => string} nameOf @param {string} start @param {string[]} moves @param {Side | null} turn Who has
 * to move. */
export function renderPlayers(nameOf, start, moves, turn) {
  for (const [line, side] of playerLines()) {
    const [name, taken] = /** @type {[HTMLElement, HTMLElement]} */ ([line.querySelector("b"), line.querySelector(".taken")]);
    setText(name, nameOf(side));
    line.className = `player ${side}${turn === side ? " turn" : ""}`;
    /** @param {string} letter */
    const drawing = (letter) => `<svg viewBox="-25 -25 50 50"><use href="#piece-${letter}"/></svg>`;
    taken.innerHTML = lostPieces(start, moves, side === "red" ? "black" : "red").map(drawing).join("");
  }
  renderClocks();
}

/** @param {number} milliseconds */
function clockText(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  const text = seconds < 20 ? (Math.floor(seconds * 10) / 10).toFixed(1).padStart(4, "0") : String(Math.floor(seconds % 60)).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${text}`;
}

/** A clock is short of time below this. */
const SHORT = 10_000;
/** The second that was heard last. */
let heard = 0;

/** When the program has sent the clocks, and whether it was asked since about one that has run out. */
const clockState = { sentAt: 0, isChecked: false };

/** To be called when the clocks have been sent. */
export const setClockStart = () => Object.assign(clockState, { sentAt: Date.now(), isChecked: false });

/** The clocks run between updates. */
export function renderClocks() {
  const game = state.game;
  for (const [line, side] of playerLines()) {
    const clock = /** @type {HTMLElement} */ (line.querySelector("time"));
    clock.hidden = !game?.clocks || state.mode !== "play";
    if (!game?.clocks || clock.hidden) continue;
    const isRunning = game.side === side && !game.end && !game.two?.stands;
    const left = game.clocks[side] - (isRunning ? Date.now() - clockState.sentAt : 0);
    clock.textContent = left > 0 ? clockText(left) : "0:00";
    clock.classList.toggle("short", left < SHORT);
    const second = Math.ceil(left / 1000);
    if (isRunning && left < SHORT && left > 0 && second !== heard) tick();
    if (isRunning) heard = second;
    if (isRunning && left <= 0 && !clockState.isChecked) {
      clockState.isChecked = true;
      transport.send("check-clock").catch(() => {});
    }
  }
}
