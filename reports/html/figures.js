/* SPDX-License-Identifier: MIT */
// The figures, drawn as SVG from the rows that pass the filters. A method has the same
// colour, mark and dash everywhere, whatever the filters.
"use strict";

(() => {
  const { data, make, format, formatTime, valueOf, listeners, rowsInView } = touchstone;
  const SVG = "http://www.w3.org/2000/svg";
  const PANELS = 40;
  const POINTS = 4000;

  const colourOf = (method) => `var(--method-${method})`;
  const dashOf = (method) => data.looks[method][1];

  /** Lightens a dark colour, for the dark theme. */
  function lightened(colour) {
    const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    const [r, g, b] = parts.map((part) => part / 255);
    const share = Math.max(0, 0.6 - (0.3 * r + 0.59 * g + 0.11 * b));
    return `#${parts.map((part) => Math.round(part + share * (255 - part)).toString(16)
      .padStart(2, "0")).join("")}`;
  }

  const colours = (look) => data.looks.map((of, i) => `--method-${i}: ${look(of[0])};`).join(" ");
  document.head.append(make("style", {}, `:root { ${colours((colour) => colour)} }\n` +
    `@media (prefers-color-scheme: dark) { :root { ${colours(lightened)} } }`));

  function draw(tag, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const SHAPES = {
    2: [[-1, -1], [1, -1], [1, 1], [-1, 1]],
    4: [[0, -1.2], [1.2, 1], [-1.2, 1]],
    5: [[0, 1.2], [1.2, -1], [-1.2, -1]],
    6: [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]],
    7: [[0, -1.2], [1.15, -0.35], [0.7, 1], [-0.7, 1], [-1.15, -0.35]],
    0: [[-1.2, -0.3], [1.2, -0.3], [1.2, 0.3], [-1.2, 0.3]],
    1: [[-0.3, -1.2], [0.3, -1.2], [0.3, 1.2], [-0.3, 1.2]],
  };

  /** A mark shaped like gnuplot's point type; even types are hollow. */
  function mark(method, x, y, size) {
    const point = data.looks[method][2];
    const attributes = { fill: colourOf(method), "fill-opacity": point % 2 ? 0.8 : 0.15,
      stroke: colourOf(method), class: "mark" };
    const points = SHAPES[Math.floor(point / 2)];
    if (!points) return draw("circle", { cx: x, cy: y, r: size, ...attributes });
    return draw("polygon", { points: points.map(([dx, dy]) =>
      `${(x + dx * size).toFixed(1)},${(y + dy * size).toFixed(1)}`).join(" "), ...attributes });
  }

  function svg(width, height, label, ...children) {
    return draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": label }, ...children);
  }

  const text = (x, y, anchor, content) => draw("text", { x, y, "text-anchor": anchor }, content);
  const line = (x1, y1, x2, y2, kind) => draw("line", { x1, y1, x2, y2, class: kind });

  // ---- the frame of a plot ------------------------------------------------------------------

  const MARGIN = { left: 46, right: 30, top: 10, bottom: 38 };

  /** Axes with ticks [at, label]; x and y map values to positions. */
  function frame(width, height, x, y, xTicks, yTicks, xLabel, yLabel) {
    const bottom = height - MARGIN.bottom;
    const parts = [line(MARGIN.left, bottom, width - MARGIN.right, bottom, "axis"),
      line(MARGIN.left, MARGIN.top, MARGIN.left, bottom, "axis")];
    for (const [at, label] of xTicks)
      parts.push(line(x(at), MARGIN.top, x(at), bottom, "guide"),
        text(x(at), bottom + 14, "middle", label));
    for (const [at, label] of yTicks)
      parts.push(line(MARGIN.left, y(at), width - MARGIN.right, y(at), "guide"),
        text(MARGIN.left - 5, y(at) + 4, "end", label));
    parts.push(text((MARGIN.left + width - MARGIN.right) / 2, height - 6, "middle", xLabel));
    parts.push(draw("text", { transform: `translate(11 ${(MARGIN.top + bottom) / 2}) rotate(-90)`,
      "text-anchor": "middle" }, yLabel));
    return parts;
  }

  const scale = (from, to, low, high) => (v) => low + (v - from) / (to - from) * (high - low);

  // ---- legend -------------------------------------------------------------------------------

  const section = document.getElementById("figures");
  const legend = make("ul", { class: "legend", "aria-label": "Methods" });

  function showLegend(methods) {
    legend.replaceChildren(...methods.map((m) => make("li", {},
      svg(30, 12, "", draw("line", { x1: 0, y1: 6, x2: 30, y2: 6, stroke: colourOf(m),
        "stroke-width": 2, "stroke-dasharray": dashOf(m) }),
      mark(m, 15, 6, 4)), data.methods[m])));
  }

  // ---- bars of quality ----------------------------------------------------------------------

  const bars = make("div", { class: "panels", id: "bars" });
  const barsNote = make("p", { class: "quiet" });
  const BAR = { width: 270, label: 124, row: 16 };

  function barRow(row, i) {
    const top = i * BAR.row;
    const value = row.isOk ? valueOf(row, "quality_percent") : null;
    const room = BAR.width - BAR.label - 40;
    const words = row.isOk ? format("quality_percent", value) : row.outcome;
    const name = row.methodLabel.length > 20 ? `${row.methodLabel.slice(0, 19)}\u2026`
      : row.methodLabel;
    const length = value === null ? 0 : value / 100 * room;
    return draw("g", {}, draw("title", {}, `${row.methodLabel}: ${words}`),
      text(BAR.label - 6, top + 12, "end", name),
      draw("rect", { x: BAR.label, y: top + 2, width: room, height: BAR.row - 4, class: "guide" }),
      draw("rect", { x: BAR.label, y: top + 2, width: length.toFixed(1), height: BAR.row - 4,
        fill: colourOf(row.raw[1]), class: "bar" }),
      text(BAR.label + length + 4, top + 12, "start", words));
  }

  function showBars(rows) {
    const groups = new Map();
    for (const row of rows) {
      if (!groups.has(row.raw[0])) groups.set(row.raw[0], []);
      groups.get(row.raw[0]).push(row);
    }
    const listed = [...groups].slice(0, PANELS);
    bars.replaceChildren(...listed.map(([at, list]) => make("figure", {},
      make("figcaption", {}, data.cases[at]),
      svg(BAR.width, list.length * BAR.row + 2, `Quality of each method in ${data.cases[at]}`,
        ...list.map(barRow)))));
    barsNote.textContent = listed.length < groups.size
      ? `The first ${listed.length} of ${groups.size} cases; filter to see others.` : "";
  }

  // ---- quality against time -----------------------------------------------------------------

  const scatter = make("div", { id: "scatter" });

  const plotWidth = () => Math.max(300, Math.min(760, section.clientWidth));

  function showScatter(rows) {
    const points = rows.filter((row) => row.isOk && valueOf(row, "quality_percent") !== null &&
      valueOf(row, "generate_ns_median") > 0).slice(0, POINTS);
    if (points.length === 0) {
      scatter.replaceChildren(make("p", { class: "quiet" }, "No row has quality and time."));
      return;
    }
    const width = plotWidth(), height = 380;
    const times = points.map((row) => Math.log10(valueOf(row, "generate_ns_median")));
    const first = Math.floor(times.reduce((a, b) => Math.min(a, b)));
    const last = Math.max(first + 1, Math.ceil(times.reduce((a, b) => Math.max(a, b))));
    const x = scale(first, last, MARGIN.left, width - MARGIN.right);
    const y = scale(0, 100, height - MARGIN.bottom, MARGIN.top + 4);
    const xTicks = [];
    for (let t = first; t <= last; t++)
      xTicks.push([t, formatTime(10 ** t).replace(/^(\d+)\.0+ /, "$1 ")]);
    const marks = points.map((row, i) => draw("g", {}, draw("title", {},
      `${row.caseLabel} \u00d7 ${row.methodLabel}: ${format("quality_percent",
        valueOf(row, "quality_percent"))} %, ${formatTime(valueOf(row, "generate_ns_median"))}`),
    mark(row.raw[1], x(times[i]), y(valueOf(row, "quality_percent")), 4)));
    scatter.replaceChildren(svg(width, height, "Quality against time, one mark per row",
      ...frame(width, height, x, y, xTicks, [0, 25, 50, 75, 100].map((v) => [v, v]),
        "time of generating all contacts", "quality [%]"), ...marks));
  }

  // ---- sorted normal quality ----------------------------------------------------------------

  const curves = make("div", { id: "curves" });
  const curveCase = make("select", { name: "curve-case" });
  const curveKind = make("select", { name: "curve-kind" },
    make("option", { value: "quality" }, "quality: |n \u00b7 f|"),
    make("option", { value: "error" }, "error in degrees"));

  function fillCases(rows) {
    const places = [...new Set(rows.filter((row) => row.contacts).map((row) => row.raw[0]))];
    const before = curveCase.value;
    curveCase.replaceChildren(...places.map((at) => make("option", { value: at }, data.cases[at])));
    if (places.includes(Number(before)) && before !== "") curveCase.value = before;
  }

  function showCurves(rows) {
    const list = rows.filter((row) => String(row.raw[0]) === curveCase.value && row.contacts &&
      row.contacts[5].length > 0);
    if (list.length === 0) {
      curves.replaceChildren(make("p", { class: "quiet" }, data.contactsKept === "all"
        ? "No contacts for these rows; they come from contacts.csv of a results folder."
        : `Not drawn: the run listed only some contacts (--contacts ${data.contactsKept}).`));
      return;
    }
    const isError = curveKind.value === "error";
    const valueAt = (error) => isError ? error : Math.cos(error * Math.PI / 180);
    const width = plotWidth(), height = 340;
    const max = isError ? Math.max(1, ...list.map((row) => row.contacts[5].at(-1))) : 1;
    const x = scale(0, 100, MARGIN.left, width - MARGIN.right);
    const y = scale(0, max, height - MARGIN.bottom, MARGIN.top + 4);
    const paths = list.map((row) => {
      const errors = row.contacts[5].length > 1 ? row.contacts[5]
        : [row.contacts[5][0], row.contacts[5][0]];
      const at = errors.map((error, i) => `${x(100 * i / (errors.length - 1)).toFixed(1)},` +
        y(valueAt(error)).toFixed(1));
      return draw("polyline", { points: at.join(" "), fill: "none", stroke: colourOf(row.raw[1]),
        "stroke-width": 2, "stroke-dasharray": dashOf(row.raw[1]),
        class: "curve" }, draw("title", {}, row.methodLabel));
    });
    const yTicks = [0, 0.25, 0.5, 0.75, 1].map((share) =>
      [share * max, isError ? (share * max).toFixed(1) : share]);
    curves.replaceChildren(svg(width, height,
      `Sorted normal ${isError ? "error" : "quality"} of ${data.cases[curveCase.value]}`,
      ...frame(width, height, x, y, [0, 25, 50, 75, 100].map((v) => [v, v]), yTicks,
        "share of the contacts, best first [%]",
        isError ? "normal error [\u00b0]" : "|n \u00b7 f|"),
      ...paths));
  }

  // ---- all of them --------------------------------------------------------------------------

  function showAll() {
    const rows = rowsInView();
    showLegend([...new Set(rows.map((row) => row.raw[1]))]);
    showBars(rows);
    showScatter(rows);
    fillCases(rows);
    showCurves(rows);
  }

  section.append(
    make("p", { class: "quiet" }, "Drawn from the rows that pass the filters."), legend,
    make("h3", {}, "Quality by case and method [%]"), barsNote, bars,
    make("h3", {}, "Quality against time"), scatter,
    make("h3", {}, "Sorted normal quality"),
    make("div", { class: "controls" }, make("label", {}, "Case", curveCase),
      make("label", {}, "Show", curveKind)), curves);
  section.hidden = false;
  curveCase.addEventListener("change", () => showCurves(rowsInView()));
  curveKind.addEventListener("change", () => showCurves(rowsInView()));
  let pending = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => { showScatter(rowsInView()); showCurves(rowsInView()); });
  });
  listeners.push(showAll);
  showAll();
})();
