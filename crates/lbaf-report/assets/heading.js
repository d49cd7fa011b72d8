// SPDX-License-Identifier: MIT OR Apache-2.0
// Title, sentences on the results, remarks, and settings of the runs.

function showHeading({ run, others }) {
  const several = page.runs.length > 1;
  byId("title").textContent = several ? `${page.runs.map((each) => each.name).join(", ")}: runs side by side` : `${run.name} on ${factOf(run, "Input")}`;
  const all = [run, ...others.map((other) => other.run)];
  fill("sentences", ...all.flatMap((each) => [
    several ? element("h3", {}, each.name) : null,
    ...each.sentences.map((sentence) => element("p", {}, sentence)),
  ]));
  const remarks = (each, texts, kind, word) => texts.map((text) => element("p", { class: kind }, element("strong", {}, several ? `${word}, ${each.name}: ` : `${word}: `), text));
  fill("remarks", ...all.flatMap((each) => [
    ...remarks(each, each.warnings, "remark", "Warning"),
    ...remarks(each, each.notes, "note", "Note"),
    ...remarks(each, each.left_out, "note", "Not on this page"),
  ]), differentData(all));
  fill("facts", ...all.flatMap((each) => [
    ...(several ? [element("dt", {}, "Run"), element("dd", {}, element("strong", {}, each.name))] : []),
    ...each.facts.flatMap(factElements),
  ]));
  byId("made-by").textContent = `This page was made by lbaf report ${page.lbaf}. Charts by Apache ECharts (Apache License 2.0).`;
}

function factOf(run, label) {
  return run.facts.find((fact) => fact.label === label)?.value ?? "";
}

function factElements({ label, value, settings }) {
  const list = settings.map(([name, setting]) => element("li", {}, `${name}: ${setting}`));
  return [element("dt", {}, label), element("dd", {}, value, list.length > 0 ? element("ul", {}, ...list) : null)];
}

/** A warning if runs read different data, on which strategies are not comparable. */
function differentData([run, ...others]) {
  const differs = others.some((other) => ["Input", "Data"].some((label) => factOf(run, label) !== factOf(other, label)));
  return differs ? element("p", { class: "remark" }, element("strong", {}, "Warning: "), "these runs read different data, which may be the cause of their differences.") : null;
}
