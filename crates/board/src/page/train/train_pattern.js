// The pattern of a person's mistakes: when, with what, and why, as bars.

import { byId } from "../../../../study/src/html_page/board.js";
import { createElement, setText, translation } from "../core/elements.js";
import { refresh, state } from "../core/state.js";
import { ask, screens } from "./training.js";

/** @type {Partial<TrainPattern> | null} */
let pattern = null;
/** The deck that is looked at, "" for the person's own. */
let deck = "";

/** So many bars of a kind are shown, and so many days of answers. */
const [BARS, DAYS] = [6, 42];
const KINDS = /** @type {const} */ (["phases", "reasons", "pieces", "openings", "months"]);

async function readPattern() {
  const reply = await ask("pattern", deck ? { deck } : {});
  if (!reply.phases) return;
  pattern = reply;
  if (state.mode === "train" && state.screen === "pattern") refresh();
}

/** A bar with its name and its number. @param {PatternEntry} entry @param {number} most */
function bar({ key, count, lost }, most) {
  const line = createElement("i", {});
  line.style.width = `${(100 * count) / Math.max(1, most)}%`;
  const row = createElement("li", {}, createElement("span", {}, key), createElement("span", { className: "bar-of" }, line), createElement("b", {}, String(count)));
  row.title = translation("barLost", { lost: Math.round((100 * lost) / Math.max(1, count)) });
  return row;
}

/** @param {typeof KINDS[number]} kind @param {PatternEntry[]} entries */
function group(kind, entries) {
  const isInTime = kind === "months";
  const shown = isInTime ? entries.slice(-12) : [...entries].sort((a, b) => b.count - a.count).slice(0, BARS);
  const most = Math.max(...shown.map(({ count }) => count));
  return createElement("section", {}, createElement("h3", {}, translation(kind)), createElement("ul", {}, ...shown.map((entry) => bar(entry, most))));
}

/** The months of play: accuracy as a bar, and the kinds of mistakes. @param {TrainPattern["play"]} months */
function monthsOfPlay(months) {
  const rows = months.slice(-12).map(({ month, games, accuracy, causes }) => {
    const row = bar({ key: month, count: Math.round(accuracy ?? 0), lost: 0 }, 100);
    row.title = translation("gamesInAll", { total: games });
    const kinds = causes.slice(0, 3).map(([key, count]) => createElement("span", {}, key, ` ${count}`));
    row.append(createElement("small", { className: "faint" }, ...kinds.flatMap((kind, index) => (index ? [" · ", kind] : [kind]))));
    return row;
  });
  return createElement("section", { className: "play" }, createElement("h3", {}, translation("accuracyByMonth")), createElement("ul", {}, ...rows));
}

/** The last days until today as they are written, from the first that has an answer. @param {string | undefined} first */
function lastDays(first = "") {
  const day = new Date();
  const days = [];
  for (day.setHours(12); days.length < DAYS; day.setDate(day.getDate() - 1)) {
    const [year, month, date] = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0"));
    days.unshift(`${year}-${month}-${date}`);
    if (days[0] <= first) break;
  }
  return days;
}

/** The answers of the last weeks, a column a day. @param {TrainPattern["answers"]} answers */
function columns(answers) {
  const known = new Map(answers.map((answer) => [answer.day, answer]));
  const shown = lastDays(answers[0]?.day).map((day) => known.get(day) ?? { day, right: 0, wrong: 0 });
  const most = Math.max(1, ...shown.map(({ right, wrong }) => right + wrong));
  return shown.map(({ day, right, wrong }) => {
    const [good, bad] = [createElement("i", { className: "right" }), createElement("i", { className: "wrong-part" })];
    good.style.height = `${(100 * right) / most}%`;
    bad.style.height = `${(100 * wrong) / most}%`;
    const column = createElement("span", {}, bad, good);
    column.title = `${day}: ${right} / ${right + wrong}`;
    return column;
  });
}

function renderPattern() {
  const { mistakes = 0, games = 0, right = null, answers = [] } = pattern ?? {};
  const decks = (state.today?.decks ?? []).filter(({ name }) => name);
  const choice = byId("patternDeck");
  choice.hidden = !decks.length;
  choice.replaceChildren(...[["", translation("ownDeck")], ...decks.map(({ name }) => [name, name])].map(([value, text]) => (
    createElement("option", { value, selected: value === deck }, text)
  )));
  const texts = pattern ? [translation(mistakes ? "patternIs" : "noPattern", { mistakes, games })] : [];
  if (right !== null) texts.push(translation("rightShare", { share: Math.round(100 * right) }));
  if (!deck) texts.push(...pattern?.better ?? []);
  setText(byId("patternText"), ...texts);
  setText(byId("tacticsWeek"), pattern?.tactics);
  const groups = KINDS.flatMap((kind) => (pattern?.[kind]?.length ? [group(kind, pattern[kind] ?? [])] : []));
  const play = !deck && pattern?.play?.length ? [monthsOfPlay(pattern.play)] : [];
  byId("patternBars").replaceChildren(...play, ...groups);
  byId("answersByDay").hidden = !answers.length;
  byId("answerDays").replaceChildren(...columns(answers));
}

export function bindPattern() {
  screens.pattern = { render: renderPattern, enter: () => { readPattern(); } };
  byId("patternDeck").addEventListener("change", () => { deck = byId("patternDeck").value; readPattern(); });
}
