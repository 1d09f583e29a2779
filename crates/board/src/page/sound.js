// What is heard: moves as wood on wood, captures, checks and the end of a game, all computed here; and moves read aloud
// by the voice of the browser. Both are remembered.

/** Whether an option is on; without a choice the premove alone is. @param {string} name */
const option = (name) => (store.get(name) ?? (name === "premove" ? "on" : "off")) === "on";

/** @type {AudioContext | null} */
let audio = null;

/** The context for sounds: browsers allow none before the user has touched the page. */
function soundContext() {
  if (!option("sound") || !navigator.userActivation?.hasBeenActive) return null;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  return audio;
}

/** A decaying tone. @param {AudioContext} to @param {number} frequency @param {number} after @param {number} length
 * @param {number} loud */
function tone(to, frequency, after, length, loud) {
  const [source, gain, begin] = [to.createOscillator(), to.createGain(), to.currentTime + after];
  source.frequency.setValueAtTime(frequency, begin);
  gain.gain.setValueAtTime(loud, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
  source.connect(gain).connect(to.destination);
  source.start(begin);
  source.stop(begin + length + 0.02);
}

/** Wood on wood: a short noise through a narrow filter, and the body of the board below it.
 * @param {AudioContext} to @param {number} after @param {number} loud */
function knock(to, after, loud) {
  const length = Math.floor(to.sampleRate * 0.05);
  const buffer = to.createBuffer(1, length, to.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < length; at++) samples[at] = (Math.random() * 2 - 1) * Math.exp((-9 * at) / length);
  const [source, filter, gain] = [to.createBufferSource(), to.createBiquadFilter(), to.createGain()];
  source.buffer = buffer;
  Object.assign(filter, { type: "bandpass" });
  filter.frequency.value = 1100;
  filter.Q.value = 1.5;
  gain.gain.value = loud * 1.6;
  source.connect(filter).connect(gain).connect(to.destination);
  source.start(to.currentTime + after);
  tone(to, 165, after, 0.11, loud);
}

/** @param {"move" | "capture" | "check" | "end"} kind */
function sound(kind) {
  const to = soundContext();
  if (!to) return;
  knock(to, 0, kind === "move" ? 0.35 : 0.5);
  if (kind === "capture") knock(to, 0.07, 0.4);
  if (kind === "check") [660, 880].forEach((frequency, at) => tone(to, frequency, 0.08 + 0.1 * at, 0.2, 0.14));
  if (kind === "end") [523, 415, 330].forEach((frequency, at) => tone(to, frequency, 0.1 + 0.16 * at, 0.4, 0.16));
}

/** Reads a text aloud, if that is wanted. @param {Both | null | undefined} text */
function readAloud(text) {
  if (!text || !option("voice") || !window.speechSynthesis) return;
  const speech = new SpeechSynthesisUtterance(plain(text));
  speech.lang = document.documentElement.dataset.language === "zh" ? "zh-CN" : "en";
  speechSynthesis.cancel();
  speechSynthesis.speak(speech);
}

/** A move was made: it glides, sounds and is read aloud.
 * @param {string} move @param {{captured?: boolean, check?: any, over?: any, name?: Both | null}} facts */
function moved(move, { captured = false, check = null, over = null, name = null }) {
  glide(move);
  sound(over ? "end" : check ? "check" : captured ? "capture" : "move");
  readAloud(name);
}

// The options: each is a box that is checked.
function tellOptions() {
  for (const box of all("[data-option]")) box.checked = option(box.dataset.option);
  byId("sound").setAttribute("aria-pressed", option("sound"));
  document.body.classList.toggle("blind", option("blind"));
}

/** @param {string} name @param {boolean} on */
function setOption(name, on) {
  store.set(name, on ? "on" : "off");
  tellOptions();
  if (mode === "play" && game) refresh();
}

for (const box of all("[data-option]")) box.addEventListener("change", () => setOption(box.dataset.option, box.checked));
byId("sound").addEventListener("click", () => { setOption("sound", !option("sound")); sound("move"); });
tellOptions();
