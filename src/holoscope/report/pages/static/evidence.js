/* Runs and instances: live progress, the way through a list by key, a name that is remembered. */
(function () {
  "use strict";
  const { all } = window.holoscope;

  /* Progress: asked for every two seconds while the page is seen; when the run is over its page is shown anew. */
  for (const part of all("[data-progress]")) {
    const bar = part.querySelector("progress"), says = part.querySelector("[data-says]");
    const count = (number) => number.toLocaleString("en-US");
    let failures = 0;
    const show = (now) => {
      if (now.total) {
        bar.max = now.total;
        bar.value = now.done;
      }
      const of = now.total ? " of " + count(now.total) : "";
      const failed = now.failed ? ", " + count(now.failed) + " without an answer" : "";
      says.textContent = now.is_scoring ? "scoring" : count(now.done) + of + " requests done" + failed;
    };
    const ask = async () => {
      if (document.hidden) return setTimeout(ask, 2000);
      try {
        const answer = await fetch(part.dataset.progress, { headers: { accept: "application/json" } });
        if (answer.status === 404) return location.reload();
        if (!answer.ok) throw new Error(answer.statusText);
        show(await answer.json());
        failures = 0;
      } catch (error) {
        failures += 1;
        says.textContent = "the server does not answer; trying again";
      }
      if (failures < 30) setTimeout(ask, 2000 * Math.min(8, 1 + failures));
    };
    setTimeout(ask, 2000);
  }

  /* j and k: the next and the previous. */
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    const wanted = event.key === "j" ? "next" : event.key === "k" ? "prev" : "";
    const link = wanted && document.querySelector('a[rel="' + wanted + '"]');
    if (link) location.href = link.href;
  });

  for (const input of all("[data-remember]")) {
    try {
      input.value = input.value || localStorage.getItem(input.dataset.remember) || "";
      input.addEventListener("change", () => localStorage.setItem(input.dataset.remember, input.value));
    } catch (error) {
      /* storage may be forbidden */
    }
  }
})();
