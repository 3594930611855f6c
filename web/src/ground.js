// SPDX-License-Identifier: BSD-3-Clause
// The ground: a disc that fades into the sky, with lines to judge lengths by. Colours are those of corners, mixed between
// them: the cheapest thing to draw, for it fills the picture.
import * as THREE from "three";

const RINGS = 12;
const SPOKES = 48;
const NEAR = 1.1; // radii of the subject at which the ground begins to fade ...
const FAR = 3.5; // ... and where it is gone
const PIECES = 16; // of a line, each with its own colours

export class Ground {
  constructor(middle, radius) {
    this.radius = radius;
    // A power of ten that gives 6 to 60 squares across the subject; every tenth line is stronger.
    this.spacing = 10 ** Math.floor(Math.log10(radius / 3));
    this.object = new THREE.Group();
    this.object.position.copy(middle);
    this.disc = new THREE.Mesh(discGeometry(radius), material(THREE.MeshBasicMaterial));
    this.lines = new THREE.LineSegments(this.lineGeometry(middle), material(THREE.LineBasicMaterial));
    this.disc.renderOrder = -2; // below everything that lies on it
    this.lines.renderOrder = -1;
    this.object.add(this.disc, this.lines);
  }

  // Through whole multiples of the spacing, whatever the middle is.
  lineGeometry(middle) {
    const positions = [];
    this.strong = [];
    const reach = FAR * this.radius;
    const first = (k) => Math.ceil((middle.getComponent(k) - reach) / this.spacing);
    const last = (k) => Math.floor((middle.getComponent(k) + reach) / this.spacing);
    for (const axis of [0, 1]) {
      for (let n = first(axis); n <= last(axis); ++n) {
        const offset = n * this.spacing - middle.getComponent(axis);
        const half = Math.sqrt(Math.max(reach * reach - offset * offset, 0));
        for (let i = 0; i < PIECES; ++i) {
          for (const end of [i, i + 1]) {
            const along = half * ((2 * end) / PIECES - 1);
            positions.push(axis === 0 ? offset : along, axis === 0 ? along : offset, 0);
            this.strong.push(n % 10 === 0);
          }
        }
      }
    }
    return coloured(positions);
  }

  paint(ground, line, sky) {
    const [g, l, s] = [ground, line, sky].map((colour) => new THREE.Color(colour));
    const mixed = new THREE.Color();
    const paint = (geometry, base) => {
      const { position, color } = geometry.attributes;
      for (let i = 0; i < position.count; ++i) {
        const away = Math.hypot(position.getX(i), position.getY(i)) / this.radius;
        const t = Math.min(Math.max((away - NEAR) / (FAR - NEAR), 0), 1);
        mixed.copy(base(i)).lerp(s, t * t * (3 - 2 * t));
        color.setXYZ(i, mixed.r, mixed.g, mixed.b);
      }
      color.needsUpdate = true;
    };
    const weak = g.clone().lerp(l, 0.45);
    paint(this.disc.geometry, () => g);
    paint(this.lines.geometry, (i) => (this.strong[i] ? l : weak));
  }
}

function material(Kind) {
  return new Kind({ vertexColors: true, depthWrite: false, side: THREE.DoubleSide });
}

function coloured(positions) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(new Float32Array(positions.length), 3));
  return geometry;
}

function discGeometry(radius) {
  const positions = [0, 0, 0];
  const corners = [];
  for (let ring = 1; ring <= RINGS; ++ring) {
    for (let spoke = 0; spoke < SPOKES; ++spoke) {
      const [away, angle] = [(FAR * radius * ring) / RINGS, (2 * Math.PI * spoke) / SPOKES];
      positions.push(away * Math.cos(angle), away * Math.sin(angle), 0);
      const at = (r, k) => (r === 0 ? 0 : 1 + (r - 1) * SPOKES + (k % SPOKES));
      const [a, b, c, d] = [at(ring - 1, spoke), at(ring, spoke), at(ring, spoke + 1), at(ring - 1, spoke + 1)];
      corners.push(a, b, c);
      if (ring > 1) corners.push(a, c, d);
    }
  }
  return coloured(positions).setIndex(corners);
}
