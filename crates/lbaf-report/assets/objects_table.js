// SPDX-License-Identifier: MIT OR Apache-2.0
// Table of the objects on the page.

function showObjectsTable({ run, phase }) {
  const { detail } = phase;
  byId("objects-note").textContent = detail ? notes(detail.objects) : "These data are not on this page; the remarks at the top explain why.";
  byId("objects-table").hidden = !detail;
  if (!detail) return;
  lazy.draw(byId("objects-table"), () => {
    const [id, flags, load, from, to] = ["id", "flags", "load", "from", "to"].map((key) => numbers(detail.objects[key]));
    const isSequence = (at) => (flags[at] & 2) !== 0;
    const fate = (at) => (from[at] !== to[at] ? "migrates" : flags[at] & 1 ? "stays" : "non-migratable");
    const name = (at) => `${isSequence(at) ? "seq_id " : ""}${id[at]}`;
    const text = [name, (at) => String(single(load[at])), fate, (at) => String(from[at]), (at) => String(to[at])];
    const key = [(at) => id[at], (at) => load[at], fate, (at) => from[at], (at) => to[at]];
    const go = (rank) => jump(String(rank), `Show rank ${rank}`, () => state.set({ rank }));
    fill("objects-table", longTable(`Objects in phase ${phase.number}${ofRun(run)}`, ["object", "load (s)", "change", "from rank", "to rank"], {
      n: from.length,
      row: (at) => [name(at), amount(load[at], "seconds"), fate(at), go(from[at]), go(to[at])],
      text: (at, column) => text[column](at),
      key: (at, column) => key[column](at),
    }, { sorts: true, searched: [0, 2, 3, 4], name: "objects", first: 1 }));
  });

  function notes({ from, per_rank: most }) {
    return from.n < phase.n_objects ? `The table lists the ${from.n} of ${phase.n_objects} objects that are among the ${most} largest of their rank before or after.` : `The table lists all ${counted(phase.n_objects, "object")}.`;
  }
}
