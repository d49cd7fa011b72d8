// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures as LaTeX, for the package pgfplots.

use std::fmt::Write;

use plotters::style::RGBColor;

use crate::axis::{Axis, Numbers};
use crate::cells::Cells;
use crate::figure::Mark;
use crate::font::{fitted, text_width};
use crate::legend::{Entry, Sample};
use crate::palette::{Look, Marker, Pen, grey, pale};
use crate::thinning::thinned;
use crate::tick::Tick;
use crate::{Figure, Palette, Style, TableWidth, Width};

/// Number of equal steps into which each axis is divided for the thinning of lines, which saves memory of LaTeX.
const RESOLUTION: f64 = 4000.0;

/// Font size of labels (`\footnotesize`), and width of its letters and capitals relative to this program's font.
const LETTERS_MM: f64 = 2.8;
const BREADTH: f64 = 1.1;
const BREADTH_OF_CAPITALS: f64 = 1.25;

/// Space between an axis and its tick labels, and between tick labels and the label of the axis.
const GAP_MM: f64 = 1.8;

/// Space on the right, into which half of the last tick label extends.
const RIGHT_MM: f64 = 4.0;

/// Width of the sample of a legend entry, and the space between two columns of entries.
const SAMPLE_MM: f64 = 8.0;
const BETWEEN_MM: f64 = 3.0;

/// Millimetres in a point of TeX.
const MM_PER_PT: f64 = 25.4 / 72.27;

/// Maximum length of the sides of a square.
const LONGEST_SIDE_MM: f64 = 85.0;

/// Maximum number of rows and of columns of cells that LaTeX can process. If there are more, neighbouring cells are
/// merged into one with their largest value.
const MOST_CELLS: usize = 128;

/// Returns the `tikzpicture`. Legend entries are defined explicitly before the marks, not derived from plots by
/// pgfplots.
pub(crate) fn text(figure: &Figure, style: &Style) -> String {
    let mut text = String::new();
    write_all(&mut text, figure, style).expect("invariant: writing to memory does not fail");
    text
}

fn write_all(text: &mut String, figure: &Figure, style: &Style) -> std::fmt::Result {
    let size = figure.size(style);
    writeln!(text, "% \\usepackage{{pgfplots}} \\pgfplotsset{{compat=1.16}}")?;
    writeln!(text, "% {}", lbaf_text::line(&figure.description))?;
    writeln!(text, "\\begin{{tikzpicture}}")?;
    writeln!(text, "\\begin{{axis}}[")?;
    let cells = figure.marks.iter().find_map(|mark| match mark {
        Mark::Cells(cells) => Some(cells),
        _ => None,
    });
    if cells.is_some() {
        writeln!(text, "  name=frame,")?;
    }
    // The picture is as wide as the line of text, except square ones.
    let (left_mm, ends_mm) = beside(figure);
    let aside_mm = left_mm + RIGHT_MM;
    let length_mm = line_mm(style) - aside_mm;
    let height_mm = size.height_mm - ends_mm;
    let (width, height) = if figure.is_square {
        let side = format!("min(\\linewidth-{aside_mm:.1}mm,{LONGEST_SIDE_MM}mm)");
        (side.clone(), side)
    } else {
        (format!("\\linewidth-{aside_mm:.1}mm"), format!("{height_mm:.1}mm"))
    };
    writeln!(text, "  scale only axis, width={{{width}}}, height={{{height}}},")?;
    let lines = if figure.is_square { "box" } else { "left" };
    writeln!(
        text,
        "  font=\\footnotesize, axis lines={lines}, axis line style={{-}}, tick align=outside, tick pos=left, scaled ticks=false,"
    )?;
    // Names of rows take much space, so the legend begins at their left end.
    let before_mm = if matches!(figure.y.numbers, Numbers::Named(_)) { left_mm } else { 0.0 };
    let (legend, columns) = legend(&figure.legend, before_mm + length_mm + RIGHT_MM);
    writeln!(
        text,
        "  legend style={{draw=none, font=\\footnotesize, at={{(0,1.02)}}, anchor=south west, xshift=-{before_mm:.1}mm, legend columns={columns}, cells={{anchor=west}}, inner sep=0pt, /tikz/every odd column/.append style={{column sep=1mm}}, /tikz/every even column/.append style={{column sep={BETWEEN_MM}mm}}}},"
    )?;
    if style.has_titles && !figure.title.trim().is_empty() {
        writeln!(text, "  title={{{}}},", escaped(&figure.title))?;
    }
    let side_mm = length_mm.min(LONGEST_SIDE_MM);
    axis(text, "x", &figure.x, if figure.is_square { side_mm } else { length_mm })?;
    axis(text, "y", &figure.y, if figure.is_square { side_mm } else { height_mm })?;
    writeln!(text, "]")?;
    for Entry { sample, text: entry } in &legend {
        let image = image(*sample, style.palette);
        writeln!(text, "\\addlegendimage{{{image}}}\\addlegendentry{{{}}}", escaped(entry))?;
    }
    let steps = cells.map(|cells| cells.steps(MOST_CELLS));
    if let Some([columns, rows]) = steps.filter(|steps| *steps != [1, 1]) {
        let remark = format!("largest value of each {columns} x {rows} cells");
        writeln!(text, "\\addlegendimage{{empty legend}}\\addlegendentry{{{remark}}}")?;
    }
    for mark in &figure.marks {
        self::mark(text, mark, figure, style.palette)?;
    }
    writeln!(text, "\\end{{axis}}")?;
    if let Some(cells) = cells {
        self::cells(text, cells, figure, style.palette)?;
    }
    writeln!(text, "\\end{{tikzpicture}}")
}

/// Returns the assumed length of a line of text.
fn line_mm(style: &Style) -> f64 {
    let width = match style.width {
        Width::OneColumn => TableWidth::Column,
        Width::TwoColumn => TableWidth::Page,
    };
    width.points() * MM_PER_PT
}

/// Returns the width of a label in millimetres.
fn width(label: &str) -> f64 {
    text_width(label, LETTERS_MM) * breadth(label)
}

/// Returns the width of a text relative to its width in this program's font.
fn breadth(text: &str) -> f64 {
    let n_capitals = text.chars().filter(|letter| letter.is_uppercase()).count();
    BREADTH + (BREADTH_OF_CAPITALS - BREADTH) * n_capitals as f64 / text.chars().count().max(1) as f64
}

/// Returns the space for labels on the left of the axis, and the space above and below it together, in millimetres.
fn beside(figure: &Figure) -> (f64, f64) {
    let label = |axis: &Axis| if axis.label.is_empty() { 0.0 } else { LETTERS_MM + GAP_MM };
    let ticks = vertical_ticks(figure).iter().map(|tick| width(&tick.text)).fold(0.0, f64::max);
    (ticks + GAP_MM + label(&figure.y) + 1.0, 2.0 * (LETTERS_MM + GAP_MM) + label(&figure.x))
}

fn vertical_ticks(figure: &Figure) -> Vec<Tick> {
    figure.y.ticks(6)
}

/// Returns the entries of the legend, shortened to the available width, and the number of columns.
fn legend(entries: &[Entry], room_mm: f64) -> (Vec<Entry>, usize) {
    let room = room_mm - SAMPLE_MM;
    let shortened = |entry: &Entry| {
        let text = fitted(&entry.text, LETTERS_MM * breadth(&entry.text), room);
        Entry { text, ..entry.clone() }
    };
    let entries: Vec<Entry> = entries.iter().map(shortened).collect();
    let widest = entries.iter().map(|entry| width(&entry.text) + SAMPLE_MM).fold(0.0, f64::max);
    let fits = |columns: &usize| *columns as f64 * (widest + BETWEEN_MM) <= room_mm;
    let columns = (1..=entries.len()).rev().find(fits).unwrap_or(1);
    (entries, columns)
}

fn axis(text: &mut String, name: &str, axis: &Axis, length_mm: f64) -> std::fmt::Result {
    let (start, end) = (axis.range.start, axis.range.end);
    let label = fitted(&axis.label, LETTERS_MM * breadth(&axis.label), length_mm);
    writeln!(text, "  {name}label={{{}}}, {name}min={start}, {name}max={end},", escaped(&label))?;
    if axis.is_logarithmic {
        writeln!(text, "  {name}mode=log, log ticks with fixed point, minor {name} tick num=0,")?;
    }
    if let Some(least) = axis.above_break {
        // The break is a pair of strokes between zero and the smallest value.
        let middle = axis.part(least) / 2.0;
        let (place, turned) =
            if name == "x" { (format!("{middle:.3},0"), 0) } else { (format!("0,{middle:.3}"), 90) };
        writeln!(
            text,
            "  extra description/.append code={{\\node[rotate={turned}, fill=white, inner sep=0.3pt, font=\\tiny] at (axis description cs:{place}) {{$/\\!/$}};}},"
        )?;
    }
    // The x axis has the densest ticks whose labels are apart, as in the picture.
    let ticks = match name {
        "x" => axis.ticks_for(length_mm, width),
        _ => axis.ticks(6),
    };
    let places: Vec<String> = ticks.iter().map(|tick| on_axis(axis, tick.at).to_string()).collect();
    let labels: Vec<String> = ticks.iter().map(|tick| format!("{{{}}}", escaped(&tick.text))).collect();
    writeln!(text, "  {name}tick={{{}}}, {name}ticklabels={{{}}},", places.join(","), labels.join(","))
}

fn mark(text: &mut String, mark: &Mark, figure: &Figure, palette: Palette) -> std::fmt::Result {
    match mark {
        Mark::Edge(points, Look { pen, fill, .. }) => {
            if let Some(fill) = fill {
                writeln!(
                    text,
                    "\\addplot[draw=none, fill={}, forget plot] coordinates {{{}}} \\closedcycle;",
                    color(*fill, palette),
                    coordinates(points, figure)
                )?;
            }
            writeln!(
                text,
                "\\addplot[{}, forget plot] coordinates {{{}}};",
                options(*pen, palette),
                coordinates(points, figure)
            )
        }
        Mark::Line { points, look, is_marked } => {
            let (lines, marks) = (options(look.pen, palette), marker(look.marker));
            let marks = if *is_marked { format!(", {marks}") } else { String::new() };
            let only = if points.len() > 1 { "" } else { ", only marks" };
            // Marked points must not be thinned.
            let points = if *is_marked { all(points, figure) } else { coordinates(points, figure) };
            writeln!(text, "\\addplot[{lines}{marks}{only}, forget plot] coordinates {{{points}}};")
        }
        Mark::Level(y, pen) => {
            let ends = [(figure.x.range.start, *y), (figure.x.range.end, *y)];
            writeln!(
                text,
                "\\addplot[{}, forget plot] coordinates {{{}}};",
                options(*pen, palette),
                coordinates(&ends, figure)
            )
        }
        Mark::Band { low, high, color: shade } => {
            let back: Vec<(f64, f64)> = low.iter().rev().copied().collect();
            let outline = coordinates(high, figure) + &coordinates(&back, figure);
            writeln!(
                text,
                "\\addplot[draw=none, fill={}, forget plot] coordinates {{{outline}}} -- cycle;",
                color(*shade, palette)
            )
        }
        // Cells are drawn after the axis.
        Mark::Cells(_) => Ok(()),
    }
}

/// Writes cells as filled rectangles, because matrix plots do not support different widths.
///
/// They are drawn after the axis, in fractions of its size: pgfplots stores everything inside an axis until its end, so
/// many rectangles would exceed the memory of LaTeX and take too long.
fn cells(text: &mut String, cells: &Cells, figure: &Figure, palette: Palette) -> std::fmt::Result {
    text.push_str(CELLS);
    let mut last = None;
    for ([left, right, low, high], shade) in cells.coarser(MOST_CELLS).rectangles() {
        let RGBColor(red, green, blue) = shown(shade, palette);
        if last != Some((red, green, blue)) {
            writeln!(text, "\\tint{{{red}}}{{{green}}}{{{blue}}}")?;
            last = Some((red, green, blue));
        }
        let [left, right] = [left, right].map(|x| figure.x.part(x));
        let [low, high] = [low, high].map(|y| figure.y.part(y));
        writeln!(text, "\\cell{{{left:.5}}}{{{low:.5}}}{{{right:.5}}}{{{high:.5}}}")?;
    }
    writeln!(text, "\\pgfusepath{{fill}}\n\\end{{scope}}")?;
    // Draws the left and the lower side again, because cells cover half of their lines.
    writeln!(text, "\\draw (frame.north west) -- (frame.south west) -- (frame.south east);")
}

/// TeX code that makes the lower left corner of the axis the origin and the sides of the axis the units, and
/// defines `\tint` and `\cell`. Consecutive rectangles of one shade form one path.
const CELLS: &str = r"\begin{scope}
\pgfsetxvec{\pgfpointdiff{\pgfpointanchor{frame}{south west}}{\pgfpointanchor{frame}{south east}}}
\pgfsetyvec{\pgfpointdiff{\pgfpointanchor{frame}{south west}}{\pgfpointanchor{frame}{north west}}}
\pgftransformshift{\pgfpointanchor{frame}{south west}}
\def\tint#1#2#3{\pgfusepath{fill}\color[RGB]{#1,#2,#3}}
\def\cell#1#2#3#4{\pgfpathrectanglecorners{\pgfpointxy{#1}{#2}}{\pgfpointxy{#3}{#4}}}
";

/// Formats points, thinned to the resolution of a page.
fn coordinates(points: &[(f64, f64)], figure: &Figure) -> String {
    let place = |axis: &Axis, value: f64| (axis.part(value) * RESOLUTION).round() as i32;
    let spots: Vec<(i32, i32)> =
        points.iter().map(|&(x, y)| (place(&figure.x, x), place(&figure.y, y))).collect();
    let kept = thinned(&spots);
    let mut rest = kept.iter().peekable();
    let is_kept = |spot: &(i32, i32)| rest.next_if_eq(&spot).is_some();
    let kept: Vec<bool> = spots.iter().map(is_kept).collect();
    let kept = points.iter().zip(kept).filter(|(_, is_kept)| *is_kept).map(|(point, _)| *point);
    all(&kept.collect::<Vec<_>>(), figure)
}

/// Returns a value, or the lower end of a logarithmic axis for values below it, such as zeros.
fn on_axis(axis: &Axis, value: f64) -> f64 {
    if axis.is_logarithmic { value.max(axis.range.start) } else { value }
}

/// Formats all points.
fn all(points: &[(f64, f64)], figure: &Figure) -> String {
    let mut text = String::new();
    for &(x, y) in points {
        let (x, y) = (on_axis(&figure.x, x), on_axis(&figure.y, y));
        write!(text, "({x},{y})").expect("invariant: writing to memory does not fail");
    }
    text
}

fn options(pen: Pen, palette: Palette) -> String {
    let dashes =
        pen.dash_mm.map_or_else(String::new, |(dash, gap)| format!(", dash pattern=on {dash}mm off {gap}mm"));
    format!("color={}, line width={}pt{dashes}", color(pen.color, palette), pen.width_pt)
}

fn shown(color: RGBColor, palette: Palette) -> RGBColor {
    if palette == Palette::Grey { grey(color) } else { color }
}

fn color(color: RGBColor, palette: Palette) -> String {
    let RGBColor(red, green, blue) = shown(color, palette);
    format!("{{rgb,255:red,{red};green,{green};blue,{blue}}}")
}

/// Returns the options of a marker.
fn marker(marker: Marker) -> String {
    let (mark, more) = match marker {
        Marker::Circle => ("*", ", fill=white"),
        Marker::Square => ("square*", ""),
        Marker::Triangle => ("triangle*", ""),
        Marker::Diamond => ("diamond*", ""),
        Marker::Down => ("triangle*", ", rotate=180"),
        Marker::Disc => ("*", ""),
        Marker::OpenSquare => ("square*", ", fill=white"),
        Marker::OpenTriangle => ("triangle*", ", fill=white"),
        Marker::OpenDiamond => ("diamond*", ", fill=white"),
        Marker::OpenDown => ("triangle*", ", rotate=180, fill=white"),
        Marker::Cross => ("x", ""),
        Marker::Plus => ("+", ""),
        Marker::Bar => ("-", ""),
    };
    format!("mark={mark}, mark size=2pt, mark options={{solid, line width=0.7pt{more}}}")
}

/// Returns the options of the sample in a legend entry.
fn image(sample: Sample, palette: Palette) -> String {
    match sample {
        Sample::Edge(Look { pen, fill: Some(fill), .. }) => {
            format!("{}, fill={}, area legend", options(pen, palette), color(fill, palette))
        }
        Sample::Edge(Look { pen, .. }) | Sample::Line(pen) => options(pen, palette),
        Sample::Points(look) => {
            let marker = marker(look.marker);
            format!("{}, {marker}", options(look.pen, palette))
        }
        Sample::Marker(look) => {
            format!("{}, only marks, {}", options(look.pen, palette), marker(look.marker))
        }
        Sample::Band(pen) => {
            format!("{}, fill={}, area legend", options(pen, palette), color(pale(pen.color), palette))
        }
        Sample::Area(fill) => format!("draw=none, fill={}, area legend", color(fill, palette)),
        Sample::Ramp(from) => format!(
            "draw=none, left color={}, right color={}, area legend",
            color(crate::palette::shade(from), palette),
            color(crate::palette::shade(1.0), palette)
        ),
        Sample::Blank => "draw=black, fill=white, area legend".to_owned(),
        Sample::Nothing => "empty legend".to_owned(),
    }
}

/// Escapes special characters of LaTeX. Tabs and line ends become spaces.
fn escaped(text: &str) -> String {
    let text = lbaf_text::line(&text.replace(['\t', '\n', '\r'], " ")).into_owned();
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '\\' => escaped += "\\textbackslash{}",
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            '<' => escaped += "\\textless{}",
            '>' => escaped += "\\textgreater{}",
            '\u{2212}' => escaped += "$-$",
            '\u{b5}' => escaped += "$\\mu$",
            '\u{2026}' => escaped += "\\dots{}",
            '\u{201c}' => escaped += "``",
            '\u{201d}' => escaped += "''",
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chart, Histogram, Series};

    #[test]
    fn escapes_characters_that_are_special_in_latex() {
        assert_eq!(
            escaped("50% of a_b & {x} \u{2212}1 \u{b5}s \\"),
            "50\\% of a\\_b \\& \\{x\\} $-$1 $\\mu$s \\textbackslash{}"
        );
    }

    /// The widths in points were measured with pdfTeX in the fonts Computer Modern and Latin Modern.
    #[test]
    fn expected_widths_of_labels_are_close_to_those_in_latex() {
        for (label, points) in [
            ("MULTIFIT", 42.695),
            ("LPT", 17.228),
            ("Milp", 17.228),
            ("TemperedWMin", 60.436),
            ("RecursiveCoordinateBisection", 110.839),
            ("CentralizedPrefixOptimizer", 101.665),
            ("Greedy", 26.745),
            ("after", 17.243),
            ("migrations", 39.249),
            ("communication", 56.432),
            ("10000", 21.250),
            ("0.001", 19.361),
            ("WWWW", 34.912),
        ] {
            let (expected, measured) = (width(label), points * MM_PER_PT);
            // Labels that are up to half a millimetre wider than expected fit, because `beside` adds a whole
            // millimetre. The upper limit keeps expected widths from wasting space.
            assert!((measured - 0.5..1.35 * measured).contains(&expected), "{label}: {expected}, {measured}");
        }
    }

    #[test]
    fn writes_axes_legend_and_marks() {
        let chart = Histogram {
            series: vec![Series::before(vec![4.0, 1.0]), Series::after(vec![2.5, 2.5])],
            quantity: "load".to_owned(),
            unit: "s".to_owned(),
            title: String::new(),
        };
        let text = chart.figure(&Style::default()).unwrap().pgfplots(&Style::default());
        assert!(text.contains("xlabel={load (s)}"), "{text}");
        assert!(text.contains("ylabel={number of ranks}"), "{text}");
        assert_eq!(text.matches("\\addlegendentry").count(), 2);
        // `before` has two bins, each drawn as a filling and an outline; `after` has one outline: 2 x 2 + 1.
        assert_eq!(text.matches("\\addplot").count(), 5, "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}
