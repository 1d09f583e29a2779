// The setup mode: pieces from the box or from the board are put on squares.

const setup = { pieces: new Map(), side: "w", held: "", fen: START, told: null };

/** The board field of a FEN. @param {Map<string, string>} pieces @returns {string} */
function fenOf(pieces) {
  const rows = [..."9876543210"].map((rank) => [..."abcdefghi"].map((file) => pieces.get(file + rank) ?? "1").join(""));
  return rows.join("/").replace(/1+/g, (empty) => String(empty.length));
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

const changeSetup = () => { drawSetup(); setUp(`${fenOf(setup.pieces)} ${setup.side} - - 0 1`); };

/** Handles a click: puts the held piece on the square, or picks up the piece there. @param {string} square */
function press(square) {
  const there = setup.pieces.get(square);
  if (setup.held && setup.held !== there) {
    setup.pieces.set(square, setup.held);
    if (setup.taken) setup.held = "";
  } else if (there) {
    setup.pieces.delete(square);
    [setup.held, setup.taken] = setup.held ? [setup.held, setup.taken] : [there, true];
  }
  changeSetup();
}

/** Moves a piece to another square, or off the board. @param {string} from @param {string} to */
function dragPiece(from, to) {
  const piece = setup.pieces.get(from);
  setup.pieces.delete(from);
  if (to) setup.pieces.set(to, piece);
  changeSetup();
}

// The square that is wrong is marked: with the usual coordinates its name is not on the board.
function drawSetup() {
  const [square] = setup.told?.wrong?.en.match(/\b[a-i]\d\b/) ?? [""];
  drawBoard(`${fenOf(setup.pieces)} ${setup.side}`, [], "");
  allow(setup.pieces, [], square, null);
}

modes.setup = {
  draw: drawSetup,
  tell: () => {
    nameBoard(null);
    if (document.activeElement !== byId("fen")) byId("fen").value = setup.fen;
    byId("fenSide").value = setup.side;
    // No message until the position has been checked.
    write(byId("wrong"), setup.told ? setup.told.wrong ?? words("sound") : "");
    for (const name of ["setupAnalyse", "setupPlay"]) byId(name).disabled = !setup.told || Boolean(setup.told.wrong);
    for (const button of all("[data-piece]")) button.setAttribute("aria-pressed", button.dataset.piece === setup.held);
  },
  at: () => 0, last: () => 0, to: () => {}, moves: () => [],
  enter: () => { hand.edit = { press, drag: dragPiece }; setUp(setup.fen); },
  leave: () => { hand.edit = null; setup.held = ""; },
};

let dropped = false;

// A piece is dragged out of the box: its picture follows the pointer.
for (const button of all("[data-piece]")) {
  button.addEventListener("pointerdown", (event) => {
    dropped = false;
    if (event.button !== 0 || !event.isPrimary) return;
    const ghost = make("div", { className: "ghost" }, button.querySelector("svg").cloneNode(true));
    const follow = ({ clientX, clientY }) => {
      if (!ghost.isConnected && Math.hypot(clientX - event.clientX, clientY - event.clientY) < 5) return;
      if (!ghost.isConnected) document.body.append(ghost);
      Object.assign(ghost.style, { left: `${clientX}px`, top: `${clientY}px` });
    };
    const end = (last) => {
      for (const name of ["pointerup", "pointercancel"]) button.removeEventListener(name, end);
      button.removeEventListener("pointermove", follow);
      const dragged = ghost.isConnected;
      ghost.remove();
      if (!dragged || last.type !== "pointerup") return;
      const [square] = under(last);
      if (square) { setup.pieces.set(square, button.dataset.piece); changeSetup(); }
      // The click that follows does not choose the piece.
      dropped = true;
    };
    button.setPointerCapture(event.pointerId);
    button.addEventListener("pointermove", follow);
    for (const name of ["pointerup", "pointercancel"]) button.addEventListener(name, end);
  });
  button.addEventListener("click", (event) => { if (dropped && event.detail) return; [setup.held, setup.taken] = [setup.held === button.dataset.piece ? "" : button.dataset.piece, false]; refresh(); });
}
byId("fen").addEventListener("input", (event) => setUp(event.target.value));
byId("fenSide").addEventListener("change", (event) => { setup.side = event.target.value; changeSetup(); });
byId("empty").addEventListener("click", () => setUp(`9/9/9/9/9/9/9/9/9/9 ${setup.side} - - 0 1`));
byId("usual").addEventListener("click", () => setUp(START));
byId("setupAnalyse").addEventListener("click", async () => {
  if (!await mayReplace()) return;
  loadTree(bareTree(setup.fen));
  enterMode("analyse");
});
byId("setupPlay").addEventListener("click", () => beginGame({ seat: setup.side === "b" ? "black" : "red", position: setup.fen }));

// --- start ---

restoreTree();
if (store.tab.get("turned") === "black") turnBoard();
for (const button of all("[data-mode-of]")) button.addEventListener("click", () => enterMode(button.dataset.modeOf));
listen(deeds, keys);
enter();
