/* SPDX-License-Identifier: MIT */
// Bodies, regions and contacts of a row as three.js objects: their looks, where they go when bodies
// are pulled apart, and which of them is at a place of the window.
"use strict";

class TouchstoneStage {
  static FAULT = "#c8102e"; // of missed regions and missing normals: no kind of contact has it
  static ARROW_PX = 46;
  static CHOSEN_PX = 110;
  static ARROW_SIZE = 0.24; // at most, relative to a body
  static PICK_PX = 16;
  static ANGLE_MIN = 1e-4; // rad: what the seven digits of the data leave
  static GROUND_SIZE = 4; // larger ground is cut off in a view of the whole, relative to the rest
  static NEAR_SIZE = 1e-4; // relative to a body: contacts closer than that are at one place

  constructor(model, isDark) {
    this.model = model;
    this.isDark = isDark;
    this.scene = new THREE.Scene();
    this.sized = []; // objects whose size is in pixels
    this.apart = 0;
    this.isRightHidden = false;
    this.arrows = new TouchstoneArrows();
    this.shifts = model.bodies.map((body) => new THREE.Vector3(...body.shift));
    this.light = new THREE.DirectionalLight(0xffffff, 0.55);
    this.scene.add(this.light, new THREE.AmbientLight(0xffffff, 0.6));
    const shapes = new Map();
    this.bodies = model.bodies.map((body) => this.addBody(body, shapes));
    this.regions = model.regions.map((region) => this.addRegion(region));
    this.contacts = model.contacts.map((contact) => this.addContact(contact));
    this.needs = new THREE.Group();
    this.scene.add(this.needs);
    const faults = touchstoneViewFaults.all(model);
    this.atFault = new Set(faults.flatMap((fault) => [fault.a, fault.b]));
    this.place();
  }

  dispose() {
    this.scene.traverse((object) => {
      if (object.geometry) object.geometry.dispose();
      if (object.material) object.material.dispose();
    });
  }

  // ---- bodies -------------------------------------------------------------------------------

  static shapeOf(mesh) {
    const indexed = new THREE.BufferGeometry();
    indexed.setAttribute("position", new THREE.BufferAttribute(new Float32Array(mesh.v), 3));
    indexed.setIndex(mesh.t);
    indexed.computeBoundingSphere();
    indexed.computeBoundingBox();
    const faces = indexed.toNonIndexed(); // so that each triangle has its own normal
    faces.computeVertexNormals();
    // A coarse copy has edges that the body has not.
    return { faces, sphere: indexed.boundingSphere, box: indexed.boundingBox,
      edges: mesh.of ? null : new THREE.EdgesGeometry(indexed, 18) };
  }

  addBody(body, shapes) {
    if (!shapes.has(body.mesh)) shapes.set(body.mesh, TouchstoneStage.shapeOf(body.shape));
    const { faces, edges, sphere, box } = shapes.get(body.mesh);
    const colour = body.fixed ? (this.isDark ? "#b3a68f" : "#9a8d76")
      : this.isDark ? "#93a9c4" : "#7b90ab";
    const group = new THREE.Group();
    const skin = new THREE.Mesh(faces, new THREE.MeshLambertMaterial({ color: colour,
      transparent: true, depthWrite: false }));
    skin.userData = body;
    group.add(skin);
    const lines = edges && new THREE.LineSegments(edges, new THREE.LineBasicMaterial({
      color: this.isDark ? "#c8d2de" : "#39434f", transparent: true, depthWrite: false }));
    if (lines) group.add(lines);
    const [x, y, z, qw, qx, qy, qz] = body.pose;
    group.quaternion.set(qx, qy, qz, qw);
    this.scene.add(group);
    return { group, skin, lines, at: new THREE.Vector3(x, y, z), shift: this.shifts[body.place],
      sphere, box };
  }

  // ---- regions ------------------------------------------------------------------------------

  /** Something of constant size in the window, which place() and scale() take care of. */
  addSized(object, pixels, parent) {
    this.sized.push({ object, pixels });
    parent.add(object);
    return object;
  }

  /** A rod between two points, as thick as a number of pixels. */
  addRod(from, to, pixels, material, parent) {
    const along = new THREE.Vector3().subVectors(to, from);
    const rod = new THREE.Mesh(this.rodShape ??= new THREE.CylinderBufferGeometry(1, 1, 1, 6),
      material);
    rod.position.copy(from).addScaledVector(along, 0.5);
    rod.scale.y = Math.max(along.length(), 1e-12);
    rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
    this.addSized(rod, pixels, parent).userData.isRod = true;
  }

  static isBad(region) {
    return ["missed", "lacking", "short"].includes(region.state);
  }

  addRegion(region) {
    const isBad = TouchstoneStage.isBad(region);
    const isFaint = region.state === "open";
    const fillColour = region.state === "missed" ? TouchstoneStage.FAULT : touchstoneView.truthColour;
    const lineColour = isBad ? TouchstoneStage.FAULT : touchstoneView.truthColour;
    const group = new THREE.Group();
    const corners = region.corners.map((corner) => new THREE.Vector3(...corner));
    const ink = (opacity, colour = lineColour) => new THREE.MeshBasicMaterial({ color: colour,
      transparent: true, opacity, depthWrite: false, side: THREE.DoubleSide });
    const solid = ink(isFaint ? 0.35 : 1);
    let fill = null;
    if (corners.length === 1) {
      const ball = new THREE.Mesh(this.ballShape ??= new THREE.SphereBufferGeometry(1, 16, 10),
        ink(isFaint ? 0.25 : 0.6, fillColour));
      ball.position.copy(corners[0]);
      this.addSized(ball, isBad ? 7 : 5, group);
    } else if (corners.length === 2) {
      this.addRod(corners[0], corners[1], isBad ? 2.5 : isFaint ? 1 : 1.8, solid, group);
    } else {
      const shape = new THREE.BufferGeometry().setFromPoints(corners);
      shape.setIndex(corners.slice(2).flatMap((_, i) => [0, i + 1, i + 2]));
      fill = new THREE.Mesh(shape, ink(isFaint ? 0.06 : 0.3, fillColour));
      fill.userData = region;
      group.add(fill);
      if (isBad)
        corners.forEach((corner, i) => this.addRod(corner, corners[(i + 1) % corners.length],
          region.state === "short" ? 0.8 : 1.6, solid, group));
      else group.add(new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(corners),
        new THREE.LineBasicMaterial({ color: lineColour, transparent: true,
          opacity: isFaint ? 0.35 : 0.9 })));
    }
    // Struck out: missed regions differ by more than colour.
    if (region.state === "missed" && corners.length > 2)
      for (let i = 0; i < corners.length; i += Math.ceil(corners.length / 4))
        this.addRod(new THREE.Vector3(...region.point), corners[i], 1, solid, group);
    this.scene.add(group);
    return { group, fill, shift: this.shifts[region.a] };
  }

  // ---- contacts -----------------------------------------------------------------------------

  colourOf(kind) {
    return this.isDark && kind.word === "gap wrong" ? "#dddddd" : kind.colour; // else unseen
  }

  addContact(contact) {
    if (!contact.point) return null;
    const colour = this.colourOf(contact.kind);
    const group = new THREE.Group();
    group.position.set(...contact.point);
    const arrow = contact.normal
      ? this.arrows.make(contact.kind.word, colour, contact.normal) : this.arrows.makeMark(colour);
    this.addSized(arrow, TouchstoneStage.ARROW_PX, group).userData.isArrow = true;
    this.scene.add(group);
    return { group, arrow, at: group.position.clone(), shift: this.shifts[contact.a] };
  }

  // ---- where things are ---------------------------------------------------------------------

  place() {
    for (const body of this.bodies)
      body.group.position.copy(body.at).addScaledVector(body.shift, this.apart);
    for (const region of this.regions)
      region.group.position.set(0, 0, 0).addScaledVector(region.shift, this.apart);
    for (const contact of this.contacts)
      if (contact) contact.group.position.copy(contact.at).addScaledVector(contact.shift, this.apart);
    if (this.chosen) this.showNeeds(this.chosen);
  }

  setApart(share) {
    this.apart = share;
    this.place();
  }

  /** Where something is now; null for a contact without a point. */
  pointOf(item) {
    if (item.type === "body") {
      const { group, sphere } = this.bodies[item.place];
      return sphere.center.clone().applyQuaternion(group.quaternion).add(group.position);
    }
    return item.point && new THREE.Vector3(...item.point)
      .addScaledVector(this.shifts[item.a], this.apart);
  }

  /** The corners of a body's box where the body is now. */
  cornersOf({ group, box }) {
    const corners = [];
    for (const x of [box.min.x, box.max.x])
      for (const y of [box.min.y, box.max.y])
        for (const z of [box.min.z, box.max.z])
          corners.push(new THREE.Vector3(x, y, z).applyQuaternion(group.quaternion).add(group.position));
    return corners;
  }

  /** Points around all that is to be seen: of ground much larger than the rest only where the rest
   * stands. */
  whole() {
    const points = [], grounds = [];
    this.bodies.forEach((body, i) =>
      (this.model.bodies[i].ground ? grounds : points).push(...this.cornersOf(body)));
    for (const region of this.model.regions) points.push(this.pointOf(region));
    for (const contact of this.model.contacts) if (contact.point) points.push(this.pointOf(contact));
    const radiusOf = (list) => new THREE.Box3().setFromPoints(list).getSize(new THREE.Vector3()).length();
    if (points.length === 0 || radiusOf(grounds) < TouchstoneStage.GROUND_SIZE * radiusOf(points))
      points.push(...grounds);
    return points;
  }

  /** A sphere around everything. */
  sphere() {
    return new THREE.Sphere().setFromPoints(this.bodies.flatMap((body) => this.cornersOf(body)));
  }

  /** How far the nearest other contact is that would not be told from this one at a radius. */
  nearOther(item, radius) {
    let near = radius / 10;
    const at = item.type === "contact" && this.pointOf(item);
    for (const other of at ? this.model.contacts : []) {
      const distance = other !== item && other.point ? this.pointOf(other).distanceTo(at) : 0;
      if (distance > TouchstoneStage.NEAR_SIZE * this.model.size) near = Math.min(near, distance);
    }
    return near;
  }

  /** A sphere to look at for a region or a contact, and the direction from which it is seen best. */
  closeUp(item, camera) {
    const region = item.type === "region" ? item : touchstoneViewWords.regionOf(this.model, item);
    const centre = this.pointOf(item) ?? (region && this.pointOf(region)) ?? this.sphere().center;
    const reach = Math.min(this.model.size,
      ...[item.a, item.b].map((body) => 2 * this.bodies[body].sphere.radius));
    let radius = reach * 0.4;
    for (const corner of item.type === "region" ? item.corners : [])
      radius = Math.max(radius, 0.9 * new THREE.Vector3(...corner)
        .distanceTo(new THREE.Vector3(...item.point)));
    radius = 10 * this.nearOther(item, radius);
    // With the region that a phantom contact is away from, unless that is far.
    if (item.type === "contact" && item.point && item.faults.includes("phantom") && region) {
      const distance = this.pointOf(region).distanceTo(centre);
      if (distance < 4 * reach) {
        radius = Math.max(radius, 0.8 * distance);
        centre.lerp(this.pointOf(region), 0.5);
      }
    }
    return { centre, radius, from: this.sideOf(item, region, camera.from()) };
  }

  /** A direction across the normal of an item and the one that it should be closest to, so that
   * both are seen at their length and the angle between them as it is. */
  sideOf(item, region, from) {
    const normals = [item.normal, region && this.closestNeed(item, region)].filter(Boolean)
      .map((normal) => new THREE.Vector3(...normal).normalize());
    if (normals.length === 0) return from;
    const side = normals.length > 1 ? new THREE.Vector3().crossVectors(...normals) : new THREE.Vector3();
    // Parallel, or one alone: the side of it that is closest to where the camera is.
    if (side.length() < 1e-3) {
      side.copy(from).addScaledVector(normals[0], -from.dot(normals[0]));
      if (side.length() < 1e-3) side.crossVectors(normals[0], this.aside(normals[0]));
    }
    side.normalize();
    if (side.dot(from) < 0) side.negate();
    // A little from above, so that faces that lie across are seen as faces.
    const up = new THREE.Vector3(...this.model.up).normalize();
    return side.addScaledVector(up, side.dot(up) < -0.2 ? 0 : 0.35).normalize();
  }

  aside(normal) {
    return Math.abs(normal.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
  }

  /** The normal of a region that is closest to that of a contact; its first for anything else. */
  closestNeed(item, region) {
    if (!item.normal || item.type !== "contact") return region.normals[0];
    const along = (normal) => normal.reduce((sum, x, i) => sum + x * item.normal[i], 0);
    return [...region.normals].sort((m, n) => along(n) - along(m))[0];
  }

  // ---- what is chosen, hidden, faint --------------------------------------------------------

  /** Arrows of the normals that the region of what is chosen needs. */
  showNeeds(item) {
    for (const { object } of this.sized.filter((sized) => sized.isNeed)) this.needs.remove(object);
    this.sized = this.sized.filter((sized) => !sized.isNeed);
    const region = item.type === "region" ? item
      : item.type === "contact" ? touchstoneViewWords.regionOf(this.model, item) : null;
    if (!region || region.needs === "none") return;
    const isAway = item.type === "contact" && (item.faults.includes("phantom") || !item.point);
    const at = isAway || item.type === "region" ? this.pointOf(region) : this.pointOf(item);
    for (const normal of region.normals) {
      const arrow = this.arrows.make("correct", touchstoneView.truthColour, normal);
      TouchstoneArrows.bringForward(arrow, 4);
      arrow.position.copy(at);
      arrow.userData.thickness = 0.4;
      this.needs.add(arrow);
      this.sized.push({ object: arrow, pixels: 1.3 * TouchstoneStage.CHOSEN_PX, isNeed: true });
    }
  }

  /** Where the angle between the chosen normal and the closest one needed is written: the tips of
   * both; null where there is none. `camera` has been updated. */
  angle(camera) {
    const item = this.chosen;
    const region = item?.type === "contact" && touchstoneViewWords.regionOf(this.model, item);
    if (!region || !item.point || !item.normal || item.faults.length === 0 ||
        region.needs === "none" || item.faults.includes("phantom")) return null;
    const foot = this.pointOf(item);
    const length = camera.pixelAt(foot) * TouchstoneStage.chosenPixels(camera);
    const tips = [item.normal, this.closestNeed(item, region)].map((normal) =>
      foot.clone().addScaledVector(new THREE.Vector3(...normal).normalize(), length));
    const angle = tips[0].clone().sub(foot).angleTo(tips[1].clone().sub(foot));
    return angle > TouchstoneStage.ANGLE_MIN ? { foot, tips, angle } : null;
  }

  /** Where arrows of what is chosen are, for names to keep off: points along them. */
  arrowPoints(camera) {
    const { chosen } = this;
    const arrows = this.needs.children.map((arrow) => [arrow.position, arrow.quaternion, 1.3]);
    const shown = chosen?.type === "contact" && chosen.normal && this.contacts[chosen.place];
    if (shown) arrows.push([shown.group.position, shown.arrow.quaternion, 1]);
    return arrows.flatMap(([foot, turn, share]) => {
      const length = share * camera.pixelAt(foot) * TouchstoneStage.chosenPixels(camera);
      const way = new THREE.Vector3(0, length, 0).applyQuaternion(turn);
      return [0.2, 0.4, 0.6, 0.8, 1].map((along) => foot.clone().addScaledVector(way, along));
    });
  }

  /** Long enough that small angles are seen, and still in a small window. */
  static chosenPixels(camera) {
    return Math.min(TouchstoneStage.CHOSEN_PX, camera.height * 0.32);
  }

  choose(item) {
    this.chosen = item;
    if (item) this.showNeeds(item);
    else this.needs.remove(...this.needs.children);
    this.shade();
  }

  hideRight(isHidden) {
    this.isRightHidden = isHidden;
    this.shade();
  }

  shade() {
    const { chosen, isRightHidden } = this;
    const pair = chosen && (chosen.type === "body" ? [chosen.place] : [chosen.a, chosen.b]);
    this.bodies.forEach(({ group, skin, lines }, i) => {
      const isIn = !pair || pair.includes(i);
      skin.material.opacity = !pair ? 0.16 : isIn ? 0.26 : 0.05;
      if (lines) lines.material.opacity = !pair ? 0.6 : isIn ? 0.95 : 0.16;
      group.visible = !isRightHidden || this.atFault.has(i) || (pair !== null && isIn);
    });
    this.regions.forEach(({ group }, i) => {
      const region = this.model.regions[i];
      group.visible = !isRightHidden || TouchstoneStage.isBad(region) || region === chosen;
    });
    this.contacts.forEach((shown, i) => {
      const contact = this.model.contacts[i];
      if (!shown) return;
      shown.group.visible = !isRightHidden || contact.faults.length > 0 || contact === chosen;
      const isNear = !pair || chosen.type !== "contact" && pair.includes(contact.a) &&
        (chosen.type === "body" || pair.includes(contact.b));
      const isChosen = contact === chosen;
      TouchstoneArrows.fade(shown.arrow, isChosen || isNear ? 1 : 0.3);
      TouchstoneArrows.bringForward(shown.arrow, isChosen ? 5 : 2);
      shown.arrow.userData.isChosen = isChosen;
      shown.arrow.userData.thickness = isChosen && !shown.arrow.userData.isMark ? 0.75 : 1;
    });
  }

  /** Sets the sizes that are in pixels; before drawing, after the camera has been updated. */
  scale(camera) {
    const at = new THREE.Vector3();
    for (const { object, pixels, isNeed } of this.sized) {
      object.getWorldPosition(at);
      const { isArrow, isRod, isChosen, isMark, thickness = 1 } = object.userData;
      const pixel = camera.pixelAt(at);
      let size = pixel * pixels;
      if (isChosen && !isMark) size = pixel * TouchstoneStage.chosenPixels(camera);
      else if (isArrow) size = Math.min(size, TouchstoneStage.ARROW_SIZE * this.model.size);
      else if (isNeed) size = 1.3 * pixel * TouchstoneStage.chosenPixels(camera);
      if (isRod) object.scale.x = object.scale.z = size;
      else object.scale.set(size * thickness, size, size * thickness);
    }
    this.light.position.copy(camera.camera.position);
  }

  // ---- picking ------------------------------------------------------------------------------

  /** Pixels of a point in a window of that size; null behind the camera. */
  project(point, camera, width, height) {
    const p = point.clone().project(camera.camera);
    return p.z > 1 || p.z < -1 ? null : { x: (p.x + 1) / 2 * width, y: (1 - p.y) / 2 * height };
  }

  /** The nearest contact, or else region, whose mark is close to a place in the window. */
  nearest(items, isVisible, x, y, camera, width, height) {
    let best = null, least = TouchstoneStage.PICK_PX;
    for (const item of items) {
      const point = isVisible(item) && this.pointOf(item);
      const there = point && this.project(point, camera, width, height);
      const distance = there ? Math.hypot(there.x - x, there.y - y) : Infinity;
      if (distance < least) [best, least] = [item, distance];
    }
    return best;
  }

  /** The contact, region or body at a place in the window; null for none. */
  pick(x, y, camera, width, height) {
    const look = [x, y, camera, width, height];
    const contact = this.nearest(this.model.contacts,
      (c) => this.contacts[c.place]?.group.visible, ...look);
    if (contact) return contact;
    const ray = new THREE.Raycaster();
    ray.setFromCamera({ x: x / width * 2 - 1, y: 1 - y / height * 2 }, camera.camera);
    const first = (objects) => ray.intersectObjects(objects)[0]?.object.userData ?? null;
    return first(this.regions.filter((r) => r.fill && r.group.visible).map((r) => r.fill)) ??
      this.nearest(this.model.regions, (r) => this.regions[r.place].group.visible, ...look) ??
      first(this.bodies.filter((b) => b.group.visible).map((b) => b.skin));
  }
}
