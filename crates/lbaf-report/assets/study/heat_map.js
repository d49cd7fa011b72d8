// SPDX-License-Identifier: MIT OR Apache-2.0
// Heat map of the medians of a quantity over the choices of two axes.

/** Maximum number of fields with values as text, and of choices on an axis. */
const MOST_LABELLED = 150;
const MOST_CHOICES = 200;

const showHeatMap = (() => {
  let chart;
  const samples = new Map();

  return (seen) => {
    chart ??= new Chart("heat-map");
    const height = Math.min(46, 11 + 2.1 * Math.min(seen.down?.labels.length ?? 1, MOST_CHOICES));
    chart.canvas.style.height = `${height}rem`;
    chart.show(() => ({ ...described(seen), height: 16 * height }));
  };

  function described({ across, down, quantity, problem }) {
    const lines = [across, down].map((axis) => (axis ? axis.labels.slice(0, MOST_CHOICES) : ["all"]));
    const counts = rows.filter((row) => isOn(row, problem, across, down));
    const fields = new Map();
    const seen = new Set();
    for (const row of counts) {
      const place = [across ? across.of(row) : 0, down ? down.of(row) : 0];
      if (place.some((at, axis) => at === null || at >= lines[axis].length)) continue;
      // Identical repetitions count once in a field, as in the tables.
      const same = [...place, row.same ?? row.cell, row.competitor, row.problem].join(" ");
      if (seen.has(same)) continue;
      seen.add(same);
      const field = fields.get(place.join(" ")) ?? { x: place[0], y: place[1], values: [], failed: 0, over: 0 };
      fields.set(place.join(" "), field);
      const value = valueOf(row, quantity);
      if (value !== null) field.values.push(value);
      field.failed += row.error === null ? 0 : 1;
      field.over += row.over ? 1 : 0;
    }
    const all = [...fields.values()].sort((one, other) => one.y - other.y || one.x - other.x).map((field) => ({ ...field, value: field.values.length > 0 ? median(field.values) : null }));
    const known = all.filter(({ value }) => value !== null).map(({ value }) => value);
    const [least, most] = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [0, 1];
    const isLog = least > 0 && most > 100 * least;
    const level = (value) => (isLog ? Math.log10(value) : value);
    const shades = ["#f7fbff", "#c6dbef", "#6baed6", "#2171b5", "#08306b"];
    if (document.documentElement.dataset.theme === "dark") shades.reverse();
    const labelled = all.length <= MOST_LABELLED;
    const named = (axis, at) => `${axis.name}: ${axis.labels[at]}`;
    const over = dimensions.filter((axis) => axis !== across && axis !== down && !isTied(axis, across, down) && new Set(counts.map((row) => axis.of(row))).size > 1).map(({ name }) => name);
    const fixed = problem === -1 ? [] : fixedAxes(across, down).map((axis) => [axis, sampleOf(problem) && axis.of(sampleOf(problem))]).filter(([, at]) => at !== null && at !== undefined).map(([axis, at]) => `${axis.name} = ${axis.labels[at]}`);
    return {
      walk: all.length,
      option: {
        grid: { left: 8, right: 24, top: 30, bottom: 84, containLabel: true },
        tooltip: {
          trigger: "item", confine: true, backgroundColor: colour("raised"), borderColor: colour("rule"), textStyle: { color: colour("ink") },
          formatter: ({ dataIndex }) => tipElement(tipOf(all[dataIndex])),
        },
        xAxis: { ...placesAxis(across?.name ?? "", lines[0]), axisLabel: { color: colour("ink"), hideOverlap: true, width: 130, overflow: "truncate" } },
        yAxis: { ...placesAxis("", lines[1]), name: down?.name ?? "", nameLocation: "start", nameGap: 12, nameTextStyle: { color: colour("ink"), align: "left" }, inverse: true, axisLabel: { color: colour("ink"), width: 180, overflow: "truncate" } },
        visualMap: {
          min: level(least), max: level(most) > level(least) ? level(most) : level(least) + 1, dimension: 2, calculable: false, hoverLink: false, orient: "horizontal", left: "center", bottom: 0, itemWidth: 12, itemHeight: 160,
          text: [shownValue(quantity, most), shownValue(quantity, least)], textStyle: { color: colour("ink") }, inRange: { color: shades },
        },
        series: [{
          type: "heatmap", progressive: 0, emphasis: { disabled: true },
          data: all.map(({ x, y, value }) => {
            const place = value === null || most === least ? 0 : (level(value) - level(least)) / (level(most) - level(least));
            const dark = (document.documentElement.dataset.theme === "dark") !== place > 0.5;
            return {
              value: [x, y, value === null ? "-" : level(value)],
              itemStyle: { borderColor: colour("ground"), borderWidth: labelled ? 2 : 0, ...(value === null ? { color: colour("raised") } : {}) },
              label: { show: labelled, color: value === null ? colour("ink") : dark ? "#ffffff" : "#0b1220", formatter: value === null ? "failed" : shownValue(quantity, value, 3) },
            };
          }),
        }],
      },
      legend: [],
      label: `Heat map: medians of ${quantity.name} over ${across?.name ?? "all cells"}${down ? ` and ${down.name}` : ""}, from ${shownValue(quantity, least)} to ${shownValue(quantity, most)}.`,
      caption: [
        `${quantityTitle(quantity)}.`,
        `Each field is ${over.length > 0 ? `the median over ${over.join(", ")}` : "a single cell"}${fixed.length > 0 ? `, for ${fixed.join(", ")}` : ""}.`,
        isLog ? "Shades are logarithmic." : "",
        all.some((field) => field.failed > 0) ? "The medians do not include failed cells." : "",
        lines.some((choices, at) => choices.length < ([across, down][at]?.labels.length ?? 0)) ? `The map shows only the first ${MOST_CHOICES} choices of an axis.` : "",
        "Click a field to see its cells.",
      ].filter(Boolean).join(" "),
      tip: (at) => tipOf(all[at]),
      pick: (x, y) => {
        const field = y === undefined ? all[x] : all.find((each) => each.x === x && each.y === Math.round(y));
        if (!field) return;
        const filter = [[across, field.x], [down, field.y]].filter(([axis]) => axis).map(([axis, choice]) => `${dimensions.indexOf(axis)}:${choice}`);
        state.set({ only: filter.join(","), search: "" });
        goTo("cells-heading");
      },
      table: () => table(`Medians of ${quantity.name}`, [down?.name ?? "", ...lines[0].map(String)], lines[1].map((label, y) => [label, ...lines[0].map((_, x) => {
        const found = all.find((field) => field.x === x && field.y === y);
        return found === undefined ? "" : found.value === null ? "failed" : exact(found.value, shownValue(quantity, found.value));
      })])),
    };

    function tipOf(field) {
      if (!field) return [];
      return [
        [across ? named(across, field.x) : "", down ? named(down, field.y) : ""].filter(Boolean).join(", ") || "all cells",
        field.value === null ? `${quantity.name}: no result` : `${quantity.name}: ${shownValue(quantity, field.value)}`,
        [counted(field.values.length, "result"), field.failed > 0 ? `${field.failed} failed` : "", field.over > 0 ? `${field.over} over bounds` : ""].filter(Boolean).join(", "),
      ];
    }
  }

  /** True for rows of the selected problem, whatever their choices on the axes of the heat map. */
  function isOn(row, problem, across, down) {
    if (problem === -1 || row.problem === problem) return true;
    const sample = sampleOf(problem);
    return sample !== undefined && fixedAxes(across, down).every((axis) => axis.of(row) === null || axis.of(row) === axis.of(sample));
  }

  /** Axes of problems that the heat map does not show. */
  function fixedAxes(across, down) {
    return dimensions.filter((axis) => axis.role === "problem" && axis !== across && axis !== down && !isTied(axis, across, down));
  }

  /** A row of a problem. */
  function sampleOf(problem) {
    if (!samples.has(problem)) samples.set(problem, rows.find((row) => row.problem === problem));
    return samples.get(problem);
  }

  /** True if this axis and a shown axis both select phases. */
  function isTied(axis, ...shown) {
    const selectsPhases = (other) => other && ["phase", "algorithm.phase_id", "from_data.phase_ids"].includes(other.key);
    return selectsPhases(axis) && shown.some(selectsPhases);
  }
})();
