/* SPDX-License-Identifier: MIT */
// The heat map: methods by cases, for any column that has a best value.
(() => {
  const { data, make, columnOf, valueOf, format, swatch, passing, drawWhenSeen, openDetails, rove,
    rows } = touchstone;
  const HEAT_ROWS = 80;

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
  const measures = data.columns.filter((column) => column.best && !column.is_text);

  function labelOf({ label, unit, sign }) {
    if (unit === "ns" || unit === "bytes") return `${label} (shade: against the best of the case)`;
    return sign || unit ? `${label} [${sign || unit}]` : label;
  }

  const heat = document.getElementById("heat");
  const mainNames = new Set([...document.querySelectorAll("#rows th")].map((th) => th.dataset.sort));
  const groupOf = ({ name, role }) => (role === "fault" ? "Flags"
    : mainNames.has(name) ? "Main measures" : role === "time" ? "Times" : "Other measures");
  const choice = make("select", { name: "measure" }, ...["Main measures", "Flags", "Other measures",
    "Times"].map((group) => make("optgroup", { label: group }, ...measures.filter(
    (column) => groupOf(column) === group).map(
    (column) => make("option", { value: column.name }, labelOf(column))))));
  const note = make("p", { class: "quiet", role: "status" });
  const table = make("table", { class: "map", role: "grid", "aria-label": "Heat map" });

  function heatCell(row, measure, range) {
    if (!row) return make("td", { class: "absent", title: "No such row, or filtered out" });
    const value = row.isOk ? valueOf(row, measure.name) : null;
    const text = row.isOk ? format(measure.name, value) : row.outcome;
    const button = make("button", { type: "button", tabindex: "-1", "data-row": row.index,
      class: row.isFailed ? "failed" : value === null ? "none" : "",
      title: `${row.caseLabel} \u00d7 ${row.methodLabel}: ${measure.label} ${text}` }, text);
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

  /** Cases [place, ...] with the steps of each in their order: not all have the same steps. */
  function byStep(cases) {
    const scenes = new Map();
    for (const one of cases) {
      const scene = data.cases[one[0]].replace(/ (touch|step=\S+)$/, "");
      if (!scenes.has(scene)) scenes.set(scene, []);
      scenes.get(scene).push(one);
    }
    const stepOf = ([, cells]) => valueOf([...cells.values()][0], "step");
    return [...scenes.values()].flatMap((steps) => steps.sort((a, b) => stepOf(a) - stepOf(b)));
  }

  function show() {
    const measure = columnOf(choice.value);
    const passed = passing(); // in file order, so that the methods keep theirs
    scroll.style.minHeight = "";
    const methods = [...new Set(passed.map((row) => row.method))];
    const cases = new Map();
    for (const row of passed) {
      if (!cases.has(row.raw[0])) cases.set(row.raw[0], new Map());
      cases.get(row.raw[0]).set(row.method, row);
    }
    const listed = byStep([...cases]).slice(0, HEAT_ROWS);
    const whole = rangeOf(passed, measure.name);
    table.replaceChildren(
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Case"), ...methods.map((m) =>
        make("th", { scope: "col" }, make("span", {}, data.methods[m]), swatch(m))))),
      make("tbody", {}, ...listed.map(([at, cells]) => {
        const range = { min: rangeOf([...cells.values()], measure.name).min, max: whole.max };
        return make("tr", {}, make("th", { scope: "row" }, data.cases[at]),
          ...methods.map((m) => heatCell(cells.get(m), measure, range)));
      })));
    note.textContent = listed.length < cases.size
      ? `The first ${listed.length} of ${cases.size} cases; filter to see others.` : "";
    renewTabStop();
  }

  table.addEventListener("click", (event) => {
    const button = event.target.closest("[data-row]");
    if (button) openDetails(rows[Number(button.dataset.row)], passing());
  });
  const scroll = make("div", { class: "scroll" }, table);
  // Until it is drawn, about its height, so that what follows does not jump.
  scroll.style.minHeight = `min(75vh, ${10 + 2.4 * data.cases.length}rem)`;
  heat.append(make("div", { class: "controls" }, make("label", {}, "Measure", choice),
    make("span", { class: "scale" }, "good", make("i"), "bad")), note, scroll);
  heat.hidden = false;
  const renewTabStop = rove(table, () => [...table.rows].map(
    (row) => [...row.querySelectorAll("button")]));
  choice.addEventListener("change", drawWhenSeen(heat, show));
})();
