/* SPDX-License-Identifier: MIT */
// What the page begins with, and how it and its address follow each other.
(() => {
  const { rows, readAddress, writeAddress, filterPairs, setFilters, startFilters, startLegend, order,
    showRows, rowsChanged, rowsShown, openDetails, openedRow, closeDetails } = touchstone;
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
    const name = values.get("row"), row = byName.get(name);
    lost.hidden = name === undefined || row !== undefined;
    lost.textContent = lost.hidden ? ""
      : `The address asks for the row ${name}, which this page does not have.`;
    if (row) openDetails(row, rowsShown().includes(row) ? rowsShown() : rows);
    else closeDetails();
    isFollowing = false;
  }

  startLegend(() => {
    rowsChanged();
    touchstone.changed(true);
  });
  let isTyping = false; // a word of which each letter is not a step of its own
  startFilters((isDone) => {
    rowsChanged();
    touchstone.changed(!isTyping);
    isTyping = !isDone;
  });
  document.querySelector("header").addEventListener("click", (event) => {
    if (event.target.closest("a[href*='=']")) document.getElementById("table").scrollIntoView();
  });
  addEventListener("popstate", () => {
    if (location.hash === "" || readAddress()) follow();
  });
  if (readAddress()) follow();
  else showRows();
  performance.mark("table-ready");
})();
