// The service worker: registered once the engine is there, so that the first visit downloads nothing twice. New versions
// are offered, and taken only when the user says so.

const offline = (() => {
  /** How long a page that stays open waits with the next look for a new version. */
  const BETWEEN_LOOKS = 6 * 3600 * 1000;
  let isUpdating = false;

  /** @param {ServiceWorker} worker */
  function offer(worker) {
    strip.ask(shellText("update"), [
      [shellText("updateNow"), () => { isUpdating = true; worker.postMessage("activate"); }],
      [shellText("later"), () => {}],
    ]);
  }

  const tellReady = () => { document.documentElement.dataset.offline = "ready"; };

  /** @param {ServiceWorkerRegistration} registration */
  function watch(registration) {
    const follow = (worker) => worker?.addEventListener("statechange", () => {
      if (worker.state === "installed" && registration.active) offer(worker);
      if (worker.state === "activated") tellReady();
    });
    if (registration.active) tellReady();
    if (registration.waiting && registration.active) offer(registration.waiting);
    // One may have been found when the page was opened.
    follow(registration.installing);
    registration.addEventListener("updatefound", () => follow(registration.installing));
    let looked = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden || Date.now() - looked < BETWEEN_LOOKS) return;
      looked = Date.now();
      registration.update().catch(() => {});
    });
  }

  return {
    /** Makes the page work without a network. What was downloaded is not downloaded again.
     * @param {{packed?: Uint8Array<ArrayBuffer>, unpacked?: Uint8Array<ArrayBuffer>}} engine */
    async prepare({ packed, unpacked }) {
      if (!navigator.serviceWorker) return;
      try {
        navigator.serviceWorker.addEventListener("controllerchange", () => { if (isUpdating) location.reload(); });
        if (unpacked) {
          const answer = (bytes, type) => new Response(bytes, { headers: { "Content-Type": type, "X-Hash": BUILD.hash } });
          const cache = await caches.open(CACHE);
          await cache.put(UNPACKED, answer(unpacked, "application/wasm"));
          await cache.put(BUILD.engine, answer(packed, "application/octet-stream"));
        }
        watch(await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" }));
      } catch {
        // A private window, or no space: the page works as long as there is a network.
      }
    },
  };
})();
