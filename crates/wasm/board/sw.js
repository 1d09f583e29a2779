// The service worker of the web board: keeps all files of a version, and answers with them, so that no network is needed.
// Files are known by their hash: a version is there as a whole or not at all, and what has not changed is not downloaded
// again. Filled in by the packaging: the version, and the hash of each file.
const VERSION = "VERSION";
/** @type {Record<string, string>} */
const FILES = {};
// Those that are not downloaded until they are first asked for.
/** @type {Record<string, string>} */
const LATER = {};

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SITE = new URL(".", worker.location.href).pathname;
const [PREFIX, SHARED] = [`chuhe:${SITE}:`, `chuhe-shared:${SITE}`];
const CACHE = PREFIX + VERSION;

/** @param {BufferSource} bytes */
async function hashOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A file that is there already, in this cache or in that of another version. @param {string} name @param {string} hash */
async function kept(name, hash) {
  for (const cacheName of [CACHE, ...await caches.keys()]) {
    if (!cacheName.startsWith(PREFIX)) continue;
    const found = await (await caches.open(cacheName)).match(name);
    if (found?.headers.get("X-Hash") === hash) return found;
  }
  return null;
}

/** @param {string} name */
async function fetched(name) {
  // Past the caches on the way: they may have the file of another version.
  const answer = await fetch(`${name}?${VERSION}`, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  const hash = FILES[name] ?? LATER[name];
  if (await hashOf(bytes) !== hash) throw new Error(`${name} is of another version`);
  const type = answer.headers.get("Content-Type") ?? "application/octet-stream";
  return new Response(bytes, { headers: { "Content-Type": type, "X-Hash": hash } });
}

async function install() {
  const cache = await caches.open(CACHE);
  await Promise.all(Object.entries(FILES).map(async ([name, hash]) => cache.put(name, await kept(name, hash) ?? await fetched(name))));
  for (const [name, hash] of Object.entries(LATER)) {
    const found = await kept(name, hash);
    if (found) await cache.put(name, found);
  }
  // The page keeps the engine unpacked as well.
  const unpacked = await kept("chuhe.wasm", FILES["chuhe.bin"]);
  if (unpacked) await cache.put("chuhe.wasm", unpacked);
}

async function activate() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  await worker.clients.claim();
}

/** The file that an address stands for. @param {URL} url */
function nameOf(url) {
  if (url.origin !== worker.location.origin || !url.pathname.startsWith(SITE)) return null;
  const name = url.pathname.slice(SITE.length) || "index.html";
  return name in FILES || name in LATER ? name : null;
}

/** @param {string} name @param {Request} request */
async function answer(name, request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(name);
  if (found || !(name in LATER)) return found ?? fetch(request);
  const file = await fetched(name).catch(() => null);
  if (!file) return fetch(request);
  await cache.put(name, file.clone()).catch(() => {});
  return file;
}

/** What another app shares is kept until the page takes it. @param {Request} request */
async function takeShared(request) {
  const form = await request.formData();
  const file = form.get("game");
  const text = ["text", "url", "title"].map((name) => form.get(name)).find(Boolean);
  const shared = file instanceof File && file.size ? file : text;
  if (shared) await (await caches.open(SHARED)).put("shared", new Response(shared));
  return Response.redirect("./?shared", 303);
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", (event) => { if (event.data === "activate") worker.skipWaiting(); });
worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const name = nameOf(url);
  if (event.request.method === "GET" && name) event.respondWith(answer(name, event.request));
  else if (event.request.method === "POST" && url.pathname === `${SITE}share`) event.respondWith(takeShared(event.request));
});
