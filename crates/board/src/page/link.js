// A link that holds a position and its moves behind the `#` of the address, where no server sees them.

import { openPlace } from "./address.js";
import { goToNode } from "./analyse.js";
import { byId } from "./board.js";
import { linkFields } from "./fragment.js";
import { copyText, openText } from "./games.js";
import { enterMode } from "./modes.js";
import { openSession } from "./session.js";
import { transport } from "./transport.js";
import { currentLine, currentNode, movesTo, nodeAtPly, tree, treeChanged } from "./tree.js";

/** The text that a link names, as it could be pasted: a FEN with moves. @returns {string} */
function linkedText() {
  const fields = new URLSearchParams(linkFields());
  const fen = fields.get("fen");
  return fen ? `${fen} moves ${fields.get("moves") ?? ""}`.replace(/ moves $/, "") : "";
}

/** The address of the position that is analysed, for others. @returns {Promise<string>} */
function currentLink() {
  const fields = new URLSearchParams({ fen: tree.start });
  const moves = movesTo(currentNode);
  if (moves.length) fields.set("moves", moves.join(" "));
  return transport.sharedAddress(fields.toString());
}

/** Opens what the address names; returns whether it names anything. @returns {Promise<boolean>} */
export async function followLink() {
  const text = linkedText();
  if (!text) return false;
  // A reload keeps what is done from here on.
  history.replaceState(null, "", transport.address(""));
  if (!await openText(text)) return false;
  enterMode("analyse");
  await goToNode(nodeAtPly(currentLine().length));
  return true;
}

export function bindLink() {
  byId("copyLink").addEventListener("click", async () => copyText(await currentLink()));
  // The address has changed without a new page: another run of the program, or another position.
  addEventListener("hashchange", async () => {
    if (transport.tokenChanged()) {
      await openSession();
      treeChanged();
    }
    if (!await followLink()) await openPlace();
  });
}
