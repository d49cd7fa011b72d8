// SPDX-License-Identifier: MIT OR Apache-2.0
// Draws all sections of the page of a study, and redraws sections after a change of the selection.

const sections = [
  { show: showRanking, needs: ["problem"] },
  { show: showMedianChart, needs: ["problem", "quantity", "scale"] },
  { show: showMedianTable, needs: ["problem", "quantity"] },
  { show: showFronts, needs: ["problem", "cost", "quality"] },
  { show: showHeatMap, needs: ["problem", "quantity", "across", "down"] },
  { show: showCells, needs: ["search", "only", "quantity"] },
  { show: showOneCell, needs: ["cell"] },
];

function draw(changed) {
  const seen = view();
  controls.show();
  byId("median-heading").textContent = `Medians of ${seen.quantity.name}`;
  for (const { show, needs } of sections) if (!changed || needs.some((key) => changed.has(key))) show(seen);
}

const title = `Study ${page.title}`;
if (measuredQuantities.length === 0) {
  showResultHeading({ ...page, title: `${title}: no cell has a result` });
  for (const id of ["controls", "ranking", "median-chart", "scale"]) byId(id).hidden = true;
  showFailures();
} else {
  showResultHeading({ ...page, title });
  showContents();
  controls.start();
  showFailures();
  state.listen((changed) => {
    if (changed.has("theme")) theme.apply();
    draw(changed.has("theme") ? undefined : changed);
  });
  theme.listen(() => draw());
  draw();
}
document.documentElement.dataset.ready = "true";
