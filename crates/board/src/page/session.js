// The session with the program: opens the page, sends requests and tells their failures, and passes events on.

/** @type {((news: any) => void)[]} */
const listeners = [];
/** Whether the page has opened itself since it was loaded. */
let entered = false;

/** Sends a request; shows the error if it fails. @param {string} name @param {object} more @returns {Promise<any>} */
async function wish(name, more = {}) {
  try {
    const answer = await transport.send(name, more);
    if (answer.gone) await enter();
    if (answer.wrong) { notice(answer.wrong); speak(plain(answer.wrong)); }
    return answer;
  } catch {
    return lost();
  }
}

/** Adds a listener for events. @type {(listener: (news: any) => void) => number} */
const onNews = (listener) => listeners.push(listener);

function take(news) {
  if (news.gone) return enter();
  for (const listener of listeners) listener(news);
}

const lost = () => { notice(words("ended"), []); return {}; };

// Opens the page at the program, then receives events.
async function enter() {
  if (!transport.isAllowed()) return notice(words("noToken"), []);
  let hello;
  try {
    hello = await transport.open();
  } catch (error) {
    return error instanceof Refusal ? notice(words("noToken"), []) : lost();
  }
  if (hello.wrong) return notice(hello.wrong, []);
  if (hello.trouble) notice(hello.trouble, []);
  if (hello.tree) openTree(hello.tree);
  if (hello.work && !entered) resumeTree(hello.work);
  const isFirst = !entered;
  entered = true;
  if (hello.unfinished) {
    notice(words("unfinished", { moves: hello.unfinished.moves }), [["resume", () => wish("resume")], ["dismiss", () => {}]]);
  }
  transport.listen(take, lost);
  if (isFirst && !await followLink() && !hello.tree) returnToMode();
}

/** After a reload the tab is in the mode that it was in. */
function returnToMode() {
  const name = store.tab.get("mode");
  if (name && name !== mode && modes[name]) enterMode(name);
}

addEventListener("pagehide", () => transport.send("leave", {}, true));
addEventListener("pageshow", (event) => { if (event.persisted) enter(); });
