// Runs before the first paint: a theme chosen by hand wins over the system's preference.
(function () {
  try {
    var theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the preference then decides.
  }
  document.documentElement.classList.add("js");
})();
