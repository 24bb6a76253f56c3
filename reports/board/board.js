/* SPDX-License-Identifier: MIT */
// Sorts tables by a click on a head, and opens an entry that a link leads to. Without it the page
// shows the same, in the order of the ranking.
"use strict";

(() => {
  const collator = new Intl.Collator("en", { numeric: true });

  /** What a cell sorts by: its number, null for one that was not measured, or its text. */
  function keyOf(cell) {
    if (!cell) return null;
    const { value } = cell.dataset;
    if (value === undefined) return cell.textContent;
    return value === "nan" ? null : Number(value);
  }

  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (typeof a === "string" || typeof b === "string"
      ? collator.compare(String(a), String(b)) : a - b);
  }

  function makeSortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    const original = [...table.tBodies[0].rows];
    function sortBy(head) {
      const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      const column = heads.indexOf(head);
      const keys = new Map(original.map((row) => [row, keyOf(row.cells[column])]));
      table.tBodies[0].replaceChildren(
        ...[...original].sort((a, b) => compare(keys.get(a), keys.get(b), sign)));
    }
    for (const head of heads) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "plain";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortBy(head));
      head.append(button);
    }
  }

  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) {
      target.open = true;
      target.querySelector("summary").focus();
    }
  }

  for (const table of document.querySelectorAll("table.rows")) makeSortable(table);
  addEventListener("hashchange", openTarget);
  // A second click on the same link does not change the address.
  for (const link of document.querySelectorAll('.board a[href^="#"]'))
    link.addEventListener("click", () => setTimeout(openTarget));
  openTarget();
})();
