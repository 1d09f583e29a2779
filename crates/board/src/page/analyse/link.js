// A link that holds a position and its moves behind the `#` of the address, where no server sees them.

import { openPlace } from "../core/address.js";
import { goToNode } from "./analyse.js";
import { onClick } from "../core/elements.js";
import { linkFields } from "../core/fragment.js";
import { enterMode } from "../core/modes.js";
import { copyText } from "../core/save_file.js";
import { openSession } from "../core/session.js";
import { act, provide, state } from "../core/state.js";
import { transport } from "../core/transport.js";
import { currentLine, movesTo, nodeAtPly, treeChanged } from "../core/tree.js";

/** The text that a link names, as it could be pasted: a FEN with moves. @returns {string} */
function linkedText() {
  const fields = new URLSearchParams(linkFields());
  const fen = fields.get("fen");
  return fen ? `${fen} moves ${fields.get("moves") ?? ""}`.replace(/ moves $/, "") : "";
}

/** The address of the position that is analysed, for others. @returns {Promise<string>} */
function currentLink() {
  const fields = new URLSearchParams({ fen: state.tree.start });
  const moves = movesTo(state.node);
  if (moves.length) fields.set("moves", moves.join(" "));
  return transport.sharedAddress(fields.toString());
}

/** Opens what the address names; returns whether it names anything. @returns {Promise<boolean>} */
async function followLink() {
  const text = linkedText();
  if (!text) return false;
  // A reload keeps what is done from here on.
  history.replaceState(null, "", transport.address(""));
  if (!await act.openText(text)) return false;
  enterMode("analyse");
  await goToNode(nodeAtPly(currentLine().length));
  return true;
}

export function bindLink() {
  onClick({ copyLink: async () => copyText(await currentLink()) });
  // The address has changed without a new page: another run of the program, or another position.
  addEventListener("hashchange", async () => {
    if (transport.tokenChanged()) {
      await openSession();
      treeChanged();
    }
    if (!await followLink()) await openPlace();
  });
}

provide({ followLink });
