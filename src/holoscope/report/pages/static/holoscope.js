/* What every page can do once there is script: theme, keys, sortable and filterable tables, downloads.
   Everything the reader changes is a query parameter, so that an address shows what its sender saw. Without script the
   pages are complete, only still. */
(function () {
  "use strict";

  const root = document.documentElement;
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));

  /* State: query parameters, default values left out. */
  const state = {
    get: (name) => new URLSearchParams(location.search).get(name) || "",
    set(name, value) {
      const query = new URLSearchParams(location.search);
      if (value) query.set(name, value);
      else query.delete(name);
      const text = query.toString();
      try {
        history.replaceState(null, "", (text ? "?" + text : location.pathname) + location.hash);
      } catch (error) {
        /* some browsers forbid it for files; the page works, its address stays */
      }
    },
  };

  /* Theme */
  const themes = ["auto", "light", "dark"];
  const themeButton = document.getElementById("theme");
  function setTheme(theme, remember) {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    themeButton.textContent = "theme: " + theme;
    themeButton.setAttribute("aria-label", "Colours: " + theme + ". Change");
    if (!remember) return;
    try {
      localStorage.setItem("holoscope-theme", theme);
    } catch (error) {
      /* storage may be forbidden */
    }
    state.set("theme", theme === "auto" ? "" : theme);
    document.dispatchEvent(new Event("holoscope:theme"));
  }
  if (themeButton) {
    themeButton.hidden = false;
    setTheme(root.dataset.theme || "auto", false);
    themeButton.addEventListener("click", () => {
      const now = root.dataset.theme || "auto";
      setTheme(themes[(themes.indexOf(now) + 1) % themes.length], true);
    });
  }

  /* Help */
  const help = () => more().then((parts) => parts.help());
  const helpButton = document.getElementById("help");
  if (helpButton) {
    helpButton.hidden = false;
    helpButton.addEventListener("click", help);
  }

  /* Tables: the number a cell is sorted by is the first one it shows. */
  const MINUS = /\u2212/g;
  function numberOf(cell) {
    if (!cell || cell.classList.contains("m")) return NaN;
    const first = cell.firstElementChild;
    const text = first && first.matches("a") && cell.matches("td") ? first.textContent : cell.textContent;
    const found = /^[^0-9.-]*(-?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)/i.exec(text.replace(MINUS, "-").trim());
    return found ? Number(found[1].replace(/,/g, "")) : NaN;
  }
  function textOf(cell) {
    return cell ? cell.textContent.trim().toLowerCase() : "";
  }
  function compare(first, second, column, down) {
    const a = first.cells[column], b = second.cells[column];
    const x = numberOf(a), y = numberOf(b);
    if (column > 0 && (!isNaN(x) || !isNaN(y))) {
      if (isNaN(x)) return 1; /* what has no value is last, whichever way it is sorted */
      if (isNaN(y)) return -1;
      return down ? y - x : x - y;
    }
    return (down ? -1 : 1) * textOf(a).localeCompare(textOf(b), undefined, { numeric: true });
  }
  function sortTable(table, name, down, remember) {
    const heads = Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells);
    const column = heads.findIndex((head) => head.dataset.key === name);
    if (column < 0) return;
    const body = table.tBodies[0];
    const rows = Array.from(body.rows).sort((a, b) => compare(a, b, column, down));
    body.append(...rows);
    heads.forEach((head, index) => {
      if (index === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    if (remember) state.set(table.id + "-sort", (down ? "-" : "") + name);
    table.dispatchEvent(new Event("holoscope:order"));
  }
  function toggleSort(table, head) {
    const now = head.getAttribute("aria-sort");
    const first = head.cellIndex > 0 && !head.classList.contains("low");
    sortTable(table, head.dataset.key, now ? now === "ascending" : first, true);
  }
  for (const table of all("table[data-sort]")) {
    for (const head of Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells)) {
      const button = head.querySelector("button");
      if (!head.dataset.key) head.dataset.key = textOf(button || head);
      if (button) button.addEventListener("click", () => toggleSort(table, head));
    }
    const kept = state.get(table.id + "-sort");
    if (kept) sortTable(table, kept.replace(/^-/, ""), kept.startsWith("-"), false);
  }

  /* Filter: each word narrows rows if it occurs in one, else columns. */
  function filterTable(table, words) {
    const heads = Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells);
    const rows = Array.from(table.tBodies[0].rows);
    const named = (row) => textOf(row.cells[0]);
    const shownRows = new Set(rows), shownColumns = new Set(heads.keys());
    for (const word of words.toLowerCase().split(/\s+/).filter(Boolean)) {
      const wide = table.classList.contains("matrix");
      const found = rows.filter((row) => (wide ? named(row) : textOf(row)).includes(word));
      const columns = wide ? heads.filter((head) => textOf(head).includes(word)) : [];
      if (found.length || !columns.length) rows.forEach((row) => found.includes(row) || shownRows.delete(row));
      else heads.forEach((head, index) => index === 0 || columns.includes(head) || shownColumns.delete(index));
    }
    rows.forEach((row) => (row.hidden = !shownRows.has(row)));
    for (const row of all("tr", table)) {
      Array.from(row.cells).forEach((cell, index) => (cell.hidden = !shownColumns.has(index)));
    }
    const count = document.getElementById(table.id + "-shown");
    if (count) count.textContent = words ? shownRows.size + " of " + rows.length + " rows" : "";
    table.dispatchEvent(new Event("holoscope:filter"));
  }
  for (const input of all("input[data-filter]")) {
    const table = document.getElementById(input.dataset.filter);
    if (!table) continue;
    let waiting = 0;
    const apply = () => {
      filterTable(table, input.value);
      state.set(table.id + "-filter", input.value.trim());
    };
    input.value = state.get(table.id + "-filter");
    if (input.value) filterTable(table, input.value);
    input.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(apply, 80);
    });
  }

  /* Downloads, and the list of keys, come when somebody asks for them. */
  const more = () =>
    new Promise((done, failed) => {
      if (window.holoscope.more) return done(window.holoscope.more);
      const script = document.createElement("script");
      script.src = document.querySelector('script[src*="holoscope.js"]').src.replace("holoscope.js", "more.js");
      script.onload = () => done(window.holoscope.more);
      script.onerror = failed;
      document.head.append(script);
    });
  for (const button of all("button[data-download]")) {
    button.addEventListener("click", () => more().then((parts) => parts.download(button)));
  }

  /* Keys */
  function step(cell, across, down) {
    const row = cell.parentElement, table = row.closest("table");
    const rows = all("tr", table).filter((each) => !each.hidden);
    let next = rows[rows.indexOf(row) + down];
    if (!next) return null;
    let at = cell.cellIndex + across;
    while (next.cells[at] && next.cells[at].hidden) at += across || 1;
    return next.cells[at] || null;
  }
  function focusCell(cell) {
    const inner = cell.querySelector("a, button");
    if (!inner && !cell.hasAttribute("tabindex")) cell.tabIndex = -1;
    (inner || cell).focus();
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (target.matches("input, select, textarea")) {
      if (event.key === "Escape") target.blur();
      return;
    }
    const cell = target.closest && target.closest(".matrix th, .matrix td, table[data-sort] th, table[data-sort] td");
    if (cell && ARROWS[event.key]) {
      const next = step(cell, ...ARROWS[event.key]);
      if (next) focusCell(next);
      event.preventDefault();
    } else if (event.key === "ArrowDown" && target === document.body && document.querySelector(".matrix tbody td")) {
      focusCell(document.querySelector(".matrix tbody tr:not([hidden]) td:not([hidden])"));
      event.preventDefault();
    } else if (event.key === "s" && cell) {
      const table = cell.closest("table[data-sort]");
      if (table) toggleSort(table, table.tHead.rows[table.tHead.rows.length - 1].cells[cell.cellIndex]);
    } else if (event.key === "/") {
      const input = document.querySelector("input[type=search]");
      if (input) {
        input.focus();
        input.select();
        event.preventDefault();
      }
    } else if (event.key === "?") {
      help();
    } else if (event.key === "t" && themeButton) {
      themeButton.click();
    } else if (event.key === "[" || event.key === "]") {
      const pages = all(".top nav a");
      const here = pages.findIndex((link) => link.hasAttribute("aria-current"));
      const next = pages[here + (event.key === "]" ? 1 : -1)];
      if (next) location.href = next.href;
    }
  });

  /* One stop for the Tab key in each matrix: arrows do the rest. */
  for (const table of all(".matrix")) {
    const links = all("tbody td a", table);
    links.slice(1).forEach((link) => (link.tabIndex = -1));
    table.addEventListener("focusin", (event) => {
      if (!event.target.matches("td a")) return;
      const stop = table.querySelector('td a[tabindex="0"], td a:not([tabindex])');
      if (stop && stop !== event.target) stop.tabIndex = -1;
      event.target.tabIndex = 0;
    });
  }

  for (const part of all("[data-needs-script]")) part.hidden = false;
  window.holoscope = { all, state };
})();
