// SPDX-License-Identifier: MIT OR Apache-2.0
// A selection that is part of the address, so a link reproduces the view.

/** The selection with these defaults. If an address has only some of the settings, the others are kept. `sensible` replaces invalid settings in a complete selection and returns it. */
function selection(defaults, sensible) {
  const chosen = { ...defaults };
  const listeners = [];

  /** The settings in the address whose values have the right type. */
  function fromAddress() {
    const said = {};
    for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
      if (!(key in defaults)) continue;
      const value = typeof defaults[key] === "number" ? Number(text) : text;
      if (typeof value === "string" || Number.isInteger(value)) said[key] = value;
    }
    return said;
  }

  function set(wanted) {
    const kept = sensible({ ...chosen, ...wanted });
    const changed = Object.keys(kept).filter((key) => kept[key] !== chosen[key]);
    if (changed.length === 0) return;
    Object.assign(chosen, kept);
    const address = `#${new URLSearchParams(Object.entries(chosen).map(([key, value]) => [key, String(value)]))}`;
    if (location.hash !== address) history.replaceState(null, "", address);
    for (const listener of listeners) listener(new Set(changed));
  }

  Object.assign(chosen, sensible({ ...chosen, ...fromAddress() }));
  window.addEventListener("hashchange", () => set(fromAddress()));
  return { chosen, set, listen: (listener) => listeners.push(listener) };
}
