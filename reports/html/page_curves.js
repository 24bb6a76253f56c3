/* SPDX-License-Identifier: MIT */
// Curves: the sorted normal quality of a case, and measures over the steps of a simulation.
(() => {
  const { data, make, columnOf, valueOf, format, colourOf, dashOf, draw, mark, passing, MARGIN,
    HUNDRED, svg, scale, frame, ofMethod, addFigure } = touchstone;
  const PANELS = 40;
  const MARKS = 5; // on a curve
  const STEPS_MIN = 4; // with fewer there is no trend; as in the plots of touchstone plot
  const GOLDEN = 0.6180339887498949;

  const path = (method, d) => draw("path", { d, fill: "none", stroke: colourOf(method),
    "stroke-width": 2, "stroke-dasharray": dashOf(method), class: "curve" });

  // ---- sorted normal quality ----------------------------------------------------------------

  const curveCase = make("select", { name: "curve-case" });
  const curveKind = make("select", { name: "curve-kind" },
    make("option", { value: "quality" }, "quality: |n \u00b7 n_true|"),
    make("option", { value: "error" }, "error in degrees"));

  function fillCases(rows) {
    const places = [...new Set(rows.filter((row) => row.contacts).map((row) => row.raw[0]))];
    const before = curveCase.value;
    curveCase.replaceChildren(...places.map((at) => make("option", { value: at }, data.cases[at])));
    if (places.includes(Number(before)) && before !== "") curveCase.value = before;
  }

  /** A staircase, each value over the same share, with marks that are offset from curve to curve, so
      that they do not cover each other where curves do. */
  function stairs(row, i, values, x, y) {
    let d = `M${x(0).toFixed(1)},${y(values[0]).toFixed(1)}`;
    for (const [at, value] of values.entries())
      d += `V${y(value).toFixed(1)}H${x(100 * (at + 1) / values.length).toFixed(1)}`;
    const shift = (0.5 + (i + 1) * GOLDEN) % 1;
    const marks = Array.from({ length: MARKS }, (_, k) => {
      const share = (k + shift) / MARKS;
      const at = Math.min(values.length - 1, Math.floor(share * values.length));
      return mark(row.method, x(100 * share), y(values[at]), 4);
    });
    return ofMethod(row.method, row.methodLabel, path(row.method, d), ...marks);
  }

  function showCurves(place, width) {
    const passed = passing();
    fillCases(passed);
    const list = passed.filter((row) => String(row.raw[0]) === curveCase.value && row.contacts &&
      row.contacts[5].length > 0);
    if (list.length === 0) {
      place.replaceChildren(make("p", { class: "quiet" }, data.contactsKept === "all"
        ? "No contacts for these rows; they come from contacts.csv of a results folder."
        : `Not drawn: the run listed only some contacts (--contacts ${data.contactsKept}).`));
      return;
    }
    const isError = curveKind.value === "error", height = 340;
    const valueAt = (error) => isError ? error : Math.cos(error * Math.PI / 180);
    const max = isError ? Math.max(1, ...list.map((row) => row.contacts[5].at(-1))) : 1;
    const x = scale(0, 100, MARGIN.left, width - MARGIN.right);
    const y = scale(0, max * 1.05, height - MARGIN.bottom, MARGIN.top + 4);
    const yTicks = [0, 0.25, 0.5, 0.75, 1].map((share) =>
      [share * max, isError ? (share * max).toFixed(1) : share]);
    place.replaceChildren(svg(width, height,
      `Sorted normal ${isError ? "error" : "quality"} of ${data.cases[curveCase.value]}`,
      ...frame(width, height, x, y, HUNDRED, yTicks, "contacts, best first [%]",
        isError ? "normal error [\u00b0]" : "normal quality |n \u00b7 n_true|"),
      ...list.map((row, i) => stairs(row, i, row.contacts[5].map(valueAt), x, y))));
  }

  const renewCurves = addFigure("curves", "Sorted normal quality", showCurves,
    make("label", {}, "Case", curveCase), make("label", {}, "Show", curveKind));
  curveCase.addEventListener("change", renewCurves);
  curveKind.addEventListener("change", renewCurves);

  // ---- measures over the steps --------------------------------------------------------------

  const MOTION = ["contacts_unique", "drift_m_max", "kinetic_energy_j", "potential_energy_j",
    "elastic_energy_j", "position_energy_j", "tilt_deg_max", "overlap_m3"];

  const inMotion = (row) => row.isOk && valueOf(row, "step") > 0;

  /** When the time step of a row ends [s]; its step where the length is not known. */
  function timeOf(row) {
    const dt = valueOf(row, "simulation_parameters").match(/(?:^|;)dt_s=([^;]*)/);
    const step = valueOf(row, "step");
    return dt && Number(dt[1]) > 0 ? (step - 1) * Number(dt[1]) : step;
  }

  /** The courses of a column by scene: Map of label to Map of method to [[x, value]]. */
  function findCourses(rows, name) {
    const scenes = new Map();
    for (const row of rows) {
      const value = valueOf(row, name);
      if (value === null) continue;
      const label = row.caseLabel.replace(/ step=\S+$/, "");
      if (!scenes.has(label)) scenes.set(label, new Map());
      const courses = scenes.get(label);
      if (!courses.has(row.method)) courses.set(row.method, []);
      courses.get(row.method).push([name === "contacts_unique" ? valueOf(row, "step")
        : timeOf(row), value]);
    }
    for (const [label, courses] of scenes) {
      for (const [method, points] of courses) {
        points.sort((a, b) => a[0] - b[0]);
        if (points.length < STEPS_MIN) courses.delete(method);
      }
      if (courses.size === 0) scenes.delete(label);
    }
    return scenes;
  }

  /** The axis of values: linear, or if they span more than two decades of powers of ten, with a
      place for 0 at the bottom. Returns { place, ticks }. */
  function valueAxis(values, name, low, high) {
    const positive = values.filter((v) => v > 0);
    const least = positive.reduce((a, b) => Math.min(a, b), Infinity);
    const bottom = Math.min(0, ...values), top = Math.max(...values);
    if (bottom < 0 || !(top > 100 * least) || name === "tilt_deg_max") {
      const y = scale(bottom, top > bottom ? top : bottom + 1, low, high);
      return { place: y, ticks: [bottom, (bottom + top) / 2, top].filter((v, i, all) =>
        all.indexOf(v) === i).map((v) => [v, format(name, v)]) };
    }
    const last = Math.ceil(Math.log10(top)), first = Math.max(last - 12,
      Math.floor(Math.log10(least)));
    const y = scale(first - 1, last, low, high);
    const every = Math.ceil((last - first) / 4), ticks = [[0, "0"]];
    for (let e = first; e <= last; e += every) ticks.push([10 ** e, `1e${e}`]);
    return { place: (v) => y(v > 0 ? Math.max(first, Math.log10(v)) : first - 1), ticks };
  }

  function coursePanel(label, courses, name) {
    const width = 330, height = 220;
    const points = [...courses.values()].flat();
    const last = points.reduce((most, [at]) => Math.max(most, at), 0);
    const from = name === "contacts_unique" ? 1 : 0;
    const x = scale(from, last > from ? last : from + 1, MARGIN.left + 8, width - MARGIN.right);
    const { place, ticks } = valueAxis(points.map(([, v]) => v), name, height - MARGIN.bottom,
      MARGIN.top + 6);
    const { unit, label: words } = columnOf(name);
    const curves = [...courses].map(([method, list]) => ofMethod(method, data.methods[method],
      path(method, list.map(([at, v], i) =>
        `${i > 0 ? "L" : "M"}${x(at).toFixed(1)},${place(v).toFixed(1)}`).join("")),
      mark(method, x(list.at(-1)[0]), place(list.at(-1)[1]), 3)));
    return make("figure", {}, make("figcaption", {}, label),
      svg(width, height, `${words} of each method in ${label}`,
        ...frame(width, height, x, place, [from, last].map((v) => [v, Number(v.toPrecision(3))]),
          ticks, name === "contacts_unique" ? "simulation step" : "time [s]",
          unit ? `${words} [${unit}]` : words), ...curves));
  }

  const moving = touchstone.rows.filter(inMotion);
  const measures = MOTION.filter((name) => findCourses(moving, name).size > 0);
  const courseMeasure = make("select", { name: "course-measure" },
    ...measures.map((name) => make("option", { value: name },
      name === "contacts_unique" ? "Unique contacts in each step"
        : `${columnOf(name).label} over time${columnOf(name).unit
          ? ` [${columnOf(name).unit}]` : ""}`)));

  function showCourses(place) {
    const scenes = [...findCourses(passing().filter(inMotion), courseMeasure.value)];
    const listed = scenes.slice(0, PANELS);
    place.replaceChildren(
      make("p", { class: "quiet" }, scenes.length === 0 ? `No case has ${STEPS_MIN} steps that pass `
        + "the filters." : listed.length < scenes.length
        ? `The first ${listed.length} of ${scenes.length} cases; filter to see others.` : ""),
      make("div", { class: "panels wide" }, ...listed.map(([label, courses]) =>
        coursePanel(label, courses, courseMeasure.value))));
  }

  if (measures.length > 0) {
    const renew = addFigure("courses", "Over the steps of a simulation", showCourses,
      make("label", {}, "Measure", courseMeasure));
    courseMeasure.addEventListener("change", renew);
  }
})();
