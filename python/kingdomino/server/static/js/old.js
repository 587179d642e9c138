/**
 * In a browser that is too old for the pages, says so in place of the page. It runs before all others, so it is written in
 * the JavaScript of 2009.
 */
(function () {
  if ("popover" in HTMLElement.prototype) return; // since Safari 17, Firefox 125 and Chromium 114

  var scripts = document.getElementsByTagName("script");
  var words = scripts[scripts.length - 1].src.replace("js/old.js", "words/");
  var language = navigator.language.slice(0, 2).toLowerCase();
  if (language !== "fr" && language !== "es") language = "en";

  document.write("<main class='too-old'><h1>Kingdomino</h1><p></p></main><plaintext hidden>"); // the rest is mere text
  document.documentElement.lang = language;
  var request = new XMLHttpRequest();
  request.open("GET", words + language + ".json");
  request.onload = function () {
    document.getElementsByTagName("p")[0].textContent = JSON.parse(request.responseText)["common.too_old"];
  };
  request.send();
})();
