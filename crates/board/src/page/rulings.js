// Rulings: repetitions of the association's rule book, and who loses by them.

import { byId } from "./board.js";
import { announce, bilingual, closest, createButton, localized, queryButtons, setReason, setText, translation } from "./elements.js";
import { refresh } from "./modes.js";
import { focusedByPointer } from "./move_input.js";
import { ask, offset, openScreen, readToday, screen, screens } from "./training.js";
import { playOn, setScene } from "./train_scene.js";

/** The question, and what was answered. @type {{question: RulingQuestion, key: string, verdict: RulingVerdict | null} | null} */
export let ruling = null;

async function nextRuling() {
  const after = ruling?.question.id;
  ruling = null;
  const { ruling: question } = await ask("rulings", { offset: offset(), ...after ? { after } : {} });
  if (screen !== "rulings") return;
  if (!question) return openScreen("today", true);
  ruling = { question, key: "", verdict: null };
  playMoves();
}

/** Plays the moves of the figure on the board. */
function playMoves() {
  if (!ruling) return;
  setScene(ruling.question.fen, []);
  playOn(ruling.question.moves);
  refresh();
}

/** @param {string} key */
async function answer(key) {
  const current = ruling;
  if (!current || current.verdict) return;
  const verdict = await ask("ruling-answer", { id: current.question.id, key, offset: offset() });
  if (ruling !== current || verdict.right === undefined) return;
  Object.assign(current, { key, verdict });
  refresh();
  if (verdict.sentence) announce(localized(verdict.sentence));
  if (!focusedByPointer) byId("nextRuling").focus();
  // On a phone the reason is below what is seen.
  byId("nextRuling").scrollIntoView({ block: "nearest" });
  readToday();
}

function renderRuling() {
  byId("rulingParts").hidden = !ruling;
  if (!ruling) return;
  const { question, key, verdict } = ruling;
  setText(byId("rulingText"), question.text);
  const list = byId("rulingChoices");
  if (list.dataset.of !== question.id) {
    list.dataset.of = question.id;
    list.replaceChildren(...question.choices.map((choice) => createButton("deed", { choice: choice.key }, bilingual(choice.text))));
  }
  for (const button of queryButtons("#rulingChoices button")) {
    const { choice } = button.dataset;
    setReason(button, verdict && translation(verdict.right ? "rulingRight" : "rulingWrong"));
    button.classList.toggle("is-chosen", choice === key || choice === verdict?.answer);
  }
  setText(byId("rulingSaid"), verdict && translation(verdict.right ? "rulingRight" : "rulingWrong"));
  byId("rulingSaid").className = `said is-${verdict?.right ? "right" : "wrong"}`;
  setText(byId("rulingWhy"), verdict?.sentence, verdict?.article);
  byId("nextRuling").hidden = !verdict;
}

export function bindRulings() {
  screens.rulings = { render: renderRuling, enter: () => { if (!ruling || ruling.verdict) nextRuling(); else playMoves(); } };
  byId("rulingChoices").addEventListener("click", (event) => {
    const key = closest(event, "button")?.dataset.choice;
    if (key) answer(key);
  });
  byId("nextRuling").addEventListener("click", nextRuling);
  byId("playRuling").addEventListener("click", playMoves);
}
