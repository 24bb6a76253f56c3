/* SPDX-License-Identifier: MIT */
// Axes for figures; and quality: against time over all scenes beside the summary, and by case of the
// rows that pass the filters.
(() => {
  const { data, rows, make, valueOf, format, formatTime, colourOf, dashOf, draw, mark, isHidden, passing,
    drawWhenSeen } = touchstone;
  const PANELS = 40;
  const POINTS = 4000;
  const MARGIN = { left: 60, right: 30, top: 10, bottom: 38 };

  function svg(width, height, label, ...children) {
    return draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
      "aria-label": label }, ...children);
  }

  const text = (x, y, anchor, content) => draw("text", { x, y, "text-anchor": anchor }, content);
  const line = (x1, y1, x2, y2, kind) => draw("line", { x1, y1, x2, y2, class: kind });
  const scale = (from, to, low, high) => (v) => low + (v - from) / (to - from) * (high - low);

  /** What is drawn of a method: it can be made out from the legend. */
  const ofMethod = (method, title, ...children) =>
    draw("g", { "data-method": method }, draw("title", {}, title), ...children);

  /** What is drawn of a row: a click opens it. */
  function ofRow(row, ...parts) {
    const drawn = ofMethod(row.method, ...parts);
    drawn.setAttribute("data-row", row.index);
    return drawn;
  }

  /** The line of a method along the path `d`. */
  const curve = (method, d) => draw("path", { d, fill: "none", stroke: colourOf(method),
    "stroke-width": 2, "stroke-dasharray": dashOf(method), class: "curve" });

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

  // ---- quality against time -----------------------------------------------------------------

  const HUNDRED = [0, 25, 50, 75, 100].map((v) => [v, v]);

  /** The axes of quality against time, { x, y, parts }; x takes a time in nanoseconds. */
  function timeAxes(width, height, times, xLabel) {
    const logs = times.map(Math.log10);
    const first = Math.floor(logs.reduce((a, b) => Math.min(a, b)));
    const last = Math.max(first + 1, Math.ceil(logs.reduce((a, b) => Math.max(a, b))));
    const at = scale(first, last, MARGIN.left + 8, width - MARGIN.right);
    const y = scale(-5, 105, height - MARGIN.bottom, MARGIN.top);
    const ticks = [];
    for (let t = first; t <= last; t++)
      ticks.push([t, formatTime(10 ** t).replace(/^(\d+)\.0+ /, "$1 ")]);
    return { x: (ns) => at(Math.log10(ns)), y,
      parts: frame(width, height, at, y, ticks, HUNDRED, xLabel, "quality [%]") };
  }

  /** The front as steps: from the bottom below its fastest point to beyond the slowest point. */
  function frontLine(points, { x, y }, right) {
    let path = "";
    for (const { time, quality, isBest } of points)
      if (isBest) path += path === "" ? `M${x(time)},${y(-5)}V${y(quality)}`
        : `H${x(time)}V${y(quality)}`;
    return draw("path", { d: path && `${path}H${right}`, class: "front" });
  }

  const whisker = (method, x1, y1, x2, y2) =>
    draw("line", { x1, y1, x2, y2, stroke: colourOf(method), "stroke-opacity": 0.5 });

  function tradeoffPoint(point, { x, y }) {
    const { method, time, quality } = point;
    const parts = [mark(method, x(time), y(quality), 5)];
    if (point.timeLow !== null && point.qualityLow !== null)
      parts.unshift(whisker(method, x(point.timeLow), y(quality), x(point.timeHigh), y(quality)),
        whisker(method, x(time), y(point.qualityLow), x(time), y(point.qualityHigh)));
    if (point.isBest)
      parts.unshift(draw("circle", { cx: x(time), cy: y(quality), r: 10, class: "front" }));
    const over = point.cases < data.tradeoff.cases ? `, over ${point.cases} cases only` : "";
    return ofMethod(method, `${data.methods[method]}: ${format("quality_percent", quality)} %, ` +
      formatTime(time) + over, ...parts);
  }

  function showTradeoff(place) {
    const points = data.tradeoff.points.map(([method, time, timeLow, timeHigh, quality, qualityLow,
      qualityHigh, isBest, cases]) => ({ method, time, timeLow, timeHigh, quality, qualityLow,
      qualityHigh, isBest, cases }));
    const width = Math.max(300, Math.min(620, place.clientWidth)), height = 360;
    const times = points.flatMap(({ time, timeLow, timeHigh }) =>
      [time, timeLow, timeHigh].filter((t) => t > 0));
    const axes = timeAxes(width, height, times, "time, geometric mean");
    const best = points.filter((point) => point.isBest).map((point) => data.methods[point.method]);
    place.replaceChildren(
      make("h3", {}, "Quality against time"),
      svg(width, height, "Quality against time, one mark per method; on the Pareto front: " +
        best.join(", "), ...axes.parts, frontLine(points, axes, width - MARGIN.right),
      ...points.filter(({ method }) => !isHidden(method)).map((p) => tradeoffPoint(p, axes))),
      make("p", { class: "quiet" }, `Means over ${data.tradeoff.cases} ` +
        `case${data.tradeoff.cases === 1 ? "" : "s"} as built, with 95 % intervals. Ringed: on the ` +
        "Pareto front, where no other method is both faster and better."));
  }

  const tradeoff = document.getElementById("tradeoff");
  if (tradeoff && data.tradeoff) {
    tradeoff.addEventListener("click", (event) => {
      const point = event.target.closest("[data-method]");
      if (point)
        touchstone.goToFiltered([["method", `"${data.methods[point.dataset.method]}"`]]);
    });
    tradeoff.parentElement.classList.add("two");
    drawWhenSeen(tradeoff, () => showTradeoff(tradeoff));
  }

  // ---- bars of quality ----------------------------------------------------------------------

  const BAR = { letter: 6.3, row: 16, track: 110, end: 44 };

  function barRow(row, i, label) {
    const top = i * BAR.row;
    const value = row.isOk ? valueOf(row, "quality_percent") : null;
    const words = row.isOk ? format("quality_percent", value) : row.outcome;
    const length = value === null ? 0 : value / 100 * BAR.track;
    return ofRow(row, `${row.methodLabel}: ${words}`,
      text(label - 6, top + 12, "end", row.methodLabel),
      draw("rect", { x: label, y: top + 2, width: BAR.track, height: BAR.row - 4,
        class: "guide" }),
      draw("rect", { x: label, y: top + 2, width: length.toFixed(1), height: BAR.row - 4,
        fill: colourOf(row.method), class: "bar" }),
      text(label + length + 4, top + 12, "start", words));
  }

  function barPanel(at, list) {
    const longest = Math.max(...list.map((row) => row.methodLabel.length));
    const label = 12 + longest * BAR.letter, words = Math.max(
      ...list.map((row) => (row.isOk ? 0 : row.outcome.length)));
    const width = label + BAR.track + Math.max(BAR.end, words * BAR.letter - BAR.track);
    return make("figure", {}, make("figcaption", {}, data.cases[at]),
      svg(width, list.length * BAR.row + 2, `Quality of each method in ${data.cases[at]}`,
        ...list.map((row, i) => barRow(row, i, label))));
  }

  function showBars(bars, note) {
    const groups = new Map();
    for (const row of passing()) {
      if (!groups.has(row.raw[0])) groups.set(row.raw[0], []);
      groups.get(row.raw[0]).push(row);
    }
    const listed = [...groups].slice(0, PANELS);
    bars.replaceChildren(...listed.map(([at, list]) => barPanel(at, list)));
    note.textContent = listed.length < groups.size
      ? `The first ${listed.length} of ${groups.size} cases; filter to see others.` : "";
  }

  // ---- every row ----------------------------------------------------------------------------

  function showScatter(scatter, width) {
    const points = passing().filter((row) => row.isOk &&
      valueOf(row, "quality_percent") !== null && valueOf(row, "generate_ns_median") > 0);
    if (points.length === 0) {
      scatter.replaceChildren(make("p", { class: "quiet" }, "No row has quality and time."));
      return;
    }
    const drawn = points.slice(0, POINTS), height = 380;
    const timeOf = (row) => valueOf(row, "generate_ns_median");
    const { x, y, parts } = timeAxes(width, height, drawn.map(timeOf),
      "time of generating all contacts, median");
    const marks = drawn.map((row) => ofRow(row,
      `${row.caseLabel} \u00d7 ${row.methodLabel}: ${format("quality_percent",
        valueOf(row, "quality_percent"))} %, ${formatTime(timeOf(row))}`,
      mark(row.method, x(timeOf(row)), y(valueOf(row, "quality_percent")), 4)));
    const rest = points.length - drawn.length;
    scatter.replaceChildren(
      svg(width, height, "Quality against time, one mark per row", ...parts, ...marks),
      ...(rest > 0 ? [make("p", { class: "quiet" },
        `The first ${drawn.length} of ${points.length} rows; filter to see others.`)] : []));
  }

  const section = document.getElementById("figures");
  section.append(make("p", { class: "quiet" }, "Drawn from the rows that pass the filters."));
  section.hidden = false;

  /** Adds a figure with its heading to the section; `show(place, width)` draws it. Returns what to
      call when it must be drawn again. */
  function addFigure(id, heading, show, ...controls) {
    const place = make("div", { id, class: "figure" });
    section.append(make("h3", {}, heading),
      ...(controls.length > 0 ? [make("div", { class: "controls" }, ...controls)] : []), place);
    return drawWhenSeen(place, () =>
      show(place, Math.max(300, Math.min(760, section.clientWidth))));
  }

  addFigure("bars", "Quality by case and method [%]", (place) => {
    const note = make("p", { class: "quiet" }), bars = make("div", { class: "panels" });
    showBars(bars, note);
    place.replaceChildren(note, bars);
  });
  addFigure("scatter", "Quality against time, row by row", showScatter);
  section.addEventListener("click", (event) => {
    const drawn = event.target.closest("[data-row]");
    if (drawn) touchstone.openDetails(rows[Number(drawn.dataset.row)], passing());
  });

  Object.assign(touchstone, { MARGIN, HUNDRED, PANELS, svg, curve, scale, frame, ofMethod,
    addFigure });
})();
