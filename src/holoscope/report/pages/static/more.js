/* What few readers ask for, loaded when they do: the table as CSV or LaTeX, as it is shown, and the list of keys. */
(function () {
  "use strict";
  const { all } = window.holoscope;
  const MINUS = /\u2212/g;

  function shownLines(table) {
    const clean = (cell) => {
      const copy = cell.cloneNode(true);
      all('.spoken, a[href^="#"]', copy).forEach((part) => part.remove());
      const link = copy.querySelector("a, button");
      const first = link ? link.textContent.trim() : "";
      if (link) link.remove();
      const rest = copy.textContent.replace(/\s+/g, " ").trim();
      return [first || rest, first ? rest : ""];
    };
    const lines = all("tr", table)
      .filter((row) => !row.hidden)
      .map((row) => Array.from(row.cells).filter((cell) => !cell.hidden).map((cell) => clean(cell)));
    if (table.dataset.shown) lines[0][0][0] += " (" + table.dataset.shown + ")";
    return lines;
  }
  function csvOf(table) {
    const quoted = (text) => (/[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text);
    const safe = (text) => (/^[=+@\t\r]/.test(text) ? "'" + text : text); /* not a formula in a spreadsheet */
    const lines = shownLines(table);
    return lines
      .map((cells, row) =>
        cells
          .flatMap(([first, rest], column) => {
            if (column === 0) return [[first, rest].filter(Boolean).join(" ")];
            return row === 0 ? [first, first + " interval"] : [first.replace(MINUS, "-"), rest.replace(MINUS, "-")];
          })
          .map((text) => quoted(safe(text)))
          .join(",")
      )
      .join("\n") + "\n";
  }
  function latexOf(table) {
    const signs = { "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "–": "--", "\u2212": "$-$", "±": "$\\pm$", "↑": "$\\uparrow$", "↓": "$\\downarrow$" };
    const escaped = (text) => text.replace(/[\\{}~^–\u2212±↑↓]/g, (sign) => signs[sign]).replace(/[&%$#_]/g, (sign, at, whole) => (whole[at - 1] === "$" || sign === "$" ? sign : "\\" + sign));
    const lines = shownLines(table).map((cells, row) =>
      cells.map(([first, rest], column) => {
        const small = rest && row > 0 && column > 0 ? " {\\scriptsize " + escaped(rest) + "}" : rest && column === 0 ? " " + escaped(rest) : "";
        return escaped(first) + small;
      }).join(" & ") + " \\\\"
    );
    const columns = Array.from(table.tHead.rows[0].cells).filter((cell) => !cell.hidden).length;
    const [head, ...body] = lines;
    return ["\\begin{tabular}{l" + "r".repeat(Math.max(0, columns - 1)) + "}", "\\toprule", head, "\\midrule", ...body, "\\bottomrule", "\\end{tabular}", ""].join("\n");
  }
  function save(name, type, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: type + ";charset=utf-8" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  function download(button) {
    const table = document.getElementById(button.dataset.table);
    const name = (document.title.split(" · ").slice(0, -1).join("-") || "table").replace(/[^\w.-]+/g, "-");
    if (button.dataset.download === "csv") save(name + ".csv", "text/csv", csvOf(table));
    else save(name + ".tex", "application/x-tex", latexOf(table));
  }

  const KEYS = [
    ["/", "filter the table"],
    ["← ↑ → ↓", "move over cells"],
    ["Enter", "open what the cell rests on"],
    ["s", "sort by the cell's column"],
    ["[ ]", "previous and next page of the suite"],
    ["t", "light or dark"],
    ["?", "this list"],
    ["Esc", "close, or leave the filter"],
  ];
  function help() {
    let dialog = document.getElementById("keys");
    if (!dialog) {
      dialog = document.createElement("dialog");
      dialog.id = "keys";
      dialog.setAttribute("aria-labelledby", "keys-title");
      const title = document.createElement("h2");
      title.id = "keys-title";
      title.textContent = "Keys";
      const list = document.createElement("dl");
      list.className = "pairs";
      for (const [key, does] of KEYS) {
        const term = document.createElement("dt");
        const code = document.createElement("kbd");
        code.textContent = key;
        term.append(code);
        const meaning = document.createElement("dd");
        meaning.textContent = does;
        list.append(term, meaning);
      }
      const close = document.createElement("button");
      close.type = "button";
      close.textContent = "Close";
      close.addEventListener("click", () => dialog.close());
      dialog.append(title, list, close);
      document.body.append(dialog);
    }
    if (!dialog.open) dialog.showModal();
  }
  window.holoscope.more = { download, help };
})();
