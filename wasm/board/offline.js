// The service worker: registered once the engine is there, so that the first visit downloads nothing twice. New versions
// are offered, and taken only when the user says so.

const offline = (() => {
  const CACHE = `chuhe:${SITE}:${BUILD.version}`;
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

  /** @param {ServiceWorkerRegistration} registration */
  function watch(registration) {
    if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      const hadOne = Boolean(registration.active);
      worker?.addEventListener("statechange", () => {
        if (worker.state === "installed" && hadOne) offer(worker);
        if (worker.state === "activated" && !hadOne) document.documentElement.dataset.offline = "ready";
      });
    });
    if (registration.active) document.documentElement.dataset.offline = "ready";
    let looked = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden || Date.now() - looked < BETWEEN_LOOKS) return;
      looked = Date.now();
      registration.update().catch(() => {});
    });
  }

  return {
    /** Makes the page work without a network. @param {Uint8Array<ArrayBuffer>} packed The engine, which is not downloaded again. */
    async prepare(packed) {
      if (!navigator.serviceWorker) return;
      try {
        navigator.serviceWorker.addEventListener("controllerchange", () => { if (isUpdating) location.reload(); });
        if (!navigator.serviceWorker.controller) {
          const headers = { "Content-Type": "application/octet-stream", "X-Hash": BUILD.hash };
          await (await caches.open(CACHE)).put(BUILD.engine, new Response(packed, { headers }));
        }
        watch(await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" }));
      } catch {
        // A private window, or no space: the page works as long as there is a network.
      }
    },
  };
})();
