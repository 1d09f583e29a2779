// Plays the games through: the board is the picture of the page, its pieces are set anew for each position.
const list = document.getElementById("game");
const moves = document.getElementById("moves");
const spot = (name) => [50 * (name.charCodeAt(0) - 97), 50 * (9 - Number(name[1]))];
let game = null, ply = 0;

for (const [index, one] of GAMES.entries()) {
  list.add(new Option(`${one.n}. ${one.r} – ${one.b}  ${one.w}  (${one.e})`, index));
}

// The pieces after so many moves: square to letter.
function placed(one, count) {
  const board = new Map();
  (one.f || START).split(" ")[0].split("/").forEach((row, down) => {
    let file = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) file += Number(sign);
      else board.set(String.fromCharCode(97 + file++) + (9 - down), sign);
    }
  });
  for (const move of one.moves.slice(0, count)) {
    const [from, to] = [move.slice(0, 2), move.slice(2)];
    board.set(to, board.get(from));
    if (from !== to) board.delete(from);
  }
  return board;
}

function show() {
  const pieces = [...placed(game, ply)].map(([square, letter]) => {
    const [x, y] = spot(square);
    return `<use href="#piece-${letter}" x="${x}" y="${y}"/>`;
  });
  const last = ply > 0 ? game.moves[ply - 1] : "";
  const marks = (last ? [last.slice(0, 2), last.slice(2)] : []).map((square) => {
    const [x, y] = spot(square);
    return `<use href="#mark-last" x="${x}" y="${y}"/>`;
  });
  document.querySelector(".viewer .pieces").innerHTML = pieces.join("");
  document.querySelector(".viewer .marks").innerHTML = marks.join("");
  document.getElementById("thought").textContent =
    ply > 0 ? `${last}   ${game.t[ply - 1]}` : "";
  moves.querySelectorAll("span").forEach((span, index) => {
    span.classList.toggle("here", index + 1 === ply);
    if (index + 1 === ply) moves.scrollTop = span.offsetTop - moves.offsetTop - 200;
  });
}

function open(index) {
  game = GAMES[index];
  game.moves = game.m ? game.m.split(" ") : [];
  ply = 0;
  document.getElementById("title").textContent = `${game.r} – ${game.b}  ${game.o}  ${game.w}: ${game.e}`;
  moves.replaceChildren();
  const black = (game.f || START).split(" ")[1] === "b" ? 1 : 0;
  game.moves.forEach((move, index) => {
    const span = document.createElement("span");
    span.textContent = move;
    span.onclick = () => { ply = index + 1; show(); };
    if (index === 0 || (index + black) % 2 === 0) moves.append(document.createElement("li"));
    moves.lastElementChild.append(span);
  });
  show();
}

function go(where) {
  if (!game) return;
  ply = { first: 0, back: Math.max(0, ply - 1), on: Math.min(game.moves.length, ply + 1), last: game.moves.length }[where];
  show();
}

list.onchange = () => open(list.value);
document.querySelectorAll("[data-go]").forEach((button) => { button.onclick = () => go(button.dataset.go); });
document.addEventListener("keydown", (event) => {
  const where = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
  if (where && event.target !== list) { go(where); event.preventDefault(); }
});
if (GAMES.length) { list.selectedIndex = 0; open(0); go("last"); }
