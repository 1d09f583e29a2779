// What a review has found: a card for each side, the curve with its mistakes, the moves that decided the game.

import { goToNode } from "./analyse.js";
import { byId, queryAll } from "./board.js";
import { bilingual, closest, createButton, createElement, localized, setReason, showNotice, translation } from "./elements.js";
import { startExercise } from "./exercise.js";
import { renderMistake } from "./mistake_view.js";
import { currentMode, modes } from "./modes.js";
import { isRunning, review } from "./review.js";
import { ask } from "./training.js";
import { currentNode, mainLine, tree } from "./tree.js";
import { moveButton } from "./tree_view.js";

/** The kinds of mistakes: sign, class, and count in the summary of a side.
 * @type {["?!" | "?" | "??", string, "dubious" | "mistakes" | "blunders"][]} */
const KINDS = [["?!", "dubious", "dubious"], ["?", "mistake", "mistakes"], ["??", "blunder", "blunders"]];

/** The summary of a side; its counts lead to the mistakes one after the other. @param {Side} side @param {SideSummary} summary */
function renderCard(side, summary) {
  const counts = KINDS.map(([sign, kind, count]) => {
    const button = createButton(kind, { side, sign }, createElement("b", {}, String(summary[count])), ` ${sign}`);
    setReason(button, summary[count] ? null : translation("noneOfThese"));
    return button;
  });
  byId(`${side}Played`).replaceChildren(
    createElement("b", { className: "accuracy" }, String(summary.accuracy ?? "–")),
    createElement("span", {}, bilingual(translation(side)), createElement("span", { className: "unseen" }, bilingual(translation("accuracy")))),
    createElement("span", { className: "counts" }, ...counts),
  );
}

/** Goes to the next mistake of this kind after the current move. @param {Side} side @param {string | undefined} sign */
function goToNextMistake(side, sign) {
  const found = review?.moves.filter((move) => move.side === side && move.mark === sign) ?? [];
  const next = found.find((move) => move.ply > modes.review.ply()) ?? found[0];
  if (next) goToNode(mainLine()[next.ply] ?? currentNode);
}

/** @param {Review} review */
function renderCurve({ moves, positions }) {
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
    dot.setAttribute("aria-label", `${localized({ zh: move.chinese, en: move.wxf })} ${move.mark}`);
    Object.assign(dot.style, { left: `${(100 * move.ply) / plies}%`, top: `${100 * (1 - chances[move.ply])}%` });
    return [dot];
  }));
}

export function renderReview() {
  const hasMoves = tree.nodes.length > 1;
  byId("busy").hidden = !isRunning;
  byId("reviewing").hidden = Boolean(review) || isRunning;
  byId("noGame").hidden = hasMoves;
  byId("review").hidden = !hasMoves;
  byId("reviewAgain").hidden = byId("saveReview").hidden = !review || currentMode !== "review";
  byId("found").hidden = !review;
  renderMistake();
  if (!review) return;
  renderCard("red", review.sides.red);
  renderCard("black", review.sides.black);
  renderCurve(review);
  const line = mainLine();
  const decisive = review.decisive.flatMap((ply) => (line[ply] ? Object.assign(moveButton(line[ply]), { tabIndex: 0 }) : []));
  byId("turning").replaceChildren(...(decisive.length ? [bilingual(translation("decisive")), ...decisive] : []));
}

/** Players and result, and what else the file says of the game, in one line. */
export function renderTags() {
  /** @param {string} name */
  const tag = (name) => tree.tags.find(([key, value]) => key === name && value && value !== "?")?.[1];
  const [red, black] = [tag("Red"), tag("Black")];
  const result = tree.result === "*" ? "–" : tree.result;
  const players = red || black
    ? [createElement("strong", {}, createElement("span", { className: "red" }, red ?? "?"), ` ${result} `, black ?? "?")]
    : [];
  const rest = ["Title", "Event", "Site", "Round", "Date", "Opening"].map(tag).filter(Boolean);
  byId("tags").replaceChildren(...players, createElement("span", { className: "faint" }, rest.join(" · ")));
}

/** Makes cards of the mistakes of a side, and begins with them. @param {Side} side */
async function learn(side) {
  const { ids, error } = await ask("learn", { side });
  if (ids?.length) startExercise({ ids });
  else if (!error) showNotice(translation("noMistakes"));
}

export function bindReview() {
  byId("learnRed").addEventListener("click", () => learn("red"));
  byId("learnBlack").addEventListener("click", () => learn("black"));
  for (const side of /** @type {Side[]} */ (["red", "black"])) {
    byId(`${side}Played`).addEventListener("click", (event) => {
      const count = closest(event, "button");
      if (count) goToNextMistake(side, count.dataset.sign);
    });
  }
  for (const name of ["dots", "turning"]) {
    byId(name).addEventListener("click", (event) => {
      const move = closest(event, "[data-node]");
      if (move) goToNode(Number(move.dataset.node));
    });
  }
}
