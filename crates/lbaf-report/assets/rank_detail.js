// SPDX-License-Identifier: MIT OR Apache-2.0
// One rank: its quantities, its objects, and its neighbours.

const showRankDetail = (() => {
  let objectChart;
  let neighbourChart;
  const MOST = 30;

  return (seen) => {
    const { run, phase, rank } = seen;
    byId("rank-heading").textContent = `Rank ${rank} in phase ${phase.number}${ofRun(run)}`;
    const quantities = run.quantities.map((quantity, at) => [quantity, phase.quantities[at]]).filter(([, sides]) => sides.before.values && sides.after.values);
    fill("rank-table", table(`Rank ${rank} before and after`, ["quantity", "before", "after"], quantities.map(([quantity, sides]) => [
      titled(quantity), ...[sides.before, sides.after].map((side) => amount(numbers(side.values)[rank], quantity.unit)),
    ])));
    objectChart ??= new Chart("object-chart");
    neighbourChart ??= new Chart("neighbour-chart");
    if (phase.detail) {
      showObjects(seen);
      showNeighbours(seen);
    } else {
      only("object", "objects-facts", "These data are not on this page; the remarks at the top explain why.");
      only("neighbour", "neighbours-facts", "These data are not on this page.");
    }
  };

  /** Shows a sentence instead of a chart and a table if there is nothing to draw. */
  function only(what, facts, sentence) {
    for (const part of ["chart", "table"]) byId(`${what}-${part}`).hidden = sentence !== undefined;
    if (sentence !== undefined) byId(facts).textContent = sentence;
    return sentence !== undefined;
  }

  /** The numbers of listed and of all items, in words. */
  function part(n, all) {
    if (all === 0) return "none exist";
    return n === all ? `all ${n}` : `${n} of ${all ?? "an unknown number"}`;
  }

  /** The change of an object that is on the rank before or after. */
  function fate(object, rank) {
    if (object.from === object.to) return object.migratable ? "stays" : "non-migratable";
    return object.from === rank ? "leaves" : "comes";
  }

  function showObjects({ run, phase, rank }) {
    const objects = objectsOf(phase.detail.objects, rank);
    if (only("object", "objects-facts", objects.length === 0 ? "It has no objects before or after." : undefined)) return;
    const inAll = (when) => overRanks(run, phase, "objects")?.[when].values;
    const count = (when) => (inAll(when) ? numbers(inAll(when))[rank] : undefined);
    const here = (key) => objects.filter((object) => object[key] === rank).length;
    byId("objects-facts").textContent = `Shown here, before: ${part(here("from"), count("before"))}; after: ${part(here("to"), count("after"))}.`;
    const to = (other) => (other === rank ? String(other) : jump(String(other), `Show rank ${other}`, () => state.set({ rank: other })));
    fill("object-table", table(`Objects on rank ${rank} before or after, by load`, ["object", "load (s)", "change", "from rank", "to rank"], objects.map((object) => [
      object.id, amount(object.load, "seconds"), fate(object, rank), to(object.from), to(object.to),
    ]), { sorts: true, searched: [0, 2, 3, 4], name: "objects of a rank" }));
    objectChart.show(() => describeObjects(objects, phase, rank));
  }

  function describeObjects(objects, phase, rank) {
    const look = looks();
    const kinds = [
      { name: "stays", look: { ...look.after, fill: colour("raised") }, has: ["stays", "non-migratable"] },
      { name: "leaves", look: look.before, has: ["leaves"] },
      { name: "comes", look: look.after, has: ["comes"] },
    ];
    const shown = objects.slice(0, MOST);
    return {
      walk: shown.length, file: `rank ${rank} phase ${phase.number}`,
      option: () => ({
        grid: grid(false),
        xAxis: { ...placesAxis("object", shown.map((object) => object.id)), axisLabel: { show: false }, nameGap: 10 },
        yAxis: valuesAxis("load (s)", "seconds", { min: 0 }),
        series: kinds.map((kind) => barSeries(kind.look, shown.map((object) => (kind.has.includes(fate(object, rank)) ? object.load : null)), { stack: "all" })),
      }),
      legend: kinds.map((kind) => ({ name: kind.name, look: kind.look, shape: "bar" })),
      label: `Chart: loads of the ${counted(shown.length, "largest object")} of rank ${rank}.`,
      caption: objects.length > MOST ? `The ${MOST} largest objects; the table has all.` : "",
      tip: (at) => [`object ${shown[at].id}`, `load: ${significant(shown[at].load)} s`, `${fate(shown[at], rank)}: rank ${shown[at].from} to rank ${shown[at].to}`],
    };
  }

  function showNeighbours({ phase, rank }) {
    const { neighbours } = phase.detail;
    const rows = neighboursOf(neighbours, rank).sort((one, other) => other.after - one.after || other.before - one.before);
    if (only("neighbour", "neighbours-facts", rows.length === 0 ? "It communicates with no other rank before or after." : undefined)) return;
    const count = (when) => part(rows.filter((one) => one[when] > 0).length, numbers(neighbours[`n_${when}`])[rank]);
    byId("neighbours-facts").textContent = `Shown here, before: ${count("before")}; after: ${count("after")}.`;
    const go = (other) => state.set({ rank: other });
    const cells = (one) => [jump(String(one.rank), `Show rank ${one.rank}`, () => go(one.rank)), amount(one.before, "bytes"), amount(one.after, "bytes")];
    const numbersTable = () => table(`Volume between rank ${rank} and others, sent and received`, ["rank", "before", "after"], rows.map(cells), { sorts: true, searched: [0], name: "neighbours of a rank" });
    fill("neighbour-table", numbersTable());
    neighbourChart.show(() => describeNeighbours(rows, phase, rank, go));
  }

  function describeNeighbours(rows, phase, rank, go) {
    const look = looks();
    const shown = rows.slice(0, MOST);
    const sides = [{ name: "before", key: "before", look: look.before }, { name: "after", key: "after", look: look.after }];
    return {
      walk: shown.length, file: `rank ${rank} phase ${phase.number}`,
      option: () => ({
        grid: grid(false), xAxis: placesAxis("other rank", shown.map((one) => String(one.rank))), yAxis: valuesAxis("sent and received", "bytes", { min: 0 }),
        series: sides.map((side) => barSeries(side.look, shown.map((one) => one[side.key]))),
      }),
      legend: sides.map((side) => ({ name: side.name, look: side.look, shape: "bar" })),
      label: `Chart: volume between rank ${rank} and ${counted(shown.length, "other rank")}, before and after.`,
      caption: `${rows.length > MOST ? `The ${MOST} ranks with the largest volume after balancing; the table has all. ` : ""}Click a rank to show it.`,
      tip: (at) => [`rank ${shown[at].rank}`, ...sides.map((side) => `${side.name}: ${bytes(shown[at][side.key])}`)],
      pick: (at) => shown[at] && go(shown[at].rank),
    };
  }
})();
