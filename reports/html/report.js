/* SPDX-License-Identifier: MIT */
// The table, its filters and order, the heat map and the details of a row. All text reaches the
// page as text: nothing here parses markup.
"use strict";

const touchstone = (() => {
  const FIRST_COLUMN = 4; // of a row: case, method, command and contacts come before the columns
  const PAGE = 200; // rows shown at a time: a table of many thousands is slow to lay out
  const HEAT_ROWS = 80;
  const MISSING = "\u2013";

  const data = JSON.parse(document.getElementById("data").textContent);
  const columnAt = new Map(data.columns.map((c, i) => [c.name, i + FIRST_COLUMN]));
  const columnOf = (name) => data.columns[columnAt.get(name) - FIRST_COLUMN];
  const faults = data.columns.filter((c) => c.role === "fault").map((c) => c.name);
  const collator = new Intl.Collator("en", { numeric: true });

  const table = document.getElementById("rows");
  const body = table.tBodies[0];
  const rowElements = [...body.rows];

  const rows = data.rows.map((raw, i) => ({
    index: i,
    raw,
    caseLabel: data.cases[raw[0]],
    methodLabel: data.methods[raw[1]],
    command: data.texts[raw[2]],
    contacts: raw[3],
    element: rowElements[i],
  }));

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

  const outcomes = new Map(data.outcomes.map((outcome) => [outcome.word, outcome]));
  const measured = data.outcomes[0], unknown = outcomes.get("");

  for (const row of rows) {
    const word = valueOf(row, "outcome");
    const outcome = outcomes.get(word) ?? unknown;
    row.outcome = outcome === unknown && word ? word : outcome.words;
    row.isOk = outcome === measured;
    row.isFailed = outcome.is_failure;
    row.isFlagged = row.isFailed || faults.some((name) => valueOf(row, name) > 0);
  }

  function formatTime(ns) {
    const units = ["ns", "us", "ms", "s"];
    let unit = 0;
    while (unit < 3 && ns >= 999.5) {
      ns /= 1000;
      unit++;
    }
    return `${ns.toPrecision(3)} ${units[unit]}`.replace(/^(\d)\.(\d\d)e.*? /, "$1$2 ");
  }

  /** Formats the value of a column for reading. */
  function format(name, value) {
    if (value === null) return MISSING;
    if (typeof value === "string") return value;
    const { unit } = columnOf(name);
    if (unit === "percent")
      return value === 100 || value === 0 ? String(value) : value.toFixed(1);
    if (unit === "ns") return formatTime(value);
    if (Number.isInteger(value)) return String(value);
    return Math.abs(value) >= 0.01 && Math.abs(value) < 1e5
      ? String(Number(value.toFixed(3))) : value.toPrecision(3);
  }

  // ---- filters ------------------------------------------------------------------------------

  const filters = document.getElementById("filters");
  const listeners = [];
  let shown = rows; // those that pass the filters, in the order of the table
  let limit = PAGE;
  const order = { name: null, sign: 1 };

  function addField(label, control) {
    filters.append(make("label", {}, label, control));
    return control;
  }

  const fields = {
    case: addField("Case", make("input", { type: "search", name: "case",
      placeholder: "wall step=3", autocomplete: "off" })),
    method: addField("Method", make("input", { type: "search", name: "method",
      placeholder: "sat", autocomplete: "off" })),
    parameters: addField("Parameters", make("input", { type: "search", name: "parameters",
      placeholder: "scale=1", autocomplete: "off" })),
    outcome: addField("Outcome", make("select", { name: "outcome" }, make("option", { value: "" },
      "any"), ...[...new Set(rows.map((row) => row.outcome))].map(
      (words) => make("option", { value: words }, words)))),
    flagged: make("input", { type: "checkbox", name: "flagged" }),
  };
  filters.append(make("label", { class: "check" }, fields.flagged, "only failed or flagged"));
  filters.append(make("button", { type: "reset" }, "Reset"));
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("input", () => refilter());
  filters.addEventListener("reset", () => setTimeout(refilter)); // once the fields are empty

  const parametersOf = (row) => ["case", "method", "scoring", "simulation"].map(
    (owner) => valueOf(row, `${owner}_parameters`)).join(";");

  /** Whether the text contains every word. */
  function hasWords(text, words) {
    const lower = words.length > 0 ? text.toLowerCase() : "";
    return words.every((word) => lower.includes(word));
  }

  function passing() {
    const words = (field) => field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const inCase = words(fields.case);
    const inMethod = words(fields.method);
    const inParameters = words(fields.parameters);
    return rows.filter((row) =>
      (!fields.flagged.checked || row.isFlagged) &&
      (!fields.outcome.value || row.outcome === fields.outcome.value) &&
      hasWords(row.caseLabel, inCase) && hasWords(row.methodLabel, inMethod) &&
      (inParameters.length === 0 || hasWords(parametersOf(row), inParameters)));
  }

  // ---- order --------------------------------------------------------------------------------

  function sortKey(row, name) {
    if (name === "case") return row.caseLabel;
    if (name === "method") return row.methodLabel;
    return valueOf(row, name);
  }

  /** Values that were not measured sort last in either direction. */
  function compareKeys(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (typeof a === "string" ? collator.compare(a, b) : a - b);
  }

  /** Sorts in place by an order { name, sign }; as it is without a name. */
  function sorted(list, order) {
    if (!order.name) return list;
    const keys = new Map(list.map((row) => [row, sortKey(row, order.name)]));
    return list.sort((a, b) =>
      compareKeys(keys.get(a), keys.get(b), order.sign) || a.index - b.index);
  }

  /** Makes the heads of a table change the order and call `show`. */
  function makeSortable(heads, order, show) {
    function sortBy(name) {
      order.sign = order.name === name ? -order.sign : 1;
      order.name = name;
      for (const head of heads)
        if (head.dataset.sort === name)
          head.setAttribute("aria-sort", order.sign > 0 ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      show();
    }
    for (const head of heads) {
      const button = make("button", { type: "button", class: "plain",
        onclick: () => sortBy(head.dataset.sort) });
      button.append(...head.childNodes);
      head.append(button);
    }
  }

  // ---- the table ----------------------------------------------------------------------------

  const shownLine = document.getElementById("shown");
  const more = document.getElementById("more");
  const mainColumns = new Set([...table.tHead.rows[0].cells].map((head) => head.dataset.sort));
  const extraColumns = data.columns.filter((c) => !mainColumns.has(c.name));

  function addExtraCells(row) {
    if (row.hasExtra) return;
    row.hasExtra = true;
    for (const column of extraColumns) {
      const text = format(column.name, valueOf(row, column.name));
      const cell = make("td", { class: column.is_text ? "extra" : "extra n" }, text);
      if (text.length > 40) cell.title = text;
      row.element.append(cell);
    }
  }

  /** Makes the case of a row in a table open its details. */
  function linkDetails(row, element) {
    const head = element.cells[0];
    const button = make("button", { type: "button", class: "plain",
      title: "Details", onclick: () => openDetails(row) });
    button.append(...head.childNodes);
    head.append(button);
  }

  function prepareRow(row) {
    if (row.isReady) return;
    row.isReady = true;
    linkDetails(row, row.element);
  }

  function showRows() {
    const page = shown.slice(0, limit);
    for (const row of page) {
      prepareRow(row);
      if (table.classList.contains("all")) addExtraCells(row);
    }
    body.replaceChildren(...page.map((row) => row.element));
    shownLine.textContent = page.length === rows.length ? `All ${rows.length} rows.`
      : `${page.length} of the ${shown.length} rows that pass the filters; ${rows.length} in all.`;
    more.hidden = page.length === shown.length;
  }

  function refilter() {
    shown = sorted(passing(), order);
    limit = PAGE;
    showRows();
    for (const listener of listeners) listener();
  }

  more.append(
    make("button", { type: "button", onclick: () => { limit += PAGE; showRows(); } },
      `Show ${PAGE} more`),
    make("button", { type: "button", onclick: () => { limit = Infinity; showRows(); } },
      "Show all"));

  function toggleColumns(event) {
    const isOn = table.classList.toggle("all");
    event.currentTarget.setAttribute("aria-pressed", String(isOn));
    showRows();
  }

  for (const column of extraColumns) {
    const unit = column.unit ? ` [${column.unit}]` : "";
    table.tHead.rows[0].append(make("th", { scope: "col", "data-sort": column.name,
      title: column.meaning, class: column.is_text ? "extra" : "extra n" }, column.name + unit));
  }
  makeSortable(table.tHead.rows[0].cells, order, refilter);
  shownLine.before(make("div", { class: "controls" }, make("button", { type: "button",
    id: "all-columns", "aria-pressed": "false", onclick: toggleColumns }, "All columns")));

  // ---- coherence ----------------------------------------------------------------------------

  function prepareCoherence(table) {
    const elements = new Map([...table.tBodies[0].rows].map(
      (element) => [rows[Number(element.dataset.row)], element]));
    for (const [row, element] of elements) linkDetails(row, element);
    const order = { name: null, sign: 1 };
    const note = make("p", { class: "quiet", role: "status" });
    table.parentElement.before(note);
    function show() {
      const passed = new Set(passing());
      const list = sorted([...elements.keys()].filter((row) => passed.has(row)), order);
      table.tBodies[0].replaceChildren(...list.slice(0, PAGE).map((row) => elements.get(row)));
      note.textContent = list.length > PAGE
        ? `The first ${PAGE} of ${list.length}; filter to see others.` : "";
    }
    makeSortable(table.tHead.rows[0].cells, order, show);
    listeners.push(show);
  }

  const coherence = document.querySelector("#coherence table");
  if (coherence) prepareCoherence(coherence);

  // ---- details of a row ---------------------------------------------------------------------

  const dialog = document.getElementById("details");

  function contactWords(row) {
    if (data.contactsKept !== "all")
      return `Not shown: the run listed only some contacts (--contacts ${data.contactsKept}).`;
    if (!row.contacts) return "No contacts of this row are listed.";
    const [listed, correct, incorrect, phantom, speculative] = row.contacts;
    const flipped = format("normals_flipped", valueOf(row, "normals_flipped"));
    return `${listed} listed: ${correct} correct, ${incorrect} incorrect, ${phantom} phantom, ` +
      `${speculative} speculative. Of all contacts, ${flipped} have a flipped normal.`;
  }

  function copyCommand(row, code, button) {
    const select = () => {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected: copy it";
    };
    if (!navigator.clipboard) return select();
    navigator.clipboard.writeText(row.command).then(
      () => { button.textContent = "Copied"; }, select);
  }

  function measureTable(row) {
    const list = make("tbody");
    for (const column of data.columns) {
      const value = valueOf(row, column.name);
      if (value === "") continue;
      list.append(make("tr", {}, make("th", { scope: "row" }, column.name),
        make("td", {}, format(column.name, value).replaceAll(";", "; "),
          column.unit && value !== null && column.unit !== "ns" ? ` ${column.unit}` : ""),
        make("td", { class: "quiet" }, column.meaning)));
    }
    return make("table", {}, list);
  }

  dialog.addEventListener("close", () => {
    if (typeof touchstoneView !== "undefined") touchstoneView.close();
  });

  /** The element that the 3-D view of a row fills, or why there is none. */
  function viewOf(row) {
    const element = make("div");
    if (typeof touchstoneView !== "undefined") touchstoneView.open(row.index, element);
    return element;
  }

  function openDetails(row) {
    const code = make("code", {}, row.command);
    const copy = make("button", { type: "button",
      onclick: () => copyCommand(row, code, copy) }, "Copy");
    const reason = valueOf(row, "reason");
    dialog.replaceChildren(
      make("header", {}, make("h2", {}, `${row.caseLabel} \u00d7 ${row.methodLabel}`),
        make("button", { type: "button", onclick: () => dialog.close() }, "Close")),
      ...(row.isOk ? [] : [make("p", { class: "bad" },
        row.outcome + (reason ? `: ${reason}` : ""))]),
      make("h3", {}, "Contacts"), make("p", {}, contactWords(row)), viewOf(row),
      make("h3", {}, "Measure it again"), make("pre", {}, code), copy,
      make("h3", {}, "All columns"), measureTable(row));
    dialog.showModal();
    dialog.scrollTop = 0;
  }

  // ---- the heat map -------------------------------------------------------------------------

  const clamp = (x) => Math.min(1, Math.max(0, x));
  /** How bad a value is, from 0 to 1, by the unit and the sense of its column. */
  function weigh(column, value, { min, max }) {
    const isHighest = column.best === "highest";
    if (column.unit === "percent") return (isHighest ? 100 - value : value) / 100;
    if (column.best === "closest to 1") // which is 0 or more
      return value > 0 ? Math.abs(Math.log2(value)) / Math.log2(column.farOff) : 1;
    if (column.farOff) return Math.log1p(value) / Math.log1p(column.farOff);
    if (column.unit === "deg") return Math.log1p(value) / Math.log1p(90);
    if (column.unit === "ns" || column.unit === "bytes") return Math.log10(value / min) / 2;
    if (column.role === "fault") // one is seen beside thousands
      return value > 0 ? 0.25 + 0.75 * Math.log1p(value) / Math.log1p(max) : 0;
    if (isHighest) return 1 - value;
    return max > 0 ? value / max : 0;
  }

  /** Every number of which one value is better than another can be chosen. */
  const heatMeasures = data.columns.filter((column) => column.best && !column.is_text);

  function labelOf({ label, unit, sign }) {
    if (unit === "ns" || unit === "bytes") return `${label} (shade: against the best of the case)`;
    return sign || unit ? `${label} [${sign || unit}]` : label;
  }

  const heat = document.getElementById("heat");
  const heatChoice = make("select", { name: "measure" }, ...heatMeasures.map(
    (column) => make("option", { value: column.name }, labelOf(column))));
  const heatNote = make("p", { class: "quiet", role: "status" });
  const heatTable = make("table", { class: "map" });

  function heatCell(row, measure, range) {
    if (!row) return make("td");
    const value = row.isOk ? valueOf(row, measure.name) : null;
    const text = row.isOk ? format(measure.name, value) : row.outcome;
    const button = make("button", { type: "button",
      class: row.isFailed ? "failed" : value === null ? "none" : "",
      title: `${row.caseLabel} \u00d7 ${row.methodLabel}: ${measure.label} ${text}`,
      onclick: () => openDetails(row) }, text);
    const weight = value === null ? 0 : clamp(weigh(measure, value, range));
    button.style.setProperty("--weight", Number.isFinite(weight) ? weight.toFixed(3) : 0);
    return make("td", {}, button);
  }

  /** Minimum and maximum of a measure over rows. */
  function rangeOf(list, name) {
    const values = list.filter((row) => row.isOk).map((row) => valueOf(row, name))
      .filter((v) => v !== null);
    return { min: values.reduce((a, b) => Math.min(a, b), Infinity),
      max: values.reduce((a, b) => Math.max(a, b), 0) };
  }

  function showHeat() {
    const measure = columnOf(heatChoice.value);
    const passed = passing(); // in file order, so that the methods keep theirs
    const methods = [...new Set(passed.map((row) => row.raw[1]))];
    const cases = new Map();
    for (const row of passed) {
      if (!cases.has(row.raw[0])) cases.set(row.raw[0], new Map());
      cases.get(row.raw[0]).set(row.raw[1], row);
    }
    const listed = [...cases].slice(0, HEAT_ROWS);
    const whole = rangeOf(passed, measure.name);
    heatTable.replaceChildren(
      make("thead", {}, make("tr", {}, make("td"), ...methods.map((m) =>
        make("th", { scope: "col" }, make("span", {}, data.methods[m]))))),
      make("tbody", {}, ...listed.map(([at, cells]) => {
        const range = { min: rangeOf([...cells.values()], measure.name).min, max: whole.max };
        return make("tr", {}, make("th", { scope: "row" }, data.cases[at]),
          ...methods.map((m) => heatCell(cells.get(m), measure, range)));
      })));
    heatNote.textContent = listed.length < cases.size
      ? `The first ${listed.length} of ${cases.size} cases; filter to see others.` : "";
  }

  heatChoice.addEventListener("change", showHeat);
  heat.append(make("div", { class: "controls" }, make("label", {}, "Measure", heatChoice),
    make("span", { class: "scale" }, "good", make("i"), "bad")), heatNote,
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Heat map" },
      heatTable));

  listeners.push(showHeat);
  filters.hidden = heat.hidden = false;
  refilter();

  return { data, make, format, formatTime, valueOf, openDetails, listeners,
    rowsInView: passing };
})();
