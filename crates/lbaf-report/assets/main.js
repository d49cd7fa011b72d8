// SPDX-License-Identifier: MIT OR Apache-2.0
// Draws all sections, and redraws sections after a change of the selection.

const sections = [
  { show: showHeading, needs: ["a", "b"] },
  { show: showHeadline, needs: ["a", "phase"] },
  { show: showComparison, needs: ["phase"] },
  { show: showRankChart, needs: ["a", "b", "phase", "quantity", "order", "rank"] },
  { show: showPhaseChart, needs: ["a", "b", "phase", "scale"], phases: true },
  { show: showPhasesTable, needs: ["a", "phase"], phases: true },
  { show: showHeatMap, needs: ["a", "quantity", "when", "phase"], phases: true },
  { show: showPhaseTable, needs: ["a", "phase"] },
  { show: showRanksTable, needs: ["a", "phase", "rank"] },
  { show: showBetweenRanks, needs: ["a", "phase"] },
  { show: showRankDetail, needs: ["a", "phase", "rank"] },
  { show: showObjectsTable, needs: ["a", "phase"] },
  { show: showIterationChart, needs: ["a", "b", "phase", "measure", "iteration"] },
  { show: showFrontChart, needs: ["a", "b", "phase"] },
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
  showContents();
}

/** Draws, and returns the focus to the same button, or to the table if the button is gone. */
function keepingFocus(work) {
  const { activeElement: focused } = document;
  const place = focused?.closest("main [id]");
  const nameOf = (each) => each.getAttribute("aria-label") ?? each.textContent;
  work();
  if (!place || focused.isConnected) return;
  const again = [...place.querySelectorAll("button, input")].find((each) => nameOf(each) === nameOf(focused));
  (again ?? place.querySelector(".scroll"))?.focus({ preventScroll: true });
}

if (page.runs.length === 0 || page.runs.some((run) => run.phases.length === 0)) {
  byId("title").textContent = "No phase was balanced, so there is nothing to show.";
  for (const id of ["side", "main"]) byId(id).hidden = true;
} else {
  controls.start();
  state.listen((changed) => {
    if (changed.has("theme")) theme.apply();
    keepingFocus(() => draw(changed.has("theme") ? undefined : changed));
  });
  theme.listen(() => draw());
  draw();
}
document.documentElement.dataset.ready = "true";
