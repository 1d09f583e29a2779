// `chuheBoard`, the object of the page for scripts beside it, such as tests; `docs/board.md` describes it.

import { analysis, facts } from "./analyse.js";
import { board, isFlipped, squareCentre } from "./board.js";
import { review } from "./review.js";
import { ending } from "./endings.js";
import { exercise } from "./exercise.js";
import { preview } from "./lines_view.js";
import { currentMode, currentState, modes } from "./modes.js";
import { moveInput } from "./move_input.js";
import { game, hint, proposedMove } from "./play.js";
import { premove } from "./premove.js";
import { ruling } from "./rulings.js";
import { setup } from "./setup.js";
import { solving } from "./solve.js";
import { store } from "./store.js";
import { screen, today } from "./training.js";
import { currentNode, movesTo, tree } from "./tree.js";

const chuheBoard = {
  get mode() { return currentMode; },
  get state() { return currentState(); },
  get ply() { return modes[currentMode].ply(); },
  get lastPly() { return modes[currentMode].lastPly(); },
  get legalMoves() { return moveInput.legal; },
  get cursor() { return moveInput.cursor; },
  get checkedSquare() { return moveInput.check; },
  get isFlipped() { return isFlipped; },
  get game() { return game; },
  get hint() { return hint; },
  get premove() { return premove; },
  get proposedMove() { return proposedMove; },
  get tree() { return tree; },
  get node() { return currentNode; },
  get moves() { return movesTo(currentNode); },
  get facts() { return facts; },
  get analysis() { return analysis; },
  get preview() { return preview; },
  get review() { return review; },
  get training() { return { screen, today, exercise, ending, ruling }; },
  get solving() { return solving; },
  get setup() { return setup; },
  /** The centre of a square in the window. @param {string} square @returns {[number, number]} */
  pointOf(square) {
    const { x, y } = new DOMPoint(...squareCentre(square)).matrixTransform(board.getScreenCTM() ?? undefined);
    return [x, y];
  },
  /** Resolves when the settings that were changed are remembered. */
  flushed: () => store.flushed(),
};

export const bindInspector = () => { Object.assign(window, { chuheBoard }); };
