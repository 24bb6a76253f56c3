/* SPDX-License-Identifier: MIT */
// What the view says: of each fault a sentence that also says what would be right there, and the
// numbers of what is chosen.
"use strict";

const touchstoneViewWords = (() => {
  const VISIBLE = 1e-6; // of the size of a body: a difference worth a word
  const faults = touchstoneViewFaults;
  const { list } = faults;
  const NOTHING = 1e-9; // of a normal, and of the size of a body: what rounding leaves
  const number = (x) => x === null || x === undefined ? "not a number"
    : (x !== 0 && Math.abs(x) < 1e-3 ? x.toExponential(3).replace(/\.?0*e/, "e")
      : String(Number(x.toPrecision(4)))).replaceAll("-", "\u2212");
  const settled = (x, size) => x !== null && x !== undefined && Math.abs(x) < NOTHING * size ? 0 : x;
  const vector = (v, size = 1) => v.every((x) => x === null) ? "none"
    : `(${v.map((x) => number(settled(x, size))).join(", ")})`;
  /** A direction in a sentence: four decimals are more than can be seen. */
  const direction = (v) => vector(v.map((x) => x === null ? x : Math.round(x * 1e4) / 1e4 + 0));
  const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

  function pairOf(model, item) {
    return `${model.bodies[item.a].name} and ${model.bodies[item.b].name}`;
  }

  const sameRegion = (contact, region) => contact.a === region.a && contact.b === region.b &&
    contact.region === region.index;
  const regionOf = (model, contact) =>
    model.regions.find((region) => sameRegion(contact, region)) ?? null;

  /** How far apart the bodies are where no contact is needed. */
  function apartBy(region) {
    const gaps = region.gaps.filter((gap) => gap > 0);
    return gaps.length > 0 ? `${number(Math.min(...gaps))} m apart` : "apart";
  }

  function needOf(region) {
    const normals = region.normals.map(direction);
    if (region.needs === "none") return `needs no contact: the bodies are ${apartBy(region)} there`;
    if (normals.length === 1) return `needs a contact with normal ${normals[0]}`;
    return region.needs === "all"
      ? `needs contacts with the normals ${list(normals, "and")}`
      : `needs a contact with one of the normals ${list(normals, "or")}`;
  }

  function hasOf(model, region) {
    if (region.state === "unknown") return "whether it has one is not in these results";
    if (region.state === "lacking")
      return `has ${region.met} of ${region.needed}, by ${plural(region.served, "contact")}`;
    if (region.state === "open" || region.state === "met" || region.state === "short")
      return `has ${plural(region.served, "contact")}`;
    const close = model.contacts.filter((contact) => sameRegion(contact, region));
    return close.length === 0 ? "has none"
      : `has none in place; nearest to it: ${list(close.slice(0, 3).map((contact) =>
        `contact ${contact.index} (${faults.word(contact)}${awayOf(contact)})`), "and")}`;
  }

  const awayOf = (contact) => contact.positionError > 0
    ? `, ${number(contact.positionError)} m away` : "";

  const stateWords = { missed: "missed", lacking: "lacking a normal", short: "short of contacts",
    met: "met", open: "open (no contact needed)", unknown: "true contact" };

  /** What the sentence about a region does not say yet. */
  function besides(region) {
    const words = [];
    if (region.lacks > 0)
      words.push(` It lacks ${plural(region.lacks, "contact")} of the fewest that represent it.`);
    // Coverage asks for the normal only.
    if (region.state === "missed" && region.met > 0)
      words.push(` Coverage still counts ${region.met} of ${region.needed} of its needed normals ` +
        "as met: the contact beside the region has that normal.");
    return words.join("");
  }

  function describeRegion(model, region) {
    return `Region ${region.index} of ${pairOf(model, region)}, ${stateWords[region.state]}: ` +
      `${needOf(region)}; ${hasOf(model, region)}.${besides(region)}`;
  }

  /** What would be right where a contact is. */
  function rightAt(model, contact) {
    const region = regionOf(model, contact);
    if (!region) {
      if (model.truth_unknown) return "Where these bodies touch is unknown.";
      return model.regions.some((r) => r.a === contact.a && r.b === contact.b)
        ? "No region of the pair is near." : "These bodies touch nowhere.";
    }
    const where = `region ${region.index}`;
    if (contact.kind.word === "phantom")
      return contact.positionError > 0
        ? `The bodies do not touch there: ${where}, the nearest place where they may, is ` +
          `${number(contact.positionError)} m away and ${needOf(region)}.`
        : `The nearest region is ${where}, which ${needOf(region)}.`;
    if (region.needs === "none") return `There, in ${where}, it ${needOf(region)}.`;
    const gaps = [...new Set(region.gaps.map((gap) => number(settled(gap, model.size))))];
    return `There ${where} ${needOf(region)} and gap ${list(gaps, "or")} m.` +
      explainedGap(model, contact, region);
  }

  /** Why a gap that is visibly not the true one is no fault. */
  function explainedGap(model, contact, region) {
    const off = Math.min(...region.gaps.map((gap) => Math.abs(gap - contact.gap)));
    if (contact.gapError !== 0 || contact.gap === null || !(off > VISIBLE * model.size)) return "";
    return ` Its gap differs from that by ${number(off)} m, which the envelope (by how much the ` +
      "method grows or shrinks bodies) and the accuracy of the truth explain: no gap error.";
  }

  /** The normal as the method gave it. */
  function normalOf(contact) {
    const { normal } = contact.written;
    if (normal.some((x) => x === null)) return "no normal (it is not a number)";
    const length = Math.hypot(...normal);
    if (length === 0) return "no normal (its length is 0)";
    return `normal ${direction(normal)}` +
      (contact.faults.includes("normals_invalid") ? ` of length ${number(length)}` : "");
  }

  function errorsOf(model, contact) {
    const words = [];
    if (contact.normalError > 0 && contact.faults.length > 0)
      words.push(`normal off by ${number(contact.normalError)}\u00b0`);
    if (contact.faults.includes("normals_flipped")) words.push("normal points from b to a");
    if (settled(contact.gapError, model.size) > 0 && contact.faults.length > 0)
      words.push(`gap off by ${number(contact.gapError)} m`);
    return words.length > 0 ? `, ${words.join(", ")}` : "";
  }

  function describeContact(model, contact) {
    return `Contact ${contact.index} of ${pairOf(model, contact)}, ${faults.word(contact)}: ` +
      `${normalOf(contact)}, gap ${number(settled(contact.gap, model.size))} m` +
      `${errorsOf(model, contact)}. ` +
      rightAt(model, contact);
  }

  function describe(model, item) {
    if (item.type === "region") return describeRegion(model, item);
    if (item.type === "contact") return describeContact(model, item);
    const coarse = item.shape.of
      ? `; its ${item.shape.of.toLocaleString("en")} triangles are shown coarsely` : "";
    return `Body ${item.name}${item.fixed ? ", fixed" : ""}${coarse}.`;
  }

  /** Names and values of what is chosen. */
  function numbersOf(model, item) {
    if (item.type === "body")
      return [["origin [m]", vector(item.pose.slice(0, 3), model.size)],
        ["quaternion w x y z", vector(item.pose.slice(3))]];
    const rows = [["body a", model.bodies[item.a].name], ["body b", model.bodies[item.b].name]];
    if (item.type === "contact")
      return [...rows, ["index", String(item.index)], ["verdict", faults.word(item)],
        ["point [m]", vector(item.written.point, model.size)], ["normal, a to b", vector(item.written.normal)],
        ["gap [m]", number(settled(item.gap, model.size))], ["normal error [deg]", number(item.normalError)],
        ["gap error [m]", number(settled(item.gapError, model.size))],
        ["region", item.region === null ? "none" : String(item.region)],
        ["distance from it [m]", number(settled(item.positionError, model.size))]];
    return [...rows, ["index", String(item.index)], ["verdict", stateWords[item.state]],
      ["shape", ["", "point", "segment"][item.corners.length] ?? "polygon"],
      ["centre [m]", vector(item.point, model.size)], ["needs", needsWords(item)],
      ...item.normals.map((normal, i) => [`normal, gap [m]`,
        `${vector(normal)}, ${number(settled(item.gaps[i], model.size))}`]),
      ...(model.verdicts ? [["normals met", metWords(item)],
        ["contacts missing", item.lacks === null ? "not in these results" : String(item.lacks)]] : [])];
  }

  function needsWords(region) {
    if (region.needs === "none") return "no contact";
    if (region.normals.length === 1) return "a contact with its normal";
    return region.needs === "all" ? "a contact with each of its normals"
      : "a contact with any one of its normals";
  }

  function metWords(region) {
    if (region.needed === 0) return "none needed";
    return `${region.met} of ${region.needed}` +
      (region.state === "missed" && region.met > 0 ? ", by a contact that is not in place" : "");
  }

  function summary(model) {
    const missed = model.regions.filter((r) => r.state === "missed").length;
    const lacking = model.regions.filter((r) => r.state === "lacking").length;
    const short = model.regions.filter((r) => r.state === "short").length;
    const wrong = model.totals.reduce((sum, count, i) =>
      sum + (touchstoneView.kinds[i].isFault ? count : 0), 0);
    if (faults.all(model).length > 0)
      return list([missed && `${plural(missed, "region")} missed`,
        wrong && `${plural(wrong, "contact")} at fault`,
        lacking && `${plural(lacking, "region")} lacking a normal`,
        short && `${plural(short, "region")} short of contacts`].filter(Boolean), "and") + ".";
    if (model.truth_unknown) return "Where these bodies touch is unknown, so nothing is judged.";
    return model.verdicts
      ? `Nothing is wrong here: ${plural(model.regions.length, "region")} and all contacts are right.`
      : "No contact is at fault.";
  }

  /** What the view leaves out, or does not know. */
  function remarks(model) {
    const found = [];
    const cut = faults.counts(model).filter(({ here, total }) => here < total);
    if (cut.length > 0)
      found.push(`Not every fault is here: ${list(cut.map(({ here, total, many }) =>
        `${here.toLocaleString("en")} of ${total.toLocaleString("en")} ${many}`), "and")}.`);
    if (model.contacts.length < model.total)
      found.push(`${model.contacts.length.toLocaleString("en")} of ` +
        `${model.total.toLocaleString("en")} contacts are here, of each fault the worst; all of them: ` +
        `${model.explain}`);
    if (!model.verdicts && model.regions.length > 0)
      found.push("How the contacts meet these regions is not in the results: they have no " +
        "regions.csv, or only what is at fault in it (--contacts bad).");
    if (model.unknown_total > 0)
      found.push(`The truth of ${plural(model.unknown_total, "pair")} is unknown here, and their ` +
        "contacts are not judged" + (model.unknown.length > 0 ? `: ${model.unknown.slice(0, 3).map(
          ([a, b, why]) => `${model.bodies[a].name} and ${model.bodies[b].name} (${why})`)
          .join("; ")}.` : "."));
    if (model.faultTotals.get("contacts_missing") > 0 && model.regions.some((r) => r.lacks === null))
      found.push("Which regions lack contacts is not in these results.");
    const coarse = model.bodies.filter((body) => body.shape.of).length;
    if (coarse > 0) found.push(`${plural(coarse, "fine mesh").replace("meshs", "meshes")} ` +
      `${coarse === 1 ? "is" : "are"} shown coarsely.`);
    return found;
  }

  return { regionOf, describe, numbersOf, summary, remarks, stateWords };
})();
