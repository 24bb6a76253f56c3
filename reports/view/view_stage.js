/* SPDX-License-Identifier: MIT */
// Bodies, regions and contacts of a row as three.js objects: their looks, where they go when bodies
// are pulled apart, and which of them is at a place of the window.
"use strict";

class TouchstoneStage {
  static FAULT = "#c8102e"; // of missed regions and missing normals: no kind of contact has it
  static ARROW_PX = 46;
  static ARROW_SIZE = 0.24; // at most, relative to a body
  static PICK_PX = 16;

  constructor(model, isDark) {
    this.model = model;
    this.isDark = isDark;
    this.scene = new THREE.Scene();
    this.sized = []; // objects whose size is in pixels
    this.apart = 0;
    this.isRightHidden = false;
    this.shifts = model.bodies.map((body) => new THREE.Vector3(...body.shift));
    this.light = new THREE.DirectionalLight(0xffffff, 0.55);
    this.scene.add(this.light, new THREE.AmbientLight(0xffffff, 0.6));
    const shapes = new Map();
    this.bodies = model.bodies.map((body) => this.addBody(body, shapes));
    this.regions = model.regions.map((region) => this.addRegion(region));
    this.contacts = model.contacts.map((contact) => this.addContact(contact));
    this.needs = new THREE.Group();
    this.scene.add(this.needs);
    const faults = touchstoneViewWords.faultsOf(model);
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
    const faces = indexed.toNonIndexed(); // so that each triangle has its own normal
    faces.computeVertexNormals();
    // A coarse copy has edges that the body has not.
    return { faces, sphere: indexed.boundingSphere,
      edges: mesh.of ? null : new THREE.EdgesGeometry(indexed, 18) };
  }

  addBody(body, shapes) {
    if (!shapes.has(body.mesh)) shapes.set(body.mesh, TouchstoneStage.shapeOf(body.shape));
    const { faces, edges, sphere } = shapes.get(body.mesh);
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
      sphere };
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

  addRegion(region) {
    const isBad = region.state === "missed" || region.state === "lacking";
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
          1.6, solid, group));
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

  /** How each kind of contact looks, besides its colour: its foot, its shaft, its head. */
  static LOOKS = {
    "correct": ["ball", 1, true],
    "incorrect": ["cross", 1, false],
    "speculative": ["ball", 4, true],
    "phantom": ["cube", 3, false],
    "flipped": ["ring", 1, false],
    "gap wrong": ["cube", 1, true],
    "speculative wrong": ["cross", 4, false],
  };

  static footOf(kind) {
    if (kind === "cube") return [new THREE.BoxBufferGeometry(0.15, 0.15, 0.15)];
    if (kind === "ring") {
      const ring = new THREE.TorusBufferGeometry(0.1, 0.03, 6, 16);
      ring.rotateX(Math.PI / 2);
      return [ring];
    }
    if (kind === "cross")
      return [Math.PI / 4, -Math.PI / 4].map((angle) => {
        const bar = new THREE.BoxBufferGeometry(0.3, 0.05, 0.05);
        bar.rotateY(angle);
        return bar;
      });
    return [new THREE.SphereBufferGeometry(0.065, 10, 8)];
  }

  /** The arrow of a kind, 1 long and upwards. */
  arrowShapes(kind) {
    this.arrows ??= new Map();
    if (this.arrows.has(kind)) return this.arrows.get(kind);
    const [foot, dashes] = TouchstoneStage.LOOKS[kind] ?? ["ball", 1];
    const shapes = TouchstoneStage.footOf(foot);
    for (let i = 0; i < dashes; i++) {
      const length = 0.78 / (dashes + (dashes - 1) * 0.8);
      const dash = new THREE.CylinderBufferGeometry(0.025, 0.025, length, 6);
      dash.translate(0, length * (0.5 + 1.8 * i), 0);
      shapes.push(dash);
    }
    const head = new THREE.ConeBufferGeometry(0.08, 0.24, 10);
    head.translate(0, 0.88, 0);
    this.arrows.set(kind, { shapes, head });
    return this.arrows.get(kind);
  }

  colourOf(kind) {
    return this.isDark && kind.word === "gap wrong" ? "#dddddd" : kind.colour; // else unseen
  }

  makeArrow(kind, colour, opacity) {
    const { shapes, head } = this.arrowShapes(kind);
    const [, , isSolid] = TouchstoneStage.LOOKS[kind] ?? ["", 1, true];
    const material = new THREE.MeshBasicMaterial({ color: colour, transparent: opacity < 1, opacity });
    const arrow = new THREE.Group();
    for (const shape of shapes) arrow.add(new THREE.Mesh(shape, material));
    arrow.add(new THREE.Mesh(head, isSolid ? material
      : new THREE.MeshBasicMaterial({ color: colour, wireframe: true })));
    return arrow;
  }

  addContact(contact) {
    if (!contact.point) return null;
    const colour = this.colourOf(contact.kind);
    const group = new THREE.Group();
    group.position.set(...contact.point);
    let arrow;
    if (contact.normal) {
      arrow = this.makeArrow(contact.kind.word, colour, 1);
      arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0),
        new THREE.Vector3(...contact.normal).normalize());
    } else arrow = new THREE.Mesh(new THREE.OctahedronBufferGeometry(0.16),
      new THREE.MeshBasicMaterial({ color: colour, wireframe: true }));
    this.addSized(arrow, TouchstoneStage.ARROW_PX, group).userData.isArrow = true;
    this.scene.add(group);
    return { group, at: group.position.clone(), shift: this.shifts[contact.a] };
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

  /** A sphere around what matters: all but the ground. */
  whole() {
    const box = new THREE.Box3();
    this.bodies.forEach(({ sphere }, i) => {
      const body = this.model.bodies[i];
      if (body.ground) return;
      const centre = this.pointOf(body);
      box.expandByPoint(centre.clone().addScalar(sphere.radius * 0.8));
      box.expandByPoint(centre.clone().addScalar(-sphere.radius * 0.8));
    });
    for (const region of this.model.regions) box.expandByPoint(this.pointOf(region));
    if (box.isEmpty()) box.expandByPoint(new THREE.Vector3());
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    sphere.radius = Math.max(sphere.radius, this.model.size * 0.5);
    return sphere;
  }

  /** A sphere to look at for a region or a contact, and the direction from which it is seen best. */
  closeUp(item, camera) {
    const region = item.type === "region" ? item : touchstoneViewWords.regionOf(this.model, item);
    const centre = this.pointOf(item) ?? (region && this.pointOf(region)) ?? this.whole().center;
    const reach = Math.min(this.model.size,
      ...[item.a, item.b].map((body) => 2 * this.bodies[body].sphere.radius));
    let radius = reach * 0.4;
    for (const corner of item.type === "region" ? item.corners : [])
      radius = Math.max(radius, 0.9 * new THREE.Vector3(...corner)
        .distanceTo(new THREE.Vector3(...item.point)));
    // With the region that a phantom contact is away from, unless that is far.
    if (region && region !== item)
      radius = Math.max(radius, Math.min(reach, 1.1 * this.pointOf(region).distanceTo(centre)));
    // From the side, so that normals are seen at their length.
    const from = camera.from();
    const normal = (region && region.normals[0]) ?? item.normal;
    if (normal) {
      const unit = new THREE.Vector3(...normal).normalize();
      const along = from.dot(unit);
      from.addScaledVector(unit, -along + 0.4 * Math.sign(along || 1));
    }
    return { centre, radius, from };
  }

  // ---- what is chosen, hidden, faint --------------------------------------------------------

  /** Arrows of the normals that the region of what is chosen needs. */
  showNeeds(item) {
    for (const { object } of this.sized.filter((sized) => sized.isNeed)) this.needs.remove(object);
    this.sized = this.sized.filter((sized) => !sized.isNeed);
    const region = item.type === "region" ? item
      : item.type === "contact" ? touchstoneViewWords.regionOf(this.model, item) : null;
    if (!region || region.needs === "none") return;
    const at = item.kind?.word === "phantom" || !item.point ? this.pointOf(region)
      : this.pointOf(item);
    for (const normal of region.normals) {
      const arrow = this.makeArrow("correct", touchstoneView.truthColour, 0.75);
      arrow.position.copy(at);
      arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0),
        new THREE.Vector3(...normal).normalize());
      this.needs.add(arrow);
      this.sized.push({ object: arrow, pixels: 1.5 * TouchstoneStage.ARROW_PX, isNeed: true });
    }
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
      group.visible = !isRightHidden || region.state === "missed" || region.state === "lacking" ||
        region === chosen;
    });
    this.contacts.forEach((shown, i) => {
      const contact = this.model.contacts[i];
      if (shown) shown.group.visible = !isRightHidden || contact.kind.isFault || contact === chosen;
    });
  }

  /** Sets the sizes that are in pixels; before drawing, after the camera has been updated. */
  scale(camera) {
    const at = new THREE.Vector3();
    for (const { object, pixels } of this.sized) {
      object.getWorldPosition(at);
      let size = camera.pixelAt(at) * pixels;
      if (object.userData.isArrow) size = Math.min(size, TouchstoneStage.ARROW_SIZE * this.model.size);
      if (object.userData.isRod) object.scale.x = object.scale.z = size;
      else object.scale.setScalar(size);
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
