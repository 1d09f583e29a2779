// Undo and redo of every change of the analysed game, also of its replacement by another; and the question before a
// game with changes goes.

/** @typedef {{redo: () => void, undo: () => void, merge: object | null}} Change */

const MOST_CHANGES = 1000;
const changes = { /** @type {Change[]} */ done: [], /** @type {Change[]} */ undone: [] };

/** Makes a change that can be undone. Changes of the same object `merge` in a row are undone at once.
 * @param {() => void} redo @param {() => void} undo @param {{merge?: object | null, edits?: boolean}} more */
function change(redo, undo, { merge = null, edits = true } = {}) {
  redo();
  const last = changes.done[changes.done.length - 1];
  if (merge && last?.merge === merge) last.redo = redo;
  else changes.done.push({ redo, undo, merge });
  if (changes.done.length > MOST_CHANGES) changes.done.shift();
  changes.undone = [];
  if (edits) tree.edited = true;
  treeChanged();
}

const forgetChanges = () => Object.assign(changes, { done: [], undone: [] });

/** @param {"undo" | "redo"} way */
function travel(way) {
  const [from, to] = way === "undo" ? [changes.done, changes.undone] : [changes.undone, changes.done];
  const change = from.pop();
  if (!change) return;
  change[way]();
  change.merge = null;
  to.push(change);
  tree.edited = true;
  treeChanged();
  visit(here);
}

function tellHistory() {
  byId("undoChange").disabled = !changes.done.length;
  byId("redoChange").disabled = !changes.undone.length;
}

/** Asks a question; resolves to the name of the choice, "" if there was none.
 * @param {Both} text @param {string[]} choices @returns {Promise<string>} */
function askUser(text, choices) {
  const dialog = byId("question");
  write(dialog.querySelector("p"), text);
  dialog.querySelector("form").replaceChildren(...choices.map((name, index) => {
    const button = make("button", { className: index ? "deed" : "deed main", value: name }, both(words(name)));
    return button;
  }));
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
}

/** Whether the game may be replaced: one with changes is asked about. @returns {Promise<boolean>} */
async function mayReplace() {
  if (!tree.edited) return true;
  const choice = await askUser(words("edited"), ["keepIt", "dropIt", "cancel"]);
  if (choice === "keepIt") return keepInList(sentTree());
  return choice === "dropIt";
}

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !modes[mode]?.thinks || learning) return;
  if (closest(event, "select, input, textarea")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  travel(key === "y" || event.shiftKey ? "redo" : "undo");
  event.preventDefault();
});
