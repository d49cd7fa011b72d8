// SPDX-License-Identifier: MIT OR Apache-2.0
// One rank: what it has, its objects, and whom it communicates with.

const showRankDetail = (() => {
  let objectChart;
  let neighbourChart;
  const MOST = 30;

  return (seen) => {
    const { run, phase, rank } = seen;
    byId("rank-heading").textContent = `Rank ${rank} in phase ${phase.number}`;
    const quantities = run.quantities.map((quantity, at) => [quantity, phase.quantities[at]]).filter(([, sides]) => sides.before.values && sides.after.values);
    fill("rank-table", table(`Rank ${rank} before and after`, ["quantity", "before", "after"], quantities.map(([quantity, sides]) => [
      titled(quantity), ...[sides.before, sides.after].map((side) => inColumn(numbers(side.values)[rank], quantity.unit)),
    ])));
    objectChart ??= new Chart("object-chart");
    neighbourChart ??= new Chart("neighbour-chart");
    for (const id of ["object-chart", "object-table", "neighbour-chart", "neighbour-table"]) byId(id).hidden = !phase.detail;
    if (!phase.detail) {
      for (const id of ["objects-facts", "neighbours-facts"]) byId(id).textContent = "Not on this page; the remarks at its top say why, and what to do.";
      return;
    }
    showObjects(seen);
    showNeighbours(seen);
  };

  /** What becomes of an object that is on the rank before or after. */
  function fate(object, rank) {
    if (object.from === object.to) return object.migratable ? "stays" : "may not migrate";
    return object.from === rank ? "leaves" : "comes";
  }

  function showObjects({ run, phase, rank }) {
    const objects = objectsOf(phase.detail.objects, rank);
    const inAll = (when) => overRanks(run, phase, "objects")?.[when].values;
    const count = (when) => (inAll(when) ? numbers(inAll(when))[rank] : undefined);
    const here = (key) => objects.filter((object) => object[key] === rank).length;
    byId("objects-facts").textContent = `Before: ${here("from")} of ${count("before") ?? "?"} shown here; after: ${here("to")} of ${count("after") ?? "?"}. The largest by load.`;
    const to = (other) => (other === rank ? String(other) : jump(String(other), `Show rank ${other}`, () => state.set({ rank: other })));
    fill("object-table", table(`Objects on rank ${rank} before or after, by load`, ["object", "load (s)", "", "from rank", "to rank"], objects.map((object) => [
      object.id, significant(object.load), fate(object, rank), to(object.from), to(object.to),
    ])));
    const look = looks();
    const kinds = [
      { name: "stays", look: { ...look.after, fill: colour("raised") }, has: ["stays", "may not migrate"] },
      { name: "leaves", look: look.before, has: ["leaves"] },
      { name: "comes", look: look.after, has: ["comes"] },
    ];
    const shown = objects.slice(0, MOST);
    objectChart.show({
      walk: shown.length,
      option: {
        grid: grid(false),
        xAxis: { ...placesAxis("object", shown.map((object) => object.id)), axisLabel: { show: false }, nameGap: 10 },
        yAxis: valuesAxis("load (s)", "seconds", { min: 0 }),
        series: kinds.map((kind) => barSeries(kind.look, shown.map((object) => (kind.has.includes(fate(object, rank)) ? object.load : null)), { stack: "all" })),
      },
      legend: kinds.map((kind) => ({ name: kind.name, look: kind.look, shape: "bar" })),
      label: `Chart: loads of the ${counted(shown.length, "largest object")} of rank ${rank}.`,
      caption: objects.length > MOST ? `The ${MOST} largest of them; the table has all.` : "",
      tip: (at) => [`object ${shown[at].id}`, `load: ${significant(shown[at].load)} s`, `${fate(shown[at], rank)}: rank ${shown[at].from} to rank ${shown[at].to}`],
      table: () => table("Loads of objects", ["object", "load (s)"], shown.map((object) => [object.id, significant(object.load)])),
    });
  }

  function showNeighbours({ phase, rank }) {
    const { before, after } = phase.detail;
    const found = new Map();
    for (const [when, side] of [["before", before], ["after", after]]) {
      for (const one of neighboursOf(side, rank)) found.set(one.rank, { ...found.get(one.rank), rank: one.rank, [when]: one });
    }
    const volume = (one) => (one ? one.sent + one.received : 0);
    const rows = [...found.values()].sort((one, other) => volume(other.after) - volume(one.after) || volume(other.before) - volume(one.before));
    const count = (side) => `${numbers(side.n)[rank]} of ${numbers(side.n_all)[rank]}`;
    byId("neighbours-facts").textContent = `Before: ${count(before)} shown here; after: ${count(after)}. Those with the largest volume in both directions.`;
    const cells = (one, side) => (one ? [bytes(one.sent), bytes(one.received)] : numbers(side.n)[rank] < numbers(side.n_all)[rank] ? ["not shown", "not shown"] : ["0 B", "0 B"]);
    const go = (other) => state.set({ rank: other });
    fill("neighbour-table", table(`Ranks with which rank ${rank} communicates`, ["rank", "sent before", "received before", "sent after", "received after"], rows.map((one) => [
      jump(String(one.rank), `Show rank ${one.rank}`, () => go(one.rank)), ...cells(one.before, before), ...cells(one.after, after),
    ])));
    const look = looks();
    const shown = rows.slice(0, MOST);
    const sides = [{ name: "before", key: "before", look: look.before }, { name: "after", key: "after", look: look.after }];
    neighbourChart.show({
      walk: shown.length,
      option: {
        grid: grid(false), xAxis: placesAxis("other rank", shown.map((one) => String(one.rank))), yAxis: valuesAxis("sent and received", "bytes", { min: 0 }),
        series: sides.map((side) => barSeries(side.look, shown.map((one) => volume(one[side.key])))),
      },
      legend: sides.map((side) => ({ name: side.name, look: side.look, shape: "bar" })),
      label: `Chart: volume between rank ${rank} and ${counted(shown.length, "other rank")}, before and after.`,
      caption: shown.length > 0 ? "Click a rank to show it." : "This rank communicates with no other.",
      tip: (at) => [`rank ${shown[at].rank}`, ...sides.map((side) => `${side.name}: ${bytes(volume(shown[at][side.key]))}`)],
      pick: (at) => shown[at] && go(shown[at].rank),
      table: () => table("Volume with other ranks", ["rank", "before", "after"], shown.map((one) => [String(one.rank), bytes(volume(one.before)), bytes(volume(one.after))])),
    });
  }
})();
