// The connection to the program, by a server. All requests of the page and all events of the program pass through this
// file, and nothing else of the page talks to anybody. A page without a server has `web/transport.js` instead.

import { linkFields, placeOfAddress, tokenOfAddress } from "./fragment.js";

/** @param {string} start @param {string[]} parts */
const withFragment = (start, parts) => `${start}#${parts.filter(Boolean).join("&")}`;
// The key is not shown: once it was good it stands in the storage of the browser. One that was refused stays where it is.
/** @param {string} place */
const address = (place) => withFragment(location.origin + location.pathname + location.search, [refused, place]);

// A link without a token opens where another page of this browser has been let in.
const KNOWN_TOKEN = "chuhe.token";
/** The page of this tab, for when it is loaded again. */
const KNOWN_PAGE = "chuhe.page";
let token = tokenOfAddress() || localStorage.getItem(KNOWN_TOKEN) || "";
/** The key of the address that was refused, "" if none was. */
let refused = "";
/** @type {string | null} */
let page = null;
/** The number of the last event. */
let lastEvent = 0;
/** The number of the current event loop: the last one started. */
let currentLoop = 0;
/** @type {AbortController | null} */
let stream = null;
/** The farewell of the page, which may come back: the program hears of both in this order. @type {Promise<unknown>} */
let leaving = Promise.resolve();

/** Why the program does not let the page in, as a text of the page. @type {Record<number, string>} */
const REFUSALS = { 403: "missingToken", 409: "tooManyDevices", 410: "usedCode", 429: "tooManyCodes" };
class Refusal extends Error {}

/** @param {string} path @param {object} body @param {RequestInit} options */
function post(path, body, options = {}) {
  const headers = { "Content-Type": "application/json", "X-Chuhe-Token": token };
  return fetch(path, { method: "POST", headers, body: JSON.stringify(body), ...options });
}

/** @template Answer @param {string} path @param {object} body @returns {Promise<Answer>} */
async function postJson(path, body, tries = 5) {
  const response = await post(path, body);
  // There is no room for a moment: the request was not looked at.
  if (response.status === 503 && tries > 0) {
    await pause(400);
    return postJson(path, body, tries - 1);
  }
  if (response.status in REFUSALS) throw new Refusal(REFUSALS[response.status]);
  return response.json();
}

/** @param {string} key */
const isCode = (key) => /^(once|pair|play|watch)-/.test(key);

/** @returns {Promise<OpenReply>} */
async function open() {
  if (!token) return { refused: "missingToken" };
  stream?.abort();
  try {
    await Promise.race([leaving, pause(1000)]);
    // Command lines are visible to all users of the machine: the code in the address is valid once and is exchanged for
    // the token.
    if (isCode(token)) {
      token = (await /** @type {Promise<{ token: string }>} */ (postJson("/token", {}))).token;
      hideToken();
    }
    const used = token;
    /** @type {OpenReply} */
    const reply = await postJson("/open", { page: page ?? sessionStorage.getItem(KNOWN_PAGE), language: document.documentElement.lang });
    if (reply.page === undefined || token !== used) return reply;
    [page, lastEvent] = [reply.page, 0];
    localStorage.setItem(KNOWN_TOKEN, token);
    refused = "";
    if (tokenOfAddress()) hideToken();
    sessionStorage.setItem(KNOWN_PAGE, page);
    return reply;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // A code that was used, or the address of an earlier run of the program, in a browser that was let in before.
    const known = localStorage.getItem(KNOWN_TOKEN);
    if ((isCode(token) || error.message === REFUSALS[403]) && known && known !== token) {
      token = known;
      return open();
    }
    refused = tokenOfAddress();
    // Nothing comes any more, and that is known.
    currentLoop += 1;
    return { refused: error.message };
  }
}

const hideToken = () => history.replaceState(null, "", address([placeOfAddress(), linkFields()].filter(Boolean).join("&")));

/** The address of a position for others, which never holds the token: on a shared board it pairs a device, otherwise it
 * opens on this computer. @param {string} fields */
async function sharedAddress(fields) {
  if (document.documentElement.dataset.lan === undefined) return withFragment(location.origin + location.pathname, [fields]);
  return `${(await invitation("device")).address}&${fields}`;
}

/** @type {Transport["invitation"]} */
const invitation = (access, dismissed) => (
  dismissed ? postJson("/dismiss", { device: dismissed, access }) : postJson("/invitation", { access })
);

/** @type {Transport["send"]} */
async function send(name, fields, isLeaving = false) {
  if (!page) return {};
  const [path, body] = [`/request/${page}`, { type: name, ...fields }];
  if (!isLeaving) return postJson(path, body);
  leaving = post(path, body, { keepalive: true }).catch(() => {});
  await leaving;
  return {};
}

/** @param {number} time */
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

// Reads the event stream; if there is none or a proxy buffers it, polls instead.
/** @type {Transport["listen"]} */
async function listen(onEvents, onLost) {
  const loop = ++currentLoop;
  /** @param {ServerEvents} events */
  const pass = (events) => {
    if (currentLoop !== loop) return;
    lastEvent = events.number ?? lastEvent;
    onEvents(events);
  };
  for (let isStreaming = true, failures = 0; currentLoop === loop && failures < 20; ) {
    try {
      if (isStreaming) isStreaming = await readStream(loop, pass);
      else { pass(await postJson(`/events/${page}`, { after: lastEvent })); await pause(400); }
      failures = 0;
    } catch {
      failures += 1;
      if (failures === 3 && currentLoop === loop) onLost();
      await pause(250 * failures);
    }
  }
}

/** Whether the stream works: the program sends two events at once, and at least one every 15 seconds.
 * @param {number} loop @param {(events: ServerEvents) => void} pass @returns {Promise<boolean>} */
async function readStream(loop, pass) {
  const control = new AbortController();
  stream = control;
  let timeout = setTimeout(() => control.abort(), 3000);
  try {
    const response = await post(`/stream/${page}`, { after: lastEvent }, { signal: control.signal });
    if (!response.body || !response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
      pass(await response.json());
      return false;
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = "", read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(timeout);
      timeout = setTimeout(() => control.abort(), 40000);
      const events = (text + read.value).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) pass(JSON.parse(event.slice("data: ".length)));
    }
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError" && currentLoop === loop) return false;
    throw error;
  } finally {
    clearTimeout(timeout);
  }
}

function tokenChanged() {
  const next = tokenOfAddress() || localStorage.getItem(KNOWN_TOKEN);
  const isOther = Boolean(next) && next !== token;
  if (next && isOther) token = next;
  return isOther;
}

/** @type {Transport} */
export const transport = { open, send, address, tokenChanged, listen, sharedAddress, invitation };
