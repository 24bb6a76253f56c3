/* SPDX-License-Identifier: MIT */
// A table of rows, of which only those on view are made: its head says which columns it has.
(() => {
  const { data, make, columnOf, valueOf, format, swatch, rove } = touchstone;
  const PAGE = 100; // rows shown at a time: a table of many thousands is slow to lay out
  const NAMES = ["case", "method", "outcome"]; // columns before the measures
  const collator = new Intl.Collator("en", { numeric: true });

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

  /** Makes the heads of a table change its order and call `changed`. */
  function makeSortable(heads, order, changed) {
    for (const head of heads) {
      const button = make("button", { type: "button", class: "plain", tabindex: "-1",
        onclick: () => {
          const isFlag = columnOf(head.dataset.sort)?.role === "fault"; // of which the worst are sought
          order.sign = order.name === head.dataset.sort ? -order.sign : isFlag ? -1 : 1;
          order.name = head.dataset.sort;
          changed();
        } });
      button.append(...head.childNodes);
      head.append(button);
    }
  }

  function markOrder(heads, order) {
    for (const head of heads)
      if (head.dataset.sort === order.name)
        head.setAttribute("aria-sort", order.sign > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
  }

  // ---- rows ---------------------------------------------------------------------------------

  function measureCell(row, name) {
    const value = valueOf(row, name);
    const isFault = columnOf(name).role === "fault" && value > 0;
    return make("td", { class: isFault ? "n fault" : "n" }, format(name, value));
  }

  function extraCell(row, column) {
    const text = format(column.name, valueOf(row, column.name));
    const cell = make("td", { class: column.is_text ? "extra" : "extra n" }, text);
    if (text.length > 40) cell.title = text;
    return cell;
  }

  /** The element of a row: its case, or a click anywhere on it, opens the details. */
  function makeElement(row, measures, hasOutcome, extras) {
    const element = make("tr", { "data-method": row.method, ...(row.isFailed && { class: "failed" }) },
      make("th", { scope: "row" }, make("button", { type: "button", class: "plain", tabindex: "-1",
        title: "Details", "data-row": row.index }, row.caseLabel)),
      make("td", { class: "method" }, swatch(row.method), row.methodLabel));
    if (hasOutcome) element.append(make("td", {}, row.outcome));
    if (row.isOk || !hasOutcome) element.append(...measures.map((name) => measureCell(row, name)));
    else element.append(make("td", { class: "reason", colspan: measures.length },
      valueOf(row, "reason")));
    element.append(...extras.map((column) => extraCell(row, column)));
    return element;
  }

  /** The table of the rows that `list` returns, sorted by { name, sign }; `changed` is called
      when the order changes. `show(isWhole)` draws it again, `extras` are columns to be added. */
  function makeRowTable({ table, list, order, extras = [], changed, open }) {
    const heads = [...table.tHead.rows[0].cells];
    const names = heads.map((head) => head.dataset.sort);
    const measures = names.filter((name) => !NAMES.includes(name));
    const hasOutcome = names.includes("outcome");
    let elements = new Map(), limit = PAGE, hasExtras = false;
    const part = { shown: [], count: 0 };

    const extraHeads = extras.map((column) => make("th", { scope: "col",
      "data-sort": column.name, title: column.meaning, class: column.is_text ? "extra" : "extra n" },
    column.unit ? `${column.name} [${column.unit}]` : column.name));
    makeSortable([...heads, ...extraHeads], order, () => changed());
    table.addEventListener("click", (event) => {
      const button = event.target.closest("tbody tr")?.querySelector("[data-row]");
      // Text that was selected is to be copied.
      if (button && (event.target.closest("button") || getSelection().isCollapsed))
        open(Number(button.dataset.row));
    });
    const renewTabStop = rove(table, () => [...table.rows].map(
      (row) => [...row.querySelectorAll("button")]));

    function elementOf(row) {
      if (!elements.has(row))
        elements.set(row, makeElement(row, measures, hasOutcome, hasExtras ? extras : []));
      return elements.get(row);
    }

    part.draw = () => {
      const page = part.shown.slice(0, limit);
      part.count = page.length;
      markOrder([...heads, ...extraHeads], order);
      table.tBodies[0].replaceChildren(...page.map(elementOf));
      renewTabStop();
    };
    part.show = () => {
      part.shown = sorted(list(), order);
      limit = PAGE;
      part.draw();
    };
    part.showMore = (count) => {
      limit += count;
      part.draw();
    };
    part.toggleExtras = () => {
      hasExtras = !hasExtras;
      elements = new Map();
      if (hasExtras) table.tHead.rows[0].append(...extraHeads);
      else for (const head of extraHeads) head.remove();
      table.classList.toggle("all", hasExtras);
      part.draw();
      return hasExtras;
    };
    table.closest(".live").hidden = false;
    return part;
  }

  Object.assign(touchstone, { PAGE, makeRowTable });
})();
