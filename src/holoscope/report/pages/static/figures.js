/* Draws each figure of the page with plotly, in the page's theme, when it comes near, so that a page of many opens at
   once. What is drawn is the data block that the figure names. */
(function () {
  "use strict";
  const { all, state } = window.holoscope;
  const block = (id) => JSON.parse(document.getElementById(id).textContent);
  /* What lists have in common stands in the page once. */
  function unfolded(id) {
    const figure = block(id);
    for (const trace of figure.data) {
      for (const [key, lines] of Object.entries(trace.folded || {})) {
        trace[key] = lines[0][2].map((_, row) => lines.map(([start, end, rest]) => start + rest[row] + end).join("<br>"));
      }
      delete trace.folded;
    }
    const notes = figure.layout.folded;
    if (notes) figure.layout.annotations = notes.flatMap(([same, ...own]) => own.map(([y, text]) => Object.assign({}, same, { y, text })));
    delete figure.layout.folded;
    return figure;
  }
  const themes = block("figure-themes");
  const night = matchMedia("(prefers-color-scheme: dark)");
  const theme = () => document.documentElement.dataset.theme || (night.matches ? "dark" : "light");
  const kept = new Map();

  function draw(holder) {
    const place = holder.querySelector(".drawing");
    if (!kept.has(holder)) kept.set(holder, unfolded(holder.dataset.figure));
    const figure = kept.get(holder);
    const layout = Object.assign({}, figure.layout, { template: themes[theme()], autosize: true });
    delete layout.width;
    place.style.minWidth = (layout.meta && layout.meta.width ? layout.meta.width : 300) + "px";
    place.style.minHeight = (layout.height || 360) + "px";
    window.Plotly.react(place, figure.data, layout, { displaylogo: false, responsive: true, displayModeBar: false });
    if (!holder.dataset.drawn) place.on("plotly_click", follow);
    holder.dataset.drawn = "yes";
  }
  /* A mark that rests on something leads there. */
  function follow(event) {
    const address = event.points[0] && event.points[0].customdata;
    if (typeof address === "string" && address && !/^[a-z][a-z0-9+.-]*:/i.test(address)) location.href = address;
  }

  const holders = all("[data-figure]").filter((holder) => document.getElementById(holder.dataset.figure));
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      draw(entry.target);
    }
  }, { rootMargin: "500px" });
  holders.forEach((holder) => near.observe(holder));
  const again = () => holders.filter((holder) => holder.dataset.drawn).forEach(draw);
  document.addEventListener("holoscope:theme", again);
  night.addEventListener("change", again);
  addEventListener("beforeprint", () => holders.filter((holder) => !holder.dataset.drawn).forEach(draw));

  /* Up to so many models at once: the traces of the others are not drawn. */
  for (const picker of all("[data-pick]")) {
    const holder = document.querySelector('[data-figure="' + picker.dataset.pick + '"]');
    const most = Number(picker.dataset.most);
    const boxes = all("input[type=checkbox]", picker);
    const apply = () => {
      const picked = boxes.filter((box) => box.checked).map((box) => box.value);
      boxes.forEach((box) => (box.disabled = !box.checked && picked.length >= most));
      if (!kept.has(holder)) kept.set(holder, unfolded(holder.dataset.figure));
      for (const trace of kept.get(holder).data) trace.visible = picked.includes(trace.meta);
      for (const part of all("[data-of]")) part.hidden = !picked.includes(part.dataset.of);
      if (holder.dataset.drawn) draw(holder);
      return picked;
    };
    const asked = state.get("models").split(",").filter(Boolean);
    if (asked.length) boxes.forEach((box) => (box.checked = asked.slice(0, most).includes(box.value)));
    boxes.forEach((box) => box.addEventListener("change", () => state.set("models", apply().join(","))));
    apply();
  }
  window.holoscope.draw = draw;
})();
