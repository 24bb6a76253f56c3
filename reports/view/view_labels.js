/* SPDX-License-Identifier: MIT */
// Names of bodies, the ring around what is chosen and the angle of its normal, over the drawing.
// Names are on what can be seen of their bodies, do not cover each other, and keep away from the
// ring; where there is no such place the name is left out.
"use strict";

class TouchstoneLabels {
  static NAMES_SHOWN = 12; // with more bodies only those of what is chosen are named
  static CLEAR_PX = 32; // between the chosen place and a name
  static GRID = [12, 9]; // places of the window where bodies are looked for

  constructor(element) {
    this.element = element;
    this.names = [];
  }

  make(tag, name, text = "") {
    const mark = document.createElement(tag);
    mark.className = name;
    mark.textContent = text;
    return mark;
  }

  /** Takes what is shown of a stage. */
  set(stage, chosen) {
    this.stage = stage;
    this.chosen = chosen && chosen.type !== "body" && stage.pointOf(chosen) ? chosen : null;
    const pair = !chosen ? [] : chosen.type === "body" ? [chosen.place] : [chosen.a, chosen.b];
    const { bodies } = stage.model;
    this.names = bodies.filter((body) => stage.bodies[body.place].group.visible &&
      (pair.includes(body.place) || bodies.length <= TouchstoneLabels.NAMES_SHOWN))
      .map((body) => ({ body, isOfChosen: pair.includes(body.place),
        mark: this.make("span", pair.includes(body.place) ? "view-chosen" : "", body.name) }))
      .sort((x, y) => y.isOfChosen - x.isOfChosen);
    this.ring = this.make("i", "");
    this.angle = this.make("span", "view-angle");
    this.element.replaceChildren(...this.names.map(({ mark }) => mark), this.angle, this.ring);
    for (const name of this.names) {
      name.width = name.mark.offsetWidth;
      name.height = name.mark.offsetHeight;
    }
  }

  static move(mark, at) {
    mark.hidden = !at;
    if (!at) return;
    mark.style.left = `${at.x}px`;
    mark.style.top = `${at.y}px`;
  }

  /** Where the bodies are in the window: [{x, y, isFront}] of each name. */
  look(camera, width, height) {
    const found = new Map(this.names.map(({ body }) => [body.place, []]));
    const skins = this.names.map(({ body }) => this.stage.bodies[body.place].skin);
    const ray = new THREE.Raycaster();
    const [columns, rows] = TouchstoneLabels.GRID;
    for (let i = 0; i < columns * rows; i++) {
      const x = (i % columns + 0.5) / columns * width;
      const y = (Math.floor(i / columns) + 0.5) / rows * height;
      ray.setFromCamera({ x: x / width * 2 - 1, y: 1 - y / height * 2 }, camera.camera);
      ray.intersectObjects(skins).forEach((hit, k) =>
        found.get(hit.object.userData.place).push({ x, y, isFront: k === 0 }));
    }
    return found;
  }

  /** Places for a name, the best first: in the middle of what is seen of its body, in front of
   * others. A small body, which may be between the rays, has its name on it or beside it. */
  candidates({ body, width: wide }, hits, camera, width, height) {
    const front = hits.some(({ isFront }) => isFront) ? hits.filter(({ isFront }) => isFront) : hits;
    const mean = (axis) => front.reduce((sum, hit) => sum + hit[axis], 0) / front.length;
    const middle = { x: mean("x"), y: mean("y") };
    const off = (at) => Math.hypot(at.x - middle.x, at.y - middle.y) + (at.isFront ? 0 : width);
    if (hits.length >= 6) return [...hits].sort((p, q) => off(p) - off(q));
    const at = this.stage.project(this.stage.pointOf(body), camera, width, height);
    const isIn = at && at.x > 0 && at.x < width && at.y > 0 && at.y < height;
    if (!isIn) return hits;
    const beside = [[0, -1], [0, 1], [-1, 0], [1, 0], [-1, -1], [1, -1], [-1, 1], [1, 1]].map(
      ([x, y]) => ({ x: at.x + x * (wide / 2 + 36), y: at.y + y * 46 }));
    return [at, ...hits, ...beside];
  }

  place(camera, width, height) {
    const project = (point) => point && this.stage.project(point, camera, width, height);
    const spot = this.chosen && project(this.stage.pointOf(this.chosen));
    TouchstoneLabels.move(this.ring, spot);
    const taken = this.placeAngle(camera, project, width, height);
    const arrows = this.stage.arrowPoints(camera).map(project).filter(Boolean)
      .map(({ x, y }) => ({ x, y, width: 12, height: 12 }));
    taken.push(...arrows);
    const found = this.look(camera, width, height);
    for (const name of this.names) {
      const fits = (at) => TouchstoneLabels.fits(at, name, spot, taken, width, height);
      const at = this.candidates(name, found.get(name.body.place), camera, width, height).find(fits);
      TouchstoneLabels.move(name.mark, at);
      if (at) taken.push({ ...at, width: name.width, height: name.height });
    }
  }

  static fits(at, { width: wide, height: high }, spot, taken, width, height) {
    const x = wide / 2 + 3, y = high / 2 + 3;
    if (at.x < x || at.x > width - x || at.y < y || at.y > height - y) return false;
    if (spot && Math.hypot(Math.max(0, Math.abs(at.x - spot.x) - x),
      Math.max(0, Math.abs(at.y - spot.y) - y)) < TouchstoneLabels.CLEAR_PX) return false;
    return taken.every((other) => Math.abs(other.x - at.x) >= x + other.width / 2 ||
      Math.abs(other.y - at.y) >= y + other.height / 2);
  }

  /** Beyond the tips of the normal that is and the one that should be; the place that it takes. */
  placeAngle(camera, project, width, height) {
    const angle = this.stage.angle(camera);
    const [foot, one, two] = angle ? [angle.foot, ...angle.tips].map(project) : [];
    TouchstoneLabels.move(this.angle, null);
    if (!foot || !one || !two) return [];
    const degrees = angle.angle * 180 / Math.PI;
    this.angle.textContent = `${Number(degrees.toPrecision(3))}\u00b0`;
    this.angle.hidden = false;
    const wide = this.angle.offsetWidth, high = this.angle.offsetHeight;
    let way = [(one.x + two.x) / 2 - foot.x, (one.y + two.y) / 2 - foot.y];
    let length = Math.hypot(...way);
    let reach = 1.3 * length + 16;
    if (length < 20) { // against each other: beside them
      way = [-(one.y - foot.y), one.x - foot.x];
      length = Math.hypot(...way) || 1;
      reach = 0;
    }
    reach = Math.max(reach, TouchstoneLabels.CLEAR_PX + wide);
    const x = Math.max(wide / 2, Math.min(width - wide / 2, foot.x + way[0] / length * reach));
    const y = Math.max(high / 2, Math.min(height - high / 2, foot.y + way[1] / length * reach));
    TouchstoneLabels.move(this.angle, { x, y });
    return [{ x, y, width: wide, height: high }];
  }
}
