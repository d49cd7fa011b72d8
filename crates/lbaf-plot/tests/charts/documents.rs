// SPDX-License-Identifier: MIT OR Apache-2.0
//! Validity of the files for other programs: SVG by its elements, PDF by the tools of poppler.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use lbaf_plot::{Chart, Format, Style};
use resvg::usvg::roxmltree::{Document, Node};

use crate::gallery::{gallery, rank_values};

/// Elements and attributes of SVG 1.1 that charts use.
const KNOWN: [(&str, &[&str]); 8] = [
    ("svg", &["width", "height", "viewBox", "stroke-linejoin"]),
    ("title", &[]),
    ("path", &["fill", "d"]),
    ("rect", &["x", "y", "width", "height", "opacity", "fill", "stroke", "stroke-width"]),
    ("polyline", &["fill", "opacity", "stroke", "stroke-width", "points"]),
    ("polygon", &["opacity", "fill", "points"]),
    ("circle", &["cx", "cy", "r", "opacity", "fill", "stroke", "stroke-width"]),
    (
        "text",
        &[
            "x",
            "y",
            "dy",
            "text-anchor",
            "font-family",
            "font-size",
            "opacity",
            "fill",
            "transform",
            "font-style",
            "font-weight",
        ],
    ),
];

#[test]
fn svg_has_known_elements_in_its_namespace() {
    let known: BTreeMap<&str, &[&str]> = KNOWN.into_iter().collect();
    for (name, chart) in gallery() {
        let svg = chart.draw(&Style::default()).unwrap();
        let document = Document::parse(svg.as_str()).unwrap();
        for element in document.descendants().filter(Node::is_element) {
            let tag = element.tag_name();
            assert_eq!(tag.namespace(), Some("http://www.w3.org/2000/svg"), "{name}");
            let attributes = known.get(tag.name()).unwrap_or_else(|| panic!("{name}: <{}>", tag.name()));
            for attribute in element.attributes() {
                assert!(
                    attributes.contains(&attribute.name()),
                    "{name}: <{} {}>",
                    tag.name(),
                    attribute.name()
                );
            }
        }
    }
}

/// Reports that a test was skipped.
#[allow(clippy::print_stderr, reason = "the log must show skipped tests")]
fn skip(why: &str) {
    eprintln!("skipped: {why}");
}

/// Runs a tool of poppler and returns its output; `None` if the tool is not installed.
fn poppler(tool: &str, arguments: &[&str], pdf: &[u8]) -> Option<String> {
    let mut command = Command::new(tool);
    let child =
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        skip(&format!("{tool} is not installed (Debian: poppler-utils)"));
        return None;
    };
    child.stdin.take().unwrap().write_all(pdf).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn pdf_embeds_its_fonts_and_keeps_its_text() {
    for (name, chart) in gallery()
        .into_iter()
        .filter(|(name, _)| name.contains(" 32 ranks") || name.contains("runs") || name.contains("4 phases"))
    {
        let figure = chart.figure(&Style::default()).unwrap();
        let svg = figure.draw(&Style::default()).unwrap();
        let pdf = svg.to_bytes(Format::Pdf, 300).unwrap();
        let Some(fonts) = poppler("pdffonts", &["-"], &pdf) else { return };
        // After two header lines, each line has name, type, encoding, and flags: embedded, subset, mapped to Unicode.
        let fonts: Vec<&str> = fonts.lines().skip(2).collect();
        assert!(!fonts.is_empty(), "{name}");
        for font in fonts {
            assert!(font.contains("LiberationSans") && font.contains("yes yes yes"), "{name}: {font}");
        }
        let Some(text) = poppler("pdftotext", &["-raw", "-", "-"], &pdf) else { return };
        let document = Document::parse(svg.as_str()).unwrap();
        for label in
            document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")))
        {
            // Rotated text is extracted letter by letter, possibly backwards.
            let is_rotated = label.attribute("transform").is_some();
            let label = label.text().unwrap_or_default().trim();
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let backwards: String = letters(label).chars().rev().collect();
            let upright =
                is_rotated && [letters(label), backwards].iter().any(|label| letters(&text).contains(label));
            assert!(text.contains(label) || upright, "{name}: no `{label}` in {text}");
        }
    }
    let svg = rank_values(&[1.0, 3.0], &[2.0, 2.0]).draw(&Style::default()).unwrap();
    let Some(text) = poppler("pdftotext", &["-layout", "-", "-"], &svg.to_bytes(Format::Pdf, 300).unwrap())
    else {
        return;
    };
    for label in ["before", "after", "ranks in descending order of load", "mean 2.000 s"] {
        assert!(text.contains(label), "{label} in {text}");
    }
}
