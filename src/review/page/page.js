// Plays the review through. GAME has the position at the beginning, the moves of the game and of every line that can be
// stepped into (`lines`, the game being the first), red's chances and the best move of each position.
"use strict";

const byId = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];
const board = document.querySelector(".stage .board");
const plies = GAME.lines[0].moves.length;

// Where the reader is: a line, and how many of its moves are made. The game is line 0.
let here = { line: 0, step: 0 };
let turned = false;
let arrows = true;

// --- the board ---

// The pieces of the position at the beginning: square to letter of FEN.
function placed() {
  const pieces = new Map();
  GAME.start.split(" ")[0].split("/").forEach((row, down) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += Number(sign);
      else pieces.set("abcdefghi"[file++] + (9 - down), sign);
    }
  });
  return pieces;
}

// The moves that lead to a place, from the beginning of the game.
function movesTo({ line, step }) {
  const { from, moves } = GAME.lines[line];
  return [...GAME.lines[0].moves.slice(0, from), ...moves.slice(0, step)];
}

// Where a square is in the picture.
function spot(square) {
  const [file, rank] = ["abcdefghi".indexOf(square[0]), Number(square[1])];
  return turned ? [50 * (8 - file), 50 * rank] : [50 * file, 50 * (9 - rank)];
}

function use(drawing, square) {
  const [x, y] = spot(square);
  return `<use href="#${drawing}" x="${x}" y="${y}"/>`;
}

// From the edge of the piece, which stays readable, to nearly the middle of the square.
function arrow(move, kind, colour) {
  const [[x0, y0], [x1, y1]] = [spot(move.slice(0, 2)), spot(move.slice(2))];
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (!length) return "";
  const along = (by) => `${(x0 + ((x1 - x0) * by) / length).toFixed(1)} ${(y0 + ((y1 - y0) * by) / length).toFixed(1)}`;
  return `<path d="M${along(21)}L${along(length - 5)}" fill="none" stroke="${colour}" stroke-width="7"
    stroke-linecap="round" opacity=".72" marker-end="url(#head-${kind})"/>`;
}

function draw() {
  const moves = movesTo(here);
  const pieces = placed();
  for (const move of moves) {
    const [from, to] = [move.slice(0, 2), move.slice(2)];
    pieces.set(to, pieces.get(from));
    if (from !== to) pieces.delete(from);
  }
  const last = moves.length ? moves[moves.length - 1] : "";
  const squares = last ? [last.slice(0, 2), last.slice(2)] : [];
  board.querySelector(".wood").setAttribute("href", turned ? "#board-black" : "#board-red");
  board.querySelector(".pieces").innerHTML = [...pieces].map(([square, letter]) => use(`piece-${letter}`, square)).join("");
  board.querySelector(".marks").innerHTML = squares.map((square) => use("mark-last", square)).join("");
  board.querySelector(".arrows").innerHTML = arrows ? pointed() : "";
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

// --- what stands around it ---

function tell() {
  const ply = here.line ? offered(here.line) : here.step;
  for (const about of all(".about")) about.hidden = Number(about.dataset.ply) !== ply;
  for (const move of all(".move")) {
    const current = Number(move.dataset.ply) === ply;
    move.classList.toggle("here", current);
    if (current) reveal(move);
  }
  for (const step of all(".step")) {
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

// At which move of the game a line is offered.
function offered(line) {
  const step = document.querySelector(`.step[data-line="${line}"]`);
  return step ? Number(step.closest(".about").dataset.ply) : GAME.lines[line].from;
}

// Scrolls the list, never the page.
function reveal(move) {
  const list = byId("moves");
  const top = move.offsetTop;
  if (top < list.scrollTop || top + move.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

function show(line, step) {
  here = { line, step: Math.max(0, Math.min(step, GAME.lines[line].moves.length)) };
  draw();
  tell();
  if (!line) history.replaceState(null, "", here.step ? `#${here.step}` : location.pathname + location.search);
}

// --- what the reader does ---

function backToGame() {
  if (here.line) show(0, offered(here.line));
}

const deeds = {
  first: () => show(here.line, 0),
  // Whoever steps back out of a line is in the game again.
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
  flip: () => { turned = !turned; document.body.classList.toggle("turned", turned); draw(); },
  game: backToGame,
};

const keys = {
  ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last",
  ArrowDown: "bad", ArrowUp: "badBefore", Escape: "game", f: "flip", F: "flip", a: "arrows", A: "arrows",
};

document.addEventListener("keydown", (event) => {
  const deed = keys[event.key];
  if (!deed || event.ctrlKey || event.metaKey || event.altKey) return;
  deeds[deed]();
  event.preventDefault();
});

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-go],[data-line],.move,figure[data-ply]");
  if (!target) return;
  const { go, line, step, ply } = target.dataset;
  if (go) deeds[go]();
  else if (line) show(Number(line), Number(step));
  else show(0, Number(ply));
  if (target.tagName === "FIGURE") document.querySelector(".stage").scrollIntoView({ behavior: "smooth" });
});

board.addEventListener("wheel", (event) => {
  deeds[event.deltaY > 0 ? "on" : "back"]();
  event.preventDefault();
}, { passive: false });

// The curve: a click goes to a move, and so does drawing a finger along it.
const curve = byId("curve");
function goTo(event) {
  const { left, width } = curve.getBoundingClientRect();
  show(0, Math.round((plies * (event.clientX - left)) / width));
}
curve.addEventListener("pointerdown", (event) => { curve.setPointerCapture(event.pointerId); goTo(event); });
curve.addEventListener("pointermove", (event) => { if (event.buttons) goTo(event); });

byId("language").addEventListener("click", () => {
  const root = document.documentElement;
  root.lang = root.dataset.language = root.dataset.language === "zh" ? "en" : "zh";
});

byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

document.body.classList.add("alive");
show(0, Number(location.hash.slice(1)) || 0);
