// SPDX-License-Identifier: MIT OR Apache-2.0
// Elements of the page. Text is always text: nothing of the data is read as markup.

const byId = (id) => document.getElementById(id);

/** A new element with attributes and children, which are elements or text. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

/** Puts children in the place of those that an element has. */
function fill(id, ...children) {
  byId(id).replaceChildren(...children.filter((child) => child !== undefined && child !== null));
}

/** Options of a select element: pairs of value and text. */
function fillOptions(id, options, chosen) {
  fill(id, ...options.map(([value, text]) => element("option", { value }, text)));
  byId(id).value = chosen;
}

/** A button that looks like a link, to go to another rank or phase. */
function jump(text, name, go) {
  return element("button", { type: "button", class: "link", "aria-label": name, click: go }, text);
}

/** A number that says to whoever asks exactly what it is. */
function exact(number, text) {
  return element("data", { value: String(number) }, text);
}
