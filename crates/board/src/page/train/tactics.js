// Tactics: at the level of the person, by theme, or as many as one can in a run. This module comes when they are first
// opened, with its texts.

import { board, byId } from "../../../../study/src/html_page/board.js";
import { announce, asks, closest, createButton, createElement, filled, setText, showNotice } from "../core/elements.js";
import { showPlace } from "../core/address.js";
import { focusedByPointer } from "../core/board_input.js";
import { toBase64 } from "../core/save_file.js";
import { presentMove } from "../core/sound.js";
import { refresh, state } from "../core/state.js";
import { expectMove, playOn, setScene, stopPlaying } from "./train_scene.js";
import { ask, offset, readToday, screens } from "./training.js";
import { words } from "../words.js";

/** A run is this long, in milliseconds, and ends after so many wrong answers. It begins below the rating, and each one is
 * harder by so much. */
const [RUN_TIME, RUN_WRONG, RUN_BELOW, RUN_STEP] = [180000, 3, 300, 40];
/** How long the right move of a run is looked at, in milliseconds. */
const RUN_PAUSE = 1200;

/** @type {Record<string, string>} */
const TEXTS = {
  rating: words("Your rating: {rating} ± {deviation}"),
  atLevel: words("At my level"),
  run: words("A run of three minutes"),
  runHint: words("As many as you can in three minutes; three wrong ones end it."),
  best: words("Your best: {best}."),
  byTheme: words("By theme"),
  open: words("Open a file of tactics"),
  own: words("Back to those of the program"),
  file: words("{file}: {count} tactics"),
  count: words("{count} tactics in all"),
  red: words("Red to move. Find the best move."),
  black: words("Black to move. Find the best move."),
  goesOn: words("Right. Go on."),
  solved: words("Solved."),
  asGood: words("That is as good."),
  wrong: words("Not so."),
  looked: words("The answer to it is played on the board: look what it does."),
  shown: words("The solution is played on the board."),
  change: words("Rating {rating} ({change})"),
  difficulty: words("Difficulty {difficulty}, your rating {rating}"),
  ownGames: words("From a game of Chuhe against itself."),
  fromFile: words("From {file}."),
  anotherOf: words("Another of this theme:"),
  step: words("{number} of {count}: {name}"),
  stepBack: words("back"),
  stepOn: words("forward"),
  replay: words("Play it again"),
  weekCurve: words("Your rating this week"),
  lastOnes: words("The last ones, the latest first"),
  lastOne: words("{result}, difficulty {difficulty}: look at it again"),
  right: words("right"),
  notRight: words("wrong"),
  runState: words("{time} · {solved} solved · {wrong} wrong"),
  runOver: words("The run is over: {solved} solved."),
  runBest: words("Your best run!"),
  card: words("It is a card now, and comes back."),
  next: words("Next"),
  again: words("Try again"),
  show: words("Show the solution"),
  end: words("Back"),
  none: words("There is no such tactic."),
  missing: words("The tactics could not be downloaded: try again with a connection."),
};

/** @param {string} name @param {Record<string, string | number | string>} values */
const text = (name, values = {}) => filled(TEXTS[name], values);

/** @typedef {{tactic: TacticView, step: number, phase: "ask" | "wait" | "wrong" | "over", isFirst: boolean, said: string | null,
 *   line: NamedMove[], from: number, why: string | null, notes: string[], themes: ThemeView[], isAgain: boolean}} Asked */
/** @typedef {{solved: number, wrong: number, endsAt: number, target: number, timer: number}} Run */

/** @type {Partial<TacticsView>} */
let view = {};
/** @type {Asked | null} */
let asked = null;
/** @type {Run | null} */
let run = null;
/** The theme that is practised, or none. @type {string | null} */
let theme = null;
/** What the last run was. @type {string[]} */
let runTexts = [];

/** Reads the numbers of the person again. */
async function readView() {
  const reply = await ask("tactics", { offset: offset() });
  if (reply.rating === undefined) return;
  view = reply;
  show();
}

async function readTactics() {
  let reply = await ask("tactics", { offset: offset() });
  if (reply.missing) {
    // A page without a server has them in a file of their own.
    try {
      const answer = await fetch("tactics.bin");
      if (!answer.ok) throw new Error(String(answer.status));
      await ask("tactics-own", { bytes: toBase64(new Uint8Array(await answer.arrayBuffer())) });
      reply = await ask("tactics", { offset: offset() });
    } catch {
      showNotice(text("missing"));
    }
  }
  view = reply;
  show();
}

/** Draws the screen, if it is the one that is shown. */
function show() {
  if (state.mode === "train" && state.screen === "tactics") refresh();
}

// --- one tactic ---

/** @param {string} [again] The id of a tactic that was asked before: it counts if it was not answered. */
async function next(again = "") {
  const wasAsked = Boolean(asked);
  asked = null;
  const current = run;
  const fields = again ? { offset: offset(), id: again } : { offset: offset(), ...theme ? { theme } : {}, ...current ? { target: Math.max(0, Math.round(current.target)) } : {} };
  const tactic = await ask("tactic", fields);
  if (run !== current || state.screen !== "tactics") return;
  if (!tactic.id || !tactic.next) return showNotice(text("none"));
  asked = { tactic: /** @type {TacticView} */ (tactic), step: 0, phase: "ask", isFirst: true, said: null, line: [], from: 0, why: null, notes: [], themes: [], isAgain: Boolean(again && tactic.answered) };
  setScene(asked.tactic.fen, [], asked.tactic.side);
  expect(tactic.next);
  show();
  showPlace(wasAsked);
  if (!focusedByPointer) board.focus();
  announce(text(asked.tactic.side));
}

/** The moves of the scene up to where the move is asked for. @type {string[]} */
let before = [];
/** What is expected there. @type {Expected | null} */
let expected = null;

/** @param {Expected} asked */
function expect(asked) {
  expected = asked;
  expectMove(asked, tryMove);
}

/** @param {string} move */
async function tryMove(move) {
  const current = asked;
  if (!current || current.phase !== "ask" || !current.tactic.id) return;
  current.phase = "wait";
  before = state.scene.moves;
  setScene(current.tactic.fen, [...before, move]);
  presentMove(move, {});
  const reply = await ask("tactic-move", { id: current.tactic.id, step: current.step, move });
  if (asked !== current) return;
  if (!reply.state) {
    current.phase = "ask";
    return setScene(current.tactic.fen, before);
  }
  const { solution = [], refutation = [], themes = [], reason = null } = reply;
  if (reply.state === "right" && reply.reply && reply.next) {
    const { next: following } = reply;
    current.step += 1;
    Object.assign(current, { said: text("goesOn"), line: [], why: null, phase: "wait" });
    playOn([reply.reply], () => {
      if (asked !== current) return;
      current.phase = "ask";
      expect(following);
    });
    show();
    return announce(text("goesOn"));
  }
  const isRight = reply.state !== "wrong";
  if (isRight) {
    const isOther = reply.state === "as-good";
    over(current, isOther ? text("asGood") : text("solved"), [], themes);
  } else {
    Object.assign(current, { phase: "wrong", said: text("wrong"), line: refutation, from: before.length, why: reason ?? text("looked") });
    playOn(refutation.slice(1).map(({ iccs }) => iccs));
  }
  await answered(current, isRight);
  if (!run) return;
  run.solved += isRight ? 1 : 0;
  run.wrong += isRight ? 0 : 1;
  run.target += isRight ? RUN_STEP : 0;
  if (run.wrong >= RUN_WRONG) return endRun();
  const running = run;
  setTimeout(() => { if (run === running && asked === current) next(); }, RUN_PAUSE);
}

/** @param {Asked} current @param {string} said @param {NamedMove[]} line @param {ThemeView[]} themes */
function over(current, said, line, themes) {
  const { rating = 0, file = "" } = view;
  const notes = [text("difficulty", { difficulty: current.tactic.difficulty, rating }), file ? text("fromFile", { file }) : text("ownGames")];
  Object.assign(current, { phase: "over", said, line, why: null, notes, themes });
}

/** Plays the line that is told on the board again. */
function replay() {
  if (!asked?.line.length) return;
  setScene(asked.tactic.fen, state.scene.moves.slice(0, asked.from));
  playOn(asked.line.map(({ iccs }) => iccs));
}

/** Keeps the first answer to a tactic. @param {Asked} current @param {boolean} right */
async function answered(current, right) {
  show();
  announce([current.said, current.why].filter(Boolean).join(" "));
  if (!current.isFirst || !current.tactic.id) return;
  current.isFirst = false;
  const rated = !theme && !run && !view.file && !current.isAgain;
  const { rating, change } = await ask("tactic-answer", { id: current.tactic.id, step: current.step, right, rated, offset: offset() });
  if (rating === undefined || change === undefined) return;
  if (rated) current.notes.push(text("change", { rating, change: `${change < 0 ? "−" : "+"}${Math.abs(change)}` }));
  readView();
  if (!right) {
    current.notes.push(text("card"));
    readToday();
  }
  show();
  if (!focusedByPointer) byId("tacticNext").focus();
}

async function showSolution() {
  const current = asked;
  if (!current?.tactic.id || current.phase === "wait") return;
  const reply = await ask("tactic-move", { id: current.tactic.id, step: current.step });
  if (asked !== current || !reply.solution) return;
  const moves = current.phase === "wrong" ? before : state.scene.moves;
  setScene(current.tactic.fen, moves);
  playOn(reply.solution.map(({ iccs }) => iccs));
  current.from = moves.length;
  over(current, text("shown"), reply.solution, reply.themes ?? []);
  await answered(current, false);
}

function tryAgain() {
  const current = asked;
  if (current?.phase !== "wrong") return;
  setScene(current.tactic.fen, before);
  Object.assign(current, { phase: "ask", said: null, line: [], why: null });
  if (expected) expect(expected);
  show();
}

// --- a run ---

function beginRun() {
  [theme, runTexts] = [null, []];
  run = { solved: 0, wrong: 0, endsAt: Date.now() + RUN_TIME, target: (view.rating ?? 1100) - RUN_BELOW, timer: 0 };
  run.timer = window.setInterval(() => { if (run && Date.now() >= run.endsAt) endRun(); else renderRun(); }, 250);
  next();
}

async function endRun() {
  if (!run) return;
  const { solved, timer } = run;
  clearInterval(timer);
  [run, asked] = [null, null];
  const reply = await ask("tactic-run", { solved, offset: offset() });
  runTexts = [text("runOver", { solved }), reply.is_best ? text("runBest") : text("best", { best: reply.best ?? solved })];
  announce(runTexts.join(" "));
  readTactics();
}

function renderRun() {
  const seconds = run ? Math.max(0, Math.ceil((run.endsAt - Date.now()) / 1000)) : 0;
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  setText(byId("tacticRun"), run && text("runState", { time, solved: run.solved, wrong: run.wrong }));
}

// --- the screen ---

/** @param {string} name @param {string} id @param {string} className */
const button = (name, id, className = "deed") => Object.assign(createButton(className, {}, text(name)), { id });

/** @param {string} id @param {string} sign @param {string} name */
const stepButton = (id, sign, name) => Object.assign(createButton("fold", {}, sign), { id, ariaLabel: text(name), title: text(name) });

/** The curve of the week, and the last answers: a click leads back to one. */
function renderWeek() {
  const { ratings: curve = [], last = [] } = view;
  const parts = [];
  if (curve.length > 1) {
    const [low, high] = [Math.min(...curve) - 10, Math.max(...curve) + 10];
    const points = curve.map((rating, at) => `${((1000 * at) / (curve.length - 1)).toFixed(1)},${(240 * (1 - (rating - low) / (high - low))).toFixed(1)}`).join(" ");
    const chart = createElement("div", { className: "chart" });
    chart.innerHTML = `<svg class="curve" viewBox="0 0 1000 240" preserveAspectRatio="none" aria-hidden="true"><rect class="paper" width="1000" height="240"/><polyline class="line" points="${points}"/></svg>`;
    parts.push(createElement("section", {}, createElement("h2", {}, `${text("weekCurve")}: ${curve[0]} → ${curve[curve.length - 1]}`), chart));
  }
  if (last.length) {
    const buttons = last.map(({ id, right, difficulty, known }) => {
      const each = createButton(`name ${right ? "is-right" : "is-wrong"}`, { again: id }, `${right ? "✓" : "✗"} ${difficulty}`);
      each.ariaLabel = each.title = text("lastOne", { result: text(right ? "right" : "notRight"), difficulty });
      each.disabled = !known || Boolean(run);
      return each;
    });
    parts.push(createElement("section", {}, createElement("h2", {}, text("lastOnes")), createElement("div", { className: "row" }, ...buttons)));
  }
  byId("tacticWeek").replaceChildren(...parts);
}

/** What is there, or the tactic that is asked. */
function build() {
  const file = createElement("label", { className: "deed file" }, text("open"), createElement("input", { className: "unseen", id: "tacticFile", type: "file" }));
  byId("tactics").replaceChildren(
    createElement("div", { id: "tacticStart", className: "pane" },
      createElement("h2", { id: "tacticRating" }),
      createElement("p", { id: "tacticRunOver", className: "said is-right" }),
      createElement("div", { className: "row" }, button("atLevel", "tacticLevel", "deed main"), button("run", "tacticBegin")),
      createElement("p", { id: "tacticBest", className: "faint" }),
      createElement("h3", {}, text("byTheme")),
      createElement("div", { id: "tacticThemes", className: "row" }),
      createElement("div", { className: "row" }, file, button("own", "tacticOwn", "small")),
      createElement("p", { id: "tacticCount", className: "faint" }),
    ),
    createElement("div", { id: "tacticParts", className: "pane exercise", hidden: true },
      createElement("p", { id: "tacticText" }),
      createElement("p", { id: "tacticRun", className: "faint" }),
      createElement("p", { id: "tacticSaid" }),
      createElement("p", { id: "tacticWhy" }),
      createElement("div", { id: "tacticLine", className: "row" },
        stepButton("tacticBack", "◀", "stepBack"), createElement("span", { id: "tacticStep" }), stepButton("tacticOn", "▶", "stepOn"), button("replay", "tacticReplay", "small")),
      createElement("p", { id: "tacticNotes", className: "faint" }),
      createElement("div", { className: "row" }, button("next", "tacticNext", "deed main"), button("again", "tacticAgain"), button("show", "tacticShow"), button("end", "tacticEnd")),
      createElement("div", { id: "tacticOthers", className: "row" }),
    ),
    createElement("div", { id: "tacticWeek", className: "beside" }),
  );
  for (const [id, part] of Object.entries({ tacticText: "question", tacticSaid: "verdict", tacticRun: "run", tacticRating: "rating" })) byId(id).dataset.part = part;
  /** @type {Record<string, () => unknown>} */
  const deeds = {
    tacticLevel: () => { theme = null; next(); }, tacticBegin: beginRun, tacticNext: () => next(), tacticAgain: tryAgain, tacticShow: showSolution,
    tacticEnd: () => { if (run) endRun(); else { asked = null; readTactics(); showPlace(true); } },
    tacticBack: () => stepLine(-1), tacticOn: () => stepLine(1), tacticReplay: replay,
    tacticOwn: async () => { await ask("tactics-close", {}); readTactics(); },
  };
  for (const [id, deed] of Object.entries(deeds)) byId(id).addEventListener("click", deed);
  for (const id of ["tacticThemes", "tacticOthers"]) {
    byId(id).addEventListener("click", (event) => {
      const chosen = closest(event, "button")?.dataset.theme;
      if (chosen) { theme = chosen; next(); }
    });
  }
  byId("tacticWeek").addEventListener("click", (event) => {
    const { again } = closest(event, "button")?.dataset ?? {};
    if (again) next(again);
  });
  const field = /** @type {HTMLInputElement} */ (byId("tacticFile"));
  asks("train tactics-file", field);
  asks("train tactics-close", byId("tacticOwn"));
  field.addEventListener("change", async () => {
    const opened = field.files?.[0];
    field.value = "";
    if (!opened) return;
    await ask("tactics-file", { bytes: toBase64(new Uint8Array(await opened.arrayBuffer())), name: opened.name });
    readTactics();
  });
}

function render() {
  document.body.dataset.asked = asked || run ? "tactic" : "";
  byId("tacticStart").hidden = Boolean(asked || run);
  byId("tacticParts").hidden = !asked;
  renderRun();
  renderWeek();
  if (asked) renderAsked(asked);
  if (asked || view.rating === undefined) return;
  const { rating, deviation = 0, count = 0, best = 0, file = "", themes = [] } = view;
  setText(byId("tacticRating"), text("rating", { rating, deviation }));
  setText(byId("tacticRunOver"), ...runTexts);
  setText(byId("tacticBest"), text("runHint"), best ? text("best", { best }) : null);
  setText(byId("tacticCount"), file ? text("file", { file, count }) : text("count", { count }));
  byId("tacticOwn").hidden = !file;
  const list = byId("tacticThemes");
  if (list.dataset.of === `${file}:${count}`) return;
  list.dataset.of = `${file}:${count}`;
  list.replaceChildren(...themes.map(({ key, name, count: some }) => createButton("name", { theme: key }, name, createElement("small", {}, ` ${some}`))));
}

/** Goes through the line that is told. @param {number} by */
function stepLine(by) {
  if (!asked?.line.length) return;
  stopPlaying();
  const { from, line } = asked;
  state.scene.ply = Math.max(from, Math.min(from + line.length, state.scene.ply + by));
  refresh();
}

/** @param {Asked} current */
function renderAsked({ tactic, phase, said, line, from, why, notes, themes }) {
  setText(byId("tacticText"), text(tactic.side));
  byId("tacticText").className = tactic.side;
  setText(byId("tacticSaid"), said);
  byId("tacticSaid").className = `said is-${{ wrong: "wrong", over: "right" }[String(phase)] ?? "ask"}`;
  setText(byId("tacticWhy"), why);
  byId("tacticLine").hidden = !line.length;
  const number = Math.max(0, Math.min(line.length, state.scene.ply - from));
  setText(byId("tacticStep"), line.length ? text("step", { number, count: line.length, name: line[number - 1]?.name ?? "–" }) : null);
  setText(byId("tacticNotes"), notes.join(" · "));
  const others = phase === "over" && !run ? themes : [];
  byId("tacticOthers").replaceChildren(...others.length ? [createElement("span", { className: "faint" }, text("anotherOf"))] : [],
    ...others.map(({ key, name }) => createButton("name", { theme: key }, name)));
  byId("tacticNext").hidden = Boolean(run) || phase !== "over" && phase !== "wrong";
  byId("tacticAgain").hidden = Boolean(run) || phase !== "wrong";
  byId("tacticShow").hidden = Boolean(run) || phase === "over";
}

/** Takes the place of the screen that has brought this module. */
export function bindTactics() {
  build();
  screens.tactics = {
    render,
    enter: async (rest) => { await readTactics(); if (rest && state.screen === "tactics") next(rest); },
    place: () => (asked && !run ? asked.tactic.id ?? "" : ""),
    leave: () => { if (run) endRun(); asked = null; document.body.dataset.asked = ""; },
  };
}
