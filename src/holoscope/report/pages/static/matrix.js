/* Shades a matrix by value, by difference to a baseline, or by rank, and orders its columns.
   The numbers are those that the cells show. A difference is judged by Newcombe's interval from the two cells' own. */
(function () {
  "use strict";
  const { all, state } = window.holoscope;
  const NUMBER = /-?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;
  const numbers = (text) => (text.replace(/\bn=.*$/, "").match(NUMBER) || []).map((found) => Number(found.replace(/,/g, "")));

  function read(cell) {
    const link = cell.firstElementChild;
    if (cell.classList.contains("m") || !link) return null;
    const rest = Array.from(cell.childNodes).slice(1).map((node) => node.textContent).join("");
    const [low, high] = numbers(rest);
    return { value: numbers(link.textContent)[0], low, high, link, rest, text: link.textContent };
  }
  const bounded = (spot) => spot && spot.low !== undefined && spot.high !== undefined;
  const clamp = (share) => Math.min(1, Math.max(0, share));

  /* Difference of a cell to another, in the direction of better, with its interval where both have one. */
  function difference(spot, base, low) {
    const plain = spot.value - base.value;
    if (!bounded(spot) || !bounded(base)) return { plain, resolved: false };
    const down = plain - Math.hypot(spot.value - spot.low, base.high - base.value);
    const up = plain + Math.hypot(spot.high - spot.value, base.value - base.low);
    return { plain, down, up, resolved: down > 0 || up < 0, better: low ? plain < 0 : plain > 0 };
  }
  function shown(number, like) {
    const places = (like.split("e")[0].split(".")[1] || "").replace(/\D/g, "").length;
    const text = Math.abs(number).toFixed(places).replace(/^0\./, ".");
    if (!Number(text)) return text;
    return (number < 0 ? "\u2212" : "+") + text;
  }

  class Matrix {
    constructor(table) {
      this.table = table;
      this.heads = Array.from(table.tHead.rows[0].cells);
      this.rows = Array.from(table.tBodies[0].rows);
      this.first = this.heads.slice();
      this.cells = new Map();
      for (const row of this.rows) Array.from(row.cells).slice(1).forEach((cell) => this.cells.set(cell, read(cell)));
      const block = document.getElementById(table.id + "-others");
      this.others = block ? JSON.parse(block.textContent) : null;
      const list = document.querySelector('[data-reasons="' + table.id + '"]');
      if (list) this.explain(Array.from(list.children));
    }
    explain(reasons) {
      for (const cell of all("td.m", this.table)) {
        const mark = cell.querySelector('a[href^="#"]');
        const reason = mark && reasons[Number(mark.textContent) - 1];
        if (reason && !cell.title) cell.title = reason.textContent;
      }
    }
    column(index) {
      return this.rows.map((row) => row.cells[index]);
    }
    ends(cell, head) {
      return (cell.dataset.ends || head.dataset.ends || "").split(" ").filter(Boolean).map(Number);
    }
    clear(cell, spot) {
      cell.classList.remove("up", "down", "strong", "faint", "base");
      cell.style.removeProperty("--p");
      if (spot) {
        spot.link.textContent = spot.text;
        this.rest(cell, spot.rest);
      }
    }
    rest(cell, text) {
      while (cell.childNodes.length > 1) cell.lastChild.remove();
      if (text) cell.append(text);
    }
    paint(cell, share, better, resolved) {
      if (!resolved) return cell.classList.add("faint");
      cell.classList.add(better ? "up" : "down");
      cell.style.setProperty("--p", share.toFixed(3));
    }
    shade(mode, baseline) {
      for (const [cell, spot] of this.cells) this.clear(cell, spot);
      this.heads.forEach((head, index) => {
        if (index === 0) return;
        const cells = this.column(Array.from(head.parentElement.cells).indexOf(head));
        if (mode === "difference") this.differences(head, cells, baseline);
        else if (mode === "rank") this.ranks(head, cells);
        else this.values(head, cells);
      });
    }
    values(head, cells) {
      const low = head.classList.contains("low");
      const found = cells.map((cell) => this.cells.get(cell)).filter(Boolean).map((spot) => spot.value);
      const extremes = low ? [Math.max(...found), Math.min(...found)] : [Math.min(...found), Math.max(...found)];
      for (const cell of cells) {
        const spot = this.cells.get(cell);
        if (!spot) continue;
        const fixed = this.ends(cell, head);
        const [worst, best] = fixed.length === 2 ? fixed : extremes;
        const value = best === 0 ? Math.abs(spot.value) : spot.value; /* a bias may go either way */
        const share = best === worst ? 0.5 : clamp((value - worst) / (best - worst));
        const unsure = fixed.length === 2 && bounded(spot) && (worst < best ? spot.low <= worst : spot.high >= worst);
        this.paint(cell, share, true, !unsure);
      }
    }
    base(cell, cells, head, baseline) {
      const row = cell.parentElement;
      if (this.others) {
        const own = this.others[baseline];
        const found = own && own[this.rows.indexOf(row)][this.first.indexOf(head) - 1];
        return found ? { value: found[0], low: found[1] === null ? undefined : found[1], high: found[2] === null ? undefined : found[2] } : null;
      }
      const at = this.rows.findIndex((each) => each.cells[0].querySelector("a").textContent === baseline);
      return at < 0 ? null : this.cells.get(cells[at]);
    }
    differences(head, cells, baseline) {
      const low = head.classList.contains("low");
      const made = cells.map((cell) => {
        const spot = this.cells.get(cell), base = this.base(cell, cells, head, baseline);
        return spot && base && spot !== base ? difference(spot, base, low) : null;
      });
      const most = Math.max(...made.map((each) => (each ? Math.abs(each.plain) : 0)), 1e-9);
      cells.forEach((cell, index) => {
        const spot = this.cells.get(cell), found = made[index];
        if (!spot) return;
        if (!found) return cell.classList.add("base");
        spot.link.textContent = shown(found.plain, spot.text);
        this.rest(cell, found.down === undefined ? "" : shown(found.down, spot.text) + " to " + shown(found.up, spot.text));
        this.paint(cell, Math.abs(found.plain) / most, found.better, found.resolved);
        if (found.resolved) cell.classList.add("strong");
      });
    }
    ranks(head, cells) {
      const low = head.classList.contains("low");
      const spots = cells.map((cell) => this.cells.get(cell));
      const count = spots.filter(Boolean).length;
      cells.forEach((cell, index) => {
        const spot = spots[index];
        if (!spot) return;
        let [first, last, of] = (cell.dataset.rank || "").split(" ").map(Number);
        if (!cell.dataset.rank) {
          let above = 0, below = 0;
          for (const other of spots) {
            if (!other || other === spot) continue;
            const found = difference(spot, other, low);
            if (found.resolved && found.better) below += 1;
            else if (found.resolved) above += 1;
          }
          [first, last, of] = [1 + above, count - below, count];
        }
        spot.link.textContent = first === last ? String(first) : first + "\u2013" + last;
        this.rest(cell, spot.text);
        const open = first === 1 && last === of;
        this.paint(cell, of > 1 ? 1 - (first + last - 2) / (2 * (of - 1)) : 1, true, !open);
        if (first === 1 && !open) cell.classList.add("strong");
      });
    }
    order(by) {
      const spread = (head) => {
        const foot = this.table.tFoot;
        const cell = foot && foot.rows[0].cells[Array.from(head.parentElement.cells).indexOf(head)];
        return cell ? numbers(cell.textContent)[0] || 0 : 0;
      };
      const wanted = this.first.slice(1);
      if (by === "spread") {
        const kept = new Map(wanted.map((head) => [head, spread(head)]));
        wanted.sort((a, b) => kept.get(b) - kept.get(a));
      }
      const now = Array.from(this.table.tHead.rows[0].cells);
      const places = wanted.map((head) => now.indexOf(head));
      for (const row of all("tr", this.table)) {
        const cells = Array.from(row.cells);
        row.append(...places.map((at) => cells[at]));
      }
    }
  }

  for (const table of all(".matrix")) {
    const matrix = new Matrix(table);
    const choice = document.querySelector('[data-shade="' + table.id + '"]');
    const radios = choice ? all("input", choice) : [];
    const baseline = document.querySelector('[data-baseline="' + table.id + '"]');
    const columns = document.querySelector('[data-columns="' + table.id + '"]');
    const legends = document.querySelector('[data-legends="' + table.id + '"]');
    /* The spread is that of all values: it says nothing of a part of the rows, of differences or of ranks. */
    const foot = (mode) => {
      if (!table.tFoot) return;
      table.tFoot.rows[0].hidden = mode !== "absolute" || matrix.rows.some((row) => row.hidden);
    };
    table.addEventListener("holoscope:filter", () => foot((radios.find((radio) => radio.checked) || { value: "absolute" }).value));
    const apply = () => {
      const chosen = radios.find((radio) => radio.checked);
      const mode = chosen ? chosen.value : "absolute";
      matrix.shade(mode, baseline ? baseline.value : "");
      for (const part of [...all("[data-for]", legends), ...(baseline ? [baseline.closest("[data-for]")] : [])]) part.hidden = part.dataset.for !== mode;
      foot(mode);
      table.dataset.shown = mode === "difference" ? "difference to " + baseline.value : mode === "rank" ? "rank" : "";
      if (choice) state.set(table.id + "-shade", mode === "absolute" ? "" : mode);
      if (baseline) state.set(table.id + "-to", mode === "difference" ? baseline.value : "");
    };
    const kept = state.get(table.id + "-shade");
    radios.forEach((radio) => {
      if (kept) radio.checked = radio.value === kept;
      radio.addEventListener("change", apply);
    });
    if (baseline) {
      const to = state.get(table.id + "-to");
      if (to && Array.from(baseline.options).some((option) => option.value === to)) baseline.value = to;
      baseline.addEventListener("change", apply);
    }
    if (columns) {
      columns.value = state.get(table.id + "-columns");
      const order = () => {
        matrix.order(columns.value);
        state.set(table.id + "-columns", columns.value);
      };
      if (columns.value) order();
      columns.addEventListener("change", order);
    }
    apply();
  }
})();
