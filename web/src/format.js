// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people like to read them.

const thin = "\u202f"; // between a number and its unit; no line ends there
const minus = "\u2212";

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

export function count(value) {
  return isNumber(value) ? Math.round(value).toLocaleString("en-GB") : "–";
}

// Three digits: 341, 0.0125, 1.2e-7.
export function figure(value, digits = 3) {
  if (!isNumber(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  let text;
  if (size >= 1e6 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    text = `${trim(mantissa)}e${Number(exponent)}`;
  } else {
    text = size >= 10 ** digits ? Math.round(value).toLocaleString("en-GB") : trim(value.toPrecision(digits));
  }
  return text.replaceAll("-", minus);
}

function trim(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

const prefixes = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

// 0.00042 m is 0.42 mm.
export function quantity(value, unit, digits = 3) {
  if (!isNumber(value)) return "–";
  if (value === 0) return `0${thin}${unit}`;
  const [scale, prefix] = prefixes.find(([at]) => Math.abs(value) >= at * 0.9995) ?? prefixes.at(-1);
  return `${figure(value / scale, digits)}${thin}${prefix}${unit}`;
}

export function bytes(value) {
  return quantity(value, "B");
}

// 0.42 s, 12 s, 3 min 05 s, 2 h 07 min
export function duration(seconds) {
  if (!isNumber(seconds)) return "–";
  if (seconds < 100) return quantity(seconds, "s");
  const two = (n) => String(Math.floor(n)).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h ${two((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} days ${Math.floor((seconds % 86400) / 3600)} h`;
}

export function percent(share) {
  return isNumber(share) ? `${figure(100 * share, 2)}${thin}%` : "–";
}
