// Says that a browser is too old for the scripts of the page, or that one of them has not come. In the JavaScript of 2009,
// so that such a browser reads it. It is the first script that comes.
(function () {
  "use strict";
  /** @param {string} id */
  function show(id) {
    var line = document.getElementById(id);
    if (line) line.hidden = false;
  }
  window.addEventListener("error", function (event) {
    if (event.target instanceof HTMLScriptElement) show("notWhole");
    else if (/SyntaxError/.test(String(event.message))) show("tooOld");
  }, true);
  // Such a browser passes over modules without a word.
  window.addEventListener("load", function () {
    if (!("noModule" in document.createElement("script"))) show("tooOld");
  });
})();
