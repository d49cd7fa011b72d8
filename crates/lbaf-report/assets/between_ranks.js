// SPDX-License-Identifier: MIT OR Apache-2.0
// Matrices of ranks: communication before and after, and migrations. In large runs, a cell stands for a pair of groups.

const showBetweenRanks = (() => {
  const KINDS = [
    { id: "volume-before", name: "Volume before", unit: "bytes", of: (pairs) => [pairs.volumes, "before"], verb: "sends to" },
    { id: "volume-after", name: "Volume after", unit: "bytes", of: (pairs) => [pairs.volumes, "after"], verb: "sends to" },
    { id: "migration-flows", name: "Migrating objects", unit: "count", of: (pairs) => [pairs.migrations, "count"], verb: "gives objects to" },
  ];
  const charts = new Map();

  return (seen) => {
    const { run, phase } = seen;
    const { pairs } = phase;
    byId("between-note").textContent = pairs ? noteOf(run, pairs) : "These data are not on this page; the remarks at the top explain why.";
    for (const kind of KINDS) {
      const figure = byId(kind.id);
      const [columns] = pairs ? kind.of(pairs) : [];
      figure.hidden = !columns || columns.pair.n === 0;
      if (figure.hidden) continue;
      if (!charts.has(kind)) charts.set(kind, new Chart(kind.id));
      charts.get(kind).show(() => describe(seen, kind));
    }
    byId("pairs-tables").hidden = !pairs;
    if (pairs) lazy.draw(byId("pairs-tables"), () => fill("pairs-tables", volumesTable(seen), flowsTable(seen)));
  };

  function noteOf(run, { ranks_per_group: size, volumes, migrations }) {
    return [
      size > 1 ? `A cell is the sum over groups of ${size} consecutive ranks; volume between ranks of the same group is on the diagonal.` : "",
      volumes === null ? "The page has no volumes between ranks for this phase; the remarks at the top explain why." : volumes.pair.n === 0 ? "No rank sends to another rank." : "",
      migrations.pair.n === 0 ? "No object migrates." : "",
    ].filter(Boolean).join(" ");
  }

  /** The number of groups of ranks. */
  function groupsOf(run, pairs) {
    return Math.ceil(run.n_ranks / pairs.ranks_per_group);
  }

  /** The ranks of a group, in words. */
  function nameOf(run, { ranks_per_group: size }, group) {
    const [first, last] = [group * size, Math.min((group + 1) * size, run.n_ranks) - 1];
    return first === last ? `${first}` : `${first}-${last}`;
  }

  function describe({ run, phase }, kind) {
    const { pairs } = phase;
    const [columns, key] = kind.of(pairs);
    const n = groupsOf(run, pairs);
    const size = pairs.ranks_per_group;
    const dense = denseOf(columns, key, n);
    // Volumes before and after share a colour scale.
    const scaled = key === "count" ? [columns.count] : [columns.before, columns.after];
    const [least, most] = extremes(scaled);
    const shade = shadeOf(least, most, true);
    const cells = cellsOf(n, n, { width: size, height: size, square: true });
    const name = (group) => nameOf(run, pairs, group);
    return {
      walk: n * n, cells, file: `phase ${phase.number}`,
      option: () => ({
        // Fixed bounds keep the matrix square.
        grid: { left: 60, right: 20, top: 20, bottom: 60, outerBoundsMode: "none" },
        xAxis: rankAxis("to rank", n * size),
        yAxis: rankAxis("from rank", n * size, { inverse: true, nameGap: 42, nameRotate: 90 }),
        series: [cellSeries(cells, (column, row) => shade(dense[row * n + column]))],
      }),
      legend: [scaleEntry(least, most, kind.unit, true)],
      label: `Matrix: ${kind.name.toLowerCase()} between ${counted(run.n_ranks, "rank")} in phase ${phase.number}, ${counted(columns.pair.n, "pair")}, at most ${measured(most, kind.unit)}.`,
      caption: `${kind.name}, from the rank of the row to the rank of the column. Click a cell to show the ${size > 1 ? "first rank" : "rank"} of its row.`,
      tip: (place) => {
        const [to, from] = [place % n, Math.floor(place / n)];
        return [`${size > 1 ? "ranks" : "rank"} ${name(from)} ${kind.verb} ${name(to)}`, `${kind.name.toLowerCase()}: ${measured(dense[place], kind.unit)}`];
      },
      pick: (column, row) => state.set({ rank: Math.min(row * size, run.n_ranks - 1) }),
    };
  }

  /** All cells of a matrix, row by row. */
  function denseOf(columns, key, n) {
    const dense = new Float64Array(n * n);
    const [pair, values] = [numbers(columns.pair), numbers(columns[key])];
    for (let at = 0; at < pair.length; at += 1) dense[pair[at]] = values[at];
    return dense;
  }

  /** The smallest positive and the largest value. */
  function extremes(columns) {
    let [least, most] = [Infinity, 0];
    for (const column of columns) {
      for (const value of numbers(column)) {
        if (value > 0 && value < least) least = value;
        if (value > most) most = value;
      }
    }
    return [most > 0 ? least : 0, most];
  }

  function volumesTable({ run, phase }) {
    const { volumes } = phase.pairs;
    if (!volumes || volumes.pair.n === 0) return null;
    return pairsTable(run, phase, volumes, `Volume between ranks in phase ${phase.number}${ofRun(run)}`, [["before", "bytes"], ["after", "bytes"]]);
  }

  function flowsTable({ run, phase }) {
    const { migrations } = phase.pairs;
    if (migrations.pair.n === 0) return null;
    return pairsTable(run, phase, migrations, `Migrations between ranks in phase ${phase.number}${ofRun(run)}`, [["count", "count", "objects"], ["load", "seconds", "load (s)"], ["bytes", "bytes", "volume"]]);
  }

  /** A table of pairs of ranks or groups. `kinds` contains keys of columns, units and headings. */
  function pairsTable(run, phase, columns, caption, kinds) {
    const n = groupsOf(run, phase.pairs);
    const pair = numbers(columns.pair);
    const all = kinds.map(([key]) => numbers(columns[key]));
    const group = (at, column) => (column === 0 ? Math.floor(pair[at] / n) : pair[at] % n);
    const name = (at, column) => nameOf(run, phase.pairs, group(at, column));
    const what = phase.pairs.ranks_per_group > 1 ? "ranks" : "rank";
    return longTable(caption, [`from ${what}`, `to ${what}`, ...kinds.map(([key, , heading = key]) => heading)], {
      n: pair.length,
      row: (at) => [name(at, 0), name(at, 1), ...kinds.map(([, unit], column) => amount(all[column][at], unit))],
      text: (at, column) => (column < 2 ? name(at, column) : String(single(all[column - 2][at]))),
      key: (at, column) => (column < 2 ? group(at, column) : all[column - 2][at]),
    }, { sorts: true, searched: [0, 1], name: caption.slice(0, 9) });
  }
})();
