// SPDX-License-Identifier: MIT OR Apache-2.0
//! The document: style, scripts and data in one file, and what it may do.

use sha2::{Digest, Sha256};

use crate::assets::{self, ECHARTS, ECHARTS_NOTICE, STYLE, TEMPLATE};
use crate::base64::encode;
use crate::{Page, PageError};

/// The page as HTML.
pub(crate) fn html(page: &Page) -> Result<String, PageError> {
    let data = embedded(&serde_json::to_string(page)?);
    let names: Vec<&str> = page.runs.iter().map(|run| run.name.as_str()).collect();
    let script = assets::script();
    let title = text(&names.join(" | "));
    let policy = policy(&[ECHARTS, &script]);
    Ok(filled(TEMPLATE, |place| match place {
        "title" => &title,
        "policy" => &policy,
        "style" => STYLE,
        "notice" => ECHARTS_NOTICE,
        "echarts" => ECHARTS,
        "data" => &data,
        "script" => &script,
        place => unreachable!("invariant: the template has no place {place}"),
    }))
}

/// What is there whatever the data.
pub(crate) fn frame_size() -> usize {
    TEMPLATE.len() + STYLE.len() + ECHARTS.len() + assets::script().len()
}

/// The template with its places `{{name}}` filled. What is filled in is not looked at again.
fn filled<'a>(template: &'a str, content: impl Fn(&str) -> &'a str) -> String {
    let mut parts = template.split("{{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, rest) = part.split_once("}}").expect("invariant: places of the template are closed");
        out += content(place);
        out += rest;
    }
    out
}

/// JSON that no end of a script element can be in: `<` stands only in strings, where it has another spelling.
fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Text between tags.
fn text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What a browser shall let the page do: run these scripts, and ask nobody for anything.
fn policy(scripts: &[&str]) -> String {
    let digests: Vec<String> =
        scripts.iter().map(|script| format!("'sha256-{}'", encode(&Sha256::digest(script)))).collect();
    format!(
        "default-src 'none'; script-src {}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'",
        digests.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fact, Run};

    fn page(text: &str) -> Page {
        let run = Run {
            name: text.to_owned(),
            facts: vec![Fact { label: text.to_owned(), value: text.to_owned(), settings: Vec::new() }],
            sentences: vec![text.to_owned()],
            n_ranks: 1,
            ..Run::default()
        };
        Page { lbaf: "0".to_owned(), runs: vec![run] }
    }

    /// What is between the tags of the element of data.
    fn data(html: &str) -> serde_json::Value {
        let (_, rest) = html.split_once(r#"<script type="application/json" id="data">"#).unwrap();
        let (json, _) = rest.split_once("</script>").unwrap();
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn no_text_breaks_out_of_the_page() {
        let plain = page("a").to_html().unwrap();
        for bad in
            ["</script><script>alert(1)</script>", "<!--<script>", "{{script}}", "]]>", "\u{2028}\"\\&amp;"]
        {
            let html = page(bad).to_html().unwrap();
            for tag in ["<script", "</script", "<!--", "-->"] {
                assert_eq!(html.matches(tag).count(), plain.matches(tag).count(), "{tag} in {bad}");
            }
            assert_eq!(data(&html)["runs"][0]["sentences"][0], bad);
        }
    }

    #[test]
    fn the_title_is_text() {
        let html = page("<b>&").to_html().unwrap();
        assert!(html.contains("<title>&lt;b&gt;&amp; "), "{}", &html[..200]);
    }

    #[test]
    fn the_same_data_are_the_same_bytes() {
        assert_eq!(page("a").to_html().unwrap(), page("a").to_html().unwrap());
    }

    #[test]
    fn nothing_outside_is_named_as_a_source() {
        // The library names some in code that never runs here; the policy forbids them.
        let html = page("a").to_html().unwrap().replace(ECHARTS, "");
        for source in ["<link", "<script src", "@import", "url(http", "<iframe", "<img"] {
            assert!(!html.contains(source), "{source}");
        }
    }

    /// The digest of an empty text is known from FIPS 180.
    #[test]
    fn scripts_are_allowed_by_their_digest() {
        assert!(policy(&[""]).contains("'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"));
    }

    #[test]
    fn the_frame_is_most_of_an_empty_page() {
        let html = page("a").to_html().unwrap();
        assert!(
            (html.len() - 2000..html.len()).contains(&frame_size()),
            "{} of {}",
            frame_size(),
            html.len()
        );
    }
}
