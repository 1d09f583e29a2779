// A link that holds a position and its moves behind the `#` of the address, where no server sees them.

/** The text that a link names, as it could be pasted: a FEN with moves. @returns {string} */
function linkedText() {
  const fields = new URLSearchParams(transport.place());
  const fen = fields.get("fen");
  return fen ? `${fen} moves ${fields.get("moves") ?? ""}`.replace(/ moves $/, "") : "";
}

/** The address of the position that is analysed. @returns {string} */
function linkHere() {
  const fields = new URLSearchParams({ fen: tree.start });
  const moves = movesTo(here);
  if (moves.length) fields.set("moves", moves.join(" "));
  return transport.address(fields.toString());
}

/** Opens what the address names; returns whether it names anything. @returns {Promise<boolean>} */
async function followLink() {
  const text = linkedText();
  if (!text) return false;
  // A reload keeps what is done from here on.
  history.replaceState(null, "", transport.address(""));
  if (!await takeIn(encode(new TextEncoder().encode(text)))) return false;
  enterMode("analyse");
  await visit(pathOf(lineHere().length));
  return true;
}

byId("copyLink").addEventListener("click", () => copy(linkHere()));
// The address has changed without a new page: another run of the program, or another position.
addEventListener("hashchange", async () => {
  if (transport.moved()) {
    await enter();
    treeChanged();
  }
  await followLink();
});
