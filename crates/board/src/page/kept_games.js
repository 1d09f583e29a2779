// The games that are kept in a list: those that were analysed and put aside, with all their moves and comments.

/** @type {{id: string, title: string, moves: number, date: string}[]} */
let keptGames = [];

/** Puts a game into the list; returns whether it is there. @param {any} sent @returns {Promise<boolean>} */
async function keepInList(sent) {
  const answer = await wish("shelve", { tree: sent });
  if (!answer.kept) return false;
  keptGames = answer.kept;
  tellKept();
  notice(words("keptInList"));
  return true;
}

async function readKept() {
  const answer = await wish("shelf");
  if (answer.kept) keptGames = answer.kept;
  tellKept();
}

function tellKept() {
  byId("kept").hidden = !keptGames.length;
  byId("keptGames").replaceChildren(...keptGames.map(({ id, title, moves, date }) => {
    const open = makeButton("step", { kept: id }, `${date} · ${title} · ${moves}`);
    const drop = makeButton("fold", { drop: id }, "×");
    drop.setAttribute("aria-label", `${plain(words("dropIt"))}: ${title}`);
    return make("li", {}, open, drop);
  }));
}

byId("keptGames").addEventListener("click", async (event) => {
  const { kept, drop } = event.target.closest("button")?.dataset ?? {};
  if (kept) {
    const answer = await wish("unshelve", { id: kept });
    if (!answer.tree || !await mayReplace()) return;
    learning = null;
    loadTree(answer.tree);
    visit(0);
  } else if (drop) {
    const answer = await wish("discard", { id: drop });
    if (answer.kept) keptGames = answer.kept;
    tellKept();
  }
});
byId("keepTree").addEventListener("click", async () => {
  const kept = tree;
  if (await keepInList(sentTree())) kept.edited = false;
});
