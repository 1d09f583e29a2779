// The engine's lines, one row each. A click on the number of a line unfolds it, on a move plays up to there; the pointer
// over a move shows its board.

/** The numbers of the unfolded lines. @type {Set<number>} */
const unfolded = new Set();
/** Whether the board shows a move of a line. */
let previews = false;

/** Whether black moves first in the lines of the current node. */
function blackBegins() {
  const blackToMove = (tree.start.split(" ")[1] === "b") !== (pathTo(here).length % 2 === 1);
  return blackToMove !== engine.threat;
}

/** @param {any} line @param {number} number */
function lineRow(line, number) {
  const black = blackBegins();
  const steps = line.moves.map((_, index) => makeButton(
    (index % 2 === 1) === black ? "step red" : "step", { line: line.moves.slice(0, index + 1).join(" ") },
    both({ zh: line.names.zh[index], en: line.names.en[index] }),
  ));
  const end = line.end ? [make("em", { className: "judge" }, both(line.end))] : [];
  const score = makeButton("score", { number }, make("small", {}, number), line.score);
  score.setAttribute("aria-expanded", unfolded.has(number));
  return make("li", { className: unfolded.has(number) ? "unfolded" : "" }, score, make("div", {}, ...steps, ...end));
}

/** A score that fits into the bar. @param {string | undefined} score */
const shortScore = (score) => (/^[+-]\d+\.\d+$/.test(score ?? "") ? score.slice(1, -1) : score ?? "");

function tellThoughts() {
  const list = byId("lines");
  const shown = thoughts?.node === here ? thoughts : null;
  const effort = () => words("effort", { depth: shown.depth, speed: `${Math.round(shown.speed / 1000)} k` });
  write(byId("effort"), !engine.on ? words("engineOff") : looked?.over ?? (shown ? effort() : words("thinking")));
  if (shown?.chance !== null && shown?.chance !== undefined) byId("bar").style.height = `${100 * shown.chance}%`;
  if (shown && !engine.threat) byId("barScore").textContent = shortScore(shown.lines[0]?.score);
  // Elements under the pointer are not replaced.
  if (shown && (previews || list.matches(":active"))) return;
  list.replaceChildren(...(engine.on && shown ? shown.lines : []).map((line, index) => lineRow(line, index + 1)));
}

byId("lines").addEventListener("click", (event) => {
  const score = event.target.closest(".score");
  if (!score) return;
  const number = Number(score.dataset.number);
  if (!unfolded.delete(number)) unfolded.add(number);
  score.setAttribute("aria-expanded", unfolded.has(number));
  score.parentNode.classList.toggle("unfolded", unfolded.has(number));
});
byId("lines").addEventListener("pointerover", (event) => {
  const step = event.target.closest(".step");
  if (!step || event.pointerType !== "mouse") return;
  previews = true;
  drawBoard(tree.start, [...movesTo(here), ...step.dataset.line.split(" ")], "");
});
function endPreview() {
  if (!previews) return;
  previews = false;
  if (modes[mode].thinks) refresh();
}
byId("lines").addEventListener("pointerleave", endPreview);
byId("lines").addEventListener("click", (event) => { if (event.target.closest(".step")) previews = false; });
