// The setup mode: pieces from the box or from the board are put on squares.

const setup = { pieces: new Map(), side: "w", held: "", fen: START, told: null };

/** The board field of a FEN. @param {Map<string, string>} pieces @returns {string} */
function fenOf(pieces) {
  const rows = [..."9876543210"].map((rank) => [..."abcdefghi"].map((file) => pieces.get(file + rank) ?? "1").join(""));
  return rows.join("/").replace(/1+/g, (empty) => empty.length);
}

/** Sets a position and requests its errors. @param {string} fen */
async function setUp(fen) {
  [setup.fen, setup.pieces, setup.told] = [fen.trim(), placed(fen.trim() || "9"), null];
  setup.side = fen.split(" ")[1] === "b" ? "b" : "w";
  const asked = setup.fen;
  const told = await transport.send("look", { ...place([]), start: asked }).catch(lost);
  if (asked !== setup.fen) return;
  setup.told = told;
  if (mode === "setup") refresh();
}

const change = () => { drawSetup(); setUp(`${fenOf(setup.pieces)} ${setup.side} - - 0 1`); };

/** Handles a click: puts the held piece on the square, or picks up the piece there. @param {string} square */
function edit(square) {
  const there = setup.pieces.get(square);
  if (setup.held && setup.held !== there) {
    setup.pieces.set(square, setup.held);
    if (setup.taken) setup.held = "";
  } else if (there) {
    setup.pieces.delete(square);
    [setup.held, setup.taken] = setup.held ? [setup.held, setup.taken] : [there, true];
  }
  change();
}

const drawSetup = () => { drawBoard(`${fenOf(setup.pieces)} ${setup.side}`, [], ""); allow(setup.pieces, [], "", null); };

modes.setup = {
  draw: drawSetup,
  tell: () => {
    if (document.activeElement !== byId("fen")) byId("fen").value = setup.fen;
    byId("fenSide").value = setup.side;
    // No message until the position has been checked.
    write(byId("wrong"), setup.told ? setup.told.wrong ?? words("sound") : "");
    for (const name of ["setupAnalyse", "setupPlay"]) byId(name).disabled = !setup.told || Boolean(setup.told.wrong);
    for (const button of all("[data-piece]")) button.setAttribute("aria-pressed", button.dataset.piece === setup.held);
  },
  at: () => 0, last: () => 0, to: () => {}, moves: () => [],
  enter: () => { hand.edit = edit; setUp(setup.fen); },
  leave: () => { hand.edit = null; },
};

for (const button of all("[data-piece]")) {
  button.addEventListener("click", () => { [setup.held, setup.taken] = [setup.held === button.dataset.piece ? "" : button.dataset.piece, false]; refresh(); });
}
byId("fen").addEventListener("input", (event) => setUp(event.target.value));
byId("fenSide").addEventListener("change", (event) => { setup.side = event.target.value; change(); });
byId("empty").addEventListener("click", () => setUp(`9/9/9/9/9/9/9/9/9/9 ${setup.side} - - 0 1`));
byId("usual").addEventListener("click", () => setUp(START));
byId("setupAnalyse").addEventListener("click", () => {
  loadTree({ start: setup.fen, tags: [], result: "*", nodes: [newNode(0, "", null)] });
  enterMode("analyse");
});
byId("setupPlay").addEventListener("click", () => beginGame({ seat: setup.side === "b" ? "black" : "red", position: setup.fen }));

// --- start ---

restoreTree();
for (const button of all("[data-mode-of]")) button.addEventListener("click", () => enterMode(button.dataset.modeOf));
listen(deeds, keys);
enter();
