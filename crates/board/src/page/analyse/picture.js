// A picture of a board in the setup mode: what it shows is set up, the picture stands beside it, and doubtful points are
// marked on both. Loaded when the first picture comes.

import { byId, flipBoard, isFlipped } from "../../../../study/src/html_page/board.js";
import { onClick, setText, showNotice, translation } from "../core/elements.js";
import { enterMode } from "../core/modes.js";
import { saveFile } from "../core/save_file.js";
import { state } from "../core/state.js";
import { toCanvas } from "./picture_canvas.js";
import { readPicture } from "./read_picture.js";
import { words } from "../words.js";

const TEXTS = {
  sideDoubtful: words("Which side is below is doubtful."),
  saved: words("Saved where downloads go: the picture, and its position in a file beside it."),
};

/** The picture; its corners, clockwise from the top left; whether black is below; whether the user sets the corners.
 * @type {{canvas: HTMLCanvasElement, corners: Corners, turned: boolean, isSetting: boolean, number: number} | null} */
let shot = null;
let lastNumber = 0;
/** What is set up, by `setup.js`.
 * @type {{doubts(): Map<string, PictureDoubt>, fen(): string, take(fen: string, doubts: PictureDoubt[], onAnswer: () => void): void}} */
let target;

/** @param {string | null} text @param {...(string | null)} more */
const say = (text, ...more) => setText(byId("shotText"), text, ...more);

/** Where a square is in the picture: between the corners. @param {string} square @returns {Corner} */
function pointOf(square) {
  const { corners: [a, b, c, d], turned } = /** @type {NonNullable<typeof shot>} */ (shot);
  const [file, rank] = ["abcdefghi".indexOf(square[0]) / 8, Number(square[1]) / 9];
  const [x, y] = turned ? [1 - file, rank] : [file, 1 - rank];
  /** @param {0 | 1} i */
  const at = (i) => (a[i] * (1 - x) + b[i] * x) * (1 - y) + (d[i] * (1 - x) + c[i] * x) * y;
  return [at(0), at(1)];
}

/** What of the picture is shown: the board, or all of it while corners are set. @returns {[number, number, number, number]} */
function shownPart() {
  const { canvas, corners, isSetting } = /** @type {NonNullable<typeof shot>} */ (shot);
  if (isSetting) return [0, 0, canvas.width, canvas.height];
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const margin = (Math.max(...xs) - Math.min(...xs)) / 13;
  const [left, top] = [Math.max(0, Math.min(...xs) - margin), Math.max(0, Math.min(...ys) - margin)];
  return [left, top, Math.min(canvas.width, Math.max(...xs) + margin) - left, Math.min(canvas.height, Math.max(...ys) + margin) - top];
}

/** Draws the picture with its doubtful points, and the handles of the corners. */
function drawShot() {
  byId("shot").hidden = !shot;
  if (!shot) return;
  byId("shot").classList.toggle("setting", shot.isSetting);
  const [left, top, width, height] = shownPart();
  const scale = Math.min(1, 800 / Math.max(width, height));
  const view = Object.assign(byId("shotView"), { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = /** @type {CanvasRenderingContext2D} */ (view.getContext("2d"));
  context.drawImage(shot.canvas, left, top, width, height, 0, 0, view.width, view.height);
  context.strokeStyle = "#d97706";
  context.lineWidth = Math.max(3, view.width / (shot.isSetting ? 250 : 100));
  if (!shot.isSetting) {
    for (const square of target.doubts().keys()) {
      const [x, y] = pointOf(square);
      context.beginPath();
      context.arc((x - left) * scale, (y - top) * scale, view.width / 19, 0, 7);
      context.stroke();
    }
  } else {
    context.beginPath();
    for (const [x, y] of shot.corners) context.lineTo(x * scale, y * scale);
    context.closePath();
    context.stroke();
    [...byId("shotCorners").children].forEach((handle, index) => {
      const [x, y] = /** @type {NonNullable<typeof shot>} */ (shot).corners[index];
      Object.assign(/** @type {HTMLElement} */ (handle).style, { left: `${(100 * x) / width}%`, top: `${(100 * y) / height}%` });
    });
  }
}

/** Reads the picture, and sets up what it shows. @param {PictureOptions} options */
async function read(options) {
  if (!shot) return;
  const number = shot.number = ++lastNumber;
  say(translation("readingPicture"));
  drawShot();
  const reply = await readPicture(shot.canvas, options).catch(() => ({ error: translation("connectionLost") }));
  if (shot?.number !== number || state.mode !== "setup") return;
  if (!("fen" in reply)) {
    shot.isSetting = true;
    const proposed = "proposed" in reply && reply.proposed;
    if (proposed) shot.corners = proposed;
    if (proposed) say(translation("cornersProposed"));
    else say(reply.error ?? translation("noBoardFound"), translation("setCorners"));
    return drawShot();
  }
  Object.assign(shot, { corners: reply.corners, turned: reply.turned, isSetting: false });
  if (reply.turned !== isFlipped) flipBoard();
  target.take(reply.fen, reply.doubts, drawShot);
  const count = reply.doubts.length;
  say(
    reply.other_board ? translation("severalBoards") : null, reply.turned_doubtful ? TEXTS.sideDoubtful : null,
    count ? translation("doubtfulPoints", { count }) : null, translation("whoseMove"),
  );
  drawShot();
}

/** Opens a picture in the setup mode. @param {Blob} file @param {typeof target} setup */
export async function openPicture(file, setup) {
  target = setup;
  const canvas = await toCanvas(file);
  if (!canvas) return showNotice(translation("pictureFailed"));
  const { width, height } = canvas;
  const [x, y] = [width / 10, height / 10];
  const corners = /** @type {Corners} */ ([[x, y], [width - x, y], [width - x, height - y], [x, height - y]]);
  shot = { canvas, corners, turned: false, isSetting: false, number: 0 };
  enterMode("setup");
  await read({});
}

/** Saves the picture and what is set up as two files of one name, which the program's measurements read. */
async function saveCorrection() {
  if (!shot) return;
  const { canvas } = shot;
  /** @type {Blob | null} */
  const picture = await new Promise((done) => canvas.toBlob(done));
  if (!picture) return showNotice(translation("pictureFailed"));
  const name = `board-${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}`;
  saveFile(`${name}.png`, picture);
  saveFile(`${name}.fen`, new Blob([`${target.fen()}\n`]));
  showNotice(TEXTS.saved);
}

function closePicture() {
  shot = null;
  target.doubts().clear();
  drawShot();
}

/** A corner follows the pointer, or the arrows. @param {HTMLElement} handle @param {number} index */
function bindCorner(handle, index) {
  /** @param {number} x @param {number} y */
  const put = (x, y) => {
    if (!shot) return;
    const { width, height } = shot.canvas;
    shot.corners[index] = [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))];
    drawShot();
  };
  handle.addEventListener("pointerdown", (event) => { handle.setPointerCapture(event.pointerId); event.preventDefault(); handle.focus(); });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId) || !shot) return;
    const box = byId("shotView").getBoundingClientRect();
    put(((event.clientX - box.left) / box.width) * shot.canvas.width, ((event.clientY - box.top) / box.height) * shot.canvas.height);
  });
  handle.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || !shot) return;
    event.preventDefault();
    event.stopPropagation();
    const size = Math.max(1, shot.canvas.width / 200);
    put(shot.corners[index][0] + step[0] * size, shot.corners[index][1] + step[1] * size);
  });
}

[...byId("shotCorners").children].forEach((handle, index) => bindCorner(/** @type {HTMLElement} */ (handle), index));
onClick({
  // Between the corners that are known: with the other side below the pieces may speak against any grid.
  shotTurn: () => { if (shot) read({ turned: !shot.turned, corners: shot.corners }); },
  shotCornersOn: () => {
    if (!shot) return;
    shot.isSetting = true;
    say(translation("setCorners"));
    drawShot();
  },
  shotRead: () => { if (shot) read({ corners: shot.corners }); },
  shotSave: saveCorrection,
  shotClose: closePicture,
});
