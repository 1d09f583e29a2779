// What surrounds the states: the choices of the look, the menu of the rest, which is a sheet on a phone.

import { byId, queryAll } from "../../../../study/src/html_page/board.js";
import { closest, setPressed } from "./elements.js";
import { store } from "./store.js";

// --- the look ---

/** @type {Record<string, string>} */
const USUAL_LOOK = { pieces: "wood", board: "wood", coordinates: "chinese", octagons: "off" };
const USUAL_THEME = "system";
/** @param {string} name */
const lookOf = (name) => document.documentElement.dataset[name] ?? USUAL_LOOK[name] ?? USUAL_THEME;

/** All choices of the look by their names, for pictures. @returns {Record<string, string>} */
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

// Menus close with a click elsewhere and with Escape, and those that open upwards with a choice.
function bindMenus() {
  const menus = queryAll(".menu");
  document.addEventListener("click", (event) => {
    for (const menu of menus) if (closest(event, ".menu") !== menu || closest(event, ".up > div")) menu.removeAttribute("open");
  });
  document.addEventListener("keydown", (event) => {
    for (const menu of menus) {
      if (event.key !== "Escape" || !menu.hasAttribute("open")) continue;
      menu.removeAttribute("open");
      menu.querySelector("summary")?.focus();
    }
  });
}

// --- the menu of the rest ---

/** Opens the menu or the sheet of games, or closes them. @param {string} name */
export function openSheet(name) {
  document.body.dataset.sheet = name;
  for (const button of queryAll("[data-sheet]")) {
    if (button !== document.body) button.setAttribute("aria-expanded", String(button.dataset.sheet === name));
  }
}

/** What closes the menu, as its effect is to be seen: only fields and marks keep it open. */
const CLOSING = ".tile, .group button, .deed, #prune, #promote";

function bindSheet() {
  for (const button of queryAll("button[data-sheet]")) {
    button.addEventListener("click", (event) => {
      const isOpen = document.body.dataset.sheet === button.dataset.sheet;
      openSheet(isOpen ? "" : button.dataset.sheet ?? "");
      // Who opens it by keys goes on in it.
      if (!isOpen && event.detail === 0) byId(button.getAttribute("aria-controls") ?? "more").querySelector("button")?.focus();
      event.stopPropagation();
    });
  }
  document.addEventListener("click", (event) => {
    if (!document.body.dataset.sheet) return;
    if (!closest(event, ".sheet, .played") || closest(event, CLOSING)) openSheet("");
  });
  document.addEventListener("keydown", (event) => {
    const { sheet } = document.body.dataset;
    if (event.key !== "Escape" || !sheet) return;
    openSheet("");
    queryAll("button[data-sheet]").find((button) => button.dataset.sheet === sheet && button.checkVisibility())?.focus();
  });
}

export function bindFrame() {
  bindLook();
  bindMenus();
  bindSheet();
}
