/* SPDX-License-Identifier: MIT */
// What the view says: the faults of a row in the order in which they are looked at, each in a
// sentence that also says what would be right there, and the numbers of what is chosen.
"use strict";

const touchstoneViewWords = (() => {
  const NOTHING = 1e-9; // of a normal, and of the size of a body: what rounding leaves
  const number = (x) => x === null || x === undefined ? "not a number"
    : (x !== 0 && Math.abs(x) < 1e-3 ? x.toExponential(3).replace(/\.?0*e/, "e")
      : String(Number(x.toPrecision(4)))).replaceAll("-", "\u2212");
  const settled = (x, size) => x !== null && Math.abs(x) < NOTHING * size ? 0 : x;
  const vector = (v, size = 1) => v.every((x) => x === null) ? "none"
    : `(${v.map((x) => number(settled(x, size))).join(", ")})`;
  /** A direction in a sentence: four decimals are more than can be seen. */
  const direction = (v) => vector(v.map((x) => x === null ? x : Math.round(x * 1e4) / 1e4 + 0));
  const list = (words, last) => words.length < 2 ? words.join("")
    : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
  const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

  function pairOf(model, item) {
    return `${model.bodies[item.a].name} and ${model.bodies[item.b].name}`;
  }

  const sameRegion = (contact, region) => contact.a === region.a && contact.b === region.b &&
    contact.region === region.index;
  const regionOf = (model, contact) =>
    model.regions.find((region) => sameRegion(contact, region)) ?? null;

  /** Missed regions, then contacts from the worst on, then regions that lack a normal. */
  function faultsOf(model) {
    return [...model.regions.filter((region) => region.state === "missed"),
      ...model.contacts.filter((contact) => contact.kind.isFault),
      ...model.regions.filter((region) => region.state === "lacking")];
  }

  function needOf(region) {
    const normals = region.normals.map(direction);
    if (region.needs === "none") return "needs no contact: the bodies are apart there";
    if (normals.length === 1) return `needs a contact with normal ${normals[0]}`;
    return region.needs === "all"
      ? `needs contacts with the normals ${list(normals, "and")}`
      : `needs a contact with one of the normals ${list(normals, "or")}`;
  }

  function hasOf(model, region) {
    if (region.state === "unknown") return "whether it has one is not in these results";
    if (region.state === "lacking")
      return `has ${region.met} of ${region.needed}, by ${plural(region.served, "contact")}`;
    if (region.state === "open" || region.state === "met")
      return `has ${plural(region.served, "contact")}`;
    const close = model.contacts.filter((contact) => sameRegion(contact, region));
    return close.length === 0 ? "has none"
      : `has none that counts; nearest to it: ${list(close.slice(0, 3).map(
        (contact) => `contact ${contact.index} (${contact.kind.word})`), "and")}`;
  }

  const stateWords = { missed: "missed", lacking: "lacking a normal", met: "met", open: "open",
    unknown: "true contact" };

  function describeRegion(model, region) {
    return `Region ${region.index} of ${pairOf(model, region)}, ${stateWords[region.state]}: ` +
      `${needOf(region)}; ${hasOf(model, region)}.`;
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
      return `Nothing touches there; ${where} is ${number(contact.positionError)} m away and ` +
        `${needOf(region)}.`;
    const gaps = [...new Set(region.gaps.map((gap) => number(settled(gap, model.size))))];
    return `There ${where} ${needOf(region)} and gap ${list(gaps, "or")} m.`;
  }

  function errorsOf(model, contact) {
    const words = [];
    if (contact.normalError > 0 && contact.kind.word !== "correct")
      words.push(`normal off by ${number(contact.normalError)}\u00b0`);
    if (contact.kind.word === "flipped") words.push("normal points from b to a");
    if (settled(contact.gapError, model.size) > 0 && contact.kind.isFault)
      words.push(`gap off by ${number(contact.gapError)} m`);
    return words.length > 0 ? `, ${words.join(", ")}` : "";
  }

  function describeContact(model, contact) {
    return `Contact ${contact.index} of ${pairOf(model, contact)}, ${contact.kind.word}: normal ` +
      `${direction(contact.written.normal)}, gap ${number(settled(contact.gap, model.size))} m` +
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
      return [...rows, ["index", String(item.index)], ["kind", item.kind.word],
        ["point [m]", vector(item.written.point, model.size)], ["normal, a to b", vector(item.written.normal)],
        ["gap [m]", number(item.gap)], ["normal error [deg]", number(item.normalError)],
        ["gap error [m]", number(item.gapError)],
        ["region", item.region === null ? "none" : String(item.region)],
        ["distance from it [m]", number(item.positionError)]];
    return [...rows, ["index", String(item.index)], ["verdict", stateWords[item.state]],
      ["shape", ["", "point", "segment"][item.corners.length] ?? "polygon"],
      ["centre [m]", vector(item.point, model.size)], ["needs", item.needs],
      ...item.normals.map((normal, i) => [`normal, gap [m]`,
        `${vector(normal)}, ${number(item.gaps[i])}`]),
      ...(model.verdicts ? [["normals met", `${item.met} of ${item.needed}`]] : [])];
  }

  function summary(model) {
    const faults = faultsOf(model);
    const missed = model.regions.filter((r) => r.state === "missed").length;
    const lacking = model.regions.filter((r) => r.state === "lacking").length;
    const wrong = model.totals.reduce((sum, count, i) =>
      sum + (touchstoneView.kinds[i].isFault ? count : 0), 0);
    if (faults.length > 0)
      return list([missed && `${plural(missed, "region")} missed`,
        wrong && `${plural(wrong, "contact")} at fault`,
        lacking && `${plural(lacking, "region")} lacking a normal`].filter(Boolean), "and") + ".";
    if (model.truth_unknown) return "Where these bodies touch is unknown, so nothing is judged.";
    return model.verdicts
      ? `Nothing is wrong here: ${plural(model.regions.length, "region")} and all contacts are right.`
      : "No contact is at fault.";
  }

  /** What the view leaves out, or does not know. */
  function remarks(model) {
    const found = [];
    if (model.contacts.length < model.total)
      found.push(`${model.contacts.length.toLocaleString("en")} of ` +
        `${model.total.toLocaleString("en")} contacts are here, the worst first; all of them: ` +
        `${model.explain}`);
    if (!model.verdicts && model.regions.length > 0)
      found.push("How the contacts meet these regions is not in the results: they have no " +
        "regions.csv, or only what is at fault in it (--contacts bad).");
    if (model.unknown_total > 0)
      found.push(`The truth of ${plural(model.unknown_total, "pair")} is unknown here, and their ` +
        "contacts are not judged" + (model.unknown.length > 0 ? `: ${model.unknown.slice(0, 3).map(
          ([a, b, why]) => `${model.bodies[a].name} and ${model.bodies[b].name} (${why})`)
          .join("; ")}.` : "."));
    const coarse = model.bodies.filter((body) => body.shape.of).length;
    if (coarse > 0) found.push(`${plural(coarse, "fine mesh").replace("meshs", "meshes")} ` +
      `${coarse === 1 ? "is" : "are"} shown coarsely.`);
    return found;
  }

  return { faultsOf, regionOf, describe, numbersOf, summary, remarks, stateWords };
})();
