// Elements and texts of the page, for all scripts.

/** @typedef {{zh: string, en: string}} Both A text in both languages. */

/** Creates an element with its content.
 * @param {string} tag @param {object} properties @param {...(Node | string)} content */
function make(tag, properties, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

/** Creates a button with a data attribute.
 * @param {string} className @param {Object<string, any>} data @param {...(Node | string)} content */
function makeButton(className, data, ...content) {
  const button = make("button", { type: "button", className }, ...content);
  Object.assign(button.dataset, data);
  return button;
}

/** The elements of a text in both languages. @param {Both} text */
function both({ zh, en }) {
  const whole = document.createDocumentFragment();
  whole.append(make("span", { className: "zh", lang: "zh" }, zh), make("span", { className: "en", lang: "en" }, en));
  return whole;
}

/** A text of the page with the names in braces filled in.
 * @param {string} name @param {Object<string, any>} names @returns {Both} */
function words(name, names = {}) {
  const fill = (text) => text.replace(/\{(\w+)\}/g, (whole, hole) => names[hole] ?? whole);
  return { zh: fill(WORDS[name].zh), en: fill(WORDS[name].en) };
}

/** A text in the current language. @type {(text: Both) => string} */
const plain = (text) => text[document.documentElement.dataset.language];

/** @param {Element} element @param {...(Both | null | undefined)} texts */
function write(element, ...texts) {
  element.replaceChildren(...texts.filter(Boolean).flatMap((text, index) => (index ? [" ", both(text)] : [both(text)])));
}

/** The element that an event is for, or the nearest around it of this kind.
 * @param {Event} event @param {string} selector @returns {HTMLElement | null} */
const closest = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

/** Announces a text to screen readers. @param {string} text */
const speak = (text) => { byId("spoken").textContent = text; };

/** Hides the message after a while. @type {number | undefined} */
let noticeTimer;

/** Shows a message above the board, with buttons for choices; without choices it disappears after a while.
 * @param {Both | null} text @param {[string, () => void][] | null} choices */
function notice(text, choices = null) {
  const line = byId("notice");
  clearTimeout(noticeTimer);
  line.hidden = !text;
  if (!text) return;
  write(line, text);
  for (const [name, deed] of choices ?? []) {
    const button = makeButton("deed", {}, both(words(name)));
    button.addEventListener("click", () => { notice(null); deed(); });
    line.append(" ", button);
  }
  if (!choices) noticeTimer = setTimeout(() => { line.hidden = true; }, 8000);
}
