/**
 * Replaces a page with a message that the browser is too old. Browsers without modules run it, and first.js adds it in
 * browsers without popovers. So it uses the JavaScript of 2009.
 */
(function () {
  var scripts = document.getElementsByTagName("script");
  var words = scripts[scripts.length - 1].src.replace("js/old.js", "words/");
  var language = navigator.language.slice(0, 2).toLowerCase();
  if (language !== "fr" && language !== "es") language = "en";

  document.write("<main class='too-old'><h1>Kingdomino</h1><p></p></main><plaintext hidden>"); // makes the rest plain text
  document.documentElement.lang = language;
  var request = new XMLHttpRequest();
  request.open("GET", words + language + ".json");
  request.onload = function () {
    document.getElementsByTagName("p")[0].textContent = JSON.parse(request.responseText)["common.too_old"];
  };
  request.send();
})();
