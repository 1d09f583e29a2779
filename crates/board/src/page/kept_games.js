// The list of kept games: those that were analysed and put aside, with all their moves and comments.

import { byId } from "./board.js";
import { closest, createButton, createElement, localized, showNotice, translation } from "./elements.js";
import { mayReplace } from "./history.js";
import { endLesson } from "./learn.js";
import { enterMode } from "./modes.js";
import { request } from "./session.js";
import { loadTree, sentTree, tree } from "./tree.js";

/** @type {GameSummary[]} */
let keptGames = [];

/** Puts a game into the list; returns whether it is there. @param {SentTree} sent @returns {Promise<boolean>} */
export async function keepInList(sent) {
  const { ids } = await request("keep-game", { tree: sent, id: null });
  if (!ids) return false;
  await readKeptGames();
  showNotice(translation("keptInList"));
  return true;
}

export const readKeptGames = async () => setGames((await request("list-games", { from: 0, count: 200 })).games);

/** @param {GameSummary[] | undefined} games */
function setGames(games) {
  keptGames = games ?? keptGames;
  renderKeptGames();
}

export function renderKeptGames() {
  byId("noGames").hidden = keptGames.length > 0;
  byId("keptGames").replaceChildren(...keptGames.map(({ id, red, black, moves, date }) => {
    const title = `${red || "?"} – ${black || "?"}`;
    const open = createButton("step", { kept: id }, `${date} · ${title} · ${moves}`);
    const remove = createButton("fold", { delete: id }, "×");
    remove.setAttribute("aria-label", `${localized(translation("discard"))}: ${title}`);
    const row = createElement("li", {}, open, remove);
    row.dataset.part = "game";
    return row;
  }));
}

/** Opens a game of the list; returns whether it is open. @param {string} id */
export async function openKeptGame(id) {
  const reply = await request("open-game", { id });
  if (!reply.tree || !await mayReplace()) return false;
  endLesson();
  loadTree(reply.tree, id);
  enterMode("analyse");
  return true;
}

export function bindKeptGames() {
  byId("keptGames").addEventListener("click", async (event) => {
    const { kept, delete: id } = closest(event, "button")?.dataset ?? {};
    if (kept) openKeptGame(kept);
    else if (id) {
      await request("delete-games", { ids: [id] });
      readKeptGames();
    }
  });
  byId("keepTree").addEventListener("click", async () => {
    const kept = tree;
    if (await keepInList(sentTree())) kept.edited = false;
  });
}
