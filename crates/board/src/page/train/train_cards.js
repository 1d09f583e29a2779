// The cards: searched, chosen, exercised, edited, moved to a deck, dropped and brought back.

import { byId, piecesAfter } from "../../../../study/src/html_page/board.js";
import { asks, closest, createButton, createElement, iconButton, onClick, picture, queryButtons, setText, showNotice, translation } from "../core/elements.js";
import { copyText } from "../core/save_file.js";
import { recordedName, recordedTitle } from "../core/players.js";
import { act, refresh, state } from "../core/state.js";
import { ask, dayText, offset, readToday, screens } from "./training.js";
import { transport } from "../core/transport.js";

/** How many cards come at once, and how long the typing of a search rests before it is sent. */
const [PART, TYPING_PAUSE] = [60, 150];

/** What is known of the list. */
const list = { total: 0, found: 0, cards: /** @type {TrainCard[]} */ ([]) };
/** Replies to older searches are not shown. */
let search = 0;
/** The cards that are chosen, by their ids. @type {Set<string>} */
const chosen = new Set();

/** The deck that is chosen: null for all. */
export const chosenDeck = () => (byId("cardDeck").value === "*" ? null : byId("cardDeck").value);
export const chosenCards = () => [...chosen];

/** A part of the cards that are searched for. @param {number} from */
function askForCards(from) {
  const [deck, kind, text] = [chosenDeck(), byId("cardKind").value, byId("cardSearch").value];
  return ask("cards", {
    offset: offset(), from, count: PART, ...text ? { text } : {}, ...deck === null ? {} : { deck },
    ...kind === "flagged" ? { flagged: true } : kind ? { kind: /** @type {CardKind} */ (kind) } : {},
  });
}

/** Chooses all that are found, also those that are not listed yet. */
async function chooseFound() {
  for (let from = 0, found = 1; from < found;) {
    const { cards, found: count } = await askForCards(from);
    if (!cards?.length) break;
    for (const { id } of cards) chosen.add(id);
    [from, found] = [from + cards.length, count ?? 0];
  }
  refresh();
}

/** Reads the list, or its next part. @param {number} from */
async function readCards(from = 0) {
  const current = ++search;
  const reply = await askForCards(from);
  if (current !== search || !reply.cards) return;
  Object.assign(list, { total: reply.total, found: reply.found, cards: [...list.cards.slice(0, from), ...reply.cards] });
  if (state.mode === "train" && state.screen === "cards") refresh();
}

// --- rows ---

/** @param {TrainCard} card @returns {string} */
function titleOf({ played, lost, side, kind }) {
  if (played) return translation("cardPlayed", { name: played.name, lost: Math.round(100 * lost) });
  return kind === "ruling" ? translation("rulingCard") : translation(`${side}Turn`);
}

/** @param {TrainCard} card @returns {string} */
function aboutOf({ player, move_number: number, title, opening, date, deck, due, answers, note }) {
  const other = title.split(" – ").find((name) => name !== player) ?? "";
  const who = player ? translation("cardOf", { player: recordedName(player, other), number }) : "";
  const next = due ? translation("cardDue", { day: dayText(due), count: answers }) : translation("cardNew");
  return [next, who, recordedTitle(title), opening, date.replaceAll(".", "-"), deck, note].filter(Boolean).join(" · ");
}

/** @param {TrainCard} card */
function row(card) {
  const { id, fen, moves, flagged } = card;
  const title = titleOf(card);
  const mark = createElement("input", { type: "checkbox", checked: chosen.has(id) });
  mark.setAttribute("aria-label", `${translation("choose")}: ${title}`);
  const name = createElement("b", { className: flagged ? "flagged" : "" }, title);
  const text = createElement("span", {}, name, createElement("small", {}, aboutOf(card)));
  const open = createButton("game-text", { exercise: id }, picture(piecesAfter(fen, moves)), text);
  const element = createElement("li", { className: "game" }, mark, open, iconButton("edit", id, "rename", "train edit"), iconButton("drop", id, "delete", "train drop"));
  Object.assign(element.dataset, { part: "card", id });
  return element;
}

function renderCards() {
  const { total, found, cards } = list;
  setText(byId("cardCount"), translation(found === total ? "cardsInAll" : "cardsFound", { found, total }));
  byId("cardSearch").placeholder = translation("searchCards");
  byId("noCards").hidden = total > 0;
  byId("chooseFound").hidden = found === 0;
  byId("moreCards").hidden = cards.length >= found;
  renderDecks();
  renderChosen();
  // What has the focus is not replaced unless the list is another one.
  const shown = JSON.stringify([[...chosen], cards]);
  const rows = byId("cardRows");
  if (rows.dataset.state === shown) return;
  rows.dataset.state = shown;
  const focused = document.activeElement?.closest("#cardRows li");
  const at = focused ? [...rows.children].indexOf(focused) : -1;
  rows.replaceChildren(...cards.map(row));
  if (at >= 0) /** @type {HTMLElement | null} */ (rows.children[Math.min(at, cards.length - 1)]?.querySelector(".game-text"))?.focus();
}

function renderDecks() {
  const decks = [["*", translation("allDecks")], ["", translation("ownDeck")]];
  for (const { name } of state.today?.decks ?? []) if (name) decks.push([name, name]);
  const [field, options] = [byId("cardDeck"), decks.map(([value, text]) => createElement("option", { value }, text))];
  const value = field.options.length ? field.value : "*";
  field.replaceChildren(...options);
  field.value = decks.some(([name]) => name === value) ? value : "*";
  byId("deckNames").replaceChildren(...decks.slice(2).map(([name]) => createElement("option", { value: name })));
}

function renderChosen() {
  byId("chosenCards").hidden = !chosen.size;
  setText(byId("chosenCardCount"), translation("cardsChosen", { count: chosen.size }));
}

// --- what is done with cards ---

/** @param {string[]} ids */
export async function dropCards(ids) {
  const { count } = await ask("drop", { ids });
  for (const id of ids) chosen.delete(id);
  await changed();
  if (count) showNotice(translation("cardsDropped", { count }), [["undoDelete", undrop], ["dismiss", () => {}]]);
}

async function undrop() {
  await ask("undrop", {});
  await changed();
}

/** The cards are others now. */
export async function changed() {
  if (state.screen === "cards") await readCards();
  await readToday();
}

/** Edits a card, or moves several to a deck. @param {Pick<TrainCard, "id" | "deck" | "note" | "flagged">[]} cards
 * @param {{fen: string, moves: string[]} | null} position Whose link may be copied. @param {() => void} whenDone */
export function editCards(cards, position, whenDone) {
  const [dialog, [{ deck, note, flagged }]] = [byId("cardDialog"), cards];
  const isOne = cards.length === 1;
  const [noteField, deckField, flag] = [byId("noteOfCard"), byId("deckOfCard"), byId("flagOfCard")];
  Object.assign(noteField, { value: note });
  Object.assign(deckField, { value: deck });
  flag.checked = flagged;
  for (const part of dialog.querySelectorAll("[data-one]")) part.toggleAttribute("hidden", !isOne);
  byId("linkOfCard").hidden = !position;
  byId("linkOfCard").onclick = async () => {
    if (!position) return;
    const fields = new URLSearchParams({ fen: position.fen, ...position.moves.length ? { moves: position.moves.join(" ") } : {} });
    copyText(await transport.sharedAddress(fields.toString()));
  };
  dialog.returnValue = "";
  dialog.onclose = async () => {
    if (dialog.returnValue !== "save") return;
    const next = { deck: deckField.value.trim(), ...isOne ? { note: noteField.value, flagged: flag.checked } : {} };
    for (const card of cards) if (!(await ask("edit", { id: card.id, ...next })).error) Object.assign(card, next);
    whenDone();
  };
  dialog.showModal();
}

/** @param {string} id */
const cardBy = (id) => list.cards.find((card) => card.id === id);

/** @param {Event} event */
function onRowClick(event) {
  const { exercise, edit, drop } = closest(event, "button")?.dataset ?? {};
  const card = cardBy(edit ?? "");
  if (exercise) act.startExercise({ ids: [exercise] });
  else if (drop) dropCards([drop]);
  else if (card) editCards([card], card, changed);
}

/** The screen answers at once; the pictures of the rows take a phone longer, and come a frame later. */
function showRowsLater() {
  byId("cardRows").hidden = true;
  requestAnimationFrame(() => setTimeout(() => { byId("cardRows").hidden = false; }));
}

export function bindCards() {
  asks("train edit", byId("moveChosen"));
  asks("train drop", byId("dropChosen"));
  screens.cards = { render: renderCards, enter: () => { showRowsLater(); readCards(); } };
  let timer = 0;
  byId("cardSearch").addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(readCards, TYPING_PAUSE);
  });
  for (const id of /** @type {const} */ (["cardDeck", "cardKind"])) byId(id).addEventListener("change", () => readCards());
  onClick({ moreCards: () => readCards(list.cards.length), cardRows: onRowClick });
  byId("cardRows").addEventListener("change", (event) => {
    const [box, id] = [/** @type {HTMLInputElement} */ (event.target), closest(event, "li")?.dataset.id];
    if (!id) return;
    if (box.checked) chosen.add(id);
    else chosen.delete(id);
    renderChosen();
  });
  onClick({ chooseFound, exerciseChosen: () => act.startExercise({ ids: [...chosen] }) });
  byId("moveChosen").addEventListener("click", () => {
    editCards([...chosen].map((id) => cardBy(id) ?? { id, deck: "", note: "", flagged: false }), null, changed);
  });
  onClick({ dropChosen: () => dropCards([...chosen]), chooseNoCards: () => { chosen.clear(); refresh(); } });
  for (const button of queryButtons("dialog [data-close]")) button.addEventListener("click", () => button.closest("dialog")?.close(""));
}
