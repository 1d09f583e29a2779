// The level that goes with the person: the first question, and the strength by the games that were played here.

import { byId, queryAll } from "../../../../study/src/html_page/board.js";
import { USUAL_STRENGTH } from "../data.js";
import { confirmNotice, setText, translation } from "../core/elements.js";
import { isGuest } from "../core/players.js";
import { isAwaited } from "../core/session.js";
import { act, provide, state } from "../core/state.js";
import { store } from "../core/store.js";
import { transport } from "../core/transport.js";

/** The settings: where the person began, whether games are at the person's level, and the strength that was chosen last. */
const [FIRST, FOLLOWS, CHOSEN] = ["first-elo", "own-level", "strength"];
/** What is known of the person. @type {OwnLevel | null} */
let known = null;

const first = () => Number(store.get(FIRST)) || 0;

/** Whether games are at the level of the person. */
export const followsLevel = () => store.get(FOLLOWS) === "on";

/** Asks for the strength of the person, as far as there is one. */
async function readLevel() {
  if (isGuest()) return null;
  const reply = await act.ask("own-level", first() ? { first: first() } : {});
  known = reply.elo === undefined ? null : /** @type {OwnLevel} */ (reply);
  return known;
}

/** The strength of an opponent at the level of the person; nothing if games do not follow it. @returns {Promise<string | null>} */
async function ownStrength() {
  const level = followsLevel() ? await readLevel() : null;
  return level && `elo ${level.elo}`;
}

/** Offers the level in the dialog of a new game. */
export async function renderOwnLevel() {
  const level = await readLevel();
  byId("ownLevelRow").hidden = !level || !level.games && !first();
  if (!level) return;
  byId("ownLevel").checked = followsLevel();
  setText(byId("ownLevelText"), translation(level.games ? "ownLevel" : "ownLevelFirst", { ...level }));
  levelChosen();
}

/** The level by hand is grey while the one of the person is chosen. */
function levelChosen() {
  byId("levelRow").classList.toggle("resting", byId("ownLevel").checked && !byId("ownLevelRow").hidden);
}

/** The strength that the dialog names. @param {number} level @param {(level: number) => number | null} eloOf */
export function chosenStrength(level, eloOf) {
  if (isOwnChosen()) return `elo ${known?.elo}`;
  return Number.isInteger(level) ? `level ${level}` : `elo ${eloOf(level)}`;
}

const isOwnChosen = () => byId("ownLevel").checked && !byId("ownLevelRow").hidden && known !== null;

/** A game has begun with this strength: so does the next one. @param {string} strength */
export function keepStrength(strength) {
  const isOwn = isOwnChosen();
  if (!byId("ownLevelRow").hidden) store.set(FOLLOWS, isOwn ? "on" : "off");
  if (!isOwn) store.set(CHOSEN, strength.replace(" ", "-"));
}

/** Whether the game that the program has begun with was looked at. */
let isSuited = false;
/** Who comes back finds an opponent of the own level, or of the level that was chosen last. Whoever has begun something meanwhile
 * is not disturbed, and nobody has asked for it: a refusal is not shown.
 * @param {GameState} game */
export async function suitStrength({ strength: usual, seat, clocks, rules, start, moves, two, end, turn }) {
  if (isSuited) return;
  isSuited = true;
  if (usual !== USUAL_STRENGTH || moves.length || two || end || isGuest()) return;
  const strength = await ownStrength() ?? store.get(CHOSEN)?.replace("-", " ");
  if (!strength || strength === usual || state.game?.turn !== turn || isAwaited("play", "new-game", "resume-game")) return;
  transport.send("new-game", { seat, clock: clocks?.control ?? null, rules, strength, position: start }).catch(() => {});
}

/** The question stands where the moves will be, until it is answered or a game has begun that was not asked about.
 * @param {GameState} game */
export function renderWelcome(game) {
  const isNew = !first() && !isGuest();
  if (isNew && !isLooked) {
    isLooked = true;
    readLevel().then(() => { if (state.game) renderWelcome(state.game); });
  }
  const isAtStart = !game.two && !game.moves.length && !game.end;
  byId("welcome").hidden = !isNew || !isAtStart || known?.games !== 0 || Boolean(state.today?.cards);
}
/** It was asked whether there are games. */
let isLooked = false;

/** @param {string} elo */
async function answer(elo) {
  store.set(FIRST, elo);
  store.set(FOLLOWS, "on");
  byId("welcome").hidden = true;
  await act.beginGame({ seat: "red", strength: `elo ${elo}`, position: "" });
  if (elo === "1000") act.openLessons();
  else confirmNotice(translation("welcomeThanks"));
}

export function bindOwnLevel() {
  for (const button of queryAll("#welcome [data-first]")) button.addEventListener("click", () => answer(button.dataset.first ?? ""));
  byId("ownLevel").addEventListener("change", levelChosen);
}

/** The game is another one than the program begins with. */
const keepGame = () => { isSuited = true; };

provide({ ownStrength, keepGame });
