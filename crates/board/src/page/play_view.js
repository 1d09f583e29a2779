// Around a game: what was agreed before the first move, the opening, and what can be done at its end.

/** The name of the opening, and of which game it is. @type {{start: string, moves: number, name: Both | null}} */
let opening = { start: "", moves: 0, name: null };

/** Openings have names for about fifteen moves of each side. */
const OPENING_PLIES = 30;

async function askOpening() {
  const { start, moves, rules } = game;
  const known = opening.start === start && opening.moves <= moves.length;
  if (known && opening.moves === moves.length || moves.length > OPENING_PLIES && known) return;
  opening = { start, moves: moves.length, name: known ? opening.name : null };
  if (!moves.length) return;
  const answer = await transport.send("look", { start, moves: moves.slice(0, OPENING_PLIES), rules }).catch(() => ({}));
  if (opening.start !== start || opening.moves !== moves.length) return;
  opening.name = answer.opening ?? opening.name;
  if (mode === "play") tellOpening();
}

function tellOpening() {
  const name = game.moves.length && opening.start === game.start ? opening.name : null;
  byId("opening").hidden = !name;
  if (name) write(byId("opening"), name);
}

/** A time control as minutes and seconds. @param {string | undefined} control @returns {string} */
function clockName(control) {
  const [, seconds, more] = control?.match(/^(\d+)\+(\d+)$/) ?? [];
  return seconds ? `${Number(seconds) / 60} + ${more}` : control ?? "∞";
}

function tellAbout() {
  byId("about").hidden = game.moves.length > 0 || isOver();
  byId("inviting").hidden = byId("about").hidden;
  const [, level] = game.strength.match(/^level (\d+)$/) ?? [];
  write(byId("aboutLevel"), level ? levelName(Number(level)) : game.strength_name);
  byId("aboutClock").textContent = clockName(game.clocks?.control);
  byId("aboutRules").textContent = [...byId("lawOf").options].find((option) => option.value === game.rules)?.text ?? game.rules;
  byId("ending").hidden = !isOver() || looking !== null;
  byId("swapSides").hidden = game.seat === "both";
  tellOpening();
  askOpening();
}

/** Plays again under the same conditions. @param {string} seat */
const again = (seat) => beginGame({
  seat, clock: game.clocks?.control ?? null, rules: game.rules, strength: game.strength, position: game.start,
});

byId("rematch").addEventListener("click", () => again(game.seat));
byId("swapSides").addEventListener("click", () => again({ red: "black", black: "red" }[game.seat] ?? game.seat));
byId("reviewGame").addEventListener("click", async () => { if (await carryOver("games")) byId("review").click(); });
