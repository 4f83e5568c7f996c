/* Runs before anything is painted, so that a page never flashes in the wrong colours. */
(function () {
  "use strict";
  var theme = new URLSearchParams(location.search).get("theme");
  try {
    theme = theme || localStorage.getItem("holoscope-theme");
  } catch (error) {
    /* storage may be forbidden */
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
