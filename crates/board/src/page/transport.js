// The connection to the program, by a server. All requests of the page and all events of the program pass through this
// file, and nothing else of the page talks to anybody. A page without a server has `web/transport.js` instead.

/** The program answers, but not to this page. */
class Refusal extends Error {}

/** @type {Transport} */
const transport = (() => {
  // The token is in the fragment of the address, which no request shows, before what the fragment says of a position.
  const parts = () => location.hash.slice(1).split("&");
  const isField = (part) => part.includes("=");
  const tokenHere = () => parts().find((part) => part && !isField(part)) ?? "";
  const place = () => parts().filter(isField).join("&");
  const address = (fields) => `${location.origin}${location.pathname}#${[token, fields].filter(Boolean).join("&")}`;
  let token = tokenHere();
  /** @type {string | null} */
  let page = null;
  /** The number of the last event. */
  let seen = 0;
  /** The number of the current event loop: the last one started. */
  let round = 0;
  /** @type {AbortController | null} */
  let stream = null;

  /** @param {string} path @param {object} body @param {RequestInit} more */
  function post(path, body, more = {}) {
    const headers = { "Content-Type": "application/json", "X-Chuhe-Token": token };
    return fetch(path, { method: "POST", headers, body: JSON.stringify(body), ...more });
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  async function ask(path, body) {
    const response = await post(path, body);
    if (response.status === 403) throw new Refusal();
    return response.json();
  }

  async function open() {
    stream?.abort();
    // Command lines are visible to all users of the machine: the code in the address is valid once and is exchanged for
    // the token.
    if (/^(once|pair)-/.test(token)) {
      ({ token } = await ask("/key", {}));
      history.replaceState(null, "", address(place()));
    }
    const hello = await ask("/open", { page: page ?? store.tab.get("page") ?? null });
    if (hello.wrong) return hello;
    [page, seen] = [hello.page, 0];
    store.tab.set("page", page);
    return hello;
  }

  async function send(name, fields = {}, leaving = false) {
    if (!page) return {};
    const [path, body] = [`/do/${page}`, { do: name, ...fields }];
    if (!leaving) return ask(path, body);
    await post(path, body, { keepalive: true }).catch(() => {});
    return {};
  }

  // Reads the event stream; if there is none or a proxy buffers it, polls instead.
  async function listen(take, lost) {
    const mine = ++round;
    const pass = (events) => { if (round === mine) { seen = events.number ?? seen; take(events); } };
    for (let flows = true, failures = 0; round === mine && failures < 20; ) {
      try {
        if (flows) flows = await readStream(mine, pass);
        else { pass(await ask(`/news/${page}`, { seen })); await pause(400); }
        failures = 0;
      } catch {
        failures += 1;
        if (failures === 3 && round === mine) lost();
        await pause(250 * failures);
      }
    }
  }

  /** Whether the stream works: the program sends two events at once, and at least one every 15 seconds.
   * @param {number} mine @param {(events: any) => void} pass @returns {Promise<boolean>} */
  async function readStream(mine, pass) {
    const control = new AbortController();
    stream = control;
    let patience = setTimeout(() => control.abort(), 3000);
    try {
      const response = await post(`/stream/${page}`, { seen }, { signal: control.signal });
      if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
        pass(await response.json());
        return false;
      }
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = "", read = await reader.read(); !read.done; read = await reader.read()) {
        clearTimeout(patience);
        patience = setTimeout(() => control.abort(), 40000);
        const events = (text + read.value).split("\n\n");
        text = events.pop();
        for (const event of events) pass(JSON.parse(event.slice("data: ".length)));
      }
      return true;
    } catch (error) {
      if (error.name === "AbortError" && round === mine) return false;
      throw error;
    } finally {
      clearTimeout(patience);
    }
  }

  function moved() {
    const next = tokenHere();
    const isOther = Boolean(next) && next !== token;
    if (isOther) token = next;
    return isOther;
  }

  const pause = (time) => new Promise((done) => setTimeout(done, time));

  const invitation = () => ask("/lan", {});
  return { isAllowed: () => Boolean(token), open, send, place, address, moved, listen, invitation };
})();
