/* SPDX-License-Identifier: MIT */
// The details of a row: what is wrong with it first, then how to see and repeat it, then every
// column.
(() => {
  const { data, rows, make, valueOf, faultsOf, format, formatWhole, makeAddress } = touchstone;
  const dialog = document.getElementById("details");
  let opened = null; // the row on view
  let opener = null; // what had the focus before
  let sequence = rows; // in which previous and next go
  let isFollowing = false; // closed because the address says so

  // ---- what is in it ------------------------------------------------------------------------

  function contactWords(row) {
    if (data.contactsKept !== "all")
      return `Not shown: the run listed only some contacts (--contacts ${data.contactsKept}).`;
    if (!row.contacts) return "No contacts of this row are listed.";
    const [listed, correct, incorrect, phantom, speculative] = row.contacts;
    const flipped = format("normals_flipped", valueOf(row, "normals_flipped"));
    return `${listed} listed: ${correct} correct, ${incorrect} incorrect, ${phantom} phantom, ` +
      `${speculative} speculative. Of all contacts, ${flipped} have a flipped normal.`;
  }

  /** Why the row is red: its outcome with the reason, or its faults in words. */
  function verdict(row) {
    const parts = [];
    if (!row.isOk) {
      const reason = valueOf(row, "reason");
      parts.push(make("p", { class: row.isFailed ? "bad" : "" },
        row.outcome + (reason ? `: ${reason}` : "")));
    }
    const faults = faultsOf(row);
    if (faults.length > 0)
      parts.push(make("ul", { class: "faults" }, ...faults.map(([column, value]) => make("li", {},
        make("span", { class: "bad" }, `${column.label}: ${formatWhole(column.name, value)}`),
        ` \u2013 ${column.meaning}`))));
    return parts.length > 0 ? parts : [make("p", {}, "No faults were found in this row.")];
  }

  /** A text to be copied, with the button that does so. */
  function copyable(text, label) {
    const code = make("code", {}, text);
    const button = make("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      const select = () => {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected: copy it";
      };
      if (!navigator.clipboard) return select();
      navigator.clipboard.writeText(text).then(() => { button.textContent = "Copied"; }, select);
    });
    return make("div", { class: "copyable" }, make("pre", {}, code), button);
  }

  function measureTable(row) {
    const list = make("tbody");
    for (const column of data.columns) {
      const value = valueOf(row, column.name);
      if (value === "") continue;
      list.append(make("tr", {}, make("th", { scope: "row" }, column.name),
        make("td", {}, formatWhole(column.name, value).replaceAll(";", "; ")),
        make("td", { class: "quiet" }, column.meaning)));
    }
    return make("table", {}, list);
  }

  function header(row, at) {
    const step = (by, label, keys) => make("button", { type: "button", "aria-keyshortcuts": keys,
      onclick: () => go(by), ...(sequence[at + by] ? {} : { disabled: "" }) }, label);
    return make("header", {},
      make("h2", { id: "details-title", tabindex: "-1" },
        `${row.caseLabel} \u00d7 ${row.methodLabel}`),
      make("div", { class: "controls" },
        make("span", { class: "quiet" }, at < 0 ? "" : `${at + 1} of ${sequence.length}`),
        step(-1, "Previous", "ArrowLeft"), step(1, "Next", "ArrowRight"),
        make("button", { type: "button", onclick: () => dialog.close() }, "Close")));
  }

  // ---- the 3-D view, on pages that have one -------------------------------------------------

  // Its script, if there is one, comes before this one.
  const viewer = () => (typeof touchstoneView === "undefined" ? null : touchstoneView);

  // ---- opening and moving -------------------------------------------------------------------

  function fill(row) {
    const at = sequence.indexOf(row);
    const explain = row.explain
      ? [make("h3", {}, "What is wrong"), copyable(row.explain, "Copy the command")] : [];
    dialog.replaceChildren(header(row, at), ...verdict(row),
      make("div", { class: "view", "data-row": row.index }), ...explain,
      make("h3", {}, "Measure it again"), copyable(row.command, "Copy the command"),
      make("h3", {}, "Contacts"), make("p", {}, contactWords(row)),
      make("h3", {}, "Link to this row"), copyable(makeAddress([["row", row.name]]), "Copy the link"),
      make("h3", {}, "All columns"), measureTable(row));
  }

  /** Opens the row, or changes to it; `list` are the rows between which previous and next go. */
  function openDetails(row, list = rows) {
    const isNew = !dialog.open;
    if (isNew) {
      opener = document.activeElement;
      sequence = list;
    } else {
      viewer()?.close();
    }
    const used = dialog.contains(document.activeElement) ? document.activeElement.textContent : "";
    opened = row;
    fill(row);
    if (isNew) dialog.showModal();
    dialog.scrollTop = 0;
    // Pressed again, Previous and Next go on.
    const same = [...dialog.querySelectorAll("header button:enabled")].find(
      (button) => button.textContent === used);
    (same ?? dialog.querySelector("h2")).focus();
    viewer()?.open(row.index, dialog.querySelector(".view"));
    touchstone.changed(isNew);
  }

  function go(by) {
    const next = sequence[sequence.indexOf(opened) + by];
    if (next && opened) openDetails(next);
  }

  dialog.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey ||
        event.target.closest(".view, input, select")) return;
    if (event.key === "ArrowLeft") go(-1);
    else if (event.key === "ArrowRight") go(1);
    else return;
    event.preventDefault();
  });

  dialog.addEventListener("close", () => {
    const row = opened;
    opened = null;
    viewer()?.close();
    const place = opener?.isConnected && opener !== document.body ? opener
      : document.querySelector(`#rows [data-row="${row.index}"]`) ??
        document.getElementById("table");
    place.focus();
    dialog.replaceChildren();
    if (!isFollowing) touchstone.changed(true);
    isFollowing = false;
  });

  /** Closes them without a word to the address. */
  function closeDetails() {
    isFollowing = dialog.open; // until the event, which comes later
    dialog.close();
  }

  Object.assign(touchstone, { openDetails, openedRow: () => opened, closeDetails });
})();
