// Elements and texts of the page, for all modules.

import { byId, queryAll, scrollToMove } from "../../../../study/src/html_page/board.js";
import { TEXTS } from "../data.js";
import { state } from "./state.js";

/** Creates an element with its content.
 * @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @param {...(Node | string)} content @returns {HTMLElementTagNameMap[Tag]} */
export function createElement(tag, properties, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

/** Creates a button with data attributes.
 * @param {string} className @param {Record<string, string | number>} data @param {...(Node | string)} content */
export function createButton(className, data, ...content) {
  const button = createElement("button", { type: "button", className }, ...content);
  Object.assign(button.dataset, data);
  return button;
}

/** What is done when elements are clicked, by their ids. @param {Record<string, (event: MouseEvent) => unknown>} handlers */
export function onClick(handlers) {
  for (const [id, handler] of Object.entries(handlers)) byId(id).addEventListener("click", handler);
}

/** All buttons of a kind. @type {(selector: string) => HTMLButtonElement[]} */
export const queryButtons = (selector) => /** @type {HTMLButtonElement[]} */ (queryAll(selector));

/** What the program refuses to this page, with the reasons. @type {Map<string, string>} */
let refused = new Map();

/** Why the program refuses a kind of request to this page; nothing if it may ask. @param {string} kind */
export const refusal = (kind) => refused.get(kind) ?? null;

/** The program has said what it refuses: what would ask for it is grey, and says why. @param {Refusal[]} refusals */
export function setRefusals(refusals) {
  refused = new Map(refusals.flatMap(({ kinds, why }) => kinds.map((kind) => [kind, why])));
  for (const control of /** @type {Control[]} */ (queryAll("[data-asks]"))) setReason(control, null);
}

/** These controls send a request of this kind. @param {string} kind @param {...HTMLElement} controls */
export function asks(kind, ...controls) {
  for (const control of /** @type {Control[]} */ (controls)) {
    control.dataset.asks = kind;
    if (refusal(kind)) setReason(control, null);
  }
}

/** Disables a control and says why to who points at it, touches it or hears it; without a reason it can be used, unless what
 * it asks for is refused to this page. @param {Control} control @param {string | null} reason */
export function setReason(control, reason) {
  const why = refusal(control.dataset.asks ?? "") ?? reason;
  control.disabled = Boolean(why);
  // Of the field of a file the label is seen.
  const shown = control.type === "file" ? control.closest("label") ?? control : control;
  const text = why ?? control.ariaLabel;
  if (text) shown.title = text;
  else shown.removeAttribute("title");
}

// A finger does not point.
addEventListener("pointerup", ({ pointerType, target }) => {
  const button = target instanceof Element ? target.closest("[title]:is(:disabled, :has(:disabled))") : null;
  const title = button?.getAttribute("title");
  if (title && pointerType === "touch") showNotice(title);
});

/** @param {Element} element @param {boolean} isPressed */
export const setPressed = (element, isPressed) => element.setAttribute("aria-pressed", String(isPressed));

/** Marks the move that is shown. @param {Element} move @param {boolean} isCurrent */
export function setCurrent(move, isCurrent) {
  if (isCurrent) move.setAttribute("aria-current", "true");
  else move.removeAttribute("aria-current");
}

/** Keeps the current move of a list in sight when the list gets another size. @param {HTMLElement} list */
export function keepCurrentInSight(list) {
  new ResizeObserver(() => {
    const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
    if (current) scrollToMove(current, list);
  }).observe(list);
}

/** The language of the page, and how dates in it are written and texts read aloud. */
const language = document.documentElement.lang;
/** @type {Record<string, string>} */
const LOCALES = { en: "en-GB", zh: "zh-CN", "zh-Hant": "zh-TW" };
export const LOCALE = LOCALES[language] ?? language;
export const inChinese = language.startsWith("zh");
/** What stands between the parts of a list. */
export const COMMA = inChinese ? "、" : ", ";

const CHINESE = /^[\u4e00-\u9fff０-９]/;
/** A text with values in the place of their names in braces. A blank beside them falls away between Chinese and Chinese.
 * @param {string} text @param {Record<string, string | number>} values */
export const filled = (text, values) => text.replace(/( ?)\{(\w+)\}( ?)/g, (whole, before, name, behind, /** @type {number} */ at) => {
  const value = String(values[name] ?? `{${name}}`);
  /** @param {string} [letter] @param {string} [other] */
  const joins = (letter = "", other = "") => CHINESE.test(letter) && CHINESE.test(other);
  const [lead, tail] = [joins(text[at - 1], value[0]) ? "" : before, joins(value.at(-1), text[at + whole.length]) ? "" : behind];
  return lead + value + tail;
});

/** A text of the page with the names in braces filled in.
 * @param {string} name @param {Record<string, string | number>} values */
export const translation = (name, values = {}) => filled(TEXTS[name], values);

/** Shows texts in an element, one after the other: nothing stands between them after a full stop in Chinese.
 * @param {Element} element @param {...(string | null | undefined)} texts */
export function setText(element, ...texts) {
  const shown = texts.filter((text) => text !== null && text !== undefined);
  element.textContent = shown.reduce((before, text) => before + (!before || /[。！？：；，]$/.test(before) ? "" : " ") + text, "");
}

/** The element that an event is for, or the nearest around it of this kind.
 * @param {Event} event @param {string} selector @returns {HTMLElement | null} */
export const closest = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

/** Announces a text to screen readers. @param {string} text */
export const announce = (text) => { byId("spoken").textContent = text; };

/** Hides the message after a while. @type {number | undefined} */
let noticeTimer;

/** Whether the message stays: what it says is still so in another state. */
let isLasting = false;

/** Removes a message that is not about the whole page. */
export const dismissNotice = () => { if (!isLasting) showNotice(null); };

/** Says that something went well, unless there is a message that stays. @param {string} text */
export const confirmNotice = (text) => { if (!isLasting) showNotice(text); };

/** Shows a message on the line under the top, with buttons for choices; without choices it disappears after a while.
 * @param {string | null} text @param {[string, () => void][] | null} choices */
export function showNotice(text, choices = null) {
  const line = byId("notice");
  clearTimeout(noticeTimer);
  isLasting = Boolean(text && choices && !choices.length);
  line.hidden = !text;
  if (!text) return;
  line.replaceChildren(createElement("span", {}, text));
  // What does not fit can be read by pointing at it.
  line.title = text;
  for (const [name, action] of choices ?? []) {
    const button = createButton("deed", {}, translation(name));
    button.addEventListener("click", () => { showNotice(null); action(); });
    line.append(button);
  }
  if (!choices) noticeTimer = setTimeout(() => { line.hidden = true; }, 8000);
}

/** A small picture of a position. @param {Pieces} shown */
export function picture(shown) {
  const pieces = [...shown].map(([square, letter]) => (
    // Large, as the picture is small.
    `<use href="#piece-${letter}" transform="translate(${50 * "abcdefghi".indexOf(square[0])} ${50 * (9 - Number(square[1]))}) scale(1.35)"/>`
  ));
  const element = createElement("span", { className: "end-picture" });
  element.setAttribute("aria-hidden", "true");
  element.innerHTML = `<svg viewBox="-34 -34 468 518"><use href="#board-red"/>${pieces.join("")}</svg>`;
  return element;
}

/** @param {string} what @param {string} id @param {string} icon @param {string} kind The request that it sends. */
export function iconButton(what, id, icon, kind) {
  const button = createButton("fold", { [what]: id });
  const text = translation(what);
  button.innerHTML = `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${ICONS[icon]}"/></svg>`;
  button.setAttribute("aria-label", text);
  button.title = text;
  asks(kind, button);
  return button;
}
/** @type {Record<string, string>} */
const ICONS = { rename: "M4 16V12.5L13 3.5L16.5 7L7.5 16Z", delete: "M4 6H16M8 6V3.5H12V6M6 6L7 17H13L14 6" };
