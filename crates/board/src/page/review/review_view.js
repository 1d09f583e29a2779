// What a review has found: a card for each side, the curve with its mistakes, the moves that decided the game.

import { byId, queryAll } from "../../../../study/src/html_page/board.js";
import { closest, createButton, createElement, onClick, setReason, setText, showNotice, translation } from "../core/elements.js";
import { renderMistake } from "./mistake_view.js";
import { isGuest, recordedName } from "../core/players.js";
import { act, modes, provide, state } from "../core/state.js";
import { mainLine } from "../core/tree.js";
import { moveButton } from "../core/tree_view.js";

/** The kinds of mistakes: sign, class, and count in the summary of a side.
 * @type {["?!" | "?" | "??", string, "dubious" | "mistakes" | "blunders"][]} */
const KINDS = [["?!", "dubious", "dubious"], ["?", "mistake", "mistakes"], ["??", "blunder", "blunders"]];

/** The summary of a side; its counts lead to the mistakes one after the other. @param {Side} side @param {SideSummary} summary */
function renderCard(side, summary) {
  const counts = KINDS.map(([sign, kind, count]) => {
    const button = createButton(kind, { side, sign }, createElement("b", {}, String(summary[count])), ` ${sign}`);
    button.ariaLabel = translation(`count-${count}`, { count: summary[count] });
    setReason(button, summary[count] ? null : translation("noneOfThese"));
    return button;
  });
  byId(`${side}Played`).replaceChildren(
    createElement("b", { className: "accuracy", title: translation("accuracy") }, summary.accuracy === null ? "–" : String(Math.round(summary.accuracy))),
    createElement("span", { title: translation(side) }, translation(side), createElement("span", { className: "unseen" }, translation("accuracy"))),
    createElement("span", { className: "counts" }, ...counts),
  );
}

/** Goes to the next mistake of this kind after the current move. @param {Side} side @param {string | undefined} sign */
function goToNextMistake(side, sign) {
  const found = state.review?.moves.filter((move) => move.side === side && move.mark === sign) ?? [];
  const next = found.find((move) => move.ply > modes.review.ply()) ?? found[0];
  if (next) act.goToNode(mainLine()[next.ply] ?? state.node);
}

/** @param {Review} review */
function renderCurve({ moves, names, positions }) {
  const plies = Math.max(1, moves.length);
  const chances = positions.map((position) => position?.chance ?? 0.5);
  const points = chances.map((chance, ply) => `${((1000 * ply) / plies).toFixed(1)},${(240 * (1 - chance)).toFixed(1)}`);
  byId("chances").setAttribute("points", points.join(" "));
  for (const area of queryAll("#curve polygon")) area.setAttribute("points", `${points.join(" ")} 1000,120 0,120`);
  const ply = Math.min(modes.review.ply(), plies);
  byId("cursor").setAttribute("d", `M${(1000 * ply) / plies} 0V240`);
  const line = mainLine();
  byId("dots").replaceChildren(...moves.flatMap((move) => {
    const kind = KINDS.find(([sign]) => sign === move.mark);
    if (!kind || !line[move.ply]) return [];
    const dot = createButton(kind[1], { node: line[move.ply] });
    dot.setAttribute("aria-label", `${names[move.ply - 1]} ${move.mark}`);
    Object.assign(dot.style, { left: `${(100 * move.ply) / plies}%`, top: `${100 * (1 - chances[move.ply])}%` });
    return [dot];
  }));
}

/** Whether a kept review was made by another network, or with less time than is chosen now. @param {Review} review */
export const isOld = ({ kept }) => Boolean(kept && (kept.is_stale || kept.time < Number(byId("reviewTime").value)));

/** The game in words, its accuracies by phase, and whether it had better be reviewed again. @param {Review} review */
function renderStory({ story, phases, kept }) {
  setText(byId("story"), story);
  /** @param {number | null} accuracy */
  const number = (accuracy) => createElement("b", {}, accuracy === null ? "–" : String(Math.round(accuracy)));
  byId("phases").replaceChildren(...phases.map(([name, [red, black]]) => (
    createElement("span", {}, name, " ", number(red), " – ", number(black))
  )));
  const isShort = kept && kept.time < Number(byId("reviewTime").value);
  byId("old").hidden = !kept?.is_stale && !isShort;
  if (kept) setText(byId("oldText"), translation(kept.is_stale ? "oldNetwork" : "oldTime", { seconds: kept.time / 1000 }));
}

/** The review whose openings were asked for. @type {Review | null} */
let followed = null;

/** Says where the game has left the openings of the person, if a player bears the person's name. @param {Review} review */
async function tellOpenings(review) {
  if (followed === review) return;
  followed = review;
  setText(byId("openingsLeft"), null);
  const players = ["Red", "Black"].map((tag) => state.tree.tags.find(([key]) => key === tag)?.[1] ?? "");
  if (isGuest()) return;
  // Of a game against the program the side is known.
  const engine = players.findIndex((name) => name.startsWith("Chuhe "));
  const side = /** @type {Side | undefined} */ (engine < 0 ? undefined : engine ? "red" : "black");
  const moves = mainLine().slice(1).map((id) => state.tree.nodes[id].move);
  const { text } = await act.ask("openings-left", { start: state.tree.start, moves, players, ...side ? { side } : {} });
  if (followed === review && text) setText(byId("openingsLeft"), text);
}

export function renderReview() {
  const hasMoves = state.tree.nodes.length > 1;
  byId("busy").hidden = !state.isReviewing;
  byId("reviewing").hidden = Boolean(state.review) || state.isReviewing;
  byId("noGame").hidden = hasMoves;
  byId("review").hidden = !hasMoves;
  byId("reviewAgain").hidden = byId("saveReview").hidden = !state.review || state.mode !== "review";
  byId("found").hidden = !state.review;
  setReason(/** @type {HTMLButtonElement} */ (byId("learnFromIt")), state.review ? null : translation("noReview"));
  renderMistake();
  if (!state.review) return;
  renderStory(state.review);
  tellOpenings(state.review);
  renderCard("red", state.review.sides.red);
  renderCard("black", state.review.sides.black);
  renderCurve(state.review);
  const line = mainLine();
  const decisive = state.review.decisive.flatMap((ply) => (line[ply] ? Object.assign(moveButton(line[ply]), { tabIndex: 0 }) : []));
  byId("turning").replaceChildren(...(decisive.length ? [translation("decisive"), ...decisive] : []));
}

/** Players and result, and what else the file says of the game, in one line. */
function renderTags() {
  /** @param {string} name */
  const tag = (name) => state.tree.tags.find(([key, value]) => key === name && value && value !== "?")?.[1];
  const [red, black] = [tag("Red") ?? "", tag("Black") ?? ""];
  const result = state.tree.result === "*" ? "–" : state.tree.result;
  const players = red || black
    ? [createElement("strong", {}, createElement("span", { className: "red" }, recordedName(red || "?", black)), ` ${result} `, recordedName(black || "?", red))]
    : [];
  const rest = ["Title", "Event", "Site", "Round", "Date", "Opening"].map(tag).filter(Boolean);
  byId("tags").replaceChildren(...players, createElement("span", { className: "faint" }, rest.join(" · ")));
}

/** Makes cards of the mistakes of a side, and begins with them. @param {Side} side */
async function learn(side) {
  const { ids, error } = await act.ask("learn", { side });
  if (ids?.length) act.startExercise({ ids });
  else if (!error) showNotice(translation("noMistakes"));
}

/** Whose mistakes are learnt from where there is room for one button: those of the person, or of who has made more.
 * @returns {Side} */
function learner() {
  const name = (/** @type {string} */ tag) => state.tree.tags.find(([key]) => key === tag)?.[1] ?? "";
  if (name("Red").startsWith("Chuhe ")) return "black";
  if (name("Black").startsWith("Chuhe ")) return "red";
  const count = (/** @type {Side} */ side) => { const { mistakes = 0, blunders = 0 } = state.review?.sides[side] ?? {}; return mistakes + blunders; };
  return count("black") > count("red") ? "black" : "red";
}

export function bindReview() {
  onClick({ learnRed: () => learn("red"), learnBlack: () => learn("black"), learnFromIt: () => learn(learner()) });
  for (const side of /** @type {Side[]} */ (["red", "black"])) {
    byId(`${side}Played`).addEventListener("click", (event) => {
      const count = closest(event, "button");
      if (count) goToNextMistake(side, count.dataset.sign);
    });
  }
  for (const name of ["dots", "turning"]) {
    byId(name).addEventListener("click", (event) => {
      const move = closest(event, "[data-node]");
      if (move) act.goToNode(Number(move.dataset.node));
    });
  }
}

provide({ renderTags });
