// SPDX-License-Identifier: BSD-3-Clause
// Light and dark: as the system has it, unless the reader chooses.

const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = [];

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

// A colour or font of page.css as it is now.
export function token(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function onTheme(listener) {
  listeners.push(listener);
}

function changed() {
  for (const listener of listeners) listener();
}

// What the reader chose; undefined: nothing.
export function theme() {
  return document.documentElement.dataset.theme;
}

export function useTheme(name) {
  if (name === undefined) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  changed();
}

export function toggleTheme() {
  useTheme(isDark() ? "light" : "dark");
}

system.addEventListener("change", changed);
