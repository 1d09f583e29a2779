// Says that a browser is too old for the scripts of the page, or that one of them has not come. In the JavaScript of 2009,
// so that such a browser reads it.
(function () {
  "use strict";
  window.addEventListener("error", function (event) {
    var isMissing = event.target && event.target.tagName === "SCRIPT";
    if (isMissing) document.getElementById("notWhole").hidden = false;
    else if (/SyntaxError/.test(String(event.message))) document.getElementById("tooOld").hidden = false;
  }, true);
})();
