/* SPDX-License-Identifier: MIT */
// The sorted normal quality of a case: a curve for each method, best contacts first, as in the plots
// of touchstone plot.
(() => {
  const { data, make, mark, passing, MARGIN, HUNDRED, svg, curve, scale, frame, ofMethod,
    addFigure } = touchstone;
  const MARKS = 5; // on a curve
  const GOLDEN = 0.6180339887498949;

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
    return ofMethod(row.method, row.methodLabel, curve(row.method, d), ...marks);
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
})();
