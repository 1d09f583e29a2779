// Learn the game: small boards with one task each, solved by moving. This module comes with its lessons when they are first
// opened; `lessons.json` has them.

import { board, byId } from "../../../../study/src/html_page/board.js";
import { LESSONS } from "../lessons.js";
import { announce, createButton, createElement, filled, setCurrent, setText } from "../core/elements.js";
import { focusedByPointer } from "../core/board_input.js";
import { request } from "../core/session.js";
import { showPlace } from "../core/address.js";
import { presentMove } from "../core/sound.js";
import { act, refresh, state } from "../core/state.js";
import { store } from "../core/store.js";
import { expectMove, playOn, setScene } from "./train_scene.js";
import { screens } from "./training.js";
import { words } from "../words.js";

/** @type {Record<string, string>} */
const TOPICS = {
  rook: words("Rook"), cannon: words("Cannon"), horse: words("Horse"), elephant: words("Elephant"), advisor: words("Advisor"), king: words("King"),
  pawn: words("Pawn"), check: words("Check"), mate: words("Mate"), stalemate: words("Stalemate"), repetition: words("Repetition"),
  game: words("The first moves"),
};
/** @type {Record<string, string>} */
const TEXTS = {
  place: words("Lesson {number} of {count} · {topic}"),
  right: words("Right."),
  goesOn: words("Right. Go on."),
  wrong: words("Not that one. Try again."),
  forbidden: words("That loses by the rules of repetition. Try again."),
  shown: words("This is it."),
  next: words("Next lesson"),
  show: words("Show me"),
  again: words("Try again"),
  done: words("You know how to play. Now a game at your level."),
  play: words("Play"),
  lessons: words("Lessons"),
};
/** How long a wrong move is looked at, in milliseconds. */
const LOOK = 900;
/** The setting that has the lessons that were solved, each a bit of a hexadecimal number. */
const SOLVED = "lessons";

/** The lesson, how far it is, and what is said of it. @type {{at: number, step: number, phase: "ask" | "wait" | "over", said: string | null}} */
const current = { at: 0, step: 0, phase: "ask", said: null };

const solved = () => new Set([...(store.get(SOLVED) ?? "")].flatMap((digit, place) => [0, 1, 2, 3].filter((bit) => (parseInt(digit, 16) >> bit) & 1).map((bit) => 4 * place + bit)));

/** @param {number} lesson */
function setSolved(lesson) {
  const all = solved().add(lesson);
  const digits = Math.ceil(LESSONS.length / 4);
  store.set(SOLVED, [...Array(digits).keys()].map((place) => [0, 1, 2, 3].reduce((sum, bit) => sum + (all.has(4 * place + bit) ? 1 << bit : 0), 0).toString(16)).join(""));
}

/** @param {number} lesson */
function openLesson(lesson) {
  Object.assign(current, { at: Math.max(0, Math.min(lesson, LESSONS.length - 1)), step: 0, phase: "wait", said: null });
  const { fen, before = [] } = LESSONS[current.at];
  setScene(fen, before, fen.split(" ")[1] === "b" ? "black" : "red");
  askMove();
  showPlace(true);
  if (!focusedByPointer) board.focus();
  announce(textOf(LESSONS[current.at]));
}

/** What is to be done. @param {typeof LESSONS[number]} lesson @returns {string} */
const textOf = (lesson) => lesson[/** @type {"en"} */ (document.documentElement.lang)] ?? lesson.en;

/** Asks for a move in the position of the scene. */
async function askMove() {
  const [{ at, step }, { fen, moves }] = [current, state.scene];
  const { legal, forbidden = [], check = null } = await request("position-facts", { start: fen, moves, rules: "asian" });
  if (current.at !== at || current.step !== step || state.screen !== "learn" || !legal) return;
  current.phase = "ask";
  expectMove({ legal, forbidden, check }, (move) => tryMove(move, forbidden));
}

/** @param {string} move @param {string[]} forbidden */
function tryMove(move, forbidden) {
  if (current.phase !== "ask") return;
  const { goal, steps } = LESSONS[current.at];
  const [{ at }, before] = [current, state.scene.moves];
  const isRight = goal === "free" ? !forbidden.includes(move) : steps[current.step].includes(move);
  current.phase = "wait";
  setScene(LESSONS[at].fen, [...before, move]);
  presentMove(move, {});
  if (isRight) return rightMove();
  say(TEXTS[forbidden.includes(move) ? "forbidden" : "wrong"]);
  setTimeout(() => {
    if (current.at !== at || current.phase !== "wait" || state.screen !== "learn") return;
    setScene(LESSONS[at].fen, before);
    askMove();
  }, LOOK);
}

function rightMove() {
  const { at, step } = current;
  const [reply] = LESSONS[at].steps[step + 1] ?? [];
  if (!reply) {
    current.phase = "over";
    setSolved(at);
    say(at === LESSONS.length - 1 ? TEXTS.done : TEXTS.right);
    if (!focusedByPointer) byId("lessonNext").focus();
    return;
  }
  current.step += 2;
  say(TEXTS.goesOn);
  playOn([reply], () => { if (current.at === at && current.phase === "wait") askMove(); });
}

function showSolution() {
  const { steps, fen, before = [] } = LESSONS[current.at];
  const moves = steps.flatMap(([move]) => move ?? []);
  if (!moves.length) moves.push(...(state.scene.input?.legal ?? []).filter((move) => !state.scene.input?.forbidden.includes(move)).slice(0, 1));
  if (!moves.length) return;
  setScene(fen, before);
  current.phase = "over";
  playOn(moves);
  say(TEXTS.shown);
}

/** @param {string} text */
function say(text) {
  current.said = text;
  announce(text);
  refresh();
}

function next() {
  if (current.at < LESSONS.length - 1) return openLesson(current.at + 1);
  act.newGame();
}

// --- the screen ---

/** @param {string} name @param {string} id @param {string} className */
const button = (name, id, className = "deed") => Object.assign(createButton(className, {}, TEXTS[name]), { id });

function build() {
  const topics = Object.keys(TOPICS).map((topic) => createButton("name", { topic }, TOPICS[topic], createElement("small", {})));
  byId("learn").replaceChildren(createElement("div", { className: "pane exercise", id: "lessonParts" },
    createElement("p", { id: "lessonText" }),
    createElement("p", { id: "lessonSaid" }),
    createElement("div", { className: "row" }, button("next", "lessonNext", "deed main"), button("again", "lessonAgain"), button("show", "lessonShow")),
    createElement("p", { id: "lessonPlace", className: "faint" }),
    createElement("nav", { id: "lessonTopics", className: "row", ariaLabel: TEXTS.lessons }, ...topics),
  ));
  byId("lessonParts").dataset.part = "lesson";
  byId("lessonText").dataset.part = "question";
  Object.assign(byId("lessonSaid").dataset, { part: "verdict" });
  /** @type {Record<string, () => unknown>} */
  const deeds = { lessonNext: next, lessonAgain: () => openLesson(current.at), lessonShow: showSolution };
  for (const [id, deed] of Object.entries(deeds)) byId(id).addEventListener("click", deed);
  for (const each of topics) each.addEventListener("click", () => openLesson(LESSONS.findIndex(({ topic }) => topic === each.dataset.topic)));
}

function render() {
  document.body.dataset.asked = "tactic";
  const [lesson, all] = [LESSONS[current.at], solved()];
  const text = byId("lessonText");
  setText(text, textOf(lesson));
  text.className = "red";
  setText(byId("lessonSaid"), current.said);
  byId("lessonSaid").className = `said is-${current.phase === "over" ? "right" : "ask"}`;
  const isLast = current.at === LESSONS.length - 1;
  byId("lessonNext").hidden = current.phase !== "over";
  setText(byId("lessonNext"), isLast ? TEXTS.play : TEXTS.next);
  byId("lessonAgain").hidden = current.phase !== "over" || all.has(current.at);
  byId("lessonShow").hidden = current.phase === "over";
  setText(byId("lessonPlace"), filled(TEXTS.place, { number: current.at + 1, count: LESSONS.length, topic: TOPICS[lesson.topic] }));
  for (const each of byId("lessonTopics").querySelectorAll("button")) {
    const numbers = LESSONS.flatMap(({ topic }, at) => (topic === each.dataset.topic ? [at] : []));
    const small = each.querySelector("small");
    if (small) setText(small, ` ${numbers.filter((at) => all.has(at)).length}/${numbers.length}`);
    setCurrent(each, each.dataset.topic === lesson.topic);
  }
}

/** Takes the place of the screen that has brought this module. */
export function bindLearn() {
  build();
  screens.learn = {
    render,
    enter: (rest) => {
      const done = solved();
      const first = LESSONS.findIndex((_, at) => !done.has(at));
      openLesson(rest ? Number(rest) - 1 || 0 : Math.max(0, first));
    },
    leave: () => { current.phase = "over"; document.body.dataset.asked = ""; },
    place: () => String(current.at + 1),
  };
}
