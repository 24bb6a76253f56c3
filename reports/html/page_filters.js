/* SPDX-License-Identifier: MIT */
// The filters, which apply to the tables, the heat map and the figures, and what redraws these when
// they change: at once what is seen, the rest when it comes into view.
(() => {
  const { data, rows, make, valueOf, hiddenLabels, hideMethods, isHidden } = touchstone;
  const filters = document.getElementById("filters");

  function addField(label, control) {
    filters.append(make("label", {}, label, control));
    return control;
  }

  const addSearch = (label, name, placeholder) => addField(label,
    make("input", { type: "search", name, placeholder, autocomplete: "off" }));

  const fields = {
    case: addSearch("Case", "case", "wall step=3"),
    method: addSearch("Method", "method", "sat"),
    parameters: addSearch("Parameters", "parameters", "scale=1"),
    outcome: addField("Outcome", make("select", { name: "outcome" }, make("option", { value: "" },
      "any"), ...[...new Set(rows.map((row) => row.outcome))].map(
      (words) => make("option", { value: words }, words)))),
    show: addField("Show", make("select", { name: "show" }, ...[["", "all rows"],
      ["wrong", "only what is not right"], ["flagged", "only rows with flags"]].map(
      ([value, words]) => make("option", { value }, words)))),
  };
  const NAMES = Object.keys(fields); // of the fields, and their keys in an address
  filters.append(make("button", { type: "reset" }, "Reset"));

  const parametersOf = (row) => ["case", "method", "scoring", "simulation"].map(
    (owner) => valueOf(row, `${owner}_parameters`)).join(";");

  /** Whether the text contains every word. */
  function hasWords(text, words) {
    const lower = words.length > 0 ? text.toLowerCase() : "";
    return words.every((word) => lower.includes(word));
  }

  /** Whether each of these labels has the words, or in quotes is the text: there are fewer labels
      than rows. */
  function matching(labels, field) {
    const [, whole] = field.value.match(/^"(.*)"$/) ?? [];
    if (whole !== undefined) return labels.map((label) => label === whole);
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    return labels.map((label) => hasWords(label, words));
  }

  /** The rows that pass the filters, in the order of the file. */
  function passing() {
    const isCase = matching(data.cases, fields.case);
    const isMethod = matching(data.methods, fields.method).map((is, m) => is && !isHidden(m));
    const words = fields.parameters.value.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter((row) => isCase[row.raw[0]] && isMethod[row.method] &&
      (fields.show.value === "" || (fields.show.value === "wrong" ? row.isWrong : row.isFlagged)) &&
      (!fields.outcome.value || row.outcome === fields.outcome.value) &&
      (words.length === 0 || hasWords(parametersOf(row), words)));
  }

  /** The filters as pairs [key, value] of an address. */
  function filterPairs() {
    const pairs = NAMES.map((name) => [name, fields[name].value]).filter(([, value]) => value !== "");
    return [...pairs, ...hiddenLabels().map((label) => ["hide", label])];
  }

  function setFilters(pairs) {
    const values = new Map(pairs);
    for (const name of NAMES) {
      fields[name].value = values.get(name) ?? "";
      if (fields[name].selectedIndex < 0) fields[name].value = ""; // an outcome that none has
    }
    hideMethods(pairs.filter(([key]) => key === "hide").map(([, value]) => value));
  }

  // ---- redrawing ----------------------------------------------------------------------------

  const valuesNow = () => JSON.stringify(filterPairs());
  let valuesDrawn = valuesNow();
  const parts = []; // { show, isSeen, isStale } of each part of the page that filters change

  function refresh(part) {
    if (!part.isSeen || !part.isStale) return;
    part.isStale = false;
    part.show();
  }

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const part = parts.find((one) => one.element === target);
      part.isSeen = isIntersecting;
      refresh(part);
    }
  }, { rootMargin: "400px" });

  /** Calls `show` when filters have changed, or as soon as the element comes near the view. Returns
      what to call when something else has changed. */
  function drawWhenSeen(element, show) {
    const part = { element, show, isSeen: false, isStale: true };
    parts.push(part);
    observer.observe(element);
    return () => {
      part.isStale = true;
      refresh(part);
    };
  }

  function filtersChanged() {
    valuesDrawn = valuesNow();
    for (const part of parts) {
      part.isStale = true;
      refresh(part);
    }
  }

  /** Draws what is stale of the parts that are chosen, seen or not. */
  function drawParts(isChosen) {
    for (const part of parts) {
      if (!part.isStale || !isChosen(part)) continue;
      part.isStale = false;
      part.show();
    }
  }

  /** Draws what comes before an element, so that it stays where it is scrolled to. */
  const drawBefore = (element) => drawParts((part) =>
    part.element.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);

  addEventListener("beforeprint", () => drawParts(() => true));

  /** Shows the filters; `changed` is called when they have changed, with whether that is done, as
      opposed to a letter of a word, and whether rows may pass that did not. */
  function startFilters(changed) {
    // A field that is left after typing says "change" between the press and the release of a click:
    // what is under the pointer must stay.
    const change = (isDone) => changed(isDone, valuesDrawn !== valuesNow());
    filters.addEventListener("submit", (event) => event.preventDefault());
    filters.addEventListener("input", () => change(false));
    filters.addEventListener("change", () => change(true));
    filters.addEventListener("reset", () => setTimeout(() => { // once the fields are empty
      hideMethods([]);
      change(true);
    }));
    filters.hidden = false;
  }

  Object.assign(touchstone, { passing, filterPairs, setFilters, filtersChanged, drawWhenSeen,
    drawBefore, startFilters, resetFilters: () => filters.reset() });
})();
