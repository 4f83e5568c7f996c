/* One number over several axes, with weights that the reader chooses, and what it owes to them: for each pair of models
   the share of all weightings of these axes under which their order would be the other way round. */
(function () {
  "use strict";
  const { all, state } = window.holoscope;
  const block = document.getElementById("standings-data");
  const section = document.getElementById("weigh");
  if (!block || !section) return;
  const { models, axes, places } = JSON.parse(block.textContent);
  const inputs = all("#weights input");
  const out = document.getElementById("aggregate");
  const MOST_PAIRS = 20;

  /* The part of the simplex of weightings on one side of a plane, by Varsi's recursion. */
  function shareAhead(first, second) {
    const gaps = first.map((value, at) => value - second[at]);
    const gains = gaps.filter((gap) => gap > 0), losses = gaps.filter((gap) => gap < 0).map((gap) => -gap);
    if (!gains.length) return 0;
    const outweighed = [0].concat(losses.map(() => 1));
    for (const gain of gains)
      losses.forEach((loss, at) => (outweighed[at + 1] = (gain * outweighed[at] + loss * outweighed[at + 1]) / (gain + loss)));
    return 1 - outweighed[losses.length];
  }
  const percent = (share) => (share === 0 ? "0 %" : share < 0.01 ? "<1 %" : Math.round(100 * share) + " %");
  const made = (name, text, attributes) => {
    const element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    for (const key of Object.keys(attributes || {})) element.setAttribute(key, attributes[key]);
    return element;
  };
  function table(caption, heads, rows) {
    const scroll = made("div", undefined, { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" });
    const whole = made("table", undefined, { class: "plain" });
    const head = made("tr");
    heads.forEach((text, at) => head.append(made("th", text, at ? { scope: "col", class: "number" } : { scope: "col" })));
    const body = made("tbody");
    for (const row of rows) {
      const line = made("tr");
      row.forEach((text, at) => line.append(at ? made("td", text, { class: "number" }) : made("th", text, { scope: "row" })));
      body.append(line);
    }
    const top = made("thead");
    top.append(head);
    whole.append(made("caption", caption), top, body);
    scroll.append(whole);
    return scroll;
  }

  function total(own, weights, end) {
    let sum = 0;
    for (const { at, share } of weights) {
      const value = own[at] && own[at][end];
      if (value === null || value === undefined) return null;
      sum += share * value;
    }
    return sum;
  }
  function show() {
    const given = inputs.map((input) => Math.max(0, Number(input.value) || 0));
    const sum = given.reduce((a, b) => a + b, 0);
    const weights = given.map((weight, at) => ({ at, share: weight / sum })).filter(({ share }) => share > 0);
    state.set("weights", sum ? axes.map((axis, at) => axis + ":" + given[at]).filter((_, at) => given[at]).join(",") : "");
    out.replaceChildren();
    if (!sum) return;
    const named = weights.map(({ at, share }) => axes[at] + " " + percent(share)).join(", ");
    const found = models.map((model, at) => ({ model, own: places[at], value: total(places[at], weights, 0), low: total(places[at], weights, 1), high: total(places[at], weights, 2) }));
    const known = found.filter(({ value }) => value !== null).sort((a, b) => b.value - a.value);
    const of = ({ own }) => weights.map(({ at }) => own[at][0]);
    const rows = known.map((each, at) => {
      const next = known[at + 1];
      const ends = each.low === null || each.high === null ? "–" : each.low.toFixed(3) + "–" + each.high.toFixed(3);
      return [each.model, String(at + 1), each.value.toFixed(3), ends, next ? percent(shareAhead(of(next), of(each))) : ""];
    });
    out.append(table("Weights: " + named, ["model", "place", "weighted mean", "interval", "other weightings put the next one ahead"], rows));
    for (const each of found.filter(({ value }) => value === null)) {
      const lacking = weights.filter(({ at }) => !each.own[at]).map(({ at }) => axes[at]);
      out.append(made("p", each.model + " has no such number: it lacks " + lacking.join(", "), { class: "note" }));
    }
    const shown = known.slice(0, MOST_PAIRS);
    const pairs = made("details");
    const cut = known.length > shown.length ? " (the first " + MOST_PAIRS + ")" : "";
    pairs.append(made("summary", "Share of weightings that reverse each pair" + cut));
    pairs.append(table("How much of all weightings of these axes puts the model of the column ahead of that of the row", ["ahead here", ...shown.map((_, at) => String(at + 1))], shown.map((row, at) => [at + 1 + ". " + row.model, ...shown.map((column, to) => (to <= at ? "" : percent(shareAhead(of(column), of(row)))))])));
    out.append(pairs);
  }

  const asked = new Map(state.get("weights").split(",").filter(Boolean).map((part) => part.split(":")));
  inputs.forEach((input) => {
    if (asked.has(input.dataset.axis)) input.value = asked.get(input.dataset.axis);
    input.addEventListener("input", show);
  });
  const fill = (value) => {
    inputs.forEach((input) => (input.value = value));
    show();
  };
  document.getElementById("weights-equal").addEventListener("click", () => fill("1"));
  document.getElementById("weights-off").addEventListener("click", () => fill("0"));
  show();
})();
