// The openings of the person: the lines of each colour on the board and as a list, what is missing, and where they come from.
// This module comes when they are first opened, with its texts.

import { byId } from "../../../../study/src/html_page/board.js";
import { act, refresh, state } from "../core/state.js";
import { announce, asks, closest, createButton, createElement, filled, setPressed, setReason, setText, showNotice } from "../core/elements.js";
import { saveDownload, toBase64 } from "../core/save_file.js";
import { presentMove } from "../core/sound.js";
import { START } from "../core/tree.js";
import { expectMove, setScene } from "./train_scene.js";
import { ask, offset, readToday, screens } from "./training.js";
import { words } from "../words.js";

/** @type {Record<string, string>} */
const TEXTS = {
  red: words("My red"),
  black: words("My black"),
  count: words("{positions} positions with a move of mine"),
  empty: words("There are no openings yet."),
  how: words("Make them of your games with one click, open a PGN or XQF file, or play moves on the board and click ☆."),
  train: words("Train ({count})"),
  notDue: words("No opening is due today."),
  make: words("From my games ({games})"),
  noGames: words("The list has no games of yours with this colour."),
  who: words("Which of these are you in the games?"),
  files: words("Files"),
  open: words("Open a file (PGN, XQF, …)"),
  pgn: words("Save as PGN"),
  xqf: words("Save as XQF"),
  clear: words("Take all out"),
  start: words("Start"),
  mine: words("My moves"),
  answers: words("Replies"),
  take: words("Take it into my openings"),
  drop: words("Take it out of my openings"),
  main: words("Make it the main move"),
  missing: words("no move"),
  games: words("{games} games"),
  oneGame: words("1 game"),
  scored: words("{count} · {score} %"),
  book: words("book {book} %"),
  behind: words("{positions} positions"),
  gaps: words("What is missing"),
  noGaps: words("There is a move against every answer that comes often."),
  gap: words("{count}, {share} %"),
  added: words("{added} new moves, {positions} positions."),
  nothing: words("Nothing is new: a move must have been played in two games."),
  removed: words("Taken out."),
};

/** @param {string} name @param {Record<string, string | number | string>} values */
const text = (name, values = {}) => filled(TEXTS[name], values);

/** @param {number} games */
const countOf = (games) => text(games === 1 ? "oneGame" : "games", { games });

/** @param {NamedMove} move @returns {string} */
const nameOf = ({ name }) => name;

/** @type {OpeningsView | null} */
let view = null;
/** @type {Side} */
let side = "red";
/** The moves from the start position. @type {string[]} */
let moves = [];
/** Replies to older questions are not shown. */
let asked = 0;
/** The names that recur in the games, where it is asked which are the person's. @type {string[]} */
let players = [];

/** Reads the position after these moves and shows it. @param {string[]} line */
async function goTo(line) {
  const number = ++asked;
  moves = line;
  const reply = await ask("openings", { side, moves, offset: offset() });
  if (number !== asked || !reply.choices) return;
  view = /** @type {OpeningsView} */ (reply);
  if (!view.games && !view.known && !players.length) readPlayers();
  if (state.mode !== "train" || state.screen !== "openings") return;
  if (state.scene.fen !== START || state.scene.moves.join() !== moves.join()) setScene(START, moves, side);
  expectMove(view, (move) => { presentMove(move, {}); goTo([...moves, move]); });
  refresh();
}

async function readPlayers() {
  const reply = await ask("players", {});
  players = (reply.players ?? []).map(({ name }) => name);
  refresh();
}

/** Shows what a change has done. @param {Promise<Partial<OpeningsAdded & { error: string }>>} change @param {boolean} tellsNothing */
async function changed(change, tellsNothing = false) {
  const { added = 0, positions = 0, side: of, error } = await change;
  if (error) return false;
  if (of && of !== side) [side, moves] = [of, []];
  const said = added ? text("added", { added, positions }) : tellsNothing ? text("nothing") : null;
  if (said) { showNotice(said); announce(said); }
  readToday();
  await goTo(moves);
  return true;
}

/** Takes lines out; they can be brought back. @param {() => Promise<Partial<OpeningsAdded & { error: string }>>} remove */
async function takeOut(remove) {
  const of = side;
  const { bytes } = await ask("openings-export", { side: of, format: "pgn" });
  if (!bytes || !await changed(remove())) return;
  showNotice(text("removed"), [["undoDelete", () => { changed(ask("openings-file", { bytes, name: "", side: of })); }]]);
}

/** Takes the last move of a line into the openings, or out of them. @param {string[]} line @param {boolean} isListed */
function mark(line, isListed) {
  if (isListed) return takeOut(() => ask("openings-mark", { side, moves: line, mark: "remove" }));
  return changed(ask("openings-mark", { side, moves: line, mark: "add" }));
}

// --- the screen ---

/** @param {string} name @param {string} id */
const button = (name, id, className = "deed") => Object.assign(createButton(className, {}, text(name)), { id });

function build() {
  const file = createElement("label", { className: "option file" }, text("open"), createElement("input", { className: "unseen", id: "openingsFile", type: "file" }));
  const menu = createElement("details", { className: "menu up", id: "openingsMenu" },
    createElement("summary", { className: "deed" }, text("files")),
    createElement("div", {}, file, button("pgn", "openingsPgn", "option"), button("xqf", "openingsXqf", "option"), button("clear", "openingsClear", "option")));
  const sides = ["red", "black"].map((name) => createButton("deed", { side: name }, text(name)));
  byId("openings").replaceChildren(
    createElement("div", { className: "row", id: "openingSides" }, ...sides, Object.assign(createButton("deed main", {}), { id: "openingsTrain" })),
    createElement("div", { id: "openingSources" },
      createElement("p", { id: "openingCount", className: "faint" }),
      createElement("div", { className: "row" }, Object.assign(createButton("deed", {}), { id: "openingsMake" }), menu),
      createElement("div", { id: "openingWho" }, createElement("p", {}, text("who")), createElement("div", { className: "row", id: "openingPlayers" })),
    ),
    createElement("p", { id: "openingLine" }),
    createElement("h2", { id: "openingTitle", className: "lesser" }),
    createElement("ul", { id: "openingMoves" }),
    createElement("h2", { id: "gapTitle", className: "lesser" }, text("gaps")),
    createElement("ul", { id: "openingGaps" }),
  );
  /** @type {Record<string, () => unknown>} */
  const deeds = {
    openingsTrain: () => act.startExercise({ kind: "opening" }),
    openingsMake: () => changed(ask("openings-make", { side }), true),
    openingsPgn: async () => saveDownload(await ask("openings-export", { side, format: "pgn" })),
    openingsXqf: async () => saveDownload(await ask("openings-export", { side, format: "xqf" })),
    openingsClear: () => takeOut(() => ask("openings-clear", { side })),
  };
  for (const [id, deed] of Object.entries(deeds)) byId(id).addEventListener("click", () => { byId("openingsMenu").removeAttribute("open"); deed(); });
  byId("openingSides").addEventListener("click", (event) => {
    const chosen = /** @type {Side | undefined} */ (closest(event, "[data-side]")?.dataset.side);
    if (chosen) { side = chosen; goTo([]); }
  });
  byId("openingPlayers").addEventListener("click", async (event) => {
    const name = closest(event, "button")?.dataset.name;
    if (!name) return;
    await ask("me", { names: [name] });
    readToday();
    goTo(moves);
  });
  byId("openings").addEventListener("click", (event) => {
    const { to, star, main, listed } = closest(event, "button")?.dataset ?? {};
    if (to !== undefined) goTo(to ? to.split(" ") : []);
    else if (star) mark(star.split(" "), listed === "yes");
    else if (main) changed(ask("openings-mark", { side, moves: [...moves, main], mark: "main" }));
  });
  const field = /** @type {HTMLInputElement} */ (byId("openingsFile"));
  asks("train openings-file", field);
  asks("train openings-make", byId("openingsMake"));
  asks("train openings-clear", byId("openingsClear"));
  field.addEventListener("change", async () => {
    const [opened] = field.files ?? [];
    field.value = "";
    byId("openingsMenu").removeAttribute("open");
    if (opened) changed(ask("openings-file", { bytes: toBase64(new Uint8Array(await opened.arrayBuffer())), name: opened.name }));
  });
}

/** Moves of a line as one text. @param {NamedMove[]} line @returns {string} */
const lineText = (line) => line.map(nameOf).join(" ");

/** The star of the last move of a line. @param {string[]} line @param {boolean} listed @param {NamedMove} move */
function starButton(line, listed, move) {
  const star = createButton("star", { star: line.join(" "), listed: listed ? "yes" : "no" }, listed ? "★" : "☆");
  star.title = text(listed ? "drop" : "take");
  star.setAttribute("aria-label", `${star.title}: ${nameOf(move)}`);
  setPressed(star, listed);
  asks("train openings-mark", star);
  return star;
}

/** @param {OpeningsView["choices"][number]} choice */
function choiceRow(choice) {
  const { iccs, listed, main, missing, line, positions, games, score, book, opening } = choice;
  const star = starButton([...moves, iccs], listed, choice);
  const name = createButton("step", { to: [...moves, iccs].join(" ") }, nameOf(choice));
  const about = createElement("small", {}, ...[
    missing ? [createElement("b", { className: "gap-mark" }, text("missing")), " "] : [],
    opening ? [opening, " "] : [],
    line.length ? [lineText(line)] : [],
    positions > 1 ? [" · ", text("behind", { positions })] : [],
  ].flat());
  if (listed && view?.mine && !main) {
    const first = createButton("small", { main: iccs }, text("main"));
    asks("train openings-mark", first);
    about.append(" ", first);
  }
  const numbers = [
    !games ? null : score === null ? countOf(games) : text("scored", { count: countOf(games), score: Math.round(100 * score) }),
    book ? text("book", { book }) : null,
  ].filter((part) => part !== null);
  const known = createElement("div", { className: "known" }, ...numbers.map((part) => createElement("div", {}, part)));
  return createElement("li", {}, star, name, about, known);
}

/** @param {OpeningsView["gaps"][number]} gap */
function gapRow({ line, games, share, book }) {
  const numbers = [games ? text("gap", { count: countOf(games), share: Math.round(100 * share) }) : null, book ? text("book", { book: Math.round(100 * book) }) : null];
  const about = createElement("small", { className: "faint" });
  about.append(...numbers.flatMap((part, index) => (part ? [index && numbers[0] ? " · " : "", part] : [])));
  return createElement("li", {}, createButton("step", { to: line.map(({ iccs }) => iccs).join(" ") }, lineText(line), " ", about));
}

/** The moves that lead here, each back to its position; the star of the last one; the name of the opening.
 * @param {OpeningsView} shown */
function lineButtons({ line, taken, name }) {
  const begin = createButton("step", { to: "" }, text("start"));
  const end = line.length ? [" ", starButton(moves, taken, line[line.length - 1])] : [];
  const steps = line.flatMap((move, index) => {
    const number = index % 2 ? "" : `${index / 2 + 1}. `;
    return [" ", createButton("step", { to: line.slice(0, index + 1).map(({ iccs }) => iccs).join(" ") }, number, nameOf(move))];
  });
  return [begin, ...steps, ...end, ...name ? [" ", createElement("small", { className: "faint" }, name)] : []];
}

function render() {
  if (!view) return;
  // Who steps back on the board goes back in the lines.
  const { scene } = state;
  if (scene.fen === START && scene.ply < scene.moves.length && scene.moves.join() === moves.join()) return void goTo(moves.slice(0, scene.ply));
  const { positions, games, known, choices, gaps, mine } = view;
  for (const part of byId("openingSides").querySelectorAll("[data-side]")) setPressed(part, part instanceof HTMLElement && part.dataset.side === side);
  const due = state.today?.due.opening ?? 0;
  const train = /** @type {HTMLButtonElement} */ (byId("openingsTrain"));
  setText(train, text("train", { count: due }));
  setReason(train, due ? null : text("notDue"));
  // Where lines come from stands behind those that are there.
  byId("openingSources").style.order = positions ? "1" : "";
  setText(byId("openingCount"), positions ? text("count", { positions }) : text("empty"), positions ? null : text("how"));
  const make = /** @type {HTMLButtonElement} */ (byId("openingsMake"));
  setText(make, text("make", { games }));
  setReason(make, games ? null : text("noGames"));
  byId("openingWho").hidden = games > 0 || known || !players.length;
  const names = players.map((player) => createButton("name", { name: player }, player));
  asks("train me", ...names);
  byId("openingPlayers").replaceChildren(...names);
  byId("openingsClear").hidden = byId("openingsPgn").hidden = byId("openingsXqf").hidden = !positions;
  byId("openingLine").replaceChildren(...lineButtons(view));
  setText(byId("openingTitle"), text(mine ? "mine" : "answers"));
  byId("openingMoves").replaceChildren(...choices.map(choiceRow));
  byId("gapTitle").hidden = !positions;
  byId("openingGaps").replaceChildren(...gaps.map(gapRow));
  if (positions && !gaps.length) byId("openingGaps").replaceChildren(createElement("li", { className: "faint" }, text("noGaps")));
}

/** Takes the place of the screen that has brought this module. */
export function bindOpenings() {
  build();
  screens.openings = { render, enter: () => { goTo(moves); } };
}
