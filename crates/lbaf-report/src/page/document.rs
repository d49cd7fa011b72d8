// SPDX-License-Identifier: MIT OR Apache-2.0
//! HTML document of a page: style, scripts and data in one file, with a content security policy.

use sha2::{Digest, Sha256};

use super::assets::{self, BASICS, BODY, CHARTS, ECHARTS, ECHARTS_NOTICE, SECTIONS, STATE, STYLE, TEMPLATE};
use super::base64::encode;

/// Fixed parts of a kind of page.
pub(crate) struct Frame {
    /// Heading that the page shows until the scripts have read the data.
    pub(crate) heading: &'static str,
    /// Class of the layout; empty for controls above the sections.
    pub(crate) layout: &'static str,
    /// HTML of controls and sections.
    pub(crate) body: &'static str,
    /// Style sheets.
    pub(crate) styles: &'static [&'static str],
    /// Groups of scripts. Code that runs while a script is loaded uses only earlier scripts.
    pub(crate) scripts: &'static [&'static [&'static str]],
}

/// Fixed parts of the page of runs.
const RUNS: Frame = Frame {
    heading: "Report",
    layout: "aside",
    body: BODY,
    styles: &[STYLE],
    scripts: &[&BASICS, &STATE, &CHARTS, &SECTIONS],
};

/// Returns the HTML of the page of runs from its title and its data as JSON.
pub(super) fn html(title: &str, data: &str) -> String {
    RUNS.html(title, data)
}

/// Returns the approximate size of the page of runs without its data, in bytes.
pub(super) fn frame_size() -> usize {
    TEMPLATE.len() + BODY.len() + STYLE.len() + ECHARTS.len() + assets::script(RUNS.scripts).len()
}

impl Frame {
    /// Returns the HTML of a page from its title and its data as JSON.
    pub(crate) fn html(&self, title: &str, data: &str) -> String {
        let (title, data) = (text(title), embedded(data));
        let (style, script) = (self.styles.concat(), assets::script(self.scripts));
        let policy = policy(&[ECHARTS, &script]);
        filled(TEMPLATE, |place| match place {
            "heading" => self.heading,
            "layout" => self.layout,
            "body" => self.body,
            "title" => &title,
            "policy" => &policy,
            "style" => &style,
            "notice" => ECHARTS_NOTICE,
            "echarts" => ECHARTS,
            "data" => &data,
            "script" => &script,
            place => unreachable!("invariant: the template has no placeholder {place}"),
        })
    }
}

/// Returns the template with its placeholders `{{name}}` replaced. Placeholders in inserted content stay as they are.
fn filled<'a>(template: &'a str, content: impl Fn(&str) -> &'a str) -> String {
    let mut parts = template.split("{{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, rest) =
            part.split_once("}}").expect("invariant: placeholders of the template are closed");
        out += content(place);
        out += rest;
    }
    out
}

/// Escapes each `<` of JSON, so that no string can end the script element. JSON contains `<` only in strings, which
/// keep their meaning.
fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Escapes text between tags.
fn text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns the content security policy: only the given scripts run, and the page loads no external source.
fn policy(scripts: &[&str]) -> String {
    let digests: Vec<String> =
        scripts.iter().map(|script| format!("'sha256-{}'", encode(&Sha256::digest(script)))).collect();
    format!(
        "default-src 'none'; script-src {}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'",
        digests.join(" ")
    )
}

/// Checks licence, description and length of the scripts of a page, and that scripts insert data only as text.
#[cfg(test)]
pub(crate) fn check(frame: &Frame) {
    for script in frame.scripts.concat() {
        assert!(script.starts_with("// SPDX-License-Identifier: MIT OR Apache-2.0\n// "));
        assert!(script.lines().count() <= 300);
        let markup = ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("];
        for way in markup.into_iter().chain(["</script", "<!--"]) {
            assert!(!script.contains(way), "{way}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_of_runs_follow_the_rules_of_pages() {
        check(&RUNS);
    }

    /// The expected value is the SHA-256 digest of an empty text in base64.
    #[test]
    fn scripts_are_allowed_by_their_digest() {
        assert!(policy(&[""]).contains("'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"));
    }
}
