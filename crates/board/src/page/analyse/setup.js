// The setup mode: pieces from the box or from the board are put on squares.

import { showPlaceSoon } from "../core/address.js";
import { positionQuery } from "./analyse.js";
import { byId, drawBoard, piecesOf, queryAll, squareCentre } from "../../../../study/src/html_page/board.js";
import { createElement, onClick, setPressed, setReason, setText, translation } from "../core/elements.js";
import { mayReplace } from "../core/undo_redo.js";
import { enterMode } from "../core/modes.js";
import { labelBoard, moveInput, setMoves, squareAt } from "../core/board_input.js";
import { renderPlayers } from "../core/players.js";
import { showConnectionLost } from "../core/session.js";
import { act, modes, provide, refresh, state } from "../core/state.js";
import { store } from "../core/store.js";
import { transport } from "../core/transport.js";
import { bareTree, loadTree, positionFields, START } from "../core/tree.js";

/** The position; the chosen piece, and whether it was taken from the board; what the program says of the position; the
 * points that a picture leaves doubtful, and what is done when one was answered.
 * @typedef {{pieces: Pieces, side: string, fen: string, chosenPiece: string, isFromBoard: boolean,
 *   check: Reply<"position-facts"> | null, doubts: Map<string, PictureDoubt>, onAnswer: () => void}} Setup */

/** @type {Setup} */
export const setup = {
  pieces: new Map(), side: "w", fen: START, chosenPiece: "", isFromBoard: false, check: null, doubts: new Map(), onAnswer: () => {},
};

/** The board field of a FEN. @param {Pieces} pieces @returns {string} */
function boardField(pieces) {
  const rows = [..."9876543210"].map((rank) => [..."abcdefghi"].map((file) => pieces.get(file + rank) ?? "1").join(""));
  return rows.join("/").replace(/1+/g, (empty) => String(empty.length));
}

/** Sets a position and has it checked. @param {string} text */
async function setPosition(text) {
  const fen = text.trim();
  showPlaceSoon("setup");
  Object.assign(setup, { fen, pieces: piecesOf(fen || "9"), side: fen.split(" ")[1] === "b" ? "b" : "w", check: null });
  const check = await transport.send("position-facts", { ...positionQuery([]), start: fen }).catch(() => null);
  if (!check) showConnectionLost();
  if (fen !== setup.fen) return;
  setup.check = check ?? {};
  if (state.mode === "setup") refresh();
}

/** Sets up a position that an address names. @param {string} fen */
export function setUp(fen) {
  setup.fen = fen;
  if (state.mode === "setup") replacePosition(fen);
  else enterMode("setup");
}

/** Sets up what a picture shows. @param {string} fen @param {PictureDoubt[]} doubts @param {() => void} onAnswer */
function takePosition(fen, doubts, onAnswer) {
  Object.assign(setup, { doubts: new Map(doubts.map((doubt) => [doubt.square, doubt])), onAnswer, chosenPiece: "" });
  setPosition(fen);
  refresh();
}

/** Sets another position, of which no picture is doubtful. @param {string} fen */
function replacePosition(fen) {
  setup.doubts.clear();
  setup.onAnswer();
  setPosition(fen);
}

function piecesChanged() {
  drawSetup();
  setPosition(`${boardField(setup.pieces)} ${setup.side} - - 0 1`);
}

/** Handles a click: puts the chosen piece on the square, or picks up the piece there. @param {string} square */
function press(square) {
  const { pieces, chosenPiece } = setup;
  const piece = pieces.get(square);
  const doubt = setup.doubts.get(square);
  if (doubt) {
    // The other reading, or what was chosen.
    const other = chosenPiece || (piece === (doubt.read ?? undefined) ? doubt.other : doubt.read);
    if (other) pieces.set(square, other);
    else pieces.delete(square);
    setup.doubts.delete(square);
    setup.onAnswer();
  } else if (chosenPiece && chosenPiece !== piece) {
    pieces.set(square, chosenPiece);
    if (setup.isFromBoard) setup.chosenPiece = "";
  } else if (piece) {
    pieces.delete(square);
    if (!chosenPiece) Object.assign(setup, { chosenPiece: piece, isFromBoard: true });
  }
  piecesChanged();
}

/** Moves a piece to another square, or off the board. @param {string} from @param {string} to */
function drag(from, to) {
  const piece = setup.pieces.get(from);
  setup.pieces.delete(from);
  if (to && piece) setup.pieces.set(to, piece);
  piecesChanged();
}

// The square of an error is marked: with the usual coordinates its name is not on the board.
function drawSetup() {
  const [square] = setup.check?.error?.match(/\b[a-i]\d\b/) ?? [""];
  const doubtful = [...setup.doubts.keys()].map((square) => {
    const [x, y] = squareCentre(square);
    return `<circle class="doubt" cx="${x}" cy="${y}" r="24"/>`;
  });
  drawBoard(`${boardField(setup.pieces)} ${setup.side}`, [], doubtful.join(""));
  setMoves(setup.pieces, [], square, null);
}

function renderSetup() {
  const { check, fen, side, chosenPiece } = setup;
  labelBoard(null);
  renderPlayers(translation, "9", [], side === "b" ? "black" : "red");
  if (document.activeElement !== byId("fen")) byId("fen").value = fen;
  byId("fenSide").value = side;
  // No message until the position has been checked.
  setText(byId("wrong"), check ? check.error ?? translation("validPosition") : null);
  const reason = check ? check.error ?? null : translation("thinking");
  for (const id of /** @type {const} */ (["setupAnalyse", "setupPlay"])) setReason(byId(id), reason);
  for (const button of queryAll("[data-piece]")) setPressed(button, button.dataset.piece === chosenPiece);
}

/** A piece is dragged out of the box: its picture follows the pointer; a click chooses it. @param {HTMLElement} button */
function bindBoxPiece(button) {
  const piece = button.dataset.piece ?? "";
  let wasDragged = false;
  button.addEventListener("pointerdown", (event) => {
    wasDragged = false;
    const picture = button.querySelector("svg");
    if (event.button !== 0 || !event.isPrimary || !picture) return;
    const ghost = createElement("div", { className: "ghost" }, picture.cloneNode(true));
    /** @param {PointerEvent} event */
    const follow = ({ clientX, clientY }) => {
      if (!ghost.isConnected && Math.hypot(clientX - event.clientX, clientY - event.clientY) < 5) return;
      if (!ghost.isConnected) document.body.append(ghost);
      Object.assign(ghost.style, { left: `${clientX}px`, top: `${clientY}px` });
    };
    /** @param {PointerEvent} last */
    const end = (last) => {
      button.removeEventListener("pointerup", end);
      button.removeEventListener("pointercancel", end);
      button.removeEventListener("pointermove", follow);
      const isDropped = ghost.isConnected && last.type === "pointerup";
      ghost.remove();
      if (!isDropped) return;
      const square = squareAt(last);
      if (square) { setup.pieces.set(square, piece); piecesChanged(); }
      // The click that follows does not choose the piece.
      wasDragged = true;
    };
    button.setPointerCapture(event.pointerId);
    button.addEventListener("pointermove", follow);
    button.addEventListener("pointerup", end);
    button.addEventListener("pointercancel", end);
  });
  button.addEventListener("click", (event) => {
    if (wasDragged && event.detail) return;
    Object.assign(setup, { chosenPiece: setup.chosenPiece === piece ? "" : piece, isFromBoard: false });
    refresh();
  });
}

async function analysePosition() {
  if (!await mayReplace()) return;
  loadTree(bareTree(setup.fen));
  enterMode("analyse");
}

/** Reads a picture. Its scripts come when the first one does. @param {Blob} file */
async function openPicture(file) {
  const picture = await import("./picture.js").catch(() => null);
  if (picture) await picture.openPicture(file, { doubts: () => setup.doubts, fen: () => setup.fen, take: takePosition });
  else showConnectionLost();
}

export function bindSetup() {
  provide({ openPicture });
  // A reload shows the position that was shown.
  setup.fen = store.tab.get("setup") || START;
  addEventListener("pagehide", () => store.tab.set("setup", setup.fen));
  byId("pictureFile").addEventListener("change", () => {
    const [file] = byId("pictureFile").files ?? [];
    if (file) openPicture(file);
    byId("pictureFile").value = "";
  });
  modes.setup = {
    drawBoard: drawSetup,
    renderPanel: renderSetup,
    ply: () => 0,
    lastPly: () => 0,
    goTo: () => {},
    moves: () => [],
    enter: () => { moveInput.editor = { press, drag }; setPosition(setup.fen); },
    leave: () => { moveInput.editor = null; setup.chosenPiece = ""; },
    place: () => ["setup", positionFields(setup.fen, [])].filter(Boolean).join("&"),
  };
  for (const button of queryAll("[data-piece]")) bindBoxPiece(button);
  byId("fen").addEventListener("input", () => replacePosition(byId("fen").value));
  byId("fenSide").addEventListener("change", () => { setup.side = byId("fenSide").value; piecesChanged(); });
  onClick({
    empty: () => replacePosition(`9/9/9/9/9/9/9/9/9/9 ${setup.side} - - 0 1`), usual: () => replacePosition(START), setupAnalyse: analysePosition,
    setupPlay: () => act.beginGame({ seat: setup.side === "b" ? "black" : "red", position: setup.fen }),
  });
}
