// The folders of the list of games: chosen, made, renamed, deleted, filled. This module comes with the list, with its texts.

import { byId } from "../../../../study/src/html_page/board.js";
import { asks, confirmNotice, createElement, filled, refusal, setText, translation } from "../core/elements.js";
import { request, showConnectionLost } from "../core/session.js";
import { transport } from "../core/transport.js";
import { askUser } from "../core/undo_redo.js";
import { words } from "../words.js";

/** @type {Record<"all" | "none" | "make" | "put" | "out" | "rename" | "remove" | "name" | "done" | "ask" | "isIn" | "isOut", string>} */
const TEXTS = {
  all: words("all folders"),
  none: words("in no folder"),
  make: words("New folder…"),
  put: words("Put into a folder"),
  out: words("Take out of the folder"),
  rename: words("Rename the folder"),
  remove: words("Delete the folder"),
  name: words("Name of the folder"),
  done: words("OK"),
  ask: words("Delete the folder “{name}”? Its games ({games}) stay in the list."),
  isIn: words("Put into “{name}”: {count}."),
  isOut: words("Taken out of their folder: {count}."),
};
/** What stands for a new folder among the numbers. */
const NEW = "new";

/** The list of games. @type {{ chosen: () => string[], folders: () => GameFolder[], read: () => Promise<void> }} */
let list;
/** The folders that are shown. @type {GameFolder[]} */
let folders = [];
/** The folder whose games are shown: its number, "0" for those in none, or "" for all. */
let shown = "";

/** @param {HTMLSelectElement} field @param {[string, string][]} options */
function fill(field, options) {
  const { value } = field;
  const why = refusal("folders make");
  /** @param {string} number */
  const closed = (number) => (number === NEW && why ? { disabled: true, title: why } : {});
  field.replaceChildren(...options.map(([number, text]) => createElement("option", { value: number, ...closed(number) }, text)));
  field.value = options.some(([number]) => number === value) ? value : "";
}

/** Shows the folders in the two lists. @param {typeof list} games */
export function renderFolders(games) {
  list = games;
  const known = folders = list.folders();
  const [field, key] = [byId("gameFolder"), JSON.stringify([known, refusal("folders make")])];
  if (field.dataset.key !== key) {
    field.dataset.key = key;
    /** @type {(name: keyof TEXTS, value: string) => [string, string]} */
    const option = (name, value) => [value, TEXTS[name]];
    const some = known.length > 0;
    fill(field, [option("all", ""), ...some ? [option("none", "0")] : [], ...known.map(({ id, name, games }) => /** @type {[string, string]} */ ([String(id), `${name} (${games})`])), option("make", NEW)]);
    fill(byId("putInto"), [option("put", ""), ...known.map(({ id, name }) => /** @type {[string, string]} */ ([String(id), name])), ...some ? [option("out", "0")] : [], option("make", NEW)]);
  }
  if (field.value !== shown) {
    // The folder that was shown is gone, on this device or another one.
    shown = field.value;
    list.read();
  }
  for (const [id, name] of /** @type {const} */ ([["renameFolder", "rename"], ["removeFolder", "remove"]])) {
    byId(id).hidden = !Number(shown);
    byId(id).title = byId(id).ariaLabel = TEXTS[name];
    asks(`folders ${name === "rename" ? name : "delete"}`, byId(id));
  }
}

/** Asks for a name until the program takes it, or nobody wants it any more. @param {"make" | "rename"} what @param {string} name
 * @param {(name: string) => FolderRequest} wish @returns {Promise<number>} The number of the folder; 0 if there is none. */
function askName(what, name, wish) {
  const field = createElement("input", { value: name, autocomplete: "off", required: true });
  const wrong = createElement("p", { className: "wrong" });
  wrong.setAttribute("role", "alert");
  const cancel = createElement("button", { className: "deed", type: "button" }, translation("cancel"));
  const form = createElement("form", { className: "fields", method: "dialog", noValidate: true },
    createElement("label", {}, createElement("span", {}, TEXTS.name), field), wrong,
    createElement("div", { className: "row" }, createElement("button", { className: "deed main" }, TEXTS.done), cancel));
  const dialog = createElement("dialog", { ariaLabel: TEXTS[what] }, form);
  document.body.append(dialog);
  dialog.showModal();
  field.select();
  return new Promise((resolve) => {
    let made = 0;
    cancel.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => { dialog.remove(); resolve(made); });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const reply = await transport.send("folders", wish(field.value)).catch(() => null);
      if (reply?.folder) made = reply.folder;
      else if (reply?.error) { setText(wrong, reply.error); field.focus(); return; }
      else showConnectionLost();
      dialog.close();
    });
  });
}

const makeFolder = () => askName("make", "", (name) => ({ do: "make", name }));

/** Shows the games of another folder, or makes one. */
async function onFolderChosen() {
  const field = byId("gameFolder");
  const { value } = field;
  if (value === NEW) {
    field.value = shown;
    const made = await makeFolder();
    if (made) await list.read();
    field.value = made ? String(made) : shown;
  }
  shown = field.value;
  byId("gameList").scrollTop = 0;
  list.read();
}

/** Puts the games that are ticked into a folder. */
async function onPut() {
  const field = byId("putInto");
  const { value } = field;
  field.value = "";
  const folder = value === NEW ? await makeFolder() : Number(value);
  if (!folder && value !== "0") return;
  const { count } = await request("folders", { do: "put", ids: list.chosen(), folder });
  await list.read();
  const name = list.folders().find(({ id }) => id === folder)?.name ?? "";
  if (count !== undefined) confirmNotice(filled(folder ? TEXTS.isIn : TEXTS.isOut, { name, count }));
}

/** @param {"rename" | "remove"} what */
async function change(what) {
  const folder = folders.find(({ id }) => id === Number(shown));
  if (!folder) return;
  const { id, name, games } = folder;
  if (what === "rename") await askName("rename", name, (text) => ({ do: "rename", folder: id, name: text }));
  else if (await askUser(filled(TEXTS.ask, { name, games }), ["remove", "cancel"]) === "remove") await request("folders", { do: "delete", folder: id });
  await list.read();
}

asks("folders put", byId("putInto"));
byId("gameFolder").addEventListener("change", onFolderChosen);
byId("putInto").addEventListener("change", onPut);
byId("renameFolder").addEventListener("click", () => change("rename"));
byId("removeFolder").addEventListener("click", () => change("remove"));
