/* SPDX-License-Identifier: MIT */
// What each method looks like, the same as in the plots of touchstone plot, and the legend: it hides
// methods everywhere on the page, and shows where one is.
(() => {
  const { data, make } = touchstone;
  const SVG = "http://www.w3.org/2000/svg";

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

  /** Line and mark of a method, for beside its name. */
  function swatch(method) {
    return draw("svg", { viewBox: "0 0 30 12", width: 24, height: 10, "aria-hidden": "true",
      class: "swatch" },
    draw("line", { x1: 0, y1: 6, x2: 30, y2: 6, stroke: colourOf(method), "stroke-width": 2,
      "stroke-dasharray": dashOf(method) }), mark(method, 15, 6, 4));
  }

  // ---- the legend ---------------------------------------------------------------------------

  const hidden = new Set(); // places of methods
  const emphasis = make("style");
  document.head.append(emphasis);

  /** Fades what is drawn of all other methods; null ends that. */
  function emphasise(method) {
    emphasis.textContent = method === null ? ""
      : `svg [data-method]:not([data-method="${method}"]) { opacity: 0.12; }\n` +
        `tr[data-method="${method}"] > * { background: var(--raised); }`;
  }

  /** The method on which an event happened, null outside of any. */
  function methodOf(event) {
    const element = event.target.closest?.("[data-method]");
    return element ? element.dataset.method : null;
  }

  const buttons = data.methods.map((label, method) => make("button", { type: "button",
    class: "method", "aria-pressed": "true", "data-method": method, tabindex: "-1",
    title: `Hide or show ${label} everywhere` }, swatch(method), label));
  const all = make("button", { type: "button", tabindex: "-1" }, "Filtered: show all rows");
  const legend = document.getElementById("legend");
  const list = make("div", { class: "legend", role: "group", "aria-label": "Methods" },
    ...buttons, all);

  function showLegend() {
    for (const [method, button] of buttons.entries())
      button.setAttribute("aria-pressed", String(!hidden.has(method)));
  }

  /** Hides the methods of these labels and no others. */
  function hideMethods(labels) {
    hidden.clear();
    for (const label of labels)
      if (data.methods.includes(label)) hidden.add(data.methods.indexOf(label));
    showLegend();
  }

  const hiddenLabels = () => [...hidden].sort((a, b) => a - b).map((m) => data.methods[m]);

  /** Shows in the legend, which is always in view, whether a filter is on. */
  function showFiltered(isOn) {
    all.hidden = !isOn;
    renewTabStop?.();
  }
  let renewTabStop = null;

  /** Shows the legend; `changed` is called when methods were hidden or shown, `reset` to end all
      filters. */
  function startLegend(changed, reset) {
    list.addEventListener("click", (event) => {
      const method = methodOf(event);
      if (event.target === all) reset();
      if (method === null) return;
      const wanted = new Set(hidden);
      if (!wanted.delete(Number(method))) wanted.add(Number(method));
      hideMethods([...wanted].map((m) => data.methods[m]));
      changed();
    });
    for (const begin of ["pointerover", "focusin"])
      list.addEventListener(begin, (event) => emphasise(methodOf(event)));
    for (const end of ["pointerleave", "focusout"])
      list.addEventListener(end, () => emphasise(null));
    all.hidden = true;
    renewTabStop = touchstone.rove(list, () => [[...buttons, ...(all.hidden ? [] : [all])]]);
    legend.append(list);
    legend.hidden = false;
    showLegend();
  }

  Object.assign(touchstone, { colourOf, dashOf, draw, mark, swatch, hideMethods, hiddenLabels,
    isHidden: (method) => hidden.has(method), startLegend,
    showFiltered });
})();
