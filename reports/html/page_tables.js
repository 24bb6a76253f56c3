/* SPDX-License-Identifier: MIT */
// The tables of the page: all rows, coherence, and the marks of the methods in the summary.
(() => {
  const { data, rows, make, swatch, passing, filtersChanged, drawWhenSeen, makeRowTable, openDetails,
    rove, PAGE } = touchstone;
  const order = { name: null, sign: 1 };

  // ---- all rows -----------------------------------------------------------------------------

  const table = document.getElementById("rows");
  const shownLine = document.getElementById("shown");
  const more = document.getElementById("more");
  const mainColumns = new Set([...table.tHead.rows[0].cells].map((head) => head.dataset.sort));

  function showLine() {
    const { count, shown } = main;
    shownLine.textContent = count === rows.length ? `All ${rows.length} rows.`
      : shown.length === rows.length ? `The first ${count} of ${rows.length} rows.`
        : `${count} of the ${shown.length} rows that pass the filters; ${rows.length} in all.`;
    more.hidden = count === shown.length;
  }

  const main = makeRowTable({ table, list: passing, order,
    extras: data.columns.filter((column) => !mainColumns.has(column.name)),
    changed: () => {
      showRows();
      touchstone.changed(true);
    },
    open: (index) => openDetails(rows[index], main.shown) });

  function showRows() {
    main.show();
    showLine();
  }

  function showMore(count) {
    main.showMore(count);
    showLine();
  }

  more.append(
    make("button", { type: "button", onclick: () => showMore(PAGE) }, `Show ${PAGE} more`),
    make("button", { type: "button", onclick: () => showMore(Infinity) }, "Show all"));
  const allColumns = make("button", { type: "button", id: "all-columns", "aria-pressed": "false",
    onclick: () => allColumns.setAttribute("aria-pressed", String(main.toggleExtras())) },
  "All columns");
  shownLine.before(make("div", { class: "controls" }, allColumns));

  // ---- coherence ----------------------------------------------------------------------------

  function prepareCoherence(table) {
    const places = JSON.parse(document.getElementById("coherence-rows").textContent);
    const list = places.map((at) => rows[at]);
    const note = make("p", { class: "quiet", role: "status" });
    table.closest(".live").before(note);
    const coherence = makeRowTable({ table, order: { name: null, sign: 1 },
      list: () => {
        const passed = new Set(passing());
        return list.filter((row) => passed.has(row));
      },
      changed: () => show(),
      open: (index) => openDetails(rows[index], coherence.shown) });
    function show() {
      coherence.show();
      const { count, shown } = coherence;
      note.textContent = count < shown.length
        ? `The first ${count} of ${shown.length}; filter to see others.` : "";
    }
    drawWhenSeen(document.getElementById("coherence"), show);
  }

  const coherence = document.getElementById("coherence-table");
  if (coherence) prepareCoherence(coherence);

  // ---- the summary --------------------------------------------------------------------------

  /** Makes the text of a cell a control. */
  const makeControl = (cell, title, onclick) =>
    cell.replaceChildren(make("button", { type: "button", class: "plain link", title, onclick },
      cell.textContent));

  for (const cell of document.querySelectorAll("#study .method")) {
    const label = cell.textContent, method = data.methods.indexOf(label);
    if (method < 0) continue;
    makeControl(cell, "Show the rows of this method",
      () => touchstone.goToFiltered([["method", `"${label}"`]]));
    cell.prepend(swatch(method));
    if (cell.matches("#ranking th")) cell.parentElement.dataset.method = method;
  }
  for (const cell of document.querySelectorAll("#study [data-of]"))
    makeControl(cell, "Details", () => openDetails(rows[Number(cell.dataset.of)]));
  // One stop of Tab for each table, and none for what scrolls it: the focus does.
  for (const table of document.querySelectorAll("#study table")) {
    for (const button of table.querySelectorAll("button")) button.tabIndex = -1;
    table.closest(".scroll").tabIndex = -1;
    rove(table, () => [...table.rows].map((row) => [...row.querySelectorAll("button")]));
  }

  Object.assign(touchstone, { order, showRows,
    rowsChanged: () => {
      showRows();
      filtersChanged();
    },
    rowsShown: () => main.shown });
})();
