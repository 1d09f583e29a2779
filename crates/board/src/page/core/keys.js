// The keys of the page as a table, those of the place where one is first. This module comes when they are first asked for.

import { byId } from "../../../../study/src/html_page/board.js";
import { createElement } from "./elements.js";
import { state } from "./state.js";
import { askUser } from "./undo_redo.js";
import { words } from "../words.js";

/** The groups: their titles, the states that they belong to, and their keys. @type {[string, ModeName[], [string, string][]][]} */
const GROUPS = [
  [words("Play"), ["play"], [["H", words("a hint")], ["Esc", words("takes a move in advance back")]]],
  [words("Analyse"), ["analyse"], [
    ["↑ ↓", words("the other moves from the same place")], ["Space", words("plays the best move")], ["L", words("the engine, on and off")],
    ["X", words("what the other side threatens")], ["A", words("arrows, on and off")], ["Ctrl Z", words("undoes a change")], ["Ctrl Y", words("does it again")],
  ]],
  [words("Review"), ["review"], [
    ["Space", words("plays the best move")], ["L", words("the engine, on and off")], ["X", words("what the other side threatens")],
    ["A", words("arrows, on and off")],
  ]],
  [words("Train"), ["train"], [["H", words("a hint")], ["S", words("the solution")], ["N", words("the next one, or another try")]]],
  [words("Through the moves"), ["play", "analyse", "review", "train"], [
    ["← →", words("back and forward")], ["Home End", words("the first and the last position")], ["P", words("plays the game through")],
    ["F", words("turns the board")],
  ]],
  [words("On the board"), [], [
    ["← ↑ → ↓", words("from square to square, when the board has the focus")], ["Enter", words("picks up a piece, puts it down")],
    ["Esc", words("lets go of it")],
  ]],
  [words("Everywhere"), [], [["Tab", words("to the next thing")], ["Esc", words("closes what is open")], ["?", words("these keys")]]],
];

/** @param {string} keys */
const kbds = (keys) => keys.split(" ").flatMap((key, index) => [...index ? [" "] : [], createElement("kbd", {}, key)]);

/** Shows the table in the dialog of questions. */
export async function showKeys() {
  const isHere = (/** @type {ModeName[]} */ modes) => Number(modes.includes(state.mode));
  const others = (/** @type {ModeName[]} */ modes) => modes.length === 1 && !isHere(modes) && modes[0] !== "analyse";
  const groups = [...GROUPS].filter(([, modes]) => !others(modes)).sort(([, one], [, other]) => isHere(other) - isHere(one));
  const table = createElement("table", { className: "key-table" }, ...groups.map(([title, , keys]) => createElement("tbody", {},
    createElement("tr", {}, createElement("th", { colSpan: 2, scope: "rowgroup" }, title)),
    ...keys.map(([key, text]) => createElement("tr", {}, createElement("td", {}, ...kbds(key)), createElement("td", {}, text))))));
  byId("question").querySelector("p")?.after(table);
  // A table needs no sentence.
  await askUser("", ["close"]);
  table.remove();
}
