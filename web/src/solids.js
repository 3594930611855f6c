// Shapes with corners, edges and axes: one mesh for each sort, drawn many times.
import * as THREE from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";

export const SHAPE = { SPHERE: 0, ELLIPSOID: 1, BOX: 2, CAPSULE: 3, CYLINDER: 4, CONE: 5, HULL: 6, MESH: 7, HEIGHTFIELD: 8, PLANE: 9 };

const CREASE = 0.56; // rad; edges that turn by more stay sharp
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

// The instances of one geometry: solid ones, and walls, which may be glass.
class Sort {
  constructor(geometry, capacity, materials, group) {
    this.meshes = ["solid", "wall"].map((name) => {
      const mesh = new THREE.InstancedMesh(geometry, materials[name], Math.max(capacity, 1));
      mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
      mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * Math.max(capacity, 1)), 3);
      mesh.frustumCulled = false;
      mesh.renderOrder = name === "wall" ? 1 : 0;
      group.add(mesh);
      return mesh;
    });
  }

  clear() {
    for (const mesh of this.meshes) mesh.count = 0;
  }

  add(wall, matrix, colour) {
    const mesh = this.meshes[wall ? 1 : 0];
    mesh.setMatrixAt(mesh.count, matrix);
    mesh.instanceColor.setXYZ(mesh.count++, colour[0], colour[1], colour[2]);
  }

  finish() {
    for (const mesh of this.meshes) {
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
    const look = { side: THREE.DoubleSide, clippingPlanes: planes };
    this.materials = {
      solid: new THREE.MeshLambertMaterial(look),
      wall: new THREE.MeshLambertMaterial({ ...look, transparent: true, depthWrite: false, opacity: 0.16 }),
    };
    this.sorts = new Map();
    this.frames = frames;
    this.matrix = new THREE.Matrix4();
    this.place = new THREE.Vector3();
    this.turn = new THREE.Quaternion();
    this.size = new THREE.Vector3();
    const capacity = new Map();
    for (const set of frames.sets) {
      for (let slot = set.start; slot < set.start + set.count; ++slot) {
        const key = this.keyOf(set.shape, slot);
        if (key !== null) capacity.set(key, (capacity.get(key) ?? 0) + 1);
      }
    }
    for (const [key, count] of capacity) {
      const surface = key.startsWith("surface") ? frames.surface(Number(key.slice(8))) : null;
      if (key.startsWith("surface") && !surface) continue; // too large for the page
      const geometry = surface ? surfaceGeometry(surface) : unitGeometry(Number(key));
      this.sorts.set(key, new Sort(geometry, count, this.materials, this.group));
    }
  }

  keyOf(shape, slot) {
    if (shape === SHAPE.SPHERE || shape === SHAPE.PLANE) return null;
    const surface = this.frames.slots.surface[slot];
    return surface >= 0 ? `surface ${surface}` : String(shape);
  }

  // "glass", "solid" or "hidden"
  set walls(how) {
    const wall = this.materials.wall;
    wall.visible = how !== "hidden";
    wall.transparent = how === "glass";
    wall.depthWrite = how !== "glass";
    wall.opacity = how === "glass" ? 0.16 : 1;
    wall.needsUpdate = true;
  }

  clear() {
    for (const sort of this.sorts.values()) sort.clear();
  }

  add(shape, slot, position, rotation, wall, colour) {
    const sort = this.sorts.get(this.keyOf(shape, slot));
    if (!sort) return;
    const { half, surface } = this.frames.slots;
    this.place.fromArray(position);
    this.turn.set(rotation[1], rotation[2], rotation[3], rotation[0]);
    if (surface[slot] >= 0) this.size.set(1, 1, 1);
    else this.size.fromArray(half, 3 * slot);
    sort.add(wall, this.matrix.compose(this.place, this.turn, this.size), colour);
  }

  finish() {
    for (const sort of this.sorts.values()) sort.finish();
  }
}
