// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layout of the page of `lbaf report` in a browser: contrast, width, printing, and unusual data.

use crate::browser::Browser;
use crate::page::{Drawn, GOSSIP, assert_quiet, number, opened, run};
use crate::workspace::Workspace;

/// A heat map is drawn in several frames, and printing does not wait for them.
#[test]
fn charts_are_whole_on_paper() {
    let Some((_workspace, mut browser)) = opened(&GOSSIP) else { return };
    // A pixel inside the printed heat map does not have the background colour.
    let cell = "(() => { window.dispatchEvent(new Event('beforeprint')); const print = document.querySelector('#heat-map .print'); \
                return [...print.getContext('2d').getImageData(print.width / 2, print.height / 3, 1, 1).data].join(); })()";
    let cell = browser.value(cell).to_string();
    assert!(!cell.contains("255,255,255") && !cell.contains("0,0,0,0"), "{cell}");
    let charts = "document.querySelectorAll('.canvas').length - document.querySelectorAll('.print').length";
    assert_eq!(browser.value(charts), browser.value("document.querySelectorAll('.canvas:empty').length"));
    browser.value("window.dispatchEvent(new Event('afterprint'))");
    assert_eq!(browser.value("document.querySelectorAll('.print').length"), 0);
    assert_quiet(&browser);
}

/// Texts whose contrast to their background is below 4.5, with their colours.
pub(crate) const PALE: &str = r#"(() => {
  const channels = (text) => text.match(/[\d.]+/g).map(Number);
  const light = (text) => {
    const [red, green, blue] = channels(text).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = getComputedStyle(at).backgroundColor;
      if ((channels(found)[3] ?? 1) > 0) return found;
    }
    return "rgb(255, 255, 255)";
  };
  const pale = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
    if (!own || element.getClientRects().length === 0 || element.closest("script, .unseen")) continue;
    const [ink, paper] = [getComputedStyle(element).color, ground(element)];
    const [one, other] = [light(ink), light(paper)];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) pale.push(`${element.tagName} ${element.textContent.slice(0, 20)}: ${ink} on ${paper}, ${contrast}`);
  }
  return pale;
})()"#;

/// Asserts that the first heading of the sections is in the upper half of the window. Regression: on wide screens, the
/// controls of the pages of studies and simulations filled the window.
pub(crate) fn assert_controls_leave_room(browser: &mut Browser) {
    let heading = "document.getElementById('result-heading').getBoundingClientRect().top + scrollY";
    let top = number(&browser.value(heading)) / number(&browser.value("innerHeight"));
    assert!((0.0..0.5).contains(&top), "{top}");
}

/// Elements that extend beyond the window outside a scrolling container.
pub(crate) const BEYOND: &str = r#"(() => {
  const beyond = [...document.querySelectorAll("body *")].filter((element) => {
    if (element.closest(".scroll, .unseen, .skip, #contents") || element.getClientRects().length === 0) return false;
    const { left, right } = element.getBoundingClientRect();
    return right > window.innerWidth + 0.5 || left < -0.5;
  });
  const scrolls = document.documentElement.scrollWidth > window.innerWidth;
  return [...beyond.map((element) => `${element.tagName}#${element.id}.${element.className}`), ...(scrolls ? ["the page scrolls"] : [])];
})()"#;

#[test]
fn text_can_be_read_and_nothing_is_cut_off() {
    let Some((workspace, mut browser)) = opened(&GOSSIP) else { return };
    let page = workspace.path("out/report.html");
    for theme in ["light", "dark"] {
        for width in [360, 800, 1400] {
            browser.resize(width);
            browser.open(&page, &format!("theme={theme}"));
            browser.value("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })");
            assert_eq!(browser.value(PALE), serde_json::json!([]), "{theme}");
            assert_eq!(browser.value(BEYOND), serde_json::json!([]), "{width}");
        }
    }
    // Controls have names, images have descriptions, and headings do not skip a level.
    let nameless = browser.value(
        "[...document.querySelectorAll('input, select')].filter((one) => one.labels.length === 0).map((one) => one.id)",
    );
    assert_eq!(nameless, serde_json::json!([]));
    let wordless = "[...document.querySelectorAll('[role=img]')].filter((one) => !(one.getAttribute('aria-label')?.length > 20)).length";
    assert_eq!(browser.value(wordless), 0);
    let levels =
        browser.value("[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1]))");
    let levels: Vec<f64> = levels.as_array().expect("a list").iter().map(number).collect();
    assert!(levels[0] == 1.0 && levels.windows(2).all(|pair| pair[1] - pair[0] <= 1.0), "{levels:?}");
    assert_eq!(browser.value("document.documentElement.lang"), "en");
    assert_quiet(&browser);
}

#[test]
fn unusual_data_have_a_page_too() {
    let Some(mut browser) = Browser::start() else { return };
    let workspace = Workspace::new();
    let plain = Drawn {
        n_ranks: 4,
        n_objects: 16,
        n_phases: 2,
        loads: "{name: constant, parameters: [0.5]}",
        degree: 0,
        strategy: "{name: Greedy}",
    };
    let odd = [
        ("equal", Drawn { ..plain }),
        ("zero", Drawn { loads: "{name: constant, parameters: [0.0]}", ..plain }),
        ("huge", Drawn { loads: "{name: pareto, parameters: [1.0e+9, 1.05]}", ..plain }),
        ("alone", Drawn { n_ranks: 1, ..plain }),
        ("single", Drawn { n_objects: 1, n_phases: 1, ..plain }),
    ];
    for (name, drawn) in odd {
        run(&workspace, name, &drawn);
        workspace.succeed(&["report", name]);
        browser.open(&workspace.path(&format!("{name}/report.html")), "order=rank&scale=log");
        let bad = browser.value("document.body.innerText.match(/NaN|undefined|Infinity|\\[object/)");
        assert!(bad.is_null(), "{name}: {bad}");
        assert_eq!(browser.value(BEYOND), serde_json::json!([]), "{name}");
        assert_quiet(&browser);
    }
}
