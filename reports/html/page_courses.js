/* SPDX-License-Identifier: MIT */
// Measures over the steps of a simulation, a panel for each scene; only if rows have enough steps.
(() => {
  const { data, rows, make, columnOf, valueOf, mark, passing, MARGIN, PANELS, svg, curve, scale,
    frame, ofMethod, addFigure } = touchstone;
  const STEPS_MIN = 4; // with fewer there is no trend; as in the plots of touchstone plot
  const BY_STEP = "contacts_unique"; // the others are drawn over time
  const MEASURES = [BY_STEP, "drift_m_max", "kinetic_energy_j", "potential_energy_j",
    "elastic_energy_j", "position_energy_j", "tilt_deg_max", "overlap_m3"];

  const LINEAR = [BY_STEP, "tilt_deg_max"]; // 1e-9 and 1e-3 degrees are both upright
  const HIDDEN = 100; // times as high as another curve
  const NOISE = 9; // decades, from the power of ten above the largest value down to noise

  // ---- the courses --------------------------------------------------------------------------

  const inMotion = (row) => row.isOk && valueOf(row, "step") > 0;

  /** When the time step of a row ends [s]; null where its length is not known. */
  function timeOf(row) {
    const dt = valueOf(row, "simulation_parameters").match(/(?:^|;)dt_s=([^;]*)/);
    return dt && Number(dt[1]) > 0 ? (valueOf(row, "step") - 1) * Number(dt[1]) : null;
  }

  /** The courses of a column: Map of scene to Map of method to [[step or time, value]]. */
  function findCourses(list, name) {
    const scenes = new Map();
    for (const row of list) {
      const at = name === BY_STEP ? valueOf(row, "step") : timeOf(row);
      const value = valueOf(row, name);
      if (value === null || at === null) continue;
      const label = row.caseLabel.replace(/ step=\S+$/, "");
      if (!scenes.has(label)) scenes.set(label, new Map());
      const courses = scenes.get(label);
      if (!courses.has(row.method)) courses.set(row.method, []);
      courses.get(row.method).push([at, value]);
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

  // ---- axes ---------------------------------------------------------------------------------

  /** About four round numbers from low to high, as ticks [at, label]. */
  function roundTicks(low, high) {
    const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((f) => f * power >= rough);
    const ticks = [];
    for (let k = Math.ceil(low / step); k * step <= high; k++) {
      const at = Number((k * step).toPrecision(6));
      ticks.push([at, String(at)]);
    }
    return ticks;
  }

  /** The axis of curves, which are lists of values, as in the plots of touchstone plot: { place,
      ticks }. Linear, or of powers of ten where a curve would be hidden at the bottom. Below these,
      0 has a place, and rounding noise, so that the axis is not spent on it. */
  function valueAxis(curves, name, bottom, top) {
    const values = curves.flat();
    const low = values.reduce((a, b) => Math.min(a, b), 0);
    const high = values.reduce((a, b) => Math.max(a, b), low);
    const last = Math.ceil(Math.log10(high)), noise = high > 0 ? 10 ** (last - NOISE) : 0;
    const isShown = (v) => v > 0 && v >= noise;
    const peaks = curves.map((list) => Math.max(...list)).filter(isShown);
    const hidesCurves = low >= 0 && Math.max(...peaks) > HIDDEN * Math.min(...peaks);
    if (LINEAR.includes(name) || !hidesCurves) {
      const end = high > low ? high : low + 1;
      return { place: scale(low, end, bottom, top), ticks: roundTicks(low, end) };
    }
    const least = values.filter(isShown).reduce((a, b) => Math.min(a, b));
    const first = Math.floor(Math.log10(least));
    const isBelow = values.some((v) => !isShown(v)), hasNoise = values.some((v) => v > 0 && v < noise);
    const y = scale(isBelow ? first - 1 : first, last, bottom, top);
    const place = (v) => y(isShown(v) ? Math.log10(v) : first - 1);
    const every = Math.ceil((last - first) / 4);
    const ticks = isBelow ? [[0, hasNoise ? `<1e${last - NOISE}` : "0"]] : [];
    for (let e = first; e <= last; e += every) ticks.push([10 ** e, `1e${e}`]);
    return { place, ticks };
  }

  // ---- panels -------------------------------------------------------------------------------

  function drawCourse(method, points, x, place) {
    const line = points.map(([at, v], i) =>
      `${i > 0 ? "L" : "M"}${x(at).toFixed(1)},${place(v).toFixed(1)}`).join("");
    const [at, v] = points.at(-1);
    return ofMethod(method, data.methods[method], curve(method, line), mark(method, x(at), place(v), 3));
  }

  function coursePanel(label, courses, name) {
    const width = 330, height = 220;
    const points = [...courses.values()].flat();
    const first = name === BY_STEP ? 1 : 0;
    const last = points.reduce((most, [at]) => Math.max(most, at), 0);
    const x = scale(first, last, MARGIN.left + 8, width - MARGIN.right);
    const { place, ticks } = valueAxis([...courses.values()].map((list) => list.map(([, v]) => v)),
      name, height - MARGIN.bottom, MARGIN.top + 6);
    const { unit, label: words } = columnOf(name);
    return make("figure", {}, make("figcaption", {}, label),
      svg(width, height, `${words} of each method in ${label}`,
        ...frame(width, height, x, place, roundTicks(first, last), ticks,
          name === BY_STEP ? "simulation step" : "time [s]", unit ? `${words} [${unit}]` : words),
        ...[...courses].map(([method, list]) => drawCourse(method, list, x, place))));
  }

  const moving = rows.filter(inMotion);
  const measures = MEASURES.filter((name) => findCourses(moving, name).size > 0);
  const choice = make("select", { name: "course-measure" }, ...measures.map((name) => {
    const { label, unit } = columnOf(name);
    return make("option", { value: name }, name === BY_STEP ? `${label} in each simulation step`
      : `${label} over time${unit ? ` [${unit}]` : ""}`);
  }));

  function showCourses(place) {
    const scenes = [...findCourses(passing().filter(inMotion), choice.value)];
    const listed = scenes.slice(0, PANELS);
    const note = scenes.length === 0 ? `No case has ${STEPS_MIN} steps that pass the filters.`
      : listed.length < scenes.length
        ? `The first ${listed.length} of ${scenes.length} cases; filter to see others.` : "";
    place.replaceChildren(make("p", { class: "quiet" }, note),
      make("div", { class: "panels wide" }, ...listed.map(([label, courses]) =>
        coursePanel(label, courses, choice.value))));
  }

  if (measures.length > 0)
    choice.addEventListener("change", addFigure("courses", "Over the steps of a simulation",
      showCourses, make("label", {}, "Measure", choice)));
})();
