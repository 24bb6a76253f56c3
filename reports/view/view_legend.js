/* SPDX-License-Identifier: MIT */
// The legend of a view: a sign and a count of each state of regions and each kind of contact.
"use strict";

const touchstoneViewLegend = (() => {
  function svg(tag, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const sign = (...parts) => svg("svg", { viewBox: "0 0 26 14", "aria-hidden": "true" }, ...parts);

  function regionSign(state) {
    const truth = touchstoneView.truthColour, fault = TouchstoneStage.FAULT;
    const isBad = TouchstoneStage.isBad({ state });
    const area = svg("path", { d: "M4 2H22V12H4Z", fill: state === "missed" ? fault : truth,
      "fill-opacity": state === "open" ? 0.06 : 0.35, stroke: isBad ? fault : truth,
      "stroke-opacity": state === "open" ? 0.5 : 1, "stroke-width": isBad && state !== "short" ? 2 : 1 });
    return sign(area, ...(state === "missed"
      ? [svg("path", { d: "M4 2L22 12M22 2L4 12", stroke: fault })] : []));
  }

  const feet = { ball: (c) => svg("circle", { cx: 4, cy: 7, r: 2.5, fill: c }),
    cube: (c) => svg("path", { d: "M1.5 4.5h5v5h-5z", fill: c }),
    ring: (c) => svg("circle", { cx: 4, cy: 7, r: 3, fill: "none", stroke: c, "stroke-width": 1.5 }),
    cross: (c) => svg("path", { d: "M1 4l6 6M7 4l-6 6", stroke: c, "stroke-width": 1.8 }) };
  const dashes = { 1: "", 3: "4 2", 4: "2 2" };

  function arrowSign(colour, word) {
    const [foot, pieces, isSolid] = TouchstoneArrows.LOOKS[word] ?? ["ball", 1, true];
    return sign(feet[foot](colour), svg("path", { d: "M6 7H19", stroke: colour, "stroke-width": 1.6,
      "stroke-dasharray": dashes[pieces] }), svg("path", { d: "M18 3.5L25 7L18 10.5Z", stroke: colour,
      fill: isSolid ? colour : "none" }));
  }

  /** "20", "20 of 400", "" for none. */
  const countWords = (shown, total) => shown < total
    ? `${shown} of ${total.toLocaleString("en")}` : total > 0 ? String(total) : "";

  function entry(mark, text) {
    const item = document.createElement("li");
    item.append(mark, text);
    return item;
  }

  /** What the legend of a row lists; `colourOf` gives the colour of a kind of contact. */
  function entries(model, colourOf) {
    const states = ["missed", "lacking", "short", "met", "open", "unknown"].map((state) => [state,
      model.regions.filter((region) => region.state === state).length]).filter(([, count]) => count > 0);
    const kinds = touchstoneView.kinds.map((kind, i) => [kind,
      countWords(model.contacts.filter((contact) => contact.kind === kind).length, model.totals[i])])
      .filter(([, count]) => count);
    const alsoIn = model.contacts.some((contact) => contact.faults.length > 1)
      ? [entry("", "A contact with several faults is drawn by the first of: phantom, speculative " +
        "wrong, incorrect, flipped, gap wrong.")] : [];
    return [...states.map(([state, count]) => entry(regionSign(state),
      `region ${touchstoneViewWords.stateWords[state]} (${count})`)),
      ...kinds.map(([kind, count]) => entry(arrowSign(colourOf(kind), kind.word),
        `${kind.word} (${count})`)), ...alsoIn];
  }

  return { entries };
})();
