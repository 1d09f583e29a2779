// The connection to the engine in a worker, for a page without a server: the requests and events of `transport.js`, as
// messages. What the engine wants to be kept is kept before its answer is passed on.
//
// The engine takes in messages while it thinks: where WebAssembly can wait for a promise, it looks for them; elsewhere it
// learns that there are any from an address that is no more, which each message takes back and replaces.

/** The program answers, but not to this page. */
class Refusal extends Error {}

/** @type {Transport} */
const transport = (() => {
  /** The analysed game of a page that is leaving: it waits for no worker. */
  const [WORK, WORK_FILE] = ["chuhe.work", "analysis.json"];
  /** @type {Worker | null} */
  let worker = null;
  /** The beginning of the worker, with what is wrong with storage. @type {Promise<{trouble?: Both}> | null} */
  let started = null;
  /** @type {string | null} */
  let page = null;
  let flag = "";
  let number = 0;
  /** The requests without an answer. @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
  const waiting = new Map();
  /** @type {((events: any) => void) | null} */
  let take = null;
  let lost = () => {};
  /** The events that nobody has taken yet. */
  let untaken = {};
  /** All that came from the worker before is passed on and kept. */
  let settled = Promise.resolve();
  /** Whether the last files were kept: a failure is told once. */
  let keeps = true;

  const stored = (work) => { try { return work(localStorage); } catch { return null; } };

  /** @param {object} message */
  function post(message) {
    const old = flag;
    flag = URL.createObjectURL(new Blob(["1"]));
    worker.postMessage({ ...message, flag });
    URL.revokeObjectURL(old);
  }

  async function start() {
    // Its scripts come while the engine does.
    const beginning = new Worker("board-worker.js", { type: "module", name: "chuhe" });
    const ready = new Promise((resolve, reject) => {
      const fail = (error) => { reject(error); stop(error); };
      beginning.onerror = (event) => fail(new Error(event.message ?? "the worker cannot be started"));
      beginning.onmessage = ({ data }) => {
        if (data.ready) resolve(data);
        else if (data.error) fail(new Error(data.error));
        else settled = settled.then(() => receive(data));
      };
    });
    // It may fail before anybody waits for it.
    ready.catch(() => {});
    const { module, files, trouble } = await webShell.start().catch((error) => { beginning.terminate(); throw error; });
    const work = stored((storage) => storage.getItem(WORK));
    if (work) files[WORK_FILE] = new TextEncoder().encode(work);
    worker = beginning;
    post({ start: { wasm: module, files } });
    await ready;
    return { trouble };
  }

  /** The worker has failed. @param {Error} error */
  function stop(error) {
    console.error(error);
    worker?.terminate();
    [worker, started] = [null, null];
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    lost();
  }

  /** @param {any} message */
  async function receive({ files, events, id, answer }) {
    if (files) {
      try {
        await webShell.persist(files);
        if (WORK_FILE in files) stored((storage) => storage.removeItem(WORK));
        keeps = true;
      } catch (error) {
        if (keeps && error.wrong) notice(error.wrong, []);
        keeps = false;
      }
    }
    if (events && take) take(events);
    else Object.assign(untaken, events);
    if (id) {
      waiting.get(id)?.resolve(answer === null ? {} : JSON.parse(answer));
      waiting.delete(id);
    }
  }

  /** @param {string} path @param {object} body @returns {Promise<any>} */
  function ask(path, body) {
    if (!worker) return Promise.reject(new Error("there is no worker"));
    const id = ++number;
    post({ id, path, body: JSON.stringify(body) });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  }

  async function open() {
    started ??= start();
    let trouble;
    try {
      ({ trouble } = await started);
    } catch (error) {
      started = null;
      if (error.wrong) return { wrong: error.wrong };
      throw error;
    }
    [take, untaken] = [null, {}];
    const hello = await ask("/open", { page });
    if (hello.wrong) return hello;
    page = hello.page;
    // A tab that has played goes on with its game; others ask.
    if (hello.unfinished && store.tab.get("plays")) {
      await ask(`/do/${page}`, { do: "resume" });
      hello.unfinished = null;
    }
    return { ...hello, trouble: trouble ?? hello.trouble };
  }

  async function send(name, fields = {}, leaving = false) {
    if (!page) return {};
    if (["play", "begin", "resume"].includes(name)) store.tab.set("plays", "yes");
    if (leaving && name === "keep") stored((storage) => storage.setItem(WORK, JSON.stringify(fields["tree"])));
    const asked = ask(`/do/${page}`, { do: name, ...fields });
    return leaving ? {} : asked;
  }

  // The clock of a user who does not see the page stands still; who sees it again sees what is left.
  addEventListener("visibilitychange", () => {
    if (!worker) return;
    post({ hidden: document.visibilityState === "hidden" });
    if (document.visibilityState === "visible") send("clock").catch(() => {});
  });

  return {
    isAllowed: () => true,
    open,
    send,
    place: () => location.hash.slice(1),
    address: (fields) => `${location.origin}${location.pathname}${fields ? `#${fields}` : ""}`,
    moved: () => false,
    listen(newTake, newLost) {
      [take, lost] = [newTake, newLost];
      take(untaken);
    },
    invitation: () => Promise.reject(new Error("there is no server")),
  };
})();
