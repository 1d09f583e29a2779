// The service worker: registered once the engine is there, so that the first visit downloads nothing twice. New versions
// are offered, and taken only when the user says so.

import { BUILD, CACHE, UNPACKED } from "./download.js";
import { translation } from "./elements.js";
import { ask } from "./status_bar.js";

/** How long a page that stays open waits with the next look for a new version. */
const UPDATE_INTERVAL = 6 * 3600 * 1000;
let isUpdating = false;

/** @param {ServiceWorker} worker */
function offerUpdate(worker) {
  ask(translation("shell-update"), [
    [translation("shell-updateNow"), () => { isUpdating = true; worker.postMessage("activate"); }],
    [translation("shell-later"), () => {}],
  ]);
}

function markReady() {
  document.documentElement.dataset.offline = "ready";
  // The page and the texts of this language came before the worker, which keeps them as others are when they are first needed.
  const { lang } = document.documentElement;
  const words = ["en", "zh"].includes(lang) ? [] : [`words_${lang}.txt`];
  for (const name of [`${lang}.html`, `texts_${lang}.js`, ...words]) fetch(name).catch(() => {});
}

/** @param {ServiceWorkerRegistration} registration */
function watch(registration) {
  /** @param {ServiceWorker | null} worker */
  const follow = (worker) => worker?.addEventListener("statechange", () => {
    if (worker.state === "installed" && registration.active) offerUpdate(worker);
    if (worker.state === "activated") markReady();
  });
  if (registration.active) markReady();
  if (registration.waiting && registration.active) offerUpdate(registration.waiting);
  // One may have been found when the page was opened.
  follow(registration.installing);
  registration.addEventListener("updatefound", () => follow(registration.installing));
  let checkedAt = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - checkedAt < UPDATE_INTERVAL) return;
    checkedAt = Date.now();
    registration.update().catch(() => {});
  });
}

/** Waits until what is downloaded is kept, if it ever is; no longer than this. @param {number} time @returns {Promise<unknown>} */
export function untilKept(time) {
  const workers = navigator.serviceWorker;
  if (!workers || workers.controller) return Promise.resolve();
  return new Promise((resolve) => {
    workers.addEventListener("controllerchange", resolve, { once: true });
    setTimeout(resolve, time);
  });
}

/** Makes the page work without a network. What was downloaded is not downloaded again.
 * @param {{packed?: Uint8Array<ArrayBuffer>, unpacked?: Uint8Array<ArrayBuffer>}} engine */
export async function prepareOffline({ packed, unpacked }) {
  if (!navigator.serviceWorker) return;
  try {
    navigator.serviceWorker.addEventListener("controllerchange", () => { if (isUpdating) location.reload(); });
    if (packed && unpacked) {
      /** @param {Uint8Array<ArrayBuffer>} bytes @param {string} type */
      const response = (bytes, type) => new Response(bytes, { headers: { "Content-Type": type, "X-Hash": BUILD.hash } });
      const cache = await caches.open(CACHE);
      await cache.put(UNPACKED, response(unpacked, "application/wasm"));
      await cache.put(BUILD.engine, response(packed, "application/octet-stream"));
    }
    watch(await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" }));
  } catch {
    // A private window, or no space: the page works as long as there is a network.
  }
}
