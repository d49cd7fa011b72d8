// SPDX-License-Identifier: MIT OR Apache-2.0
// Settings of the runs, and sentences on their results.

function showHeading({ run, other }) {
  byId("title").textContent = page.runs.length > 1 ? `${page.runs.map((each) => each.name).join(", ")}: runs side by side` : `${run.name} on ${factOf(run, "Input")}`;
  const several = page.runs.length > 1;
  fill("sentences", ...[run, other].filter(Boolean).flatMap((each) => [
    several ? element("h3", {}, each.name) : null,
    ...each.sentences.map((sentence) => element("p", {}, sentence)),
  ]));
  const remarks = (each, texts, kind, word) => texts.map((text) => element("p", { class: kind }, element("strong", {}, several ? `${word}, ${each.name}: ` : `${word}: `), text));
  fill("remarks", ...[run, other].filter(Boolean).flatMap((each) => [
    ...remarks(each, each.warnings, "remark", "Warning"),
    ...remarks(each, each.notes, "note", "Note"),
    ...remarks(each, each.left_out, "note", "Not on this page"),
  ]), differentData(run, other));
  fill("facts", ...[run, other].filter(Boolean).flatMap((each) => [
    ...(several ? [element("dt", {}, "Run"), element("dd", {}, element("strong", {}, each.name))] : []),
    ...each.facts.flatMap(factElements),
  ]));
  byId("made-by").textContent = `Made by lbaf ${page.lbaf} report. Charts by Apache ECharts (Apache License 2.0).`;
}

function factOf(run, label) {
  return run.facts.find((fact) => fact.label === label)?.value ?? "";
}

function factElements({ label, value, settings }) {
  const list = settings.map(([name, setting]) => element("li", {}, `${name}: ${setting}`));
  return [element("dt", {}, label), element("dd", {}, value, list.length > 0 ? element("ul", {}, ...list) : null)];
}

/** A warning if the runs read different data, because strategies are not comparable on different data. */
function differentData(run, other) {
  const differs = other && ["Input", "Data"].some((label) => factOf(run, label) !== factOf(other, label));
  return differs ? element("p", { class: "remark" }, element("strong", {}, "Warning: "), "these runs read different data, which may be the cause of their differences.") : null;
}
