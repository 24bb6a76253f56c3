/* SPDX-License-Identifier: MIT */
// Which rows have a view, and the data of one, unpacked when it is opened.
"use strict";

const touchstoneView = (() => {
  const data = JSON.parse(document.getElementById("views").textContent);
  const rows = new Map(data.rows.map(([row, piece, cell, step]) => [row, { row, piece, cell, step }]));
  const whys = new Map();
  for (const [why, ...list] of data.whys)
    for (const row of list) whys.set(row, why);
  const kinds = data.kinds.map(([word, colour, isFault]) => (
    { word: word.replaceAll("_", " "), colour, isFault: isFault === 1 }));

  /** Text that was compressed by gzip and written as base64. */
  async function unpack(text) {
    if (typeof DecompressionStream === "undefined")
      throw new Error("This browser cannot unpack the view; Chrome 80, Firefox 113, Safari 16.4 " +
        "and later versions can.");
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }

  const unpacked = new Map(); // place of a piece: a promise of what it holds
  function piece(place) {
    if (!unpacked.has(place)) unpacked.set(place, unpack(data.pieces[place]).then(JSON.parse));
    return unpacked.get(place);
  }

  const threes = (list, i) => list.slice(3 * i, 3 * i + 3);
  const vectors = (list) => Array.from({ length: list.length / 3 }, (_, i) => threes(list, i));
  const isVector = (v) => v.every((x) => x !== null);

  function makeContact(lists, i) {
    const point = threes(lists.p, i), normal = threes(lists.n, i);
    return { type: "contact", place: i, a: lists.a[i], b: lists.b[i], index: lists.i[i],
      point: isVector(point) ? point : null,
      normal: isVector(normal) && Math.hypot(...normal) > 0 ? normal : null,
      written: { point, normal }, gap: lists.g[i], normalError: lists.ne[i],
      positionError: lists.pe[i], gapError: lists.ge[i], region: lists.region[i],
      kind: kinds[lists.kind[i]], faults: data.faults.filter((_, bit) => lists.f[i] >> bit & 1) };
  }

  /** What a region gets: "unknown" where no verdicts are, else "open" where none is needed. */
  function stateOf(row, region, i) {
    if (region.needs === "none") return "open";
    if (!row.verdicts) return "unknown";
    if (row.missed[i]) return "missed";
    if (row.met[i] < region.needed) return "lacking";
    return row.lacks[i] > 0 ? "short" : "met";
  }

  function makeRegion(row, region, i) {
    const corners = vectors(region.v);
    const centre = [0, 1, 2].map((k) => corners.reduce((sum, c) => sum + c[k], 0) / corners.length);
    return { type: "region", place: i, a: region.a, b: region.b, index: region.i, corners,
      point: centre, needs: region.needs, needed: region.needed, normals: vectors(region.n),
      gaps: region.g, state: stateOf(row, region, i), met: row.met[i], served: row.served[i],
      lacks: row.lacks[i] ?? null, by: row.by[i] ?? [] };
  }

  /** All that the view of a row shows. */
  async function load(place) {
    const row = await piece(rows.get(place).piece);
    const [scene, poses, truth] = await Promise.all([piece(row.scene),
      row.poses === null ? null : piece(row.poses), piece(row.truth)]);
    const meshes = await Promise.all(scene.bodies.map((body) => piece(body.mesh)));
    return { ...row, up: scene.up, size: scene.size,
      faultTotals: new Map(data.faults.map((column, i) => [column, row.fault_totals[i]])),
      bodies: scene.bodies.map((body, i) => ({ ...body, type: "body", place: i,
        pose: poses ? poses[i] : body.pose, shape: meshes[i] })),
      regions: truth.map((region, i) => makeRegion(row, region, i)),
      contacts: row.contacts.i.map((_, i) => makeContact(row.contacts, i)) };
  }

  /** The rows of the same cell that have a view, by step. */
  function stepsOf(place) {
    const { cell } = rows.get(place);
    return [...rows.values()].filter((row) => row.cell === cell).sort((x, y) => x.step - y.step);
  }

  const why = (place) => whys.get(place) ?? "";

  /** What a page without a viewer says; the viewer has its own. */
  function open(place, element) {
    const words = document.createElement("p");
    words.className = "quiet";
    words.textContent = why(place);
    element.replaceChildren(words);
  }

  return { has: (place) => rows.has(place), why, open, close() {}, select: () => false, load, stepsOf,
    unpack, kinds, faults: data.faults, truthColour: data.truth_colour };
})();
