// `chuheBoard`, the object of the page for scripts beside it, such as tests; `docs/board.md` describes it.

import { board, isFlipped, squareCentre } from "../../../study/src/html_page/board.js";
import { moveInput } from "./core/board_input.js";
import { setup } from "./analyse/setup.js";
import { currentState, modes, state } from "./core/state.js";
import { store } from "./core/store.js";
import { movesTo } from "./core/tree.js";

const chuheBoard = {
  get mode() { return state.mode; },
  get state() { return currentState(); },
  get ply() { return modes[state.mode].ply(); },
  get lastPly() { return modes[state.mode].lastPly(); },
  get legalMoves() { return moveInput.legal; },
  get cursor() { return moveInput.cursor; },
  get checkedSquare() { return moveInput.check; },
  get isFlipped() { return isFlipped; },
  get moves() { return movesTo(state.node); },
  get training() { return { screen: state.screen, today: state.today, exercise: state.exercise, ending: state.ending, ruling: state.ruling }; },
  get setup() { return setup; },
  /** The centre of a square in the window. @param {string} square @returns {[number, number]} */
  pointOf(square) {
    const { x, y } = new DOMPoint(...squareCentre(square)).matrixTransform(board.getScreenCTM() ?? undefined);
    return [x, y];
  },
  /** Resolves when the settings that were changed are remembered. */
  flushed: () => store.flushed(),
};

// What stands in the state under the same name.
for (const name of /** @type {const} */ (["game", "hint", "premove", "proposedMove", "tree", "node", "facts", "analysis", "preview", "review", "solving"])) {
  Object.defineProperty(chuheBoard, name, { get: () => state[name] });
}

export const bindInspector = () => { Object.assign(window, { chuheBoard }); };
