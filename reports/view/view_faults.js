/* SPDX-License-Identifier: MIT */
// The faults of a row: which there are, in which order they are looked at, and those that a column
// of the summary counts.
"use strict";

const touchstoneViewFaults = (() => {
  // By column of the summary: of what it is, how it is called in a sentence and in a count. A
  // column without a word is one that says how much is right.
  const COLUMNS = {
    regions_missed: { of: "regions", has: (r) => r.state === "missed", many: "missed regions" },
    phantom: { of: "contacts", word: "phantom", many: "phantom contacts" },
    speculative_wrong: { of: "contacts", word: "speculative wrong", many: "wrong speculative contacts" },
    quality_percent: { of: "contacts", word: "incorrect", many: "incorrect normals" },
    normals_flipped: { of: "contacts", word: "flipped", many: "flipped normals" },
    normals_invalid: { of: "contacts", word: "invalid", many: "invalid normals" },
    gaps_wrong: { of: "contacts", word: "gap wrong", many: "wrong gaps" },
    coverage_percent: { of: "regions", has: (r) => r.met < r.needed, many: "regions lacking a normal" },
    contacts_missing: { of: "regions", has: (r) => r.lacks > 0, many: "missing contacts" },
  };

  const list = (words, last) => words.length < 2 ? words.join("")
    : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;

  /** Missed regions, then contacts from the worst on, then regions that lack a normal or contacts. */
  function all(model) {
    const regions = (state) => model.regions.filter((region) => region.state === state);
    return [...regions("missed"), ...model.contacts.filter((contact) => contact.faults.length > 0),
      ...regions("lacking"), ...regions("short")];
  }

  /** Those that a column counts; none for a column of anything else. */
  function ofColumn(model, column) {
    const kind = COLUMNS[column];
    if (!kind) return [];
    if (kind.of === "regions") return model.regions.filter(kind.has);
    return model.contacts.filter((contact) => contact.faults.includes(column));
  }

  /** How many of each fault the view has, and the row; null where the results do not say. */
  function counts(model) {
    return Object.entries(COLUMNS).map(([column, { many }]) => {
      const items = ofColumn(model, column);
      const here = column === "contacts_missing"
        ? items.reduce((sum, region) => sum + region.lacks, 0) : items.length;
      // Coverage is a percentage, and all regions are here.
      const total = column === "coverage_percent" ? here : model.faultTotals.get(column);
      return { column, many, items, here, total };
    }).filter(({ here, total }) => here > 0 || total > 0);
  }

  /** All that is wrong with a contact: "incorrect and flipped"; its kind if nothing is. */
  const word = (contact) => contact.faults.length === 0 ? contact.kind.word
    : list(contact.faults.map((column) => COLUMNS[column].word), "and");

  const nameOf = (column) => COLUMNS[column].many;

  return { all, ofColumn, counts, word, nameOf, list };
})();
