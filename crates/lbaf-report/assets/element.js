// SPDX-License-Identifier: MIT OR Apache-2.0
// Elements of the page. Data are inserted only as text, never as markup.

const byId = (id) => document.getElementById(id);

/** A new element with attributes and children; children are elements or text. */
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

/** Replaces the children of an element. */
function fill(id, ...children) {
  byId(id).replaceChildren(...children.filter((child) => child !== undefined && child !== null));
}

/** Sets the options of a select element, given as pairs of value and text. */
function fillOptions(id, options, chosen) {
  fill(id, ...options.map(([value, text]) => element("option", { value }, text)));
  byId(id).value = chosen;
}

/** A button in the style of a link, which selects another rank, phase or cell. */
function jump(text, name, go) {
  return element("button", { type: "button", class: "link", "aria-label": name, click: go }, text);
}

/** An element with a rounded number as text and the exact number as value. */
function exact(number, text) {
  return element("data", { value: String(number) }, text);
}

/** A cell with a number of six digits, and the exact number as value; empty if the number is unknown. */
function known(number) {
  return number === null || number === undefined ? "" : exact(number, significant(number));
}

/** A cell with a load, volume or count from packed numbers, and the number as value. */
function amount(number, unit) {
  return exact(single(number), inColumn(number, unit));
}
