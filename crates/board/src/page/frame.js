// What surrounds the modes: the choices of the look, the menus, the sheets of a phone, the dialog of a new game.

import { byId, queryAll } from "./board.js";
import { closest, setPressed, setText } from "./elements.js";
import { levelName } from "./play_view.js";
import { store } from "./store.js";
import { tree } from "./tree.js";

// --- the look ---

/** @type {Record<string, string>} */
const USUAL_LOOK = { pieces: "wood", board: "wood", coordinates: "chinese", octagons: "off" };
/** @param {string} name */
const lookOf = (name) => document.documentElement.dataset[name] ?? USUAL_LOOK[name];

/** All choices of the look by their names. @returns {Record<string, string>} */
export const currentLook = () => Object.fromEntries(Object.keys(USUAL_LOOK).map((name) => [name, lookOf(name)]));

function renderLook() {
  for (const button of queryAll("[data-set]")) setPressed(button, lookOf(button.dataset.set ?? "") === button.dataset.value);
}

function bindLook() {
  for (const button of queryAll("[data-set]")) {
    const { set: name = "", value = "" } = button.dataset;
    button.addEventListener("click", () => {
      document.documentElement.dataset[name] = value;
      store.set(name, value);
      renderLook();
    });
  }
  renderLook();
}

// A menu closes with a click elsewhere, with Escape, and when something of it was chosen.
function bindMenus() {
  document.addEventListener("click", (event) => {
    for (const menu of queryAll(".menu[open]")) {
      const isSettings = menu.id === "settings";
      const stays = isSettings ? closest(event, "#settings") : closest(event, "summary")?.parentElement === menu;
      if (!stays) menu.removeAttribute("open");
    }
  });
  document.addEventListener("keydown", (event) => {
    const [menu] = queryAll(".menu[open]");
    if (event.key !== "Escape" || !menu) return;
    menu.removeAttribute("open");
    menu.querySelector("summary")?.focus();
  });
}

// --- sheets ---

/** Opens a sheet, or closes the open one. @param {string} name */
export function openSheet(name) {
  document.body.dataset.sheet = name;
  for (const button of queryAll(".dock [data-sheet]")) button.setAttribute("aria-expanded", String(button.dataset.sheet === name));
}

/** What closes a sheet, as its effect is to be seen: only fields, menus and switches keep the sheet open. */
const CLOSING = ".tile[data-request], .tile[data-go], .deed:not(#review), .menu button, [data-branch], [data-node], .counts button";

function bindSheets() {
  for (const button of queryAll(".dock [data-sheet]")) {
    const { sheet = "" } = button.dataset;
    button.addEventListener("click", (event) => {
      openSheet(document.body.dataset.sheet === sheet ? "" : sheet);
      event.stopPropagation();
    });
  }
  document.addEventListener("click", (event) => {
    if (!document.body.dataset.sheet) return;
    if (!closest(event, ".more, .files") || closest(event, CLOSING)) openSheet("");
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && document.body.dataset.sheet) openSheet(""); });
  for (const tab of queryAll("[data-mode-of]")) {
    tab.addEventListener("click", () => openSheet(tab.dataset.modeOf === "games" && tree.nodes.length === 1 ? "files" : ""));
  }
}

// --- a new game ---

function bindNewGame() {
  const dialog = byId("beginning");
  const level = /** @type {HTMLInputElement} */ (byId("begin").elements.namedItem("level"));
  const renderLevel = () => setText(byId("levelToBegin"), levelName(Number(level.value)));
  level.addEventListener("input", renderLevel);
  for (const name of ["newGame", "otherGame"]) {
    byId(name).addEventListener("click", () => {
      level.value = byId("level").value;
      renderLevel();
      dialog.showModal();
    });
  }
  byId("notBegin").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}

export function bindFrame() {
  bindLook();
  bindMenus();
  bindSheets();
  bindNewGame();
}
