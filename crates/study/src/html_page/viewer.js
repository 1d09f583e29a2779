// Steps through the games of a page that has many. GAMES holds of each its start (`f`, empty for START), its moves in
// coordinates and as they are written (`m`, `z`), red's chances in hundredths after each move (`c`), notes (`t`), and where it
// was reviewed the marks of its moves (`k`) and the best move of each position (`b`).
// The page defines `titleOf`, the title of a game as elements and texts.

const moveList = byId("moves");
const QUALITIES = { "!": "good", "?!": "dubious", "?": "mistake", "??": "blunder" };
let game = null;
let ply = 0;

function span(name, text) {
  const made = document.createElement("span");
  made.className = name;
  made.textContent = text;
  return made;
}

const split = (text) => (text ? text.split(" ") : []);

function openGame(index, at = 0) {
  const { f, m, z, c, t, k = [], b = [] } = GAMES[index];
  game = { index, fen: f || START, moves: split(m), notes: t, marks: k, best: b };
  byId("title").replaceChildren(...titleOf(GAMES[index]));
  const names = split(z);
  const black = game.fen.split(" ")[1] === "b" ? 1 : 0;
  moveList.replaceChildren();
  game.moves.forEach((_, number) => {
    if (number === 0 || (number + black) % 2 === 0) {
      const row = document.createElement("li");
      row.append(span("number", Math.floor((number + black) / 2) + 1));
      if (number === 0 && black) row.append(span("gap", "…"));
      moveList.append(row);
    }
    const mark = game.marks[number] || "";
    const button = document.createElement("button");
    button.className = `move ${QUALITIES[mark] || ""}`;
    button.append(names[number]);
    if (mark) button.append(Object.assign(document.createElement("i"), { textContent: mark }));
    button.addEventListener("click", () => show(number + 1));
    moveList.lastElementChild.append(button);
  });
  const known = c.map((chance, number) => [number + 1, chance]).filter(([, chance]) => chance !== null);
  const point = ([number, chance]) => `${(1000 * number) / game.moves.length} ${240 - 2.4 * chance}`;
  byId("course").setAttribute("d", known.length ? `M${known.map(point).join("L")}` : "");
  show(at);
}

// The best move of a position, and the one that was played if it was bad.
function arrowsAt(at) {
  const best = game.best[at];
  const bad = (game.marks[at] || "").startsWith("?") ? game.moves[at] : "";
  return (bad ? arrow(bad, "bad", "#c2410c") : "") + (best ? arrow(best, "best", "#1f7a4d") : "");
}

function show(to) {
  if (!game) return;
  ply = Math.max(0, Math.min(to, game.moves.length));
  drawBoard(game.fen, game.moves.slice(0, ply), arrowsAt(ply));
  byId("thought").textContent = ply ? game.notes[ply - 1] : "";
  byId("cursor").setAttribute("d", `M${game.moves.length ? (1000 * ply) / game.moves.length : 0} 0V240`);
  queryAll(".move").forEach((move, index) => {
    move.classList.toggle("here", index + 1 === ply);
    if (index + 1 === ply) scrollToMove(move);
  });
}

const isBad = (mark) => mark.startsWith("?");

const actions = {
  first: () => show(0),
  back: () => show(ply - 1),
  on: () => show(ply + 1),
  last: () => show(Infinity),
  bad: () => game && show((game.marks.findIndex((mark, index) => isBad(mark) && index >= ply) + 1) || ply),
  badBefore: () => game && show(game.marks.slice(0, Math.max(0, ply - 1)).findLastIndex(isBad) + 1 || ply),
  flip: () => { flipBoard(); show(ply); },
};

bindActions(actions, {
  ArrowLeft: "back", ArrowRight: "on", ArrowDown: "bad", ArrowUp: "badBefore", Home: "first", End: "last", f: "flip", F: "flip",
});
bindWheelAndCurve(actions, (part) => game && show(Math.round(game.moves.length * part)));
