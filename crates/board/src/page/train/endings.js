// Endings against a side that gives nothing away: the shelves, and the one that is played.

import { board, byId } from "../../../../study/src/html_page/board.js";
import { announce, closest, createButton, createElement, onClick, setText, translation } from "../core/elements.js";
import { focusedByPointer } from "../core/board_input.js";
import { presentMove } from "../core/sound.js";
import { refresh, state } from "../core/state.js";
import { store } from "../core/store.js";
import { expectMove, playOn, setScene } from "./train_scene.js";
import { ask, openScreen, readToday, screens } from "./training.js";

/** @type {Shelf[]} */
let shelves = [];
/** Whether the program is asked about it. */
let isWaiting = false;

async function readShelves() {
  const reply = await ask("endings", {});
  if (!reply.shelves) return;
  shelves = reply.shelves;
  if (state.mode === "train" && state.screen === "endings") refresh();
}

const chosenSide = () => (byId("endingSide").value === "defend" ? "defend" : "attack");

/** The pieces of a side without the king, small. @param {string} letters */
function pieces(letters) {
  const element = createElement("span", { className: "shelf-pieces" });
  element.setAttribute("aria-hidden", "true");
  element.innerHTML = [...letters.replace(/k/i, "")].map((letter) => `<svg viewBox="-25 -25 50 50"><use href="#piece-${letter}"/></svg>`).join("");
  return element;
}

/** @param {Shelf} shelf */
function shelfButton({ id, name, red, black, won, passes }) {
  const [count, { needed }] = [passes[chosenSide()], passes];
  const share = createElement("small", {}, translation("wonShare", { share: Math.round(100 * won) }));
  const button = createButton("shelf", { ending: id, part: "shelf" }, pieces(red), pieces(black.toLowerCase()), createElement("span", {}, createElement("b", {}, name), share));
  if (count) button.append(createElement("i", {}, count < needed ? translation("passedOnce", { count, needed }) : translation("passed")));
  return createElement("li", {}, button);
}

/** How many of these are passed. @param {Shelf[]} found */
function passedOf(found) {
  const side = chosenSide();
  const count = found.filter(({ passes }) => passes[side] === passes.needed).length;
  return translation("passedOf", { count, of: found.length });
}

function renderShelves() {
  const shown = JSON.stringify([chosenSide(), shelves]);
  const list = byId("shelves");
  if (list.dataset.state === shown) return;
  list.dataset.state = shown;
  const grades = /** @type {const} */ (["won", "drawn", "mixed"]).map((grade) => [grade, shelves.filter((shelf) => shelf.grade === grade && shelf.offers[chosenSide()])]);
  list.replaceChildren(...grades.flatMap(([grade, found]) => (typeof found === "string" || !found.length ? [] : [
    createElement("h2", {}, translation(`shelf-${grade}`), " ", createElement("small", {}, passedOf(found))), createElement("ul", {}, ...found.map(shelfButton)),
  ])));
}

/** Shows what the program has told: the moves that are new are played on the board. @param {Partial<EndingView>} reply
 * @returns {void} */
function show(reply) {
  isWaiting = false;
  const { start, moves } = reply;
  if (state.screen !== "ending") return;
  // What was not taken is taken back.
  if (!start || !moves) return state.ending ? show(state.ending) : openScreen("endings", true);
  state.ending = /** @type {EndingView} */ (reply);
  const known = state.scene.moves.length;
  const goesOn = state.scene.fen === start && known <= moves.length && state.scene.moves.every((move, index) => move === moves[index]);
  const { state: standing, sentence } = state.ending;
  const isOn = standing === "on";
  const settle = () => {
    if (isOn && state.ending) expectMove(state.ending, tryMove);
    else if (!focusedByPointer) byId(standing === "spoiled" ? "endingAgain" : "endingNew").focus();
  };
  if (goesOn && known < moves.length) playOn(moves.slice(known), settle);
  else { setScene(start, moves, state.ending.side); settle(); }
  refresh();
  if (sentence) announce(sentence);
  // One that was given away is a card now.
  if (!isOn) readToday();
}

/** @param {string} id */
async function begin(id) {
  [state.ending, isWaiting] = [null, true];
  openScreen("ending");
  const level = /** @type {1 | 2 | 3} */ (Number(byId("endingLevel").value));
  store.set("ending-level", String(level));
  show(await ask("ending", { id, side: chosenSide(), level }));
  if (!focusedByPointer) board.focus();
}

/** @param {string} move */
async function tryMove(move) {
  if (!state.ending || isWaiting) return;
  isWaiting = true;
  setScene(state.ending.start, [...state.ending.moves, move]);
  presentMove(move, {});
  show(await ask("ending-move", { move }));
}

function renderEnding() {
  byId("endingParts").hidden = !state.ending;
  if (!state.ending) return;
  const { goal, state: standing, sentence, level } = state.ending;
  setText(byId("endingGoal"), translation(goal === "win" ? "goalWin" : "goalHold"));
  byId("endingGoal").className = state.ending.side;
  setText(byId("endingSaid"), sentence ?? (standing === "passed" ? translation("endingPassed") : isWaiting ? translation("thinking") : null));
  byId("endingSaid").className = `said is-${{ spoiled: "wrong", passed: "right" }[String(standing)] ?? "ask"}`;
  byId("endingAgain").hidden = standing !== "spoiled";
  byId("endingNew").hidden = standing === "on";
  const shelf = shelves.find(({ id }) => id === state.ending?.id);
  setText(byId("trainNews"), shelf?.name, "·", translation(`difficulty-${level}`));
}

export function bindEndings() {
  screens.endings = { render: renderShelves, enter: () => { readShelves(); } };
  screens.ending = { render: renderEnding, enter: () => { if (!state.ending && !isWaiting) openScreen("endings", true); } };
  byId("endingLevel").value = store.get("ending-level") ?? "1";
  byId("endingSide").addEventListener("change", renderShelves);
  byId("shelves").addEventListener("click", (event) => {
    const id = closest(event, "button")?.dataset.ending;
    if (id) begin(id);
  });
  onClick({
    endingAgain: async () => show(await ask("ending-again", {})), endingNew: () => { if (state.ending) begin(state.ending.id); },
    endingBack: () => openScreen("endings"),
  });
}
