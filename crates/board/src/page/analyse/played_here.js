// What the games of the list say about the position: a button beside the book, and a sheet with the moves and the latest
// games, which a search narrows down.

import { byId, piecesAfter } from "../../../../study/src/html_page/board.js";
import { mirrored } from "./book_view.js";
import { asks, closest, createButton, createElement, setPressed, setReason, setText, translation } from "../core/elements.js";
import { openSheet } from "../core/settings_menus.js";
import { request } from "../core/session.js";
import { act, state } from "../core/state.js";
import { currentLine, movesTo, nodeAtPly } from "../core/tree.js";

/** How long the typing of a search rests before it is sent, in milliseconds. */
const TYPING_PAUSE = 150;

/** Where it is said which games count. A colour is that of the player who is searched for. */
const FIELDS = ["playedSearch", "playedResult", "playedColour", "playedSince", "playedUntil"];

/** Replies to older questions are not shown. */
let asked = 0;
/** @type {number | undefined} */
let pause;

/** Asks what was played in the current position, and shows it. */
export async function askPlayedHere() {
  asked += 1;
  const number = asked;
  const [search, result, colour, since, until] = FIELDS.map((name) => /** @type {HTMLInputElement} */ (byId(name)).value);
  const filter = {
    search, ...result ? { result } : {}, ...colour ? { colour: /** @type {Side} */ (colour) } : {}, ...since ? { since } : {}, ...until ? { until } : {},
  };
  const reply = await request("played-here", { ...act.positionQuery(), ...filter });
  if (number === asked && reply.moves) render(/** @type {PlayedHere} */ (reply), Boolean(search || result || since || until));
}

/** Forgets the last answer, as the position is another one. */
export function clearPlayedHere() {
  asked += 1;
  byId("playedHere").hidden = document.body.dataset.sheet !== "played";
  showMine(null);
}

/** Shows whether the move of the current node is in the openings of the person: beside the book, on phones in the menu.
 * @param {boolean | null} mine */
function showMine(mine) {
  byId("mineHere").hidden = mine === null;
  setReason(byId("mineMore"), mine === null ? translation("noMoveYet") : null);
  for (const star of [byId("mineHere"), byId("mineMore")]) setPressed(star, mine === true);
}

/** Takes the move of the current node into the openings of who has made it, with what led to it, or out of them. */
async function markMine() {
  const moves = movesTo(state.node);
  const mark = byId("mineHere").ariaPressed === "true" ? "remove" : "add";
  await act.ask("openings-mark", { side: moves.length % 2 ? "red" : "black", moves, mark });
  askPlayedHere();
}

/** @param {PlayedHere} answer @param {boolean} isFiltered */
function render({ games, moves, latest, mine }, isFiltered) {
  showMine(mine);
  const button = byId("playedHere");
  button.hidden = !games && !isFiltered && document.body.dataset.sheet !== "played";
  setText(button, translation("playedHere", { games }));
  setText(byId("playedCount"), translation(games ? "playedCount" : "neverPlayed", { games }));
  byId("playedSearch").placeholder = translation("searchGames");
  byId("playedMoves").replaceChildren(...moves.map(moveRow));
  byId("playedGames").replaceChildren(...latest.map(gameRow));
}

/** @param {number} lost */
const shownLoss = (lost) => `${lost < 0.005 ? "" : "−"}${Math.round(100 * lost)} %`;

/** @param {PlayedHere["moves"][number]} move */
function moveRow({ move, name, games, red, draws, black, score, lost, reviewed, opening }) {
  const bar = createElement("span", { className: "results" });
  bar.setAttribute("role", "img");
  bar.setAttribute("aria-label", translation("results", { red, draws, black }));
  bar.title = bar.ariaLabel ?? "";
  for (const [kind, count] of Object.entries({ red, draws, black })) {
    const part = createElement("i", { className: kind });
    part.style.flexGrow = String(count);
    bar.append(part);
  }
  const share = score === null ? "–" : `${Math.round(100 * score)} %`;
  const button = createButton("step", { line: move }, name);
  const loss = createElement("em", {}, lost === null ? "" : shownLoss(lost));
  if (lost !== null) loss.title = translation("meanLoss", { lost: Math.round(100 * lost), reviewed });
  const about = createElement("small", {}, opening ? opening : "");
  return createElement("li", {}, button, createElement("b", {}, String(games)), bar, createElement("span", {}, share), loss, about);
}

/** @param {GameSummary} game */
function gameRow({ id, red, black, result, date, name }) {
  const title = name || `${red || "?"} – ${black || "?"}`;
  return createElement("li", {}, createButton("small", { open: id }, `${title}  ${result}  ${date.replaceAll(".", "-")}`));
}

/** Opens a game where it has the position. @param {string} id */
async function openHere(id) {
  const board = (/** @type {Map<string, string>} */ pieces) => [...pieces].map((piece) => piece.join()).sort().join(" ");
  const here = piecesAfter(state.tree.start, movesTo(state.node));
  const image = new Map([...here].map(([square, letter]) => [mirrored(square), letter]));
  const wanted = [board(here), board(image)];
  if (!await act.openListedGame(id)) return;
  openSheet("");
  const line = currentLine();
  const ply = [...line.keys(), line.length].find((count) => wanted.includes(board(piecesAfter(state.tree.start, movesTo(nodeAtPly(count))))));
  if (ply) act.goToNode(nodeAtPly(ply));
}

export function bindPlayedHere() {
  asks("train openings-mark", byId("mineHere"), byId("mineMore"));
  act.bindSteps(byId("playedMoves"));
  byId("playedGames").addEventListener("click", (event) => {
    const id = closest(event, "[data-open]")?.dataset.open;
    if (id) openHere(id);
  });
  for (const star of [byId("mineHere"), byId("mineMore")]) star.addEventListener("click", markMine);
  for (const name of FIELDS.slice(1)) byId(name).addEventListener("change", askPlayedHere);
  byId("playedSearch").addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(askPlayedHere, TYPING_PAUSE);
  });
}
