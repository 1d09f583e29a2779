// The engine's lines, one row each. A click on the number of a line unfolds it, on a move plays up to there; the pointer
// over a move shows its board.

/** The numbers of the unfolded lines. @type {Set<number>} */
const unfolded = new Set();
/** The moves of a line that is looked at without being played, if any. @type {string[] | null} */
let preview = null;

/** Whether black moves first in the lines of the current node. */
function blackBegins() {
  const blackToMove = (tree.start.split(" ")[1] === "b") !== (tree.nodes[here].depth % 2 === 1);
  return blackToMove !== engine.threat;
}

/** @param {any} line @param {number} number */
function lineRow(line, number) {
  const black = blackBegins();
  const steps = line.moves.map((_, index) => makeButton(
    (index % 2 === 1) === black ? "step red" : "step", { line: line.moves.slice(0, index + 1).join(" ") },
    both({ zh: line.names.zh[index], en: line.names.en[index] }),
  ));
  // The tabulator reaches the first move of a line, the arrows the others.
  for (const step of steps.slice(1)) step.tabIndex = -1;
  const end = line.end ? [make("em", { className: "judge" }, both(line.end))] : [];
  const score = makeButton("score", { number }, make("small", {}, String(number)), line.score);
  score.setAttribute("aria-expanded", unfolded.has(number));
  return make("li", { className: unfolded.has(number) ? "unfolded" : "" }, score, make("div", {}, ...steps, ...end));
}

/** What the letters at the end of scores mean, of those that are shown. @param {any[]} lines @returns {Both[]} */
const legend = (lines) => [["T", "tableScore"], ["R", "ruleScore"]]
  .filter(([letter]) => lines.some(({ score }) => score.endsWith(letter))).map(([, name]) => words(name));

/** A score that fits into the bar. @param {string | undefined} score */
const shortScore = (score) => (/^[+-]\d+\.\d+$/.test(score ?? "") ? score.slice(1, -1) : score ?? "");

function tellThoughts() {
  const list = byId("lines");
  const shown = thoughts?.node === here && !learning ? thoughts : null;
  const effort = () => words("effort", { depth: shown.depth, speed: `${Math.round(shown.speed / 1000)} k` });
  // A lesson gives no help, and the engine rests while a win is looked for.
  if (learning || isSolving()) write(byId("effort"));
  // Of a game that is over the verdict is told beside.
  else write(byId("effort"), !engine.on ? words("engineOff") : looked?.over ? null : shown ? effort() : words("thinking"));
  if (shown?.chance !== null && shown?.chance !== undefined) byId("bar").style.height = `${100 * shown.chance}%`;
  if (shown && !engine.threat) byId("barScore").textContent = shortScore(shown.lines[0]?.score);
  // Elements under the pointer are not replaced.
  if (shown && (preview || list.matches(":active") || list.querySelector(":focus-visible"))) return;
  const lines = engine.on && shown ? shown.lines : [];
  list.replaceChildren(...lines.map((line, index) => lineRow(line, index + 1)));
  write(byId("legend"), ...legend(lines));
}

byId("lines").addEventListener("click", (event) => {
  const score = event.target.closest(".score");
  if (!score) return;
  const number = Number(score.dataset.number);
  if (!unfolded.delete(number)) unfolded.add(number);
  score.setAttribute("aria-expanded", unfolded.has(number));
  score.parentNode.classList.toggle("unfolded", unfolded.has(number));
});

byId("lines").addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by || pointed || !event.target.matches(".step")) return;
  const next = by > 0 ? event.target.nextElementSibling : event.target.previousElementSibling;
  if (next?.matches(".step")) next.focus();
  event.preventDefault();
  event.stopPropagation();
});

/** Shows the board after a part of a line, or no longer. @param {string | undefined} line */
function look(line) {
  if (!modes[mode].thinks || learning || (preview?.join(" ") ?? "") === (line ?? "")) return;
  preview = line ? line.split(" ") : null;
  drawAnalysis();
}

board.addEventListener("pointerdown", () => look(undefined), true);
for (const name of ["lines", "book"]) {
  const list = byId(name);
  let touched = "";
  // A list that changes under a pointer at rest shows nothing.
  list.addEventListener("pointermove", (event) => {
    const { line } = event.target.closest(".step")?.dataset ?? {};
    if (!engine.threat && event.pointerType === "mouse") look(line);
  });
  list.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") look(undefined); });
  list.addEventListener("focusin", (event) => { if (!engine.threat && event.target.matches(".step:focus-visible")) look(event.target.dataset.line); });
  list.addEventListener("focusout", () => look(undefined));
  list.addEventListener("click", (event) => {
    const { line } = event.target.closest(".step")?.dataset ?? {};
    if (!line || engine.threat) return;
    // A finger looks first.
    if (event.pointerType === "touch" && touched !== line) { touched = line; return look(line); }
    touched = "";
    playLine(line.split(" "));
  });
}
