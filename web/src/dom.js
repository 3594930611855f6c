// SPDX-License-Identifier: BSD-3-Clause
// Elements. Text from runs only ever becomes text nodes and attribute values, never markup.

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return made;
}

// A select's options are part of its label's text: say its name apart.
export function named(name, input) {
  input.setAttribute("aria-label", name);
  return input;
}

// A labelled control, for the bars above plots and below the player.
export function control(label, input, ...after) {
  if (input.matches("select, input")) named(label, input);
  return element("label", { class: "control" }, element("span", {}, label), input, ...after);
}

// choices: [value, text] pairs.
export function choice(choices, chosen, change) {
  const select = element("select", { onchange: () => change(select.value) });
  for (const [value, text] of choices) select.append(element("option", { value, selected: value === chosen }, text));
  return select;
}

export function check(label, change) {
  const box = element("input", { type: "checkbox", onchange: () => change(box.checked) });
  return element("label", { class: "control check" }, box, element("span", {}, label));
}

export function save(name, text, type = "text/csv") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function section(title, ...children) {
  return element("section", {}, element("h2", {}, title), ...children);
}
