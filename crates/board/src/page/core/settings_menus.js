// What surrounds the states: the choices of the look, the menu of the rest, which is a sheet on a phone.

import { byId, queryAll } from "../../../../study/src/html_page/board.js";
import { asks, closest, setPressed, setText, translation } from "./elements.js";
import { transport } from "./transport.js";
import { act, modes, state } from "./state.js";
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

/** The name of the user, "" if it was not told. A setting is a word, and a name may be Chinese: its bytes as digits. */
export function myName() {
  const bytes = (store.get("my-name") ?? "").match(/[0-9a-f]{2}/g) ?? [];
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => parseInt(byte, 16)));
}

function bindListed() {
  for (const list of /** @type {HTMLSelectElement[]} */ (queryAll("[data-listed]"))) {
    const name = list.dataset.listed ?? "";
    // These are of the whole program.
    asks("set-setting", list);
    list.value = store.get(name) ?? list.value;
    list.addEventListener("change", async () => {
      store.set(name, list.value);
      // The engine begins again with what it may take now.
      if (name === "threads" || name === "hash") { await store.flushed(); if (modes[state.mode].analyses) act.startAnalysis(); }
      // All moves are written anew.
      if (name === "notation") { await store.flushed(); location.reload(); }
    });
  }
  byId("myName").value = myName();
  byId("myName").addEventListener("change", () => {
    const bytes = [...new TextEncoder().encode(byId("myName").value.trim())].slice(0, 39);
    store.set("my-name", bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("") || "none");
  });
  byId("settings").addEventListener("toggle", async () => {
    const room = await transport.send("review-room").catch(() => null);
    const megabytes = ((room?.bytes ?? 0) / (1 << 20)).toFixed(1);
    if (room?.count !== undefined) setText(byId("reviewRoom"), translation("reviewRoom", { count: room.count, megabytes }));
  });
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

export function bindSettingsMenus() {
  bindLook();
  bindListed();
  bindMenus();
  bindSheet();
}
