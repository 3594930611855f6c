// SPDX-License-Identifier: BSD-3-Clause
// Many spheres: each is a square that faces the viewer, on which the sphere is found by intersecting the ray of every
// pixel with it. Round at any size, and exact where spheres and walls meet.
//
// The centres are in a texture. Instances would be the usual way, but graphics in software draw them one by one, ten
// times slower. Where spheres are small and many, squares are points of GL: a quarter of the work for corners. Points
// have a largest size and vanish when their centre leaves the picture, so large spheres are two triangles each.
import * as THREE from "three";

export const ROW = 1024; // spheres in a row of the textures
const MANY = 2000; // spheres, from which on points pay
const POINT_MOST = 48; // pixels; the largest radius of a point

const vertexShader = /* glsl */ `
  uniform highp sampler2D balls;  // centre and radius, m
  uniform sampler2D tints;
  uniform vec4 cut;               // what lies beyond the plane is not shown
  uniform float pixels;           // height of the picture
  #ifdef RESTS
  uniform highp usampler2D spans; // first and last frame in which a sphere is there
  uniform float frame;
  uniform float least;            // pixels; no sphere is drawn smaller
  #endif
  flat varying vec3 vCentre;      // of the sphere, seen from the eye
  flat varying vec4 vTint;        // and the radius
  flat varying float vOpacity;
  #ifdef POINTS
  flat varying float vReach;      // half the square's size
  #else
  varying vec3 vOffset;           // from the centre to this point of the square
  #endif

  #ifdef POINTS
  // Half the width of what one sees of a sphere, in tangents, on both sides of its centre at x.
  float halfWidth(float x, float z, float r) {
    float d = z * z - r * r;
    return (abs(x) * r * r / z + r * sqrt(x * x + d)) / d;
  }
  #endif

  void main() {
    #ifdef POINTS
    int sphere = gl_VertexID;
    #else
    int sphere = gl_VertexID / 4, corner = gl_VertexID % 4;
    #endif
    ivec2 texel = ivec2(sphere % ROW, sphere / ROW);
    vec4 ball = texelFetch(balls, texel, 0);
    vec3 centre = (modelViewMatrix * vec4(ball.xyz, 1.0)).xyz;
    vCentre = centre;
    vec4 tint = texelFetch(tints, texel, 0);
    vTint = vec4(tint.rgb, ball.w);
    vOpacity = tint.a;
    #ifdef RESTS
    uvec2 span = texelFetch(spans, texel, 0).xy;
    bool there = float(span.x) <= frame && frame <= float(span.y);
    ball.w = max(ball.w, 2.0 * least * length(centre) / (pixels * projectionMatrix[1][1]));
    vTint.w = ball.w;
    #else
    const bool there = true;
    #endif
    bool shown = there && dot(cut.xyz, ball.xyz) <= cut.w && dot(centre, centre) > ball.w * ball.w;
    #ifdef POINTS
    float reach = max(halfWidth(centre.x, -centre.z, ball.w), halfWidth(centre.y, -centre.z, ball.w));
    vReach = -centre.z * reach;
    gl_PointSize = pixels * projectionMatrix[1][1] * reach;
    gl_Position = projectionMatrix * vec4(centre, 1.0);
    #else
    float distance2 = dot(centre, centre);
    vec3 towards = centre * inversesqrt(distance2);
    vec3 right = normalize(cross(towards, vec3(0.0, 1.0, 0.0)));
    vec3 up = cross(right, towards);
    float reach = ball.w * sqrt(distance2 / max(distance2 - ball.w * ball.w, 1e-30));
    vOffset = reach * ((corner % 3 == 0 ? -1.0 : 1.0) * right + (corner < 2 ? -1.0 : 1.0) * up);
    gl_Position = projectionMatrix * vec4(centre + vOffset, 1.0);
    #endif
    if (!shown) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
  }`;

const fragmentShader = /* glsl */ `
  uniform mat4 projectionMatrix;
  uniform vec3 sun;     // where light comes from, seen from the eye
  uniform vec3 zenith;  // up, seen from the eye
  flat varying vec3 vCentre;
  flat varying vec4 vTint;
  flat varying float vOpacity;
  #ifdef POINTS
  flat varying float vReach;
  #else
  varying vec3 vOffset;
  #endif
  // Spheres that one sees through leave out pixels, on a pattern that looks random (J. Jimenez, 2014): no order matters.
  bool isLeftOut() {
    return vOpacity < 1.0 && fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) >= vOpacity;
  }
  void main() {
    if (isLeftOut()) discard;
    #ifdef POINTS
    vec3 offset = vec3(vReach * (2.0 * gl_PointCoord.x - 1.0), vReach * (1.0 - 2.0 * gl_PointCoord.y), 0.0);
    #else
    vec3 offset = vOffset;
    #endif
    vec3 ray = normalize(vCentre + offset);
    // From the centre to the nearest point of the ray. Made from the offset, which is small, it is exact from afar.
    vec3 aside = offset - dot(offset, ray) * ray;
    float radius = vTint.w;
    float inside = radius * radius - dot(aside, aside);
    if (inside < 0.0) discard;
    vec3 outward = aside - sqrt(inside) * ray;
    vec3 normal = outward / radius;
    float z = vCentre.z + outward.z;
    gl_FragDepth = 0.5 - 0.5 * (projectionMatrix[2][2] + projectionMatrix[3][2] / z);
    float sky = 0.5 + 0.5 * dot(normal, zenith);
    float light = 0.30 + 0.32 * sky + 0.62 * max(dot(normal, sun), 0.0);
    // Tints are encoded for screens, with a power of about 1/2; so is the light.
    gl_FragColor = vec4(vTint.rgb * sqrt(light), 1.0);
  }`;

const ENCODED = 1024;
const encoded = Uint8Array.from({ length: ENCODED }, (_, i) => 255 * Math.sqrt(i / (ENCODED - 1)));

// The colour of a texel; colour: linear RGB, 0 to 1.
export function encodeColour(colour, tints, at) {
  for (let k = 0; k < 3; ++k) tints[at + k] = encoded[Math.round((ENCODED - 1) * Math.min(colour[k], 1))];
}

export function sphereMaterial(defines, uniforms) {
  return new THREE.ShaderMaterial({ vertexShader, fragmentShader, defines: { ROW, ...defines }, uniforms });
}

export function texture(array, type) {
  const made = new THREE.DataTexture(array, ROW, array.length / 4 / ROW, THREE.RGBAFormat, type);
  made.needsUpdate = true;
  return made;
}

function indexed(corners) {
  return new THREE.BufferGeometry().setIndex(new THREE.BufferAttribute(corners, 1));
}

function squares(count) {
  const corners = new Uint32Array(6 * count);
  for (let i = 0; i < count; ++i) corners.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i, 4 * i + 2, 4 * i + 3], 6 * i);
  return indexed(corners);
}

export class Cloud {
  // light: uniforms; largest: radius of the largest sphere, m.
  constructor(capacity, light, largest) {
    const size = 4 * ROW * Math.max(Math.ceil(capacity / ROW), 1);
    this.largest = largest;
    this.balls = new Float32Array(size);
    this.tints = new Uint8Array(size);
    this.textures = [texture(this.balls, THREE.FloatType), texture(this.tints, THREE.UnsignedByteType)];
    this.cutAt = { value: new THREE.Vector4(0, 0, 0, 1) };
    this.pixels = { value: 1 };
    const uniforms = { ...light, balls: { value: this.textures[0] }, tints: { value: this.textures[1] }, cut: this.cutAt, pixels: this.pixels };
    this.squares = new THREE.Mesh(squares(capacity), sphereMaterial({}, uniforms));
    this.points = new THREE.Points(indexed(Uint32Array.from({ length: capacity }, (_, i) => i)), sphereMaterial({ POINTS: 1 }, uniforms));
    this.object = new THREE.Group().add(this.squares, this.points);
    this.squares.frustumCulled = this.points.frustumCulled = false;
    this.clear();
  }

  clear() {
    this.count = 0;
  }

  // colour: linear RGB, 0 to 1; opacity: 0 to 1.
  add(position, radius, colour, opacity) {
    const { balls, tints } = this;
    const at = 4 * this.count++;
    balls[at] = position[0];
    balls[at + 1] = position[1];
    balls[at + 2] = position[2];
    balls[at + 3] = radius;
    tints[at + 3] = Math.round(255 * opacity);
    encodeColour(colour, tints, at);
  }

  finish() {
    this.squares.geometry.setDrawRange(0, 6 * this.count);
    this.points.geometry.setDrawRange(0, this.count);
    for (const each of this.textures) each.needsUpdate = true;
  }

  // Before drawing. nearest: how near to the eye a sphere may be, m; height: of the picture in pixels.
  prepare(camera, nearest, height) {
    this.pixels.value = height;
    const radius = (0.5 * height * camera.projectionMatrix.elements[5] * this.largest) / Math.max(nearest, 1e-30);
    const asPoints = this.count > MANY && radius < POINT_MOST;
    this.points.visible = this.count > 0 && asPoints;
    this.squares.visible = this.count > 0 && !asPoints;
  }

  set cut(plane) {
    this.cutAt.value.copy(plane);
  }
}
