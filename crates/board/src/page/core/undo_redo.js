// Undo and redo of every change of the analysed game, also of its replacement by another; and the question before a
// game with changes goes.

import { byId } from "../../../../study/src/html_page/board.js";
import { closest, createElement, onClick, setReason, setText, translation } from "./elements.js";
import { act, modes, state } from "./state.js";

/** @typedef {{redo: () => void, undo: () => void, merge: object | null}} Change */

const MAX_CHANGES = 1000;
/** @type {{done: Change[], undone: Change[]}} */
const changes = { done: [], undone: [] };

/** Makes a change that can be undone. Changes of the same object `merge` in a row are undone at once.
 * @param {() => void} redo @param {() => void} undo @param {{merge?: object | null, isEdit?: boolean}} options */
export function change(redo, undo, { merge = null, isEdit = true } = {}) {
  redo();
  const last = changes.done[changes.done.length - 1];
  if (merge && last?.merge === merge) last.redo = redo;
  else changes.done.push({ redo, undo, merge });
  if (changes.done.length > MAX_CHANGES) changes.done.shift();
  changes.undone = [];
  if (isEdit) state.tree.edited = true;
  act.treeChanged();
}

export const forgetChanges = () => Object.assign(changes, { done: [], undone: [] });

/** @param {"undo" | "redo"} direction */
function undoOrRedo(direction) {
  const [from, to] = direction === "undo" ? [changes.done, changes.undone] : [changes.undone, changes.done];
  const change = from.pop();
  if (!change) return;
  change[direction]();
  change.merge = null;
  to.push(change);
  state.tree.edited = true;
  act.treeChanged();
  act.goToNode(state.node);
}

export function renderHistory() {
  setReason(byId("undoChange"), changes.done.length ? null : translation("nothingToUndo"));
  setReason(byId("redoChange"), changes.undone.length ? null : translation("nothingToRedo"));
}

/** Asks a question; resolves to the name of the choice, "" if there was none.
 * @param {string} text @param {string[]} choices @returns {Promise<string>} */
export function askUser(text, choices) {
  const dialog = byId("question");
  const [line, form] = /** @type {[HTMLElement, HTMLElement]} */ ([dialog.querySelector("p"), dialog.querySelector("form")]);
  setText(line, text);
  form.replaceChildren(...choices.map((name, index) => (
    createElement("button", { className: index ? "deed" : "deed main", value: name }, translation(name))
  )));
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
}

/** Whether the game may be replaced: one with changes is asked about. @returns {Promise<boolean>} */
export async function mayReplace() {
  if (!state.tree.edited) return true;
  const choice = await askUser(translation("replaceEdited"), ["keep", "discard", "cancel"]);
  if (choice === "keep") return Boolean(await act.keepInList(act.sentTree(), state.tree.id));
  return choice === "discard";
}

/** @param {KeyboardEvent} event */
function onKeyDown(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !modes[state.mode].analyses) return;
  if (closest(event, "select, input, textarea")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  undoOrRedo(key === "y" || event.shiftKey ? "redo" : "undo");
  event.preventDefault();
}

export function bindHistory() {
  document.addEventListener("keydown", onKeyDown);
  onClick({ undoChange: () => undoOrRedo("undo"), redoChange: () => undoOrRedo("redo") });
}
