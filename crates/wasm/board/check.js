// Says that a browser is too old for the scripts of the page, or that one of them has not come. In the JavaScript of 2009,
// so that such a browser reads it. It is the first script that comes, and asks for the engine, the longest wait.
(function () {
  "use strict";
  window.addEventListener("error", function (event) {
    var isMissing = event.target && event.target.tagName === "SCRIPT";
    if (isMissing) document.getElementById("notWhole").hidden = false;
    else if (/SyntaxError/.test(String(event.message))) document.getElementById("tooOld").hidden = false;
  }, true);
  // An earlier visit has left a service worker, and the engine with it.
  if (window.WebAssembly && window.fetch && !(navigator.serviceWorker && navigator.serviceWorker.controller)) {
    window.chuheEngine = fetch("chuhe.bin?VERSION");
    window.chuheEngine.then(null, function () {});
  }
})();
