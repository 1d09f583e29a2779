// The game that is played, taken over into the analysis: what was played last is what is analysed.

import { showPlace } from "../core/address.js";
import { showNotice, translation } from "../core/elements.js";
import { mayReplace } from "../core/undo_redo.js";
import { enterMode } from "../core/modes.js";
import { request } from "../core/session.js";
import { provide, refresh, state } from "../core/state.js";
import { addMoves, bareTree, currentLine, loadTree, newNode, nodeAtPly, treeChanged } from "../core/tree.js";

/** The number of moves of the game. */
export const lastPly = () => state.game?.moves.length ?? 0;
export const shownPly = () => state.viewedPly ?? lastPly();

/** @param {GameState} game @param {number} index @returns {string} */
export const nameOfMove = ({ names }, index) => names[index];

/** Whether a game runs that somebody may want to go on with. */
export const isGameRunning = () => Boolean(state.game && !state.game.end && state.game.moves.length > 1);

/** The tree that was taken from the game, while it is the one that is analysed. @type {GameTree | null} */
let taken = null;
/** Whether moves were played since another game was opened to be analysed. */
let isNewer = true;

/** To be called when a move was played, or a game has begun. */
export const gameHasChanged = () => { isNewer = true; };
/** To be called when another game is opened to be analysed. */
const otherGameOpened = () => { isNewer = false; };

/** The game in the form of a tree. @param {GameState} game @returns {SentTree} */
export function treeOfGame(game) {
  const nodes = game.moves.map((move, index) => ({ ...newNode(index, move, nameOfMove(game, index)), time: game.times[index] ?? undefined }));
  return { ...bareTree(game.start), result: game.end?.result ?? "*", nodes: [newNode(0, "", null), ...nodes] };
}

/** Analyses the game from the move that is looked at. @param {GameState} game */
function take(game) {
  const ply = shownPly();
  if (taken === state.tree && state.tree.start === game.start) {
    // Variations and comments stay, what was played since is added.
    state.node = 0;
    if (game.moves.length) addMoves(game.moves, game.moves.map((_, index) => nameOfMove(game, index)), { isEdit: false });
    currentLine().slice(0, game.moves.length).forEach((id, index) => { state.tree.nodes[id].time = game.times[index] ?? undefined; });
  } else {
    loadTree(treeOfGame(game));
    taken = state.tree;
  }
  addRecord(state.tree);
  state.tree.result = game.end?.result ?? "*";
  state.node = nodeAtPly(ply);
  isNewer = false;
}

/** Adds what the program knows of the game: who played, when, and on which conditions; its number in the list once it is
 * over. @param {GameTree} of */
async function addRecord(of) {
  const { tree: record, id } = await request("played-game");
  if (!record || state.tree !== of || record.start !== of.start) return;
  [of.tags, of.result, of.id] = [record.tags, record.result, id || of.id];
  treeChanged();
  showPlace(true);
  refresh();
}

/** Has the game analysed that was played since, unless the one that is analysed has changes that would be lost. */
function takePlayedGame() {
  if (!state.game?.moves.length || !isNewer) return;
  const isSame = taken === state.tree && state.tree.start === state.game.start;
  if (!isSame && state.tree.edited) {
    const current = state.game;
    return setTimeout(() => showNotice(translation("otherAnalysed"), [["takeGame", async () => {
      if (!await mayReplace()) return;
      take(current);
      enterMode("analyse");
    }], ["dismiss", () => { isNewer = false; }]]));
  }
  take(state.game);
}

/** Opens the game in another state, at the move that is looked at. @param {ModeName} mode @returns {Promise<boolean>} */
export async function openGameIn(mode) {
  if (!state.game) return false;
  const isSame = taken === state.tree && state.tree.start === state.game.start;
  if (!isSame && !await mayReplace()) return false;
  take(state.game);
  enterMode(mode);
  return true;
}

provide({ otherGameOpened, takePlayedGame });
