// Opens the review of a game from the list, or of a mistake. `r` and `y` are the players, `w` is the result; SIDES has the
// names of players who have none.

function titleOf({ r, y, w }) {
  return [r || SIDES[0], span("result", w), y || SIDES[1]];
}

function choose(index, at) {
  openGame(index, at);
  for (const row of queryAll("tr[data-game]")) row.classList.toggle("here", Number(row.dataset.game) === index);
  history.replaceState(null, "", `#${index + 1}`);
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-game]");
  if (!target) return;
  choose(Number(target.dataset.game), Number(target.dataset.ply || 0));
  byId("viewer").scrollIntoView({ behavior: "smooth" });
});

// What is folded is on paper, too.
addEventListener("beforeprint", () => { for (const part of queryAll("details")) part.open = true; });

const first = Number(location.hash.slice(1)) - 1;
if (GAMES.length) choose(GAMES[first] ? first : 0, 0);
