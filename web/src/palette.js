// SPDX-License-Identifier: BSD-3-Clause
// Colours, as scree render has them (src/view/colour/palette.c): computed in OKLab, where equal distances look equally different.

function toLinear([l0, a, b]) {
  const l = (l0 + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (l0 - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (l0 - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((x) => Math.min(Math.max(x, 0), 1));
}

function polar(lightness, chroma, degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

// Linear RGB, 0 to 1.
export const oklch = (lightness, chroma, degrees) => toLinear(polar(lightness, chroma, degrees));

export function css(linear) {
  const encoded = linear.map((x) => Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055)));
  return `rgb(${encoded.join(" ")})`;
}

// Linear RGB of "#rrggbb".
export function linear(hex) {
  const channel = (k) => parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16) / 255;
  return [0, 1, 2].map(channel).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
}

// For quantities: indigo over teal to yellow, ever lighter, at constant speed through OKLab.
const STEPS = 256;
export const scale = (() => {
  const fine = 2048;
  const at = (t) => polar(0.4 + 0.51 * t, 0.145 - 0.19 * t + 0.22 * t * t, 285 - 183 * t);
  const walked = [0];
  for (let i = 1; i <= fine; ++i) {
    const p = at((i - 1) / fine);
    const q = at(i / fine);
    walked.push(walked[i - 1] + Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
  }
  const colours = [];
  for (let step = 0, i = 0; step < STEPS; ++step) {
    while (i < fine && walked[i] < (walked[fine] * step) / (STEPS - 1)) ++i;
    colours.push(toLinear(at(i / fine)));
  }
  return colours;
})();

export function scaleAt(share) {
  return scale[Math.round(Math.min(Math.max(share, 0), 1) * (STEPS - 1))];
}

// For kinds of things: ochre, slate, brick, sage, plum, sky, straw, pine.
const categories = [
  [0.75, 0.115, 70], [0.52, 0.05, 245], [0.6, 0.135, 35], [0.71, 0.09, 140],
  [0.48, 0.105, 340], [0.8, 0.07, 225], [0.87, 0.095, 95], [0.45, 0.07, 175],
].map((colour) => oklch(...colour));
export const category = (index) => categories[index % categories.length];

// For curves: as dark as text needs on light paper, lighter on dark.
const hues = [245, 45, 150, 330, 85, 200, 20, 290];
export function curve(index, dark) {
  const round = Math.floor(index / hues.length) % 3;
  const lightness = (dark ? 0.76 : 0.55) + (dark ? -0.1 : 0.1) * round;
  return css(oklch(lightness, hues[index % hues.length] === 85 ? 0.11 : 0.125, hues[index % hues.length]));
}
