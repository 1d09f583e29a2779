// What a review has found: a card for each side, the curve with its mistakes, the moves that decided the game.

const KINDS = [["?!", "dubious"], ["?", "mistake"], ["??", "blunder"]];

/** The summary of a side; its counts lead to the mistakes one after the other. @param {string} side */
function tellCard(side) {
  const summary = review.sides[side];
  const counts = KINDS.map(([sign, kind]) => {
    const count = summary[{ dubious: "dubious", mistake: "mistakes", blunder: "blunders" }[kind]];
    const button = makeButton(kind, { side, sign }, make("b", {}, count), ` ${sign}`);
    button.disabled = !count;
    return button;
  });
  const accuracy = summary.accuracy === null || summary.accuracy === undefined ? "–" : summary.accuracy;
  byId(`${side}Played`).replaceChildren(
    make("b", { className: "accuracy" }, accuracy), make("span", {}, both(words(side)), " · ", both(words("accuracy"))),
    make("span", { className: "counts" }, ...counts),
  );
}

/** Goes to the next mistake of this kind after the current move. @param {string} side @param {string} sign */
function nextMistake(side, sign) {
  const found = review.moves.filter((move) => move.side === side && move.mark === sign);
  const next = found.find((move) => move.ply > modes.games.at()) ?? found[0];
  if (next) visit(mainLine()[next.ply] ?? here);
}

function tellCurve() {
  const plies = Math.max(1, review.moves.length);
  const chances = review.positions.map((position) => position?.chance ?? 0.5);
  const points = chances.map((chance, ply) => `${((1000 * ply) / plies).toFixed(1)},${(240 * (1 - chance)).toFixed(1)}`);
  byId("chances").setAttribute("points", points.join(" "));
  for (const area of all("#curve polygon")) area.setAttribute("points", `${points.join(" ")} 1000,120 0,120`);
  const at = Math.min(modes.games.at(), plies);
  byId("cursor").setAttribute("d", `M${(1000 * at) / plies} 0V240`);
  const line = mainLine();
  const bad = review.moves.filter((move) => KINDS.some(([sign]) => sign === move.mark) && line[move.ply]);
  byId("dots").replaceChildren(...bad.map((move) => {
    const dot = makeButton(KINDS.find(([sign]) => sign === move.mark)[1], { node: line[move.ply] });
    dot.setAttribute("aria-label", `${plain({ zh: move.chinese, en: move.wxf })} ${move.mark}`);
    Object.assign(dot.style, { left: `${(100 * move.ply) / plies}%`, top: `${100 * (1 - chances[move.ply])}%` });
    return dot;
  }));
}

function tellReview() {
  byId("found").hidden = !review;
  document.body.classList.toggle("reviewed", Boolean(review));
  if (!review) return;
  for (const side of ["red", "black"]) tellCard(side);
  tellCurve();
  const line = mainLine();
  byId("turning").replaceChildren(...review.decisive.flatMap((ply) => (line[ply] ? Object.assign(moveButton(line[ply]), { tabIndex: 0 }) : [])));
}

for (const side of ["red", "black"]) {
  byId(`${side}Played`).addEventListener("click", (event) => {
    const count = event.target.closest("button");
    if (count) nextMistake(side, count.dataset.sign);
  });
}
for (const name of ["dots", "turning"]) {
  byId(name).addEventListener("click", (event) => {
    const move = event.target.closest("[data-node]");
    if (move) visit(Number(move.dataset.node));
  });
}

byId("reviewAgain").addEventListener("click", () => document.body.classList.remove("reviewed"));

/** Players and result in one line, the rest below. */
function tellTags() {
  const tag = (name) => tree.tags.find(([key, value]) => key === name && value && value !== "?")?.[1];
  const [red, black] = [tag("Red"), tag("Black")];
  const players = red || black
    ? [make("strong", {}, make("span", { className: "red" }, red ?? "?"), ` ${tree.result === "*" ? "–" : tree.result} `, black ?? "?")]
    : [];
  const rest = ["Title", "Event", "Site", "Round", "Date", "Opening"].map(tag).filter(Boolean);
  byId("tags").replaceChildren(...players, make("span", { className: "faint" }, rest.join(" · ")));
}
