// Asks for the engine, the longest wait, before any module has come: stands behind `browser_check.js` of the page, in the same old
// JavaScript. An earlier visit has left a service worker, and the engine with it.
if ("WebAssembly" in window && "fetch" in window && !(navigator.serviceWorker && navigator.serviceWorker.controller)) {
  window.chuheEngine = fetch("chuhe.bin?VERSION");
  window.chuheEngine.then(null, function () {});
}
