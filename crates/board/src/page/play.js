// A game against the engine: shows the state sent by the program, and sends actions.

/** @type {any} */
let game = null;
/** The ply shown; null = the last one. @type {number | null} */
let looking = null;
/** @type {{turn: number, move: string, text: Both} | null} */
let hint = null;
let toldAt = 0;

const last = () => game.moves.length;
/** @type {(index: number) => Both} */
const nameOf = (index) => ({ zh: game.names.zh[index], en: game.names.en[index] });
const ply = () => looking ?? last();
const isOver = () => Boolean(game.over);

/** The move that waits to be confirmed, if moves are. @type {string | null} */
let proposed = null;

/** The moves that may be made now: premoves while Chuhe thinks. @param {Map<string, string>} pieces */
function allowed(pieces) {
  if (looking !== null || isOver() || proposed) return { legal: [], play: null };
  const waits = game.seat !== "both" && game.side !== game.seat;
  if (waits && option("premove")) return { legal: premoves(pieces, game.seat), play: setPremove };
  return { legal: game.legal, play: option("confirm") ? propose : (move) => { hint = null; wish("play", { move }); } };
}

function drawGame() {
  const moves = game.moves.slice(0, ply());
  if (proposed) moves.push(proposed);
  const shown = hint && hint.turn === game.turn && looking === null ? arrow(hint.move, "best", "#1f7a4d") : "";
  const waiting = premove && looking === null ? arrow(premove, "other", "#2b6cb0") : "";
  drawBoard(game.start, moves, shown + waiting);
  const pieces = after(game.start, moves);
  const { legal, play } = allowed(pieces);
  allow(pieces, legal, looking === null && !proposed ? game.check : "", play, game.forbidden);
}

/** Shows a move and asks whether it is meant. @param {string} move */
function propose(move) {
  proposed = move;
  refresh();
  glide(move);
  byId("confirmMove").focus();
}

/** @param {boolean} isMeant */
function decide(isMeant) {
  const move = proposed;
  proposed = null;
  refresh();
  if (isMeant && move) wish("play", { move });
}

// --- around the board ---

/** The pieces captured by a side. @param {string} side @returns {string[]} */
function taken(side) {
  const count = (pieces) => {
    const counts = {};
    for (const letter of pieces.values()) counts[letter] = (counts[letter] ?? 0) + 1;
    return counts;
  };
  const [before, now] = [count(placed(game.start)), count(after(game.start, game.moves.slice(0, ply())))];
  const letters = side === "red" ? "rncabp" : "RNCABP";
  return [...letters].flatMap((letter) => Array((before[letter] ?? 0) - (now[letter] ?? 0)).fill(letter));
}

function tellPlayers() {
  const own = game.seat === "both" ? null : game.seat;
  for (const [place, side] of [["above", turned ? "red" : "black"], ["below", turned ? "black" : "red"]]) {
    const line = byId(place);
    const who = own ? (side === own ? words("you") : { zh: `楚河 ${game.strength_name.zh}`, en: `Chuhe, ${game.strength_name.en}` }) : words(side);
    write(line.querySelector("b"), who);
    line.className = `player ${side}${game.side === side && !isOver() ? " turn" : ""}`;
    line.dataset.side = side;
    const drawing = (letter) => `<svg viewBox="-25 -25 50 50"><use href="#piece-${letter}"/></svg>`;
    line.querySelector(".taken").innerHTML = taken(side).map(drawing).join("");
  }
  tick();
}

/** @param {number} left */
function clockText(left) {
  const seconds = Math.max(0, left) / 1000;
  const text = seconds < 20 ? (Math.floor(seconds * 10) / 10).toFixed(1).padStart(4, "0") : String(Math.floor(seconds % 60)).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${text}`;
}

/** Whether the program was asked about a clock that has run out. */
let clockAsked = false;

// The clocks run between updates.
function tick() {
  for (const line of [byId("above"), byId("below")]) {
    const { side } = line.dataset;
    const clock = line.querySelector("time");
    clock.hidden = !game?.clocks;
    if (!game?.clocks) continue;
    const runs = game.side === side && !isOver();
    const left = game.clocks[side] - (runs ? Date.now() - toldAt : 0);
    clock.textContent = clockText(left);
    if (runs && left <= 0 && !clockAsked) {
      clockAsked = true;
      wish("clock");
    }
  }
}
setInterval(tick, 100);

const resultText = () => words({ "1-0": "redWins", "0-1": "blackWins" }[game.over.result] ?? "drawn");

function standing() {
  if (game.over) return [resultText(), game.over.text];
  const check = game.check ? words("check") : null;
  if (looking !== null) return [words("looking")];
  if (proposed) return [words("meant")];
  if (game.thinking) return [check, words("thinking")];
  const turn = game.seat === "both" ? words(`${game.side}Turn`) : words("yourTurn");
  return [check, turn, game.said, game.kept ? null : words("notKept"), hint?.turn === game.turn ? hint.text : null];
}

function tellMoves() {
  const list = byId("moves");
  const black = game.start.split(" ")[1] === "b" ? 1 : 0;
  const first = Number(game.start.split(" ")[5]) || 1;
  const rows = [];
  game.moves.forEach((_, index) => {
    const place = index + black;
    if (!rows.length || place % 2 === 0) rows.push(document.createElement("li"));
    const row = rows[rows.length - 1];
    if (!row.childNodes.length) {
      row.append(make("span", { className: "number" }, String(first + Math.floor(place / 2))));
      if (place % 2) row.append(make("span", { className: "gap" }, "…"));
    }
    row.append(makeButton("move", { ply: index + 1 }, both(nameOf(index))));
  });
  list.replaceChildren(...rows);
}

function tellGame() {
  tellPlayers();
  write(byId("status"), ...standing());
  byId("confirming").hidden = !proposed;
  byId("keepGame").hidden = game.kept || !last();
  nameBoard(ply() ? nameOf(ply() - 1) : null);
  const list = byId("moves");
  for (const move of all("#moves .move")) {
    const here = Number(move.dataset.ply) === ply();
    move.classList.toggle("here", here);
    // Of the moves one is reached by the tabulator.
    move.tabIndex = here || !ply() && move.dataset.ply === "1" ? 0 : -1;
    if (!here) continue;
    reveal(move, list);
    if (list.contains(document.activeElement)) move.focus({ preventScroll: true });
  }
  const can = {
    undo: game.undo, hint: game.legal.length > 0 && !game.thinking, draw: !isOver() && !game.thinking && last() > 0,
    resign: !isOver() && last() > 0, hurry: game.thinking,
  };
  for (const button of all("[data-wish]")) button.disabled = !can[button.dataset.wish];
  const level = Number(game.strength.match(/^level (\d+)$/)?.[1] ?? 0);
  if (level && document.activeElement !== byId("level")) byId("level").value = level;
  tellLevel();
  tellAbout();
}

/** A level in words. @param {number} level @returns {Both} */
const levelName = (level) => ({ zh: `${level} · ${CLASSES[level - 1].zh}`, en: `${level} · ${CLASSES[level - 1].en}` });

const tellLevel = () => write(byId("class"), levelName(Number(byId("level").value)));

modes.play = {
  draw: drawGame,
  tell: tellGame,
  at: ply,
  last,
  to: (at) => { looking = at === last() ? null : at; },
  moves: () => game.moves,
};

// --- updates ---

onNews((news) => {
  if (news.hint) hint = news.hint;
  if (!news.game) return news.hint && mode === "play" && (refresh(), speak(plain(hint.text)));
  const before = game;
  if (before && before.turn !== news.game.turn) proposed = null;
  [game, toldAt, clockAsked] = [news.game, Date.now(), false];
  const isNew = !before || before.start !== game.start || before.moves.length > last();
  const grown = before && !isNew && last() > before.moves.length;
  if (isNew || grown || (looking ?? 0) >= last()) looking = null;
  tellMoves();
  if (mode !== "play") return;
  // The user's side is below, as long as the user does not turn the board.
  if (before ? before.seat !== game.seat : !store.tab.get("turned")) turnTo(game.seat === "black");
  if (premove && (isNew || isOver())) premove = null;
  refresh();
  if (grown) {
    const move = game.moves[last() - 1];
    const captured = after(game.start, game.moves.slice(0, -1)).has(move.slice(2));
    moved(move, { captured, check: game.check, over: game.over, name: nameOf(last() - 1) });
    speak([nameOf(last() - 1), ...standing()].filter(Boolean).map(plain).join(" "));
  }
  if (premove && !game.thinking && game.legal.length) playPremove();
});

// --- user actions ---

/** Begins a game; returns whether it succeeded. @param {object} conditions @returns {Promise<boolean>} */
async function beginGame(conditions) {
  const answer = await wish("begin", { clock: null, rules: byId("lawOf").value, strength: `level ${byId("level").value}`, ...conditions });
  if (answer.wrong) return false;
  [hint, premove, proposed, looking] = [null, null, null, null];
  turnTo(conditions.seat === "black");
  enterMode("play");
  return true;
}

for (const button of all("[data-wish]")) button.addEventListener("click", () => wish(button.dataset.wish));
byId("moves").addEventListener("click", (event) => {
  const move = event.target.closest(".move");
  if (move) stepTo(Number(move.dataset.ply));
});
byId("level").addEventListener("input", tellLevel);
byId("level").addEventListener("change", () => wish("strength", { strength: `level ${byId("level").value}` }));
byId("typing").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byId("typed");
  const answer = await wish("play", { move: field.value });
  if (!answer.wrong) { field.value = ""; notice(null); }
});
byId("begin").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { level, ...chosen } = Object.fromEntries(new FormData(event.target));
  if (await beginGame({ ...chosen, strength: `level ${level}`, clock: chosen.clock || null })) {
    byId("beginning").close();
    if (!pointed) board.focus();
  }
});
/** The game in the form of a tree. */
function treeOfGame() {
  const nodes = game.moves.map((move, index) => newNode(index, move, nameOf(index)));
  return { ...bareTree(game.start), result: game.over?.result ?? "*", nodes: [newNode(0, "", null), ...nodes] };
}

/** Opens the game in another mode, at the move that is looked at. @param {string} name @returns {Promise<boolean>} */
async function carryOver(name) {
  if (!await mayReplace()) return false;
  const at = ply();
  loadTree(treeOfGame());
  here = pathOf(at);
  enterMode(name);
  return true;
}

byId("analyseGame").addEventListener("click", () => carryOver("analyse"));
byId("confirmMove").addEventListener("click", () => decide(true));
byId("refuseMove").addEventListener("click", () => decide(false));
byId("keepGame").addEventListener("click", () => keepInList(treeOfGame()));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || mode !== "play" || !game) return;
  if (premove) setPremove(null);
  else if (proposed) decide(false);
});
