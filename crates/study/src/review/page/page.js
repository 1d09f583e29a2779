// Steps through the review. GAME holds the start position, the moves of the game and of every line that can be stepped
// through (`lines`, the game first), red's chances and the best move of each position.

const plies = GAME.lines[0].moves.length;

// The current place: a line, and the number of its moves played. The game is line 0.
let here = { line: 0, step: 0 };
let arrows = true;

// --- the board ---

// The moves from the start of the game to a place.
function movesTo({ line, step }) {
  const { from, moves } = GAME.lines[line];
  return [...GAME.lines[0].moves.slice(0, from), ...moves.slice(0, step)];
}

function draw() {
  drawBoard(GAME.start, movesTo(here), arrows ? pointed() : "");
}

// The best move of a position of the game, and the one that was played if it was bad.
function pointed() {
  if (here.line) {
    const next = GAME.lines[here.line].moves[here.step];
    return next ? arrow(next, "other", "#2b6cb0") : "";
  }
  const best = GAME.best[here.step];
  const played = GAME.bad.includes(here.step + 1) ? GAME.lines[0].moves[here.step] : null;
  return (played ? arrow(played, "bad", "#c2410c") : "") + (best ? arrow(best, "best", "#1f7a4d") : "");
}

// --- around the board ---

function tell() {
  const ply = here.line ? offered(here.line) : here.step;
  for (const about of queryAll(".about")) about.hidden = Number(about.dataset.ply) !== ply;
  for (const move of queryAll(".move")) {
    const current = Number(move.dataset.ply) === ply;
    move.classList.toggle("here", current);
    if (current) scrollToMove(move);
  }
  for (const step of queryAll(".step")) {
    const [line, number] = [Number(step.dataset.line), Number(step.dataset.step)];
    step.classList.toggle("done", line === here.line && number <= here.step);
    step.classList.toggle("here", line === here.line && number === here.step);
  }
  document.body.classList.toggle("aside", here.line > 0);
  const at = Math.min(here.line ? GAME.lines[here.line].from : here.step, plies);
  const x = plies ? (1000 * at) / plies : 0;
  byId("cursor").setAttribute("d", `M${x} 0V240`);
  const chance = GAME.chances[at];
  if (chance !== null && chance !== undefined) byId("bar").style.height = `${100 * chance}%`;
}

// The move of the game at which a line is shown.
function offered(line) {
  const step = document.querySelector(`.step[data-line="${line}"]`);
  return step ? Number(step.closest(".about").dataset.ply) : GAME.lines[line].from;
}

function show(line, step) {
  here = { line, step: Math.max(0, Math.min(step, GAME.lines[line].moves.length)) };
  draw();
  tell();
  if (!line) history.replaceState(null, "", here.step ? `#${here.step}` : location.pathname + location.search);
}

// --- user actions ---

function backToGame() {
  if (here.line) show(0, offered(here.line));
}

const actions = {
  first: () => show(here.line, 0),
  // Stepping back out of a line returns to the game.
  back: () => (here.line && here.step <= 1 ? backToGame() : show(here.line, here.step - 1)),
  on: () => show(here.line, here.step + 1),
  last: () => show(here.line, Infinity),
  bad: () => {
    const step = here.line ? offered(here.line) : here.step;
    const next = GAME.bad.find((ply) => ply > step) ?? GAME.bad[0];
    if (next) show(0, next);
  },
  badBefore: () => {
    const step = here.line ? offered(here.line) : here.step;
    const before = GAME.bad.filter((ply) => ply < step).pop();
    if (before) show(0, before);
  },
  arrows: () => { arrows = !arrows; draw(); },
  flip: () => { flipBoard(); draw(); },
  game: backToGame,
};

const keys = {
  ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last",
  ArrowDown: "bad", ArrowUp: "badBefore", Escape: "game", f: "flip", F: "flip", a: "arrows", A: "arrows",
};

bindActions(actions, keys);
bindWheelAndCurve(actions, (part) => show(0, Math.round(plies * part)));

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-line],.move,figure[data-ply]");
  if (!target) return;
  const { line, step, ply } = target.dataset;
  if (line) show(Number(line), Number(step));
  else show(0, Number(ply));
  if (target.tagName === "FIGURE") document.querySelector(".stage").scrollIntoView({ behavior: "smooth" });
});

show(0, Number(location.hash.slice(1)) || 0);
