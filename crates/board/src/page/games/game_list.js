// The list of games: all that were played, opened and kept. Only the rows in sight are in the page; the summaries of the
// games are asked for when they come into sight.

import { showPlace } from "../core/address.js";
import { byId, piecesOf } from "../../../../study/src/html_page/board.js";
import { asks, closest, confirmNotice, createButton, createElement, iconButton, inChinese, onClick, picture, queryButtons, refusal, setText, showNotice, translation } from "../core/elements.js";
import { mayReplace } from "../core/undo_redo.js";
import { enterMode } from "../core/modes.js";
import { own } from "../core/players.js";
import { saveDownload } from "../core/save_file.js";
import { request } from "../core/session.js";
import { provide, state } from "../core/state.js";
import { loadTree, sentTree } from "../core/tree.js";

/** The height of a row in pixels, as the style has it; a browser has no elements of many millions. */
const ROW = 68;
/** How many summaries are asked for at once, and how many rows above and below those in sight are there. */
const PART = 50;
const MARGIN = 4;
/** How long the typing of a search rests before it is sent, in milliseconds. */
const TYPING_PAUSE = 50;

/** What is known of the list: how many games there are, how many were found, their summaries by their places, the folders. */
const list = { total: 0, found: 0, games: /** @type {Map<number, ListedGame>} */ (new Map()), folders: /** @type {GameFolder[]} */ ([]) };
/** The parts that were asked for. @type {Set<number>} */
const asked = new Set();
/** Replies to older searches are not shown. */
let search = 0;
/** The games that are chosen, by their numbers. @type {Set<string>} */
const chosen = new Set();
/** The game whose name is written. */
let renamed = "";

/** @returns {GameFilter} */
function filter() {
  const [result, source, sort] = [byId("gameResult").value, byId("gameSource").value, byId("gameSort").value];
  const folder = byId("gameFolder").value;
  return {
    search: byId("gameSearch").value,
    ...result ? { result } : {}, ...source ? { source: /** @type {GameSource} */ (source) } : {},
    ...sort ? { sort: /** @type {GameOrder} */ (sort) } : {}, ...folder ? { folder: Number(folder) } : {},
  };
}

/** Reads the list again from where it is scrolled to. */
export async function readGames() {
  search += 1;
  asked.clear();
  const first = Math.floor(byId("gameList").scrollTop / ROW);
  await readPart(Math.floor(first / PART) * PART);
}

/** @param {number} from */
async function readPart(from) {
  asked.add(from);
  const current = search;
  const reply = await request("list-games", { ...filter(), from, count: PART });
  if (current !== search || !reply.games) return;
  // The first reply of a search takes the place of what was there.
  if (asked.size === 1) list.games.clear();
  Object.assign(list, { total: reply.total ?? 0, found: reply.found ?? 0, folders: reply.folders ?? [] });
  reply.games.forEach((game, index) => list.games.set((reply.from ?? 0) + index, game));
  if (state.mode === "games") renderGameList();
}

// --- rows ---

/** @type {Record<string, string>} */
const RESULTS = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" };

/** A player's name; the user's own games have "Player". @param {string} name @param {GameSource} source @returns {string} */
function player(name, source) {
  if (source === "played" && name === "Player") return own();
  if (source === "played" && name.startsWith("Chuhe ")) return inChinese ? "楚河" : "Chuhe";
  return name || "?";
}

/** The level of the engine in words. @param {string} level @returns {string | null} */
function levelText(level) {
  const [, number] = level.match(/^level (\d+)$/) ?? [];
  if (number) return translation("levelNumber", { level: number });
  const [, elo] = level.match(/^elo (\d+)$/) ?? [];
  if (elo) return translation("eloNumber", { elo });
  return level || null;
}

/** The title of a game: its name, or its players. @param {GameSummary} game @returns {string} */
function titleOf({ name, red, black, source, event }) {
  if (name) return name;
  if (!red && !black && event) return event;
  return `${player(red, source)} – ${player(black, source)}`;
}

/** @param {GameSummary} game */
function aboutOf({ date, moves, opening, level, source, file, folder }) {
  const count = moves < 3 ? translation("oneMove") : translation("moveCount", { moves: Math.ceil(moves / 2) });
  const from = file || translation(`source-${source}`);
  const parts = [date.replaceAll(".", "-"), count];
  const name = byId("gameFolder").value ? "" : list.folders.find(({ id }) => id === folder)?.name;
  if (name) parts.unshift(inChinese ? `［${name}］` : `[${name}]`);
  for (const part of [opening, source === "played" ? levelText(level) : null, from]) if (part) parts.push(part);
  return parts.join(" · ");
}

/** The accuracies and the marks of a game that was reviewed. @param {ReviewSummary} review */
function reviewOf({ red, black, is_stale }) {
  const marks = /** @type {const} */ ([["dubious", "?!"], ["mistakes", "?"], ["blunders", "??"]]);
  /** @param {typeof red} side @param {Side} color */
  const part = (side, color) => {
    const counts = marks.flatMap(([name, sign]) => (side[name] ? [` ${side[name]} ${sign}`] : []));
    const accuracy = side.accuracy === null ? "–" : Math.round(side.accuracy);
    const { dubious, mistakes, blunders } = side;
    const values = { side: translation(color), accuracy, dubious, mistakes, blunders };
    const element = createElement("span", { className: color }, createElement("b", {}, `${accuracy} %`), createElement("span", { className: "counts" }, counts.join("")));
    element.setAttribute("role", "img");
    element.ariaLabel = element.title = translation("sideAccuracy", values);
    return element;
  };
  const line = createElement("small", { className: "of-review" }, translation("accuracy"), part(red, "red"), part(black, "black"));
  if (is_stale) line.append(createElement("span", { title: translation("oldNetwork") }, translation("old")));
  return line;
}

/** @param {ListedGame} game @param {number} index */
function row(game, index) {
  const { id, result } = game;
  const title = titleOf(game);
  const mark = createElement("input", { type: "checkbox", checked: chosen.has(id) });
  mark.setAttribute("aria-label", `${translation("choose")}: ${title}`);
  const name = createElement("b", {}, title);
  const about = createElement("small", { className: game.review ? "brief" : "" }, aboutOf(game));
  const open = createButton("game-text", { open: id }, picture(piecesOf(game.end)), createElement("span", {}, name, about, ...(game.review ? [reviewOf(game.review)] : [])));
  open.setAttribute("aria-current", String(state.tree.id === id));
  const score = createElement("span", { className: "game-result" }, RESULTS[result] ?? "*");
  const rename = iconButton("rename", id, "rename", "rename-game");
  const remove = iconButton("remove", id, "delete", "delete-games");
  const content = renamed === id ? [mark, nameField(game), score] : [mark, open, score, rename, remove];
  const element = createElement("li", { className: "game" }, ...content);
  Object.assign(element.dataset, { part: "game", id, ...(game.review ? { reviewed: "true" } : {}) });
  element.style.top = `${index * ROW}px`;
  element.setAttribute("aria-setsize", String(list.found));
  element.setAttribute("aria-posinset", String(index + 1));
  return element;
}

/** Where the name of a game is written. @param {GameSummary} game */
function nameField(game) {
  const field = createElement("input", { className: "game-name", value: game.name || titleOf(game), maxLength: 60 });
  field.dataset.nameOf = game.id;
  field.setAttribute("aria-label", translation("rename"));
  return field;
}

/** Shows the rows that are in sight. */
export function renderGameList() {
  const frame = byId("gameList");
  const { scrollTop, clientHeight } = frame;
  const first = Math.max(0, Math.floor(scrollTop / ROW) - MARGIN);
  const last = Math.min(list.found, Math.ceil((scrollTop + clientHeight) / ROW) + MARGIN);
  const rows = [];
  for (let index = first; index < last; index++) {
    const game = list.games.get(index);
    const part = Math.floor(index / PART) * PART;
    if (game) rows.push(row(game, index));
    else if (!asked.has(part)) readPart(part);
  }
  const field = document.activeElement instanceof HTMLInputElement && document.activeElement.matches(".game-name");
  if (field && rows.some((element) => element.dataset.id === renamed)) return;
  const rowsOf = byId("gameRows");
  rowsOf.style.height = `${list.found * ROW}px`;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest("#gameRows li button, #gameRows li input"));
  const [focusedId, place] = [focused?.closest("li")?.dataset.id, focused ? [...focused.parentElement?.children ?? []].indexOf(focused) : -1];
  rowsOf.replaceChildren(...rows);
  if (focusedId) {
    const again = rows.find((element) => element.dataset.id === focusedId)?.children[place];
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }
  renderCounts();
}

/** What the folders, which come with the list, know of it. */
const listForFolders = { chosen: () => [...chosen], folders: () => list.folders, read: () => readGames() };

/** Without a connection the folders are not there. */
const renderFolders = async () => (await import("./folders.js").catch(() => null))?.renderFolders(listForFolders);

function renderCounts() {
  renderFolders();
  const isFiltered = list.found !== list.total;
  setText(byId("gameCount"), translation(isFiltered ? "gamesFound" : "gamesInAll", { found: list.found, total: list.total }));
  byId("noGames").hidden = list.total > 0;
  byId("gameSearch").placeholder = translation("searchGames");
  byId("gameDeeds").hidden = !chosen.size;
  setText(byId("chosenCount"), translation("gamesChosen", { count: chosen.size }));
}

// --- what is done with games ---

/** Puts a game into the list, in its own place if it has one that may be changed; returns its number, "" if it is not kept.
 * @param {SentTree} sent @param {string} id @returns {Promise<string>} */
async function keepInList(sent, id = "") {
  const keeps = id && !refusal("replace-game") ? request("replace-game", { tree: sent, id }) : request("keep-game", { tree: sent });
  const [kept] = (await keeps).ids ?? [];
  if (!kept) return "";
  confirmNotice(translation("keptInList"));
  return kept;
}

/** Opens a game of the list; returns whether it is open. @param {string} id */
export async function openListedGame(id) {
  const reply = await request("open-game", { id });
  if (!reply.tree || !await mayReplace()) return false;
  loadTree(reply.tree, id);
  enterMode("analyse");
  return true;
}

/** @param {string[]} ids */
async function removeGames(ids) {
  const { count } = await request("delete-games", { ids });
  for (const id of ids) chosen.delete(id);
  await readGames();
  if (count) showNotice(translation("gamesDeleted", { count }), [["undoDelete", restoreGames], ["dismiss", () => {}]]);
}

async function restoreGames() {
  const { count } = await request("restore-games");
  await readGames();
  if (count) showNotice(translation("gamesRestored", { count }));
}

/** @param {string} format */
async function exportGames(format) {
  saveDownload(await request("export-games", { ids: [...chosen], format }));
}

async function chooseAll() {
  for (const id of (await request("game-ids", filter())).ids ?? []) chosen.add(id);
  renderGameList();
}

/** @param {HTMLInputElement} field @param {boolean} isKept */
async function endRename(field, isKept) {
  const id = field.dataset.nameOf ?? "";
  if (renamed !== id) return;
  renamed = "";
  field.blur();
  if (isKept) await request("rename-game", { id, name: field.value });
  await readGames();
}

/** Shows the games of a file that was opened: they are the latest. */
export function showOpenedGames() {
  Object.assign(byId("gameSearch"), { value: "" });
  Object.assign(byId("gameResult"), { value: "" });
  Object.assign(byId("gameSource"), { value: "" });
  Object.assign(byId("gameSort"), { value: "" });
  Object.assign(byId("gameFolder"), { value: "" });
  byId("gameList").scrollTop = 0;
  if (state.mode === "games") readGames();
  else enterMode("games");
}

/** @param {MouseEvent} event */
function onRowClick(event) {
  const button = closest(event, "button");
  const { open, rename, remove } = button?.dataset ?? {};
  if (open) openListedGame(open);
  else if (remove) removeGames([remove]);
  else if (rename) {
    renamed = rename;
    renderGameList();
    const field = /** @type {HTMLInputElement | null} */ (document.querySelector(".game-name"));
    field?.select();
  }
}

export function bindGameList() {
  let timer = 0;
  const searchSoon = (pause = 0) => {
    clearTimeout(timer);
    timer = setTimeout(() => { byId("gameList").scrollTop = 0; readGames(); }, pause);
  };
  byId("gameSearch").addEventListener("input", () => searchSoon(TYPING_PAUSE));
  for (const id of ["gameResult", "gameSource", "gameSort"]) byId(id).addEventListener("change", () => searchSoon());
  let frame = 0;
  byId("gameList").addEventListener("scroll", () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(renderGameList);
  });
  new ResizeObserver(() => { if (state.mode === "games") renderGameList(); }).observe(byId("gameList"));
  const rows = byId("gameRows");
  rows.addEventListener("click", onRowClick);
  rows.addEventListener("change", (event) => {
    const [box, id] = [/** @type {HTMLInputElement} */ (event.target), closest(event, "li")?.dataset.id];
    if (box.type !== "checkbox" || !id) return;
    if (box.checked) chosen.add(id);
    else chosen.delete(id);
    renderCounts();
  });
  rows.addEventListener("keydown", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (!field.matches(".game-name") || !["Enter", "Escape"].includes(event.key)) return;
    event.stopPropagation();
    endRename(field, event.key === "Enter");
  });
  rows.addEventListener("focusout", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.matches(".game-name")) endRename(field, true);
  });
  asks("delete-games", byId("deleteChosen"));
  for (const button of queryButtons("[data-export]")) button.addEventListener("click", () => exportGames(button.dataset.export ?? ""));
  onClick({ chooseAll, chooseNone: () => { chosen.clear(); renderGameList(); }, deleteChosen: () => removeGames([...chosen]) });
  byId("keepTree").addEventListener("click", async () => {
    const kept = state.tree;
    const id = await keepInList(sentTree(), kept.id);
    if (!id) return;
    Object.assign(kept, { id, edited: false });
    if (state.tree === kept) showPlace(true);
  });
}

provide({ keepInList, openListedGame });
