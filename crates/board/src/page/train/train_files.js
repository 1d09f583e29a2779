// The files of the training: cards and answers for another device, for a pupil and back, and a sheet to print.

import { byId } from "../../../../study/src/html_page/board.js";
import { asks, queryButtons, showNotice, translation } from "../core/elements.js";
import { saveDownload, toBase64 } from "../core/save_file.js";
import { changed, chosenCards, chosenDeck } from "./train_cards.js";
import { ask } from "./training.js";

/** The file that is imported, until it is known whose it is. @type {File | null} */
let imported = null;

/** @param {string} what */
async function exportCards(what) {
  const deck = chosenDeck();
  saveDownload(await ask("export", { ...what === "all" || deck === null ? {} : { deck }, answers: what !== "pupil" }));
}

/** @param {string | undefined} deck */
async function importCards(deck) {
  const file = imported;
  if (!file) return;
  imported = null;
  const bytes = toBase64(new Uint8Array(await file.arrayBuffer()));
  const reply = await ask("import", { bytes, name: file.name, ...deck === undefined ? {} : { deck } });
  if (reply.cards === undefined) return;
  await changed();
  const { cards, answers = 0, known = 0, bad = 0 } = reply;
  showNotice(translation(bad ? "importedBad" : "imported", { cards, answers, known, bad }));
}

export function bindTrainFiles() {
  for (const button of queryButtons("[data-export-cards]")) {
    button.addEventListener("click", () => exportCards(button.dataset.exportCards ?? ""));
  }
  const [field, dialog] = [byId("cardFile"), byId("importDialog")];
  asks("train import", field);
  field.addEventListener("change", () => {
    imported = field.files?.[0] ?? null;
    field.value = "";
    if (!imported) return;
    byId("importDeck").value = imported.name.replace(/\.\w+$/, "");
    dialog.returnValue = "";
    dialog.showModal();
  });
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "own") importCards(undefined);
    else if (dialog.returnValue === "deck") importCards(byId("importDeck").value.trim());
  });
  const sheet = byId("sheetDialog");
  byId("sheetOfChosen").addEventListener("click", () => {
    byId("sheetTitle").value ||= translation("sheetTitle");
    sheet.returnValue = "";
    sheet.showModal();
  });
  sheet.addEventListener("close", async () => {
    if (sheet.returnValue !== "save") return;
    const perPage = byId("perPage").value === "4" ? 4 : 6;
    saveDownload(await ask("sheet", { ids: chosenCards(), title: byId("sheetTitle").value, per_page: perPage }));
  });
}
