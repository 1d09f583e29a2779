// The card at the end of a game: who won and why, who played, and what may come next.

import { byId } from "../../../../study/src/html_page/board.js";
import { announce, inChinese, onClick, setText, translation } from "../core/elements.js";
import { openGameIn, treeOfGame } from "./played_game.js";
import { isGuest, playerName } from "../core/players.js";
import { onEvents } from "../core/session.js";
import { act, state } from "../core/state.js";
import { transport } from "../core/transport.js";

/** The game whose card was closed, by its turn. @type {number | null} */
let closed = null;

/** The game whose openings were asked for, by its turn. @type {number | null} */
let followed = null;

/** Says where the game has left the openings of the person. @param {GameState} game */
async function tellOpenings({ turn, seat, start, moves, two }) {
  if (followed === turn) return;
  followed = turn;
  setText(byId("endOpenings"), null);
  if (seat === "both" || two || isGuest()) return;
  const { text } = await act.ask("openings-left", { side: seat, start, moves, players: [] });
  if (followed === turn && text) setText(byId("endOpenings"), text);
}

/** The game whose review is told, by its turn, and what is said of it. @type {{turn: number | null, text: string | null}} */
let told = { turn: null, text: null };

/** Whether the game has no review by itself, as it is short. @param {GameState} game */
const isShort = ({ seat, moves, end }) => seat !== "both" && moves.length > 0 && !end?.reviewed;

/** Says when the review of the game is there. The queue of the training makes it, once nobody plays. @param {QueueState} queue */
async function tellReview({ done, games, paused }) {
  const { game } = state;
  if (!game?.end || game.seat === "both" || game.two || !game.moves.length || isGuest()) return;
  const reply = await transport.send("kept-review", { tree: treeOfGame(game) }).catch(() => null);
  if (state.game !== game) return;
  const { accuracy, dubious = 0, mistakes = 0, blunders = 0 } = reply?.review?.sides[game.seat] ?? {};
  const count = dubious + mistakes + blunders;
  const there = accuracy === undefined ? null : translation("reviewIsThere", { accuracy: accuracy === null ? "–" : Math.round(accuracy), count });
  const text = there ?? (done < games && !paused && !isShort(game) ? translation("reviewComes") : null);
  if (there && told.text !== text) announce(text ?? "");
  told = { turn: game.turn, text };
  renderEndCard(game);
}

/** Who won, for the one who sits here. @param {GameState} game @returns {string} */
function outcome({ seat, end, two }) {
  const winner = end?.result === "1-0" ? "red" : end?.result === "0-1" ? "black" : null;
  if (!winner) return "endDrawn";
  if (two?.role === "red" || two?.role === "black") return winner === two.role ? "endWon" : "endLost";
  if (seat === "both") return winner === "red" ? "endRed" : "endBlack";
  return winner === seat ? "endWon" : "endLost";
}

/** In which move of the game the last ply was. @param {GameState} game */
function lastMove({ start, moves }) {
  const [, side, , , , first] = start.split(" ");
  return (Number(first) || 1) + Math.floor((Math.max(1, moves.length) - 1 + (side === "b" ? 1 : 0)) / 2);
}

/** The end in a line. @param {GameState} game @returns {string | null} */
export const endText = (game) => game.end && translation(outcome(game), { reason: game.end.reason, number: lastMove(game) });

/** @param {GameState} game */
export function renderEndCard(game) {
  const { end } = game;
  byId("ending").hidden = !end || state.viewedPly !== null || closed === game.turn;
  if (!end) return;
  tellOpenings(game);
  setText(byId("endTitle"), endText(game));
  setText(byId("endPlayers"), playerName(game, "red"), "–", playerName(game, "black"));
  // The first line says what was judged, the others what each move of a repetition did.
  const [sentence, ...reasons] = end.text.split("\n");
  // The Chinese word in the English sentence is for the terminal; a browser may have no font for it.
  setText(byId("endSentence"), inChinese ? sentence : sentence.replace(/ \([^\x00-\x7f]+\)/, ""));
  const review = told.turn === game.turn ? told.text : null;
  setText(byId("endReview"), review ?? (isShort(game) ? translation("reviewNone") : null));
  byId("endReasons").hidden = !reasons.length;
  const listing = byId("endReasons").querySelector("p");
  if (listing) setText(listing, reasons.join("\n"));
  byId("swapSides").hidden = game.seat === "both" && !game.two;
  byId("keepGame").hidden = game.saved || !game.moves.length;
}

/** @type {Record<Seat, Seat>} */
const OTHER_SEAT = { red: "black", black: "red", both: "both" };

export function bindEndCard() {
  onEvents(({ train }) => { if (train) tellReview(train); });
  /** Plays again under the same conditions. @param {boolean} isSwapped */
  const playAgain = async (isSwapped) => {
    if (!state.game) return;
    const { seat, clocks, rules, strength, start, two } = state.game;
    const again = two ? act.twoAgain(two, isSwapped) : {};
    const next = isSwapped ? OTHER_SEAT[seat] : seat;
    // Who has won or lost is stronger or weaker than it seemed.
    const own = two ? null : await act.ownStrength();
    act.beginGame({ seat: next, clock: clocks?.control ?? null, rules, strength: own ?? strength, position: start, ...again });
  };
  onClick({
    rematch: () => playAgain(false), swapSides: () => playAgain(true),
    reviewGame: async () => { if (await openGameIn("review")) act.reviewGame(); },
  });
  byId("closeEnding").addEventListener("click", () => {
    closed = state.game?.turn ?? null;
    if (state.game) renderEndCard(state.game);
  });
}
