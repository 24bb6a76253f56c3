/* SPDX-License-Identifier: MIT */
// What the page begins with, and how it and its address follow each other.
(() => {
  const { rows, readAddress, writeAddress, filterPairs, setFilters, startFilters, startLegend, order,
    showRows, rowsChanged, rowsShown, openDetails, openedRow, closeDetails, drawBefore,
    resetFilters, showFiltered } = touchstone;
  const byName = new Map(rows.map((row) => [row.name, row]));
  const lost = document.getElementById("lost");
  let isFollowing = false; // the page changes because the address did

  function orderPairs() {
    return order.name ? [["sort", (order.sign < 0 ? "-" : "") + order.name]] : [];
  }

  /** Writes what is on view into the address. Unless `isStep`, going back skips what was before. */
  touchstone.changed = (isStep) => {
    if (isFollowing) return;
    const row = openedRow();
    writeAddress([...filterPairs(), ...orderPairs(), ...(row ? [["row", row.name]] : [])], isStep);
  };

  /** Goes to the rows, with the focus, after what changed them. */
  function goToRows() {
    const table = document.getElementById("table");
    drawBefore(table);
    table.focus({ preventScroll: true });
    table.scrollIntoView();
  }

  /** Sets the filters to these pairs, as a link would, and goes to the rows. */
  touchstone.goToFiltered = (pairs) => {
    writeAddress(pairs, true);
    follow();
    goToRows();
  };

  function setOrder(text) {
    const name = text.replace(/^-/, "");
    const heads = [...document.querySelectorAll("#rows th")];
    order.name = heads.some((head) => head.dataset.sort === name) ? name : null;
    order.sign = text.startsWith("-") ? -1 : 1;
  }

  /** Shows what the address asks for. */
  function follow() {
    const pairs = readAddress() ?? [];
    const values = new Map(pairs);
    isFollowing = true;
    setFilters(pairs);
    setOrder(values.get("sort") ?? "");
    rowsChanged();
    showFiltered(filterPairs().length > 0);
    const name = values.get("row"), row = byName.get(name);
    lost.hidden = name === undefined || row !== undefined;
    lost.textContent = lost.hidden ? ""
      : `The address asks for the row ${name}, which this page does not have.`;
    if (row) openDetails(row, rowsShown().includes(row) ? rowsShown() : rows);
    else closeDetails();
    isFollowing = false;
  }

  function filtered(isStep) {
    rowsChanged();
    showFiltered(filterPairs().length > 0);
    touchstone.changed(isStep);
  }

  startLegend(() => filtered(true), resetFilters);
  let isTyping = false; // a word of which each letter is not a step of its own
  startFilters((isDone, isNew) => {
    if (isNew) filtered(!isTyping);
    isTyping = !isDone;
  });
  document.querySelector("header").addEventListener("click", (event) => {
    const link = event.target.closest("a[href*='=']");
    if (!link) return;
    event.preventDefault();
    touchstone.goToFiltered(readAddress(link.hash));
  });
  addEventListener("popstate", () => {
    if (location.hash === "" || readAddress()) follow();
  });
  if (readAddress()) {
    follow();
    if (!openedRow() && filterPairs().length + orderPairs().length > 0) goToRows();
  } else {
    showRows();
  }
  performance.mark("table-ready");
})();
