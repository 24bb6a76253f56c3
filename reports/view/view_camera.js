/* SPDX-License-Identifier: MIT */
// A camera that turns around a point, by mouse, fingers and keys. It keeps the scene's "up" upright.
"use strict";

class TouchstoneCamera {
  static FIELD_DEG = 35;

  /** `changed` is called whenever the view has changed. */
  constructor(element, changed) {
    this.changed = changed;
    this.camera = new THREE.PerspectiveCamera(TouchstoneCamera.FIELD_DEG, 1, 1, 10);
    this.target = new THREE.Vector3();
    this.distance = 1;
    this.height = 1;
    this.setUp([0, 1, 0]);
    this.fingers = new Map();
    element.addEventListener("pointerdown", (event) => this.press(element, event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"])
      element.addEventListener(name, (event) => this.fingers.delete(event.pointerId));
    element.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(Math.max(-100, Math.min(100, event.deltaY)) / 400));
    }, { passive: false });
    element.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** A frame whose y is up; the view comes from the front right and above. */
  setUp(up) {
    this.up = new THREE.Vector3(...up).normalize();
    const side = Math.abs(this.up.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 0, 1);
    this.front = new THREE.Vector3().crossVectors(side, this.up).normalize();
    this.side = new THREE.Vector3().crossVectors(this.up, this.front);
    this.lookFromFront();
  }

  lookFromFront() {
    this.lookAlong(new THREE.Vector3().addScaledVector(this.front, 0.8)
      .addScaledVector(this.side, 0.55).addScaledVector(this.up, 0.45));
  }

  /** Looks from the direction. */
  lookAlong(from) {
    const unit = from.clone().normalize();
    this.tilt = Math.asin(Math.max(-0.98, Math.min(0.98, unit.dot(this.up))));
    this.turned = Math.atan2(unit.dot(this.side), unit.dot(this.front));
  }

  from() {
    return new THREE.Vector3().addScaledVector(this.up, Math.sin(this.tilt))
      .addScaledVector(this.front, Math.cos(this.tilt) * Math.cos(this.turned))
      .addScaledVector(this.side, Math.cos(this.tilt) * Math.sin(this.turned));
  }

  /** Shows a sphere as large as fits. */
  frame(centre, radius) {
    this.target.copy(centre);
    const narrow = Math.min(1, this.camera.aspect);
    this.distance = radius / Math.sin(TouchstoneCamera.FIELD_DEG / 2 * Math.PI / 180) / narrow;
    this.changed();
  }

  /** Shows points as large as they fit. */
  fit(points) {
    const box = new THREE.Box3().setFromPoints(points);
    box.getCenter(this.target);
    const from = this.from();
    const right = new THREE.Vector3().crossVectors(this.up, from).normalize();
    const above = new THREE.Vector3().crossVectors(from, right);
    const half = 0.92 * Math.tan(TouchstoneCamera.FIELD_DEG / 2 * Math.PI / 180);
    this.distance = 0;
    for (const point of points) {
      const to = point.clone().sub(this.target);
      this.distance = Math.max(this.distance, to.dot(from) + Math.max(Math.abs(to.dot(above)) / half,
        Math.abs(to.dot(right)) / (half * this.camera.aspect)));
    }
    this.changed();
  }

  /** Looks as another camera does. */
  follow(other) {
    this.setUp(other.up.toArray());
    this.target.copy(other.target);
    Object.assign(this, { distance: other.distance, tilt: other.tilt, turned: other.turned });
    this.changed();
  }

  resize(width, height) {
    this.height = height;
    this.camera.aspect = width / height;
    this.changed();
  }

  /** To be called before drawing; `radius` is that of all that can be seen from the target. */
  update(radius) {
    this.camera.up.copy(this.up);
    this.camera.position.copy(this.target).addScaledVector(this.from(), this.distance);
    this.camera.lookAt(this.target);
    this.camera.near = Math.max(this.distance / 200, this.distance - radius);
    this.camera.far = this.distance + radius;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  /** Length of a pixel at a point. */
  pixelAt(point) {
    const depth = point.clone().sub(this.camera.position)
      .dot(this.from().negate());
    return 2 * Math.max(depth, this.camera.near) *
      Math.tan(TouchstoneCamera.FIELD_DEG / 2 * Math.PI / 180) / this.height;
  }

  turn(right, above) {
    this.turned += right;
    this.tilt = Math.max(-1.5, Math.min(1.5, this.tilt + above));
    this.changed();
  }

  zoom(factor) {
    this.distance *= factor;
    this.changed();
  }

  /** Moves the target by pixels. */
  pan(x, y) {
    const pixel = this.pixelAt(this.target);
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 0);
    const above = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    this.target.addScaledVector(right, -x * pixel).addScaledVector(above, y * pixel);
    this.changed();
  }

  press(element, event) {
    element.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  spread() {
    const [one, two] = [...this.fingers.values()];
    return Math.hypot(one.x - two.x, one.y - two.y) || 1;
  }

  drag(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    const x = event.clientX - finger.x, y = event.clientY - finger.y;
    const before = this.fingers.size === 2 ? this.spread() : 0;
    finger.x = event.clientX;
    finger.y = event.clientY;
    if (before > 0) {
      this.zoom(before / this.spread());
      this.pan(x / 2, y / 2);
    } else if (event.shiftKey || event.buttons & 6) this.pan(x, y);
    else this.turn(-x / 150, y / 150);
  }
}
