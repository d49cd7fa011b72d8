// SPDX-License-Identifier: MIT OR Apache-2.0
// A selection in the address, so that a link reproduces the view.

/** The selection with these defaults. Settings that an address lacks stay as they are. `sensible` returns the selection with invalid settings replaced. */
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
