// SPDX-License-Identifier: BSD-3-Clause
// Shapes with corners, edges and axes: one mesh for each kind, drawn many times.
import * as THREE from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";

export const SHAPE = { SPHERE: 0, ELLIPSOID: 1, BOX: 2, CAPSULE: 3, CYLINDER: 4, CONE: 5, HULL: 6, MESH: 7, HEIGHTFIELD: 8, PLANE: 9 };

const CREASE = 0.56; // rad; edges at which the normal changes by more stay sharp
const GLASS = 0.16; // opacity of walls of glass
const SMOOTH_TRIANGLES = 200_000; // larger surfaces are shown with flat triangles

// Of half size 1 along every axis; a capsule is this tube, and two spheres at its ends.
function unitGeometry(shape) {
  const along = (geometry) => geometry.rotateX(Math.PI / 2); // three's axes are along y
  if (shape === SHAPE.ELLIPSOID) return new THREE.IcosahedronGeometry(1, 3);
  if (shape === SHAPE.CAPSULE) return along(new THREE.CylinderGeometry(1, 1, 2, 24, 1, true));
  if (shape === SHAPE.CYLINDER) return along(new THREE.CylinderGeometry(1, 1, 2, 32));
  if (shape === SHAPE.CONE) return along(new THREE.ConeGeometry(1, 2, 32));
  return new THREE.BoxGeometry(2, 2, 2);
}

function surfaceGeometry({ vertex, triangle }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(vertex, 3));
  geometry.setIndex(new THREE.BufferAttribute(triangle, 1));
  if (triangle.length / 3 <= SMOOTH_TRIANGLES) return toCreasedNormals(geometry, CREASE);
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

// The instances of one geometry: a mesh for each material that they have. Most are solid; walls may be glass.
class InstanceGroup {
  constructor(geometry, capacity, parent) {
    Object.assign(this, { geometry, capacity: Math.max(capacity, 1), parent, meshes: new Map() });
  }

  meshOf(material) {
    if (this.meshes.has(material)) return this.meshes.get(material);
    const mesh = new THREE.InstancedMesh(this.geometry, material, this.capacity);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * this.capacity), 3);
    mesh.frustumCulled = false;
    mesh.renderOrder = material.transparent ? 1 : 0;
    mesh.count = 0;
    this.parent.add(mesh);
    this.meshes.set(material, mesh);
    return mesh;
  }

  clear() {
    for (const mesh of this.meshes.values()) mesh.count = 0;
  }

  add(material, matrix, colour) {
    const mesh = this.meshOf(material);
    mesh.setMatrixAt(mesh.count, matrix);
    mesh.instanceColor.setXYZ(mesh.count++, colour[0], colour[1], colour[2]);
  }

  finish() {
    for (const mesh of this.meshes.values()) {
      mesh.visible = mesh.count > 0 && mesh.material.visible;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor.needsUpdate = true;
    }
  }
}

export class Solids {
  // frames: of the run; planes: that cut.
  constructor(frames, planes) {
    this.group = new THREE.Group();
    this.planes = planes;
    this.translucent = new Map(); // by opacity
    this.materials = { solid: this.material(1), wall: this.material(GLASS) };
    this.groups = new Map();
    this.frames = frames;
    this.matrix = new THREE.Matrix4();
    this.position = new THREE.Vector3();
    this.orientation = new THREE.Quaternion();
    this.size = new THREE.Vector3();
    const capacity = new Map();
    for (const set of frames.sets) {
      for (let instance = set.start; instance < set.start + set.count; ++instance) {
        const key = this.keyOf(set.shape, instance);
        if (key !== null) capacity.set(key, (capacity.get(key) ?? 0) + 1);
      }
    }
    for (const [key, count] of capacity) {
      const surface = key.startsWith("surface") ? frames.surface(Number(key.slice(8))) : null;
      if (key.startsWith("surface") && !surface) continue; // too large for the page
      const geometry = surface ? surfaceGeometry(surface) : unitGeometry(Number(key));
      this.groups.set(key, new InstanceGroup(geometry, count, this.group));
    }
  }

  material(opacity) {
    const transparent = opacity < 1;
    return new THREE.MeshLambertMaterial({ side: THREE.DoubleSide, clippingPlanes: this.planes, transparent, depthWrite: !transparent, opacity });
  }

  // opacity: that the scene gives, or null; wall: treated as the reader wants walls.
  materialFor(opacity, wall) {
    if (opacity === null) return wall ? this.materials.wall : this.materials.solid;
    if (opacity >= 1) return this.materials.solid;
    if (!this.translucent.has(opacity)) this.translucent.set(opacity, this.material(opacity));
    return this.translucent.get(opacity);
  }

  keyOf(shape, instance) {
    if (shape === SHAPE.SPHERE || shape === SHAPE.PLANE) return null;
    const surface = this.frames.instances.surface[instance];
    return surface >= 0 ? `surface ${surface}` : String(shape);
  }

  // "glass", "solid" or "hidden"
  set walls(how) {
    const wall = this.materials.wall;
    wall.visible = how !== "hidden";
    wall.transparent = how === "glass";
    wall.depthWrite = how !== "glass";
    wall.opacity = how === "glass" ? GLASS : 1;
    wall.needsUpdate = true;
  }

  clear() {
    for (const group of this.groups.values()) group.clear();
  }

  add(shape, instance, position, rotation, material, colour) {
    const group = this.groups.get(this.keyOf(shape, instance));
    if (!group) return;
    const { half, surface } = this.frames.instances;
    this.position.fromArray(position);
    this.orientation.set(rotation[1], rotation[2], rotation[3], rotation[0]);
    if (surface[instance] >= 0) this.size.set(1, 1, 1);
    else this.size.fromArray(half, 3 * instance);
    group.add(material, this.matrix.compose(this.position, this.orientation, this.size), colour);
  }

  finish() {
    for (const group of this.groups.values()) group.finish();
  }
}
