// SPDX-License-Identifier: BSD-3-Clause
// The three-dimensional picture of a run at any moment, between frames as well.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

import { between } from "./between.js";
import { Cloud } from "./cloud.js";
import { Colours } from "./colours.js";
import { Frames } from "./frames.js";
import { Ground } from "./ground.js";
import { Rests } from "./rests.js";
import { SHAPE, Solids } from "./solids.js";
import { token } from "./theme.js";

const FIELD_OF_VIEW = 28; // degrees: a long lens; walls stay nearly parallel
const VIEW_FROM = new THREE.Vector3(0.55, -0.8, 0.42).normalize();
const MARGIN = 1.12; // around the subject
const LEVEL = 0.999; // z of the normal of a plane that is ground

export class Stage {
  constructor(run, controls, camera) {
    Object.assign(this, { run, controls, camera });
    this.frames = new Frames(run);
    this.low = new THREE.Vector3(...run.player.low);
    this.high = new THREE.Vector3(...run.player.high);
    this.middle = this.low.clone().add(this.high).multiplyScalar(0.5);
    this.radius = Math.max(0.5 * this.low.distanceTo(this.high), 1e-6);
    this.light = { sun: { value: new THREE.Vector3() }, zenith: { value: new THREE.Vector3() } };
    this.rests = new Rests(run, this.light);
    this.colours = new Colours(run, this.frames, this.rests);
    this.cutPlane = new THREE.Plane(new THREE.Vector3(-1, 0, 0), 1e9);
    this.cloud = new Cloud(this.sphereCount(), this.light, this.largestSphere());
    this.solids = new Solids(this.frames, [this.cutPlane]);
    this.follows = null; // id of a body
    this.at = 0; // frame shown, with a fraction
    this.keys = null; // of the scene's camera, while it moves the picture's
    this.scene = new THREE.Scene();
    // The same light as in cloud.js, where three's materials divide by pi.
    this.sun = new THREE.DirectionalLight(0xffffff, 0.62 * Math.PI);
    const sky = new THREE.HemisphereLight(0xffffff, new THREE.Color().setScalar(0.3 / 0.62), 0.62 * Math.PI);
    sky.position.set(0, 0, 1);
    this.scene.add(this.cloud.object, this.rests.object, this.solids.group, this.sun, this.sun.target, sky);
    this.makeGround();
    this.walls = "glass";
    this.position = new Float32Array(3);
    this.rotation = new Float32Array(4);
  }

  // A capsule has two round ends.
  sphereCount() {
    return this.frames.sets.reduce((sum, { shape, count }) => sum + (shape === SHAPE.SPHERE ? count : shape === SHAPE.CAPSULE ? 2 * count : 0), 0);
  }

  largestSphere() {
    let largest = 0;
    for (const { shape, start, count } of this.frames.sets) {
      if (shape !== SHAPE.SPHERE && shape !== SHAPE.CAPSULE) continue;
      for (let instance = start; instance < start + count; ++instance) largest = Math.max(largest, this.frames.instances.half[3 * instance]);
    }
    return largest;
  }

  makeGround() {
    const planes = this.frames.sets.find(({ shape, kept }) => shape === SHAPE.PLANE && kept);
    const frame = this.frames.frame(0);
    let height = this.run.scene.view?.ground_height ?? this.low.z;
    let level = this.run.scene.view?.ground !== false;
    for (let instance = planes.start; instance < planes.start + planes.count; ++instance) {
      const [w, x, y, z] = frame.rotation.subarray(4 * instance, 4 * instance + 4);
      const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(new THREE.Quaternion(x, y, z, w));
      if (normal.z > LEVEL) {
        height = frame.position[3 * instance + 2];
        level = true;
      } else {
        this.addPane(frame.position.subarray(3 * instance, 3 * instance + 3), normal, instance);
      }
    }
    if (!level) return;
    this.ground = new Ground(this.middle, this.radius);
    this.ground.object.position.z = height;
    this.scene.add(this.ground.object);
  }

  // A plane has no end; a pane of it near the subject is shown.
  addPane(point, normal, instance) {
    const material = this.solids.materialFor(this.colours.opacityOf(instance), true);
    const pane = new THREE.Mesh(new THREE.PlaneGeometry(2 * this.radius, 2 * this.radius), material);
    const centre = new THREE.Vector3(...point);
    centre.add(this.middle.clone().sub(centre).projectOnPlane(normal));
    pane.position.copy(centre);
    pane.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    pane.renderOrder = 1;
    this.scene.add(pane);
  }

  paint() {
    const sky = token("--sky");
    if (sky === this.painted) return;
    this.painted = sky;
    this.scene.background = new THREE.Color(sky);
    this.ground?.paint(token("--ground"), token("--ground-line"), sky);
  }

  // ---- the camera --------------------------------------------------------------------------------------------------

  // The scene's camera, or one that has everything in the picture. A camera that moves does so until the reader takes it.
  resetCamera() {
    const { camera, controls } = this;
    const { keys, field_of_view: angle } = this.run.player.camera ?? {};
    camera.fov = angle ?? FIELD_OF_VIEW;
    controls.minDistance = 0;
    controls.maxDistance = Infinity;
    this.keys = keys?.length > 1 ? keys : null;
    if (keys) {
      this.moveCamera(keys, this.at);
    } else {
      controls.target.copy(this.middle);
      camera.position.copy(this.middle).addScaledVector(VIEW_FROM, this.fittingDistance());
    }
    controls.minDistance = 0.02 * Math.min(this.radius, controls.getDistance());
    controls.maxDistance = 20 * Math.max(this.radius, controls.getDistance());
    controls.update();
    this.fitDepth();
  }

  releaseCamera() {
    this.keys = null;
  }

  // keys: eye and target, one a frame, or one for all.
  moveCamera(keys, at) {
    const index = Math.min(Math.floor(at), keys.length - 1);
    const [a, b] = [keys[index], keys[Math.min(index + 1, keys.length - 1)]];
    const mixed = a.map((value, k) => value + (at - Math.floor(at)) * (b[k] - value));
    this.camera.position.fromArray(mixed, 0);
    this.controls.target.fromArray(mixed, 3);
    this.controls.update();
  }

  // From where all corners of the subject's box are in the picture.
  fittingDistance() {
    const right = new THREE.Vector3(0, 0, 1).cross(VIEW_FROM).normalize();
    const up = VIEW_FROM.clone().cross(right);
    const vertical = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / MARGIN;
    const corner = new THREE.Vector3();
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      corner.set(i & 1 ? this.high.x : this.low.x, i & 2 ? this.high.y : this.low.y, i & 4 ? this.high.z : this.low.z).sub(this.middle);
      const aside = Math.max(Math.abs(corner.dot(up)) / vertical, Math.abs(corner.dot(right)) / (vertical * this.camera.aspect));
      distance = Math.max(distance, corner.dot(VIEW_FROM) + aside);
    }
    return distance;
  }

  // Depth is finest where near and far are close together.
  fitDepth() {
    const away = this.camera.position.distanceTo(this.middle);
    this.camera.near = Math.max(away - 4 * this.radius, 0.005 * this.radius);
    this.camera.far = away + 8 * this.radius;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const eye = this.camera.matrixWorldInverse;
    const sun = new THREE.Vector3(-0.45, 0.75, 0.6).normalize(); // over the viewer's left shoulder
    this.light.sun.value.copy(sun);
    this.light.zenith.value.set(0, 0, 1).transformDirection(eye);
    this.sun.target.position.copy(this.middle);
    this.sun.position.copy(sun).transformDirection(this.camera.matrixWorld).multiplyScalar(this.radius).add(this.middle);
  }

  draw(renderer) {
    this.fitDepth();
    const nearest = this.camera.position.distanceTo(this.middle) - this.radius;
    const { width, height } = renderer.domElement;
    this.cloud.prepare(this.camera, nearest, height);
    this.rests.prepare(this.camera, width, height);
    renderer.render(this.scene, this.camera);
  }

  // Keeps the body at the same point of the picture.
  followTo(frame, next, share) {
    const instance = this.instanceOfBody(this.follows);
    if (instance < 0 || !frame.present[instance]) return;
    this.mix(frame, next, share, instance);
    const by = new THREE.Vector3(...this.position).sub(this.controls.target);
    this.controls.target.add(by);
    this.camera.position.add(by);
  }

  instanceOfBody(id) {
    return id === null ? -1 : this.frames.instances.id.findIndex((other, instance) => other === id && this.isBody(instance));
  }

  isBody(instance) {
    const set = this.frames.sets.find(({ start, count }) => instance >= start && instance < start + count);
    return set.shape !== SHAPE.PLANE;
  }

  // ---- what there is -----------------------------------------------------------------------------------------------

  // Position and rotation of a instance between two frames. What is not in the next frame stays where it is.
  mix(frame, next, share, instance) {
    const there = share > 0 && next.present[instance] ? share : 0;
    const { period } = this.frames.about;
    for (let k = 0; k < 3; ++k) {
      const at = 3 * instance + k;
      this.position[k] = between(frame.position[at], next.position[at], there, period?.low[k], period?.length[k]);
    }
  }

  mixRotation(frame, next, share, instance) {
    const there = share > 0 && next.present[instance] ? share : 0;
    const a = frame.rotation.subarray(4 * instance, 4 * instance + 4);
    const b = next.rotation.subarray(4 * instance, 4 * instance + 4);
    const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
    for (let k = 0; k < 4; ++k) this.rotation[k] = a[k] + there * (sign * b[k] - a[k]);
    const norm = Math.hypot(...this.rotation) || 1;
    for (let k = 0; k < 4; ++k) this.rotation[k] /= norm;
  }

  // at: a frame's number, with a fraction.
  show(at) {
    const index = Math.min(Math.floor(at), this.frames.count - 1);
    const share = at - index;
    const frame = this.frames.frame(index);
    const next = share > 0 ? this.frames.frame(Math.min(index + 1, this.frames.count - 1)) : frame;
    this.at = at;
    if (this.keys) this.moveCamera(this.keys, at);
    if (this.follows !== null) this.followTo(frame, next, share);
    this.rests.show(index, this.colours);
    this.cloud.clear();
    this.solids.clear();
    for (const set of this.frames.sets) {
      if (set.shape === SHAPE.SPHERE) this.addSpheres(set, frame, next, share);
      else if (set.shape !== SHAPE.PLANE) this.addSolids(set, frame, next, share);
    }
    this.cloud.finish();
    this.solids.finish();
    this.fitDepth();
  }

  addSpheres(set, frame, next, share) {
    const { half } = this.frames.instances;
    const { position } = this;
    for (let instance = set.start; instance < set.start + set.count; ++instance) {
      if (!frame.present[instance]) continue;
      this.mix(frame, next, share, instance);
      this.cloud.add(position, half[3 * instance], this.colours.of(instance, frame, position[2]), this.colours.opacityOf(instance) ?? 1);
    }
  }

  addSolids(set, frame, next, share) {
    for (let instance = set.start; instance < set.start + set.count; ++instance) {
      if (!frame.present[instance]) continue;
      this.mix(frame, next, share, instance);
      this.mixRotation(frame, next, share, instance);
      const colour = this.colours.of(instance, frame, this.position[2]);
      const opacity = this.colours.opacityOf(instance);
      this.solids.add(set.shape, instance, this.position, this.rotation, this.solids.materialFor(opacity, this.isWall(set, instance)), colour);
      if (set.shape === SHAPE.CAPSULE) this.addCaps(instance, colour, opacity ?? 1);
    }
  }

  addCaps(instance, colour, opacity) {
    const { half } = this.frames.instances;
    const [w, x, y, z] = this.rotation;
    const axis = [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
    for (const sign of [-1, 1]) {
      const p = axis.map((a, k) => this.position[k] + sign * half[3 * instance + 2] * a);
      this.cloud.add(p, half[3 * instance], colour, opacity);
    }
  }

  // Fixed boxes that reach above the ground occlude grains and may be glass; all that is fixed may be hidden if the reader
  // asks. A heightfield is ground, whatever becomes of walls.
  isWall(set, instance) {
    if (this.frames.instances.kind[instance] !== 1 || set.shape === SHAPE.HEIGHTFIELD) return false;
    if (this.walls !== "glass") return true;
    return set.shape === SHAPE.BOX && this.position[2] > this.low.z + 0.04 * (this.high.z - this.low.z);
  }

  set wallsAre(how) {
    this.walls = how;
    this.solids.walls = how;
  }

  // Is the eye on the lower side along this axis?
  isSeenFromBelow(axis) {
    return this.camera.position.getComponent(axis) < this.controls.target.getComponent(axis);
  }

  // axis: 0, 1, 2 or -1 for none; share: of the subject's extent; what lies beyond is not shown.
  cut(axis, share, flipped) {
    const normal = new THREE.Vector3();
    if (axis < 0) {
      this.cutPlane.set(normal.set(-1, 0, 0), 1e9);
      this.cloud.cut = this.rests.cut = new THREE.Vector4(0, 0, 0, 1);
      return null;
    }
    const at = this.low.getComponent(axis) + share * (this.high.getComponent(axis) - this.low.getComponent(axis));
    const sign = flipped ? -1 : 1;
    normal.setComponent(axis, sign);
    this.cloud.cut = this.rests.cut = new THREE.Vector4(normal.x, normal.y, normal.z, sign * at);
    this.cutPlane.set(normal.negate(), sign * at);
    return at;
  }

  // The body of the nearest sphere under a point of the picture (-1 to 1), or null.
  pick(x, y) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
    const { origin, direction } = ray.ray;
    const centre = new THREE.Vector3();
    let best = { distance: Infinity, id: null };
    const frame = this.frames.frame(this.shownFrame ?? 0);
    for (const set of this.frames.sets.filter(({ shape }) => shape !== SHAPE.PLANE)) {
      for (let instance = set.start; instance < set.start + set.count; ++instance) {
        if (!frame.present[instance] || this.frames.instances.kind[instance] === 1) continue;
        const radius = this.colours.radius[instance];
        centre.fromArray(frame.position, 3 * instance).sub(origin);
        const along = centre.dot(direction);
        if (along > 0 && along < best.distance && centre.lengthSq() - along * along < radius * radius) best = { distance: along, id: this.frames.instances.id[instance] };
      }
    }
    return this.rests.pick(ray.ray, this.shownFrame ?? 0, best).id;
  }
}

export function makeControls(canvas) {
  const camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1.6, 0.01, 100);
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, canvas);
  controls.enableZoom = false; // until the picture has the focus: the wheel scrolls the page
  return { camera, controls };
}

export function makeRenderer(canvas) {
  // Opaque, so that the browser need not blend it with the page. Edges are smoothed by resolution.js.
  const context = canvas.getContext("webgl2", { alpha: false, antialias: false, powerPreference: "high-performance" });
  if (!context) throw new Error("no WebGL");
  const renderer = new THREE.WebGLRenderer({ canvas, context });
  renderer.localClippingEnabled = true;
  return renderer;
}
