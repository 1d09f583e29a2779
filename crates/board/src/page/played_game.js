// The game that is played, taken over into the analysis: what was played last is what is analysed.

import { showPlace } from "./address.js";
import { showNotice, translation } from "./elements.js";
import { mayReplace } from "./history.js";
import { enterMode, refresh } from "./modes.js";
import { game, nameOfMove, shownPly } from "./play.js";
import { request } from "./session.js";
import { addMoves, bareTree, loadTree, newNode, nodeAtPly, setCurrentNode, tree, treeChanged } from "./tree.js";

/** The tree that was taken from the game, while it is the one that is analysed. @type {GameTree | null} */
let taken = null;
/** Whether moves were played since another game was opened to be analysed. */
let isNewer = true;

/** To be called when a move was played, or a game has begun. */
export const gameHasChanged = () => { isNewer = true; };
/** To be called when another game is opened to be analysed. */
export const otherGameOpened = () => { isNewer = false; };

/** The game in the form of a tree. @param {GameState} game @returns {SentTree} */
export function treeOfGame(game) {
  const nodes = game.moves.map((move, index) => newNode(index, move, nameOfMove(game, index)));
  return { ...bareTree(game.start), result: game.end?.result ?? "*", nodes: [newNode(0, "", null), ...nodes] };
}

/** Analyses the game from the move that is looked at. @param {GameState} game */
function take(game) {
  const ply = shownPly();
  if (taken === tree && tree.start === game.start) {
    // Variations and comments stay, what was played since is added.
    setCurrentNode(0);
    if (game.moves.length) addMoves(game.moves, game.moves.map((_, index) => nameOfMove(game, index)), { isEdit: false });
  } else {
    loadTree(treeOfGame(game));
    taken = tree;
  }
  addRecord(tree);
  tree.result = game.end?.result ?? "*";
  setCurrentNode(nodeAtPly(ply));
  isNewer = false;
}

/** Adds what the program knows of the game: who played, when, and on which conditions; its number in the list once it is
 * over. @param {GameTree} of */
async function addRecord(of) {
  const { tree: record, id } = await request("played-game");
  if (!record || tree !== of || record.start !== of.start) return;
  [of.tags, of.result, of.id] = [record.tags, record.result, id || of.id];
  treeChanged();
  showPlace(true);
  refresh();
}

/** Has the game analysed that was played since, unless the one that is analysed has changes that would be lost. */
export function takePlayedGame() {
  if (!game?.moves.length || !isNewer) return;
  const isSame = taken === tree && tree.start === game.start;
  if (!isSame && tree.edited) {
    const current = game;
    return setTimeout(() => showNotice(translation("otherAnalysed"), [["takeGame", async () => {
      if (!await mayReplace()) return;
      take(current);
      enterMode("analyse");
    }], ["dismiss", () => { isNewer = false; }]]));
  }
  take(game);
}

/** Opens the game in another state, at the move that is looked at. @param {ModeName} mode @returns {Promise<boolean>} */
export async function openGameIn(mode) {
  if (!game) return false;
  const isSame = taken === tree && tree.start === game.start;
  if (!isSame && !await mayReplace()) return false;
  take(game);
  enterMode(mode);
  return true;
}
