// Replays the games of a tournament. GAMES holds the moves in coordinates and in both notations, the engines' comments,
// and red's expected score by the engines.

const list = byId("game");
const moves = byId("moves");
let game = null;
let ply = 0;

for (const [index, one] of GAMES.entries()) {
  list.add(new Option(`${one.n}. ${one.r} – ${one.b}  ${one.w}  (${one.e})`, index));
}

function open(index) {
  game = GAMES[index];
  game.moves = game.m ? game.m.split(" ") : [];
  byId("title").textContent = `${game.r} – ${game.b}  ${game.w}: ${game.e}${game.o ? `  (${game.o})` : ""}`;
  const [chinese, wxf] = [game.z.split(" "), game.x.split(" ")];
  const black = (game.f || START).split(" ")[1] === "b" ? 1 : 0;
  moves.replaceChildren();
  game.moves.forEach((_, index) => {
    if (index === 0 || (index + black) % 2 === 0) {
      const row = document.createElement("li");
      row.append(span("number", Math.floor((index + black) / 2) + 1));
      if (index === 0 && black) row.append(span("gap", "…"));
      moves.append(row);
    }
    const button = document.createElement("button");
    button.className = "move";
    button.append(span("zh", chinese[index]), span("en", wxf[index]));
    button.addEventListener("click", () => show(index + 1));
    moves.lastElementChild.append(button);
  });
  const known = game.c.map((chance, index) => [index + 1, chance]).filter(([, chance]) => chance !== null);
  const point = ([at, chance]) => `${(1000 * at) / game.moves.length} ${240 - 2.4 * chance}`;
  byId("course").setAttribute("d", known.length ? `M${known.map(point).join("L")}` : "");
  show(0);
}

function span(name, text) {
  const made = document.createElement("span");
  made.className = name;
  made.textContent = text;
  return made;
}

function show(to) {
  if (!game) return;
  ply = Math.max(0, Math.min(to, game.moves.length));
  drawBoard(game.f || START, game.moves.slice(0, ply), "");
  byId("thought").textContent = ply ? game.t[ply - 1] : "";
  byId("cursor").setAttribute("d", `M${game.moves.length ? (1000 * ply) / game.moves.length : 0} 0V240`);
  queryAll(".move").forEach((move, index) => {
    move.classList.toggle("here", index + 1 === ply);
    if (index + 1 === ply) scrollToMove(move);
  });
}

const actions = {
  first: () => show(0),
  back: () => show(ply - 1),
  on: () => show(ply + 1),
  last: () => show(Infinity),
  flip: () => { flipBoard(); show(ply); },
};

bindActions(actions, { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", f: "flip", F: "flip" });
bindWheelAndCurve(actions, (part) => game && show(Math.round(game.moves.length * part)));
list.addEventListener("change", () => open(list.value));
if (GAMES.length) { list.selectedIndex = 0; open(0); show(Infinity); }
