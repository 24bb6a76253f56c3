/* SPDX-License-Identifier: MIT */
// One tab stop for all the controls of a table or a list: Tab enters at the control used last and
// leaves; arrow keys, Home and End move within.
(() => {
  /** The place of a control in its row: of its cell, or else in the list. */
  const placeOf = (control, row) => control.closest("td, th")?.cellIndex ?? row.indexOf(control);

  /** The control of a row that is nearest to a place. */
  function nearest(row, place) {
    let best = row[0];
    for (const control of row)
      if (Math.abs(placeOf(control, row) - place) < Math.abs(placeOf(best, row) - place))
        best = control;
    return best;
  }

  /** Where a key leads from a control: the rows are arrays of controls. */
  function target(key, control, rows) {
    const at = rows.findIndex((row) => row.includes(control));
    const row = rows[at], i = row.indexOf(control);
    const place = placeOf(control, row);
    if (key === "ArrowRight") return row[i + 1];
    if (key === "ArrowLeft") return row[i - 1];
    if (key === "ArrowDown") return rows[at + 1] && nearest(rows[at + 1], place);
    if (key === "ArrowUp") return rows[at - 1] && nearest(rows[at - 1], place);
    if (key === "Home") return row[0];
    if (key === "End") return row.at(-1);
    return undefined;
  }

  /** Makes the controls of `root` one tab stop. `rowsOf` returns them as rows of the grid that they
      are; new ones need a tabindex of -1. Returns what to call when they have changed. */
  function rove(root, rowsOf) {
    let current = null;
    const filled = () => rowsOf().filter((row) => row.length > 0);

    function take(control) {
      if (current) current.tabIndex = -1;
      current = control;
      if (current) current.tabIndex = 0;
    }

    root.addEventListener("focusin", (event) => {
      if (event.target.tabIndex === -1 && filled().some((row) => row.includes(event.target)))
        take(event.target);
    });
    root.addEventListener("keydown", (event) => {
      const rows = filled();
      if (event.altKey || event.ctrlKey || event.metaKey ||
          !rows.some((row) => row.includes(event.target))) return;
      const next = target(event.key, event.target, rows);
      if (!next) return;
      event.preventDefault();
      next.focus();
    });

    function renew() {
      const rows = filled();
      if (!current || !rows.some((row) => row.includes(current))) take(rows[0]?.[0] ?? null);
    }
    renew();
    return renew;
  }

  Object.assign(touchstone, { rove });
})();
