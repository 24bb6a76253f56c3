/* SPDX-License-Identifier: MIT */
// The rows of the page's data, and their values as text. Every script of the page adds to
// `touchstone` what later ones use. All text reaches the page as text: nothing parses markup.
"use strict";

const touchstone = (() => {
  const FIRST_COLUMN = 4; // of a row: case, method, command and contacts come before the columns
  const MISSING = "\u2013";

  const data = JSON.parse(document.getElementById("data").textContent);
  const columnAt = new Map(data.columns.map((c, i) => [c.name, i + FIRST_COLUMN]));
  const columnOf = (name) => data.columns[columnAt.get(name) - FIRST_COLUMN];
  const faults = data.columns.filter((c) => c.role === "fault");
  const outcomes = new Map(data.outcomes.map((outcome) => [outcome.word, outcome]));
  const measured = data.outcomes[0], unknown = outcomes.get("");

  /** Creates an element with attributes and children; strings become text nodes. */
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (name === "class") element.className = value;
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  /** The text or the number of a column; null for a number that was not measured. */
  function valueOf(row, name) {
    const value = row.raw[columnAt.get(name)];
    return columnOf(name).is_text ? data.texts[value] : value;
  }

  function makeRow(raw, index) {
    const row = { index, raw, name: data.names[index], method: raw[1],
      caseLabel: data.cases[raw[0]], methodLabel: data.methods[raw[1]],
      command: data.texts[raw[2]], explain: data.explains && data.texts[data.explains[index]],
      contacts: raw[3] };
    const word = valueOf(row, "outcome");
    const outcome = outcomes.get(word) ?? unknown;
    row.outcome = outcome === unknown && word ? word : outcome.words;
    row.isOk = outcome === measured;
    row.isFailed = outcome.is_failure;
    row.isFlagged = faults.some((column) => valueOf(row, column.name) > 0);
    // As format_html.c counts them.
    row.isWrong = row.isFailed || row.isFlagged || row.isOk && ["quality_percent", "coverage_percent"].some(
      (name) => valueOf(row, name) !== null && valueOf(row, name) < 100);
    return row;
  }

  const rows = data.rows.map(makeRow);

  /** Of a row the faults that it has, [column, how many or how much]. */
  const faultsOf = (row) => faults.map((column) => [column, valueOf(row, column.name)])
    .filter(([, value]) => value > 0);

  function formatTime(ns) {
    const units = ["ns", "us", "ms", "s"];
    let unit = 0;
    while (unit < 3 && ns >= 999.5) {
      ns /= 1000;
      unit++;
    }
    return `${ns.toPrecision(3)} ${units[unit]}`.replace(/^(\d)\.(\d\d)e.*? /, "$1$2 ");
  }

  /** A share with one decimal, which is neither 0 nor 100 unless it is so exactly. */
  function formatPercent(value) {
    if (value === 0 || value === 100) return value === 0 ? "0.0" : "100";
    return (value > 0 && value < 100 ? Math.min(99.9, Math.max(0.1, value)) : value).toFixed(1);
  }

  /** The value of a column for a table: as the tables of the program write it. */
  function format(name, value) {
    if (value === null) return MISSING;
    if (typeof value === "string") return value;
    const { unit, is_count } = columnOf(name);
    if (unit === "percent") return formatPercent(value);
    if (unit === "ns") return formatTime(value);
    if (is_count) return String(value);
    if (value !== 0 && !(Math.abs(value) >= 0.005 && Math.abs(value) < 1e4))
      return value.toExponential(1).replace("e+", "e");
    return value.toFixed(2);
  }

  /** The value with its unit and all digits that the page has. */
  function formatWhole(name, value) {
    if (value === null || typeof value === "string") return format(name, value);
    const { unit } = columnOf(name);
    return unit === "ns" ? formatTime(value) : unit ? `${value} ${unit}` : String(value);
  }

  return { data, rows, make, columnOf, valueOf, faultsOf, format, formatWhole, formatTime };
})();
