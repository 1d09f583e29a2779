// What the shell says: one line over the page, with a bar while something is on its way, or with buttons.

const strip = (() => {
  const line = document.createElement("div");
  const text = document.createElement("p");
  const bar = document.createElement("progress");
  const buttons = document.createElement("span");
  Object.assign(line, { id: "shell", hidden: true });
  bar.hidden = true;
  line.setAttribute("role", "status");
  line.append(text, bar, buttons);
  document.body.append(line);

  /** What still has to be said. @type {[ShellText, [ShellText, () => void][]][]} */
  const waiting = [];

  /** @param {ShellText} content */
  function write({ zh, en }) {
    const half = (language, words) => Object.assign(document.createElement("span"), { className: language, lang: language, textContent: words });
    return [half("zh", zh), half("en", en)];
  }

  function next() {
    const [first] = waiting;
    line.hidden = !first;
    bar.hidden = true;
    if (!first) return;
    text.replaceChildren(...write(first[0]));
    buttons.replaceChildren(...first[1].map(([label, deed]) => {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "deed" });
      button.append(...write(label));
      button.addEventListener("click", () => { waiting.shift(); next(); deed(); });
      return button;
    }));
  }

  return {
    /** Says how far something is, from 0 to 1, or `null` where that is not known. @param {ShellText} content @param {number | null} part */
    progress(content, part) {
      line.hidden = bar.hidden = false;
      text.replaceChildren(...write(content));
      buttons.replaceChildren();
      if (part === null) bar.removeAttribute("value");
      else bar.value = part;
    },
    /** Ends the progress. */
    done: next,
    /** Asks something, after what was asked before. @param {ShellText} content @param {[ShellText, () => void][]} choices */
    ask(content, choices) {
      waiting.push([content, choices]);
      if (bar.hidden && waiting.length === 1) next();
    },
    /** Shows a text on an element in both languages. @param {Element} element @param {ShellText} content */
    label: (element, content) => element.replaceChildren(...write(content)),
  };
})();
