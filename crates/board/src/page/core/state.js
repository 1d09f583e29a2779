// The one state of the page, the states of the board that show it, and what one part of the page has another do.

/** @type {PageState} */
export const state = {
  mode: "play", game: null, viewedPly: null, hint: null, proposedMove: null, premove: null,
  tree: { start: "", tags: [], result: "*", nodes: [], edited: false, id: "" }, drawnTree: null, node: 0, facts: null, analysis: null, preview: null,
  engine: { isOn: true, showsThreat: false, lines: 3 }, solving: null, review: null, isReviewing: false,
  screen: "today", today: null, scene: { fen: "9", moves: [], ply: 0, input: null, hint: null, threats: [] }, exercise: null, ending: null, ruling: null,
};

/** What parts of the page do for others, by name; each adds its own. */
export const act = /** @type {Actions} */ ({});
/** @param {Partial<Actions>} actions */
export const provide = (actions) => { Object.assign(act, actions); };

/** The modes by their names; each registers itself. */
export const modes = /** @type {Record<ModeName, Mode>} */ ({});

/** Whether a search for a win runs. */
export const isSolving = () => Boolean(state.solving && !state.solving.result);

/** The name of the state, for styles and scripts: finer than the mode. */
export const currentState = () => (state.mode === "analyse" && state.solving ? "solve" : state.mode);

/** Draws the board and the panel of the current mode. */
export function refresh() {
  document.documentElement.dataset.state = currentState();
  modes[state.mode].drawBoard();
  modes[state.mode].renderPanel();
  document.getElementById("tree")?.toggleAttribute("data-reviewed", false);
  if (state.review) document.getElementById("tree")?.setAttribute("data-reviewed", "true");
}
