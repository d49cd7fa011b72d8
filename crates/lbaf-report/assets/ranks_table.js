// SPDX-License-Identifier: MIT OR Apache-2.0
// Table of all ranks with all quantities.

function showRanksTable({ run, phase, rank: chosen }) {
  const there = run.quantities.map((quantity, at) => ({ quantity, ...phase.quantities[at] })).filter(({ before, after }) => before.values && after.values);
  const columns = there.flatMap(({ quantity, before, after }) => [
    { quantity, when: "before", values: before.values }, { quantity, when: "after", values: after.values },
  ]);
  byId("ranks-table").hidden = columns.length === 0;
  if (columns.length === 0) return;
  lazy.draw(byId("ranks-table"), () => {
    const all = columns.map(({ values }) => numbers(values));
    const value = (rank, column) => (column === 0 ? rank : all[column - 1][rank]);
    fill("ranks-table", longTable(`All ranks in phase ${phase.number}${ofRun(run)}`, ["rank", ...columns.map(({ quantity, when }) => `${titled(quantity)} ${when}`)], {
      n: run.n_ranks,
      row: (rank) => ({
        chosen: rank === chosen,
        cells: [jump(String(rank), `Show rank ${rank}`, () => state.set({ rank })), ...columns.map(({ quantity }, at) => amount(all[at][rank], quantity.unit))],
      }),
      text: (rank, column) => String(single(value(rank, column))),
      key: value,
    }, { sorts: true, searched: [0], name: "all ranks" }));
  });
}
