/* SPDX-License-Identifier: MIT */
// The arrows of contacts: each kind differs by more than its colour.
"use strict";

class TouchstoneArrows {
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

  /** Foot, dashes and head of a kind, 1 long and upwards; shared by all its arrows. */
  shapes(kind) {
    this.made ??= new Map();
    if (this.made.has(kind)) return this.made.get(kind);
    const [foot, dashes] = TouchstoneArrows.LOOKS[kind] ?? ["ball", 1];
    const shapes = TouchstoneArrows.footOf(foot);
    for (let i = 0; i < dashes; i++) {
      const length = 0.78 / (dashes + (dashes - 1) * 0.8);
      const dash = new THREE.CylinderBufferGeometry(0.025, 0.025, length, 6);
      dash.translate(0, length * (0.5 + 1.8 * i), 0);
      shapes.push(dash);
    }
    const head = new THREE.ConeBufferGeometry(0.08, 0.24, 10);
    head.translate(0, 0.88, 0);
    this.made.set(kind, { shapes, head });
    return this.made.get(kind);
  }

  /** An arrow of a kind along a normal. Transparent, so that it is drawn after the regions in front
   * of it, which would turn its colour into another one. */
  make(kind, colour, normal) {
    const { shapes, head } = this.shapes(kind);
    const [, , isSolid] = TouchstoneArrows.LOOKS[kind] ?? ["", 1, true];
    const material = new THREE.MeshBasicMaterial({ color: colour, transparent: true });
    const arrow = new THREE.Group();
    for (const shape of shapes) arrow.add(new THREE.Mesh(shape, material));
    arrow.add(new THREE.Mesh(head, isSolid ? material
      : new THREE.MeshBasicMaterial({ color: colour, wireframe: true, transparent: true })));
    arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0),
      new THREE.Vector3(...normal).normalize());
    return arrow;
  }

  /** What a contact without a normal gets. */
  makeMark(colour) {
    this.mark ??= new THREE.OctahedronBufferGeometry(0.24);
    const mark = new THREE.Group();
    mark.add(new THREE.Mesh(this.mark, new THREE.MeshBasicMaterial({ color: colour,
      transparent: true })));
    mark.userData.isMark = true;
    return mark;
  }

  static fade(arrow, opacity) {
    for (const { material } of arrow.children) material.opacity = opacity;
  }

  /** Draws it after all of a lower order; the chosen one and what it should be also through others. */
  static bringForward(arrow, order) {
    for (const mesh of arrow.children) {
      mesh.renderOrder = order;
      mesh.material.depthTest = order < 4;
    }
  }
}
