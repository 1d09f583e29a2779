// The first page of a static host: leads to the one in the language that was chosen, or that the browser prefers. In old
// JavaScript, as it comes before the browser is known.
(function () {
  "use strict";
  /** @type {Record<string, HTMLAnchorElement>} */
  var pages = {};
  var links = document.getElementsByTagName("a");
  for (var at = 0; at < links.length; at++) pages[links[at].lang.toLowerCase()] = links[at];
  /** @param {string} locale */
  function pageOf(locale) {
    var lower = locale.toLowerCase();
    return pages[/^zh-(.*-)?(hant|tw|hk|mo)/.test(lower) ? "zh-hant" : lower] || pages[lower.split("-")[0]];
  }
  /** @type {string[]} */
  var wanted = [].slice.call(navigator.languages || [navigator.language || ""]);
  try { wanted.unshift(JSON.parse(localStorage.getItem("chuhe.settings") || "{}").language || ""); } catch (error) { /* nothing was chosen */ }
  var page = links[0];
  for (var place = 0; place < wanted.length; place++) {
    if (pageOf(wanted[place])) { page = pageOf(wanted[place]); break; }
  }
  location.replace(page.getAttribute("href") + location.search + location.hash);
})();
