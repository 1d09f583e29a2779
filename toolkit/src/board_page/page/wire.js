// The connection to the program: requests and events. Each page has a number that identifies it to the program; the
// token is in the fragment of the address.

/** @typedef {{zh: string, en: string}} Both A text in both languages. */
/** @typedef {{parent: number, move: string, name: Both | null, comment: string, marks: number[], children: number[]}} Move */
/** @typedef {{start: string, tags: [string, string][], result: string, nodes: Move[]}} Tree */

let token = location.hash.slice(1);
/** @type {((news: any) => void)[]} */
const listeners = [];
/** @type {string | null} */
let page = sessionStorage.getItem("chuhe.page");
let seen = 0;
/** Whether the page has introduced itself since it was loaded. */
let entered = false;
/** @type {AbortController | null} */
let stream = null;

/** Creates an element with its content.
 * @param {string} tag @param {object} properties @param {...(Node | string)} content */
function make(tag, properties, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

/** Creates a button with a data attribute.
 * @param {string} className @param {Object<string, any>} data @param {...(Node | string)} content */
function makeButton(className, data, ...content) {
  const button = make("button", { type: "button", className }, ...content);
  Object.assign(button.dataset, data);
  return button;
}

/** The elements of a text in both languages. @param {Both} text */
function both({ zh, en }) {
  const whole = document.createDocumentFragment();
  whole.append(make("span", { className: "zh", lang: "zh" }, zh), make("span", { className: "en", lang: "en" }, en));
  return whole;
}

/** A text of the page with the names in braces filled in.
 * @param {string} name @param {Object<string, any>} names @returns {Both} */
function words(name, names = {}) {
  const fill = (text) => text.replace(/\{(\w+)\}/g, (whole, hole) => names[hole] ?? whole);
  return { zh: fill(WORDS[name].zh), en: fill(WORDS[name].en) };
}

/** A text in the current language. @type {(text: Both) => string} */
const plain = (text) => text[document.documentElement.dataset.language];

/** @param {Element} element @param {...(Both | null | undefined)} texts */
function write(element, ...texts) {
  element.replaceChildren(...texts.filter(Boolean).flatMap((text, index) => (index ? [" ", both(text)] : [both(text)])));
}

/** Announces a text to screen readers. @param {string} text */
const speak = (text) => { byId("spoken").textContent = text; };

/** Shows a message above the board, with buttons for choices; without choices it disappears after a while.
 * @param {Both | null} text @param {[string, () => void][] | null} choices */
function notice(text, choices = null) {
  const line = byId("notice");
  clearTimeout(notice.goes);
  line.hidden = !text;
  if (!text) return;
  write(line, text);
  for (const [name, deed] of choices ?? []) {
    const button = makeButton("deed", {}, both(words(name)));
    button.addEventListener("click", () => { notice(null); deed(); });
    line.append(" ", button);
  }
  if (!choices) notice.goes = setTimeout(() => { line.hidden = true; }, 8000);
}

/** @param {string} path @param {object} body @param {RequestInit} more */
function post(path, body, more = {}) {
  const headers = { "Content-Type": "application/json", "X-Chuhe-Token": token };
  return fetch(path, { method: "POST", headers, body: JSON.stringify(body), ...more });
}

/** Sends a request to the program. @param {string} path @param {object} body @returns {Promise<any>} */
async function ask(path, body) {
  const response = await post(path, body);
  if (response.status === 403) throw new Error("token");
  return response.json();
}

/** Sends an action; shows the error if it fails. @param {string} name @param {object} more @returns {Promise<any>} */
async function wish(name, more = {}) {
  try {
    const answer = await ask(`/do/${page}`, { do: name, ...more });
    if (answer.gone) await enter();
    if (answer.wrong) { notice(answer.wrong); speak(plain(answer.wrong)); }
    return answer;
  } catch {
    return lost();
  }
}

/** The requests to remember something, one after the other: the last one counts. */
let remembering = Promise.resolve();

/** Remembers a setting. @param {string} name @param {string} value */
function remember(name, value) {
  if (page) remembering = remembering.then(() => wish("remember", { name, value }));
}

/** Adds a listener for events. @type {(listener: (news: any) => void) => number} */
const onNews = (listener) => listeners.push(listener);

function take(news) {
  if (news.gone) return enter();
  if (news.number) seen = news.number;
  for (const listener of listeners) listener(news);
}

const lost = () => { notice(words("ended"), []); return {}; };

// Command lines are visible to all users of the machine: the code in the address is valid once and is exchanged for the
// token.
async function redeem() {
  ({ token } = await ask("/key", {}));
  history.replaceState(null, "", `#${token}`);
}

// Opens the page at the program, then receives events.
async function enter() {
  if (!token) return notice(words("noToken"), []);
  stream?.abort();
  let hello;
  try {
    if (token.startsWith("once-")) await redeem();
    hello = await ask("/open", { page });
  } catch (error) {
    return error.message === "token" ? notice(words("noToken"), []) : lost();
  }
  if (hello.wrong) return notice(hello.wrong, []);
  [page, seen] = [hello.page, 0];
  sessionStorage.setItem("chuhe.page", page);
  if (hello.trouble) notice(hello.trouble, []);
  if (hello.tree) openTree(hello.tree);
  if (hello.work && !entered) resumeTree(hello.work);
  entered = true;
  if (hello.unfinished) {
    notice(words("unfinished", { moves: hello.unfinished.moves }), [["resume", () => wish("resume")], ["dismiss", () => {}]]);
  }
  listenOn();
}

const pause = (time) => new Promise((done) => setTimeout(done, time));

/** The number of the current event loop: the last one started. @type {number} */
let round = 0;

// Reads the event stream; if there is none or a proxy buffers it, polls instead.
async function listenOn() {
  const mine = ++round;
  for (let flows = true, failures = 0; round === mine && failures < 20; ) {
    try {
      if (flows) flows = await readStream(mine);
      else { take(await ask(`/news/${page}`, { seen })); await pause(400); }
      failures = 0;
    } catch {
      failures += 1;
      if (failures === 3 && round === mine) lost();
      await pause(250 * failures);
    }
  }
}

/** Whether the stream works: the program sends two events at once, and at least one every 15 seconds.
 * @param {number} mine @returns {Promise<boolean>} */
async function readStream(mine) {
  const control = new AbortController();
  stream = control;
  let patience = setTimeout(() => control.abort(), 3000);
  try {
    const response = await post(`/stream/${page}`, { seen }, { signal: control.signal });
    if (!response.headers.get("Content-Type").startsWith("text/event-stream")) {
      take(await response.json());
      return false;
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = "", read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(patience);
      patience = setTimeout(() => control.abort(), 40000);
      const events = (text + read.value).split("\n\n");
      text = events.pop();
      for (const event of events) take(JSON.parse(event.slice("data: ".length)));
    }
    return true;
  } catch (error) {
    if (error.name === "AbortError" && round === mine) return false;
    throw error;
  } finally {
    clearTimeout(patience);
  }
}

addEventListener("pagehide", () => { if (page) post(`/do/${page}`, { do: "leave" }, { keepalive: true }).catch(() => {}); });
addEventListener("pageshow", (event) => { if (event.persisted) enter(); });
