/* SPDX-License-Identifier: MIT */
// The details of a row: what is wrong with it first, then how to see and repeat it, then every
// column.
(() => {
  const { data, rows, make, valueOf, faultsOf, format, formatWhole, makeAddress } = touchstone;
  const dialog = document.getElementById("details");
  // The view stays in place when it changes the step of the row, and what is around it follows.
  const before = make("div"), viewPlace = make("div", { class: "view" }), after = make("div");
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

  /** What a row without flags has in its normals, in words. */
  function normalWords(row) {
    const quality = valueOf(row, "quality_percent"), coverage = valueOf(row, "coverage_percent");
    if (quality === null && coverage === null)
      return "No flags. Quality and coverage are not defined here, as where nothing touches.";
    const wrong = [];
    if (quality !== null && quality < 100) {
      const [listed, , incorrect] = row.contacts ?? [];
      wrong.push(incorrect > 0 ? `${incorrect} of ${listed} contacts have a wrong normal`
        : `only ${format("quality_percent", quality)} % of the contacts have a right normal`);
    }
    if (coverage !== null && coverage < 100)
      wrong.push(`only ${format("coverage_percent", coverage)} % of the needed normals are there`);
    return wrong.length > 0 ? `No flags, but not right: ${wrong.join("; ")}.`
      : "All right: quality and coverage are 100 % as far as they are defined, and there are no flags.";
  }

  /** A flag with its number; on a page with a view, a button that shows the contacts or regions. */
  function flagItem([column, value]) {
    const words = `${column.label}: ${formatWhole(column.name, value)}`;
    const said = make("span", { class: "quiet", role: "status" });
    const select = () => {
      said.textContent = viewer().select(column.name) ? ""
        : " (The view has no place for these.)";
    };
    return make("li", {}, viewer()?.select
      ? make("button", { type: "button", class: "plain bad", title: "Show these in the view",
        "data-flag": column.name, onclick: select }, words)
      : make("span", { class: "bad" }, words), ` \u2013 ${column.meaning}`, said);
  }

  /** What is wrong with the row: its outcome with the reason, its flags, or its normals. */
  function verdict(row) {
    const parts = [];
    if (!row.isOk) {
      const reason = valueOf(row, "reason");
      parts.push(make("p", { class: row.isFailed ? "bad" : "" },
        row.outcome + (reason ? `: ${reason}` : "")));
    }
    const flags = faultsOf(row);
    if (flags.length > 0) parts.push(make("ul", { class: "faults" }, ...flags.map(flagItem)));
    else if (row.isOk) parts.push(make("p", { class: row.isWrong ? "bad" : "" }, normalWords(row)));
    return parts;
  }

  /** What the case, its step and the method are, where the program says so. */
  function descriptions(row) {
    const step = valueOf(row, "step"), method = data.texts[data.methodSummaries[row.method]];
    const list = [[valueOf(row, "case"), data.texts[data.caseSummaries[row.raw[0]]]],
      [step === 0 ? "touch" : `step=${step}`, step === 0
        ? "The scene as built, before any step of simulation."
        : `After ${step} step${step === 1 ? "" : "s"} of simulation with the contacts of this method.`],
      [valueOf(row, "method"), method]].filter(([, words]) => words);
    return make("dl", { class: "about" }, ...list.flatMap(([name, words]) =>
      [make("dt", {}, name), make("dd", {}, words)]));
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

  /** The address of a row; of a page in a folder only the part that is the same elsewhere. */
  function linkTo(row) {
    const address = makeAddress([["row", row.name]]);
    return location.protocol === "file:" ? address.slice(address.indexOf("#")) : address;
  }

  function fill(row) {
    const at = sequence.indexOf(row);
    const explain = row.explain
      ? [make("h3", {}, "What is wrong"), copyable(row.explain, "Copy the command")] : [];
    before.replaceChildren(header(row, at), ...verdict(row));
    viewPlace.dataset.row = row.index;
    after.replaceChildren(descriptions(row), ...explain,
      make("h3", {}, "Measure it again"), copyable(row.command, "Copy the command"),
      make("h3", {}, "Contacts"), make("p", {}, contactWords(row)),
      make("h3", {}, "Link to this row"),
      ...(location.protocol === "file:" ? [make("p", {}, "At the end of the address of this page:")] : []),
      copyable(linkTo(row), "Copy the link"),
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
    dialog.replaceChildren(before, viewPlace, after);
    if (isNew) dialog.showModal();
    dialog.scrollTop = 0;
    // Pressed again, Previous and Next go on.
    const same = [...dialog.querySelectorAll("header button:enabled")].find(
      (button) => button.textContent === used);
    (same ?? dialog.querySelector("h2")).focus();
    viewer()?.open(row.index, viewPlace);
    touchstone.changed(isNew);
  }

  /** Follows the view, which has changed to another step of the row. */
  function followView(row) {
    const top = viewPlace.getBoundingClientRect().top;
    opened = row;
    if (!sequence.includes(row)) sequence = rows;
    fill(row);
    dialog.scrollTop += viewPlace.getBoundingClientRect().top - top; // under the pointer
    touchstone.changed(false);
  }

  dialog.addEventListener("touchstone-step", (event) => followView(rows[event.detail.row]));

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
