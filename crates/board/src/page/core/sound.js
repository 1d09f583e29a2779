// What is heard: moves as wood on wood, captures, checks and the end of a game, all computed here; and moves read aloud
// by the voice of the browser. Both are remembered.

import { queryAll } from "../../../../study/src/html_page/board.js";

import { LOCALE } from "./elements.js";
import { animateMove } from "./board_input.js";
import { refresh, state } from "./state.js";
import { store } from "./store.js";

/** Whether an option is on; without a choice only premoves are. @param {string} name */
export const option = (name) => (store.get(name) ?? (name === "premove" ? "on" : "off")) === "on";

/** @type {AudioContext | null} */
let audio = null;

/** The context for sounds: browsers allow none before the user has touched the page. */
function soundContext() {
  if (!option("sound") || !navigator.userActivation?.hasBeenActive) return null;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  return audio;
}

/** A decaying tone. @param {AudioContext} context @param {number} frequency @param {number} delay @param {number} length
 * @param {number} volume */
function tone(context, frequency, delay, length, volume) {
  const [source, gain, begin] = [context.createOscillator(), context.createGain(), context.currentTime + delay];
  source.frequency.setValueAtTime(frequency, begin);
  gain.gain.setValueAtTime(volume, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
  source.connect(gain).connect(context.destination);
  source.start(begin);
  source.stop(begin + length + 0.02);
}

/** Wood on wood: a short noise through a narrow filter, and the body of the board below it.
 * @param {AudioContext} context @param {number} delay @param {number} volume */
function knock(context, delay, volume) {
  const length = Math.floor(context.sampleRate * 0.05);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < length; at++) samples[at] = (Math.random() * 2 - 1) * Math.exp((-9 * at) / length);
  const [source, filter, gain] = [context.createBufferSource(), context.createBiquadFilter(), context.createGain()];
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = 1100;
  filter.Q.value = 1.5;
  gain.gain.value = volume * 1.6;
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(context.currentTime + delay);
  tone(context, 165, delay, 0.11, volume);
}

/** @param {"move" | "capture" | "check" | "end"} kind */
function playSound(kind) {
  const context = soundContext();
  if (!context) return;
  knock(context, 0, kind === "move" ? 0.35 : 0.5);
  if (kind === "capture") knock(context, 0.07, 0.4);
  if (kind === "check") [660, 880].forEach((frequency, at) => tone(context, frequency, 0.08 + 0.1 * at, 0.2, 0.14));
  if (kind === "end") [523, 415, 330].forEach((frequency, at) => tone(context, frequency, 0.1 + 0.16 * at, 0.4, 0.16));
}

/** A clock that is short of time. */
export function tick() {
  const context = soundContext();
  if (context) tone(context, 1800, 0, 0.04, 0.08);
}

/** Reads a text aloud, if that is wanted. @param {string | null} text */
function readAloud(text) {
  if (!text || !option("voice") || !window.speechSynthesis) return;
  const speech = new SpeechSynthesisUtterance(text);
  speech.lang = LOCALE;
  speechSynthesis.cancel();
  speechSynthesis.speak(speech);
}

/** Shows that a move was made: it is animated, heard and read aloud. @param {string} move @param {MoveFacts} facts */
export function presentMove(move, { captured = false, check = null, over = null, name = null, isShown = false }) {
  if (!isShown) animateMove(move);
  playSound(over ? "end" : check ? "check" : captured ? "capture" : "move");
  readAloud(name);
}

const optionBoxes = () => /** @type {HTMLInputElement[]} */ (queryAll("[data-option]"));

function renderOptions() {
  for (const box of optionBoxes()) box.checked = option(box.dataset.option ?? "");
  document.body.classList.toggle("blind", option("blind"));
}

/** @param {string} name @param {boolean} isOn */
function setOption(name, isOn) {
  store.set(name, isOn ? "on" : "off");
  renderOptions();
  if (state.mode === "play") refresh();
}

export function bindSound() {
  for (const box of optionBoxes()) {
    box.addEventListener("change", () => {
      setOption(box.dataset.option ?? "", box.checked);
      if (box.dataset.option === "sound") playSound("move");
    });
  }
  renderOptions();
}
