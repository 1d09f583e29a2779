// The dialog of a new game. A game that runs is kept in the list of games before another one begins, and that is said.

import { board, byId } from "../../../../study/src/html_page/board.js";
import { LEVELS } from "../data.js";
import { onClick, setText, showNotice, translation } from "../core/elements.js";
import { focusedByPointer } from "../core/board_input.js";
import { chosenStrength, keepStrength, renderOwnLevel } from "./own_level.js";
import { isGameRunning } from "./played_game.js";
import { act, provide, state } from "../core/state.js";

/** The pieces that stand for levels, from the lowest. */
const PORTRAITS = "pbaNCRK";
const MAX_LEVEL = 20;

/** The level of a game, 0 if its strength is none. @param {GameState} game */
const levelOf = (game) => Number(game.strength.match(/^level (\d+)$/)?.[1] ?? 0);

/** The Elo of the strongest level that has one. */
const MOST_ELO = 3500;
/** The Elo of a level, which may be half a step between two. @param {number} level */
function eloOfLevel(level) {
  const [low, high] = [Math.floor(level), Math.ceil(level)].map((step) => Number(LEVELS[step - 1]?.match(/\d{4}/)?.[0] ?? MOST_ELO));
  return 10 * Math.round((low + high) / 20);
}

/** A level in words. @param {number} level @returns {string} */
const levelName = (level) => (
  Number.isInteger(level) ? `${level} · ${LEVELS[level - 1]}` : `${Math.floor(level)}½ · ${translation("eloNumber", { elo: eloOfLevel(level) })}`
);

const form = () => byId("begin");
/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form().elements.namedItem(name));

function renderLevel() {
  const level = Number(byId("levelRange").value);
  setText(byId("levelToBegin"), levelName(level));
  const portrait = PORTRAITS[Math.floor(((level - 1) * PORTRAITS.length) / MAX_LEVEL)].toUpperCase();
  byId("levelPicture").querySelector("use")?.setAttribute("href", `#piece-${portrait}`);
}

function openNewGame() {
  byId("beginWrong").hidden = true;
  byId("running").hidden = !isGameRunning();
  if (state.game) {
    setText(byId("running"), translation("runningIsKept", { moves: state.game.moves.length }));
    byId("levelRange").value = String(levelOf(state.game) || byId("levelRange").value);
  }
  renderLevel();
  renderOwnLevel();
  byId("beginning").showModal();
}

/** @param {SubmitEvent} event */
async function onBegin(event) {
  event.preventDefault();
  const values = new FormData(form());
  /** @param {string} name */
  const value = (name) => String(values.get(name) ?? "");
  const isTwo = value("seat") === "two";
  const seat = value("seat") === "random" ? (Math.random() < 0.5 ? "red" : "black") : isTwo ? "both" : value("seat");
  const [, minutes, seconds] = value("ownClock").match(/^\s*(\d+(?:[.,]\d+)?)\s*(?:[+＋]\s*(\d+))?\s*$/) ?? [];
  const clock = value("clock") !== "own" ? value("clock") || null
    : minutes ? `${Math.round(60 * Number(minutes.replace(",", ".")))}+${seconds ?? 0}` : value("ownClock");
  const strength = chosenStrength(Number(value("level")), eloOfLevel);
  const error = await act.beginGame({
    seat, position: value("position"), rules: value("rules"), strength, clock,
    ...isTwo ? act.twoOptions(values) : {},
  });
  if (error) {
    // What is wrong stands beside the field.
    showNotice(null);
    byId("beginWrong").hidden = false;
    return setText(byId("beginWrong"), error);
  }
  keepStrength(strength);
  field("position").value = "";
  byId("beginning").close();
  if (!focusedByPointer) board.focus();
}

export function bindNewGame() {
  const dialog = byId("beginning");
  byId("levelRange").addEventListener("input", renderLevel);
  form().addEventListener("change", () => {
    field("ownClock").hidden = field("clock").value !== "own";
    byId("bothNote").hidden = new FormData(form()).get("seat") !== "both";
  });
  onClick({ newGame: openNewGame, notBegin: () => dialog.close() });
  dialog.querySelector("[data-mode-of]")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  form().addEventListener("submit", onBegin);
}

provide({ newGame: openNewGame });
