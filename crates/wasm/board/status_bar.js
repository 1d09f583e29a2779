// A line above the page, with a bar while something is on its way, or with buttons.

const line = document.createElement("div");
const text = document.createElement("p");
const bar = document.createElement("progress");
const buttons = document.createElement("span");
Object.assign(line, { id: "shell", hidden: true });
bar.hidden = true;
line.setAttribute("role", "status");
line.append(text, bar, buttons);
document.body.append(line);

/** A button: its label, and what it does. @typedef {[string, () => void]} Choice */

/** The questions that still have to be asked. @type {[string, Choice[]][]} */
const questions = [];

function showQuestion() {
  const [question] = questions;
  line.hidden = !question;
  bar.hidden = true;
  if (!question) return;
  text.textContent = question[0];
  buttons.replaceChildren(...question[1].map(([label, action]) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "deed" });
    button.textContent = label;
    button.addEventListener("click", () => { questions.shift(); showQuestion(); action(); });
    return button;
  }));
}

/** Says how far something is, from 0 to 1, or `null` where that is not known.
 * @param {string} content @param {number | null} part */
export function showProgress(content, part) {
  line.hidden = bar.hidden = false;
  text.textContent = content;
  buttons.replaceChildren();
  if (part === null) bar.removeAttribute("value");
  else bar.value = part;
}

/** Ends the progress. */
export const endProgress = showQuestion;

/** Asks something, after what was asked before. @param {string} content @param {Choice[]} choices */
export function ask(content, choices) {
  questions.push([content, choices]);
  if (bar.hidden && questions.length === 1) showQuestion();
}

/** An error with a text for the page; after one that is `final` nothing is tried again. */
export class ShellError extends Error {
  /** @param {string} text @param {boolean} final */
  constructor(text, final = true) {
    super(text);
    this.text = text;
    this.final = final;
  }
}
