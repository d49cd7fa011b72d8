// SPDX-License-Identifier: MIT OR Apache-2.0
// Errors of load models at several horizons.

const showLoadModels = (() => {
  let chart;

  return () => {
    const models = page.load_models;
    byId("models").hidden = models === null;
    if (models === null) return;
    const balanced = models.balanced_with;
    byId("models-facts").textContent = `Mean relative errors of the predicted loads of objects, by horizon: the number of the predicted phase minus that of the last known phase.${balanced ? ` The column \u201cimbalance\u201d is the result if ${balanced} balances the predicted loads, and \u201cimbalance known\u201d the result if it balances the measured loads.` : ""}`;
    const horizons = [...new Set(models.load_models.flatMap((model) => model.horizons.map(({ horizon }) => horizon)))].sort((one, other) => one - other);
    const series = () => models.load_models.map((model, at) => ({
      name: model.load_model, look: { ...seriesLook(at), type: [undefined, [8, 3], [2, 3]][at % 3] ?? "solid" },
      values: horizons.map((horizon) => model.horizons.find((each) => each.horizon === horizon)?.mean_error ?? null),
    }));
    chart ??= new Chart("models-chart");
    chart.show(() => described(horizons, series()));
    const share = (value) => (value === null ? "" : exact(value, percent(value)));
    const rows = models.load_models.flatMap((model, at) => model.horizons.map((of) => [
      element("span", {}, swatch(at), model.load_model), String(of.horizon), String(of.n_phases), share(of.mean_error), share(of.bias),
      of.rank_correlation === null ? "" : exact(of.rank_correlation, of.rank_correlation.toFixed(3)),
      share(of.imbalance), share(of.imbalance_known), share(of.imbalance_lost),
    ]));
    fill("models-table", table("Errors of load models", ["load model", "horizon", "phases", "mean error", "bias", "rank correlation", "imbalance", "imbalance known", "imbalance lost"], rows));
  };

  function described(horizons, series) {
    return {
      walk: horizons.length,
      option: {
        grid: grid(false), xAxis: placesAxis("horizon", horizons.map(String)),
        yAxis: valuesAxis("mean error (%)", "count", { min: 0 }),
        series: series.map(({ look, values }) => lineSeries(look, values.map((value) => (value === null ? null : 100 * value)), { showSymbol: true })),
      },
      legend: series.map(({ name, look }) => ({ name, look })),
      label: `Chart: mean errors of ${counted(series.length, "load model")} at ${counted(horizons.length, "horizon")}.`,
      caption: "",
      tip: (at) => [`horizon ${horizons[at]}`, ...series.map(({ name, values }) => `${name}: ${values[at] === null ? "none" : percent(values[at])}`)],
    };
  }
})();
