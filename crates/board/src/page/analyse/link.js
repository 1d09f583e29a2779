// A link that holds a position and its moves behind the `#` of the address, where no server sees them.

import { forgetPlace, openPlace, showPlace } from "../core/address.js";
import { byId } from "../../../../study/src/html_page/board.js";
import { goToNode } from "./analyse.js";
import { onClick } from "../core/elements.js";
import { linkFields, placeOfAddress, tokenOfAddress } from "../core/fragment.js";
import { enterMode } from "../core/modes.js";
import { copyText } from "../core/save_file.js";
import { openSession, request } from "../core/session.js";
import { setUp } from "./setup.js";
import { act, provide, state } from "../core/state.js";
import { transport } from "../core/transport.js";
import { mayReplace } from "../core/undo_redo.js";
import { bareTree, currentLine, loadTree, movesTo, newNode, nodeAtPly, nodeOf, START, treeChanged } from "../core/tree.js";

/** The position that a link names, if it names one. @returns {{start: string, moves: string[]} | null} */
function linkedPosition() {
  const fields = new URLSearchParams(linkFields());
  const [fen, moves] = [fields.get("fen"), fields.get("moves") ?? ""];
  return fen || moves ? { start: fen || START, moves: moves.split(" ").filter(Boolean) } : null;
}

/** The address of the position that is analysed, for others. @returns {Promise<string>} */
function currentLink() {
  const fields = new URLSearchParams({ fen: state.tree.start });
  const moves = movesTo(state.node);
  if (moves.length) fields.set("moves", moves.join(" "));
  return transport.sharedAddress(fields.toString());
}

/** Opens a position with its moves, which stands in no list. @param {string} start @param {string[]} moves @returns {Promise<boolean>} */
async function openPosition(start, moves) {
  const query = { start, moves, rules: byId("lawOf").value, name_last: moves.length };
  const { legal, names = [] } = await request("position-facts", query);
  if (!legal || !await mayReplace()) return false;
  loadTree({ ...bareTree(start), nodes: [newNode(0, "", null), ...moves.map((move, at) => newNode(at, move, names[at]))] });
  return true;
}

/** Opens what the address names; returns whether it names anything. @returns {Promise<boolean>} */
async function followLink() {
  const linked = linkedPosition();
  if (!linked) return false;
  const { start, moves } = linked;
  const place = placeOfAddress();
  if (place === "setup") {
    setUp(start);
    return true;
  }
  // The game that is analysed may have this position: then it stays, with all that was added to it.
  const known = place === "analyse" ? nodeOf(start, moves) : null;
  // A reload keeps what is done from here on.
  if (!place) history.replaceState(null, "", transport.address(""));
  const open = () => (place ? openPosition(start, moves) : act.openText(moves.length ? `${start} moves ${moves.join(" ")}` : start));
  if (known === null && !await open()) return false;
  if (state.mode !== "analyse") enterMode("analyse");
  await goToNode(known ?? nodeAtPly(currentLine().length));
  showPlace(true);
  return true;
}

export function bindLink() {
  onClick({ copyLink: async () => copyText(await currentLink()) });
  // The address has changed without a new page: another run of the program, or another position.
  addEventListener("hashchange", async () => {
    forgetPlace();
    if (transport.tokenChanged()) {
      await openSession();
      treeChanged();
    }
    // A token that was refused stays in the address: another one can follow it.
    if (tokenOfAddress() && !placeOfAddress()) return;
    // What leads nowhere leaves everything as it is.
    if (!await followLink() && !await openPlace()) showPlace(true);
  });
}

provide({ followLink });
