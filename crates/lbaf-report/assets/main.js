// SPDX-License-Identifier: MIT OR Apache-2.0
// Draws all sections, and redraws sections that depend on a changed selection.

const sections = [
  { show: showHeading, needs: ["a", "b"] },
  { show: showComparison, needs: ["phase"] },
  { show: showPhaseTable, needs: ["a", "phase"] },
  { show: showRankChart, needs: ["a", "b", "phase", "quantity", "order", "rank"] },
  { show: showPhaseChart, needs: ["a", "b", "phase", "scale"], phases: true },
  { show: showPhasesTable, needs: ["a", "phase"], phases: true },
  { show: showHeatMap, needs: ["a", "quantity", "when", "phase"], phases: true },
  { show: showIterationChart, needs: ["a", "b", "phase", "measure", "iteration"] },
  { show: showFrontChart, needs: ["a", "b", "phase"] },
  { show: showRankDetail, needs: ["a", "phase", "rank"] },
];

function draw(changed) {
  const seen = view();
  const one = seen.run.phases.length < 2;
  byId("phases").hidden = one;
  controls.show();
  for (const { show, needs, phases } of sections) {
    if ((phases && one) || (changed && !needs.some((key) => changed.has(key)))) continue;
    show(seen);
  }
}

if (page.runs.length === 0 || page.runs.some((run) => run.phases.length === 0)) {
  byId("title").textContent = "No phase was balanced, so there is nothing to show.";
  byId("controls").hidden = true;
  byId("main").hidden = true;
} else {
  controls.start();
  state.listen((changed) => {
    if (changed.has("theme")) theme.apply();
    draw(changed.has("theme") ? undefined : changed);
  });
  theme.listen(() => draw());
  draw();
}
document.documentElement.dataset.ready = "true";
