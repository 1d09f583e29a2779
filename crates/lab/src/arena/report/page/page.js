// Lists the games of a tournament for the viewer: `n` is the round, `r` and `y` are the players, `w` is the result, `e` how the
// game ended, `o` the opening.

const list = byId("game");

for (const [index, one] of GAMES.entries()) {
  list.add(new Option(`${one.n}. ${one.r} – ${one.y}  ${one.w}  (${one.e})`, index));
}

function titleOf({ r, y, w, e, o }) {
  return [`${r} – ${y}  ${w}: ${e}${o ? `  (${o})` : ""}`];
}

list.addEventListener("change", () => openGame(list.value));
if (GAMES.length) { list.selectedIndex = 0; openGame(0, Infinity); }
