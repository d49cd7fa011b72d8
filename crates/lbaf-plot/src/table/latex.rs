// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables in LaTeX, which require only `booktabs`.

use std::fmt::Write as _;

use super::fit::{Block, Fit};
use super::grid::{ColumnHead, Grid, Printed};
use super::number::Rounded;
use super::shown::{Around, Shown, blank};
use super::{TableWidth, heads};

/// Space on either side of a column in the usual classes.
const USUAL_PT: f64 = 6.0;

/// Prints one `table` environment for each page of the table.
pub(super) fn print(grid: &Grid, fit: &Fit, caption: &str, label: &str) -> String {
    let environment = match fit.width {
        TableWidth::Column => "table",
        TableWidth::Page => "table*",
    };
    let mut out = "% Needs \\usepackage{booktabs}.\n".to_owned();
    for (page, blocks) in fit.pages.iter().enumerate() {
        line(&mut out, 0, &format!("\\begin{{{environment}}}"));
        line(&mut out, 2, "\\centering");
        write_caption(&mut out, caption, label, page);
        if !fit.letters.command.is_empty() {
            line(&mut out, 2, fit.letters.command);
        }
        if fit.letters.separation_pt != USUAL_PT {
            line(&mut out, 2, &format!("\\setlength{{\\tabcolsep}}{{{}pt}}", fit.letters.separation_pt));
        }
        for (at, block) in blocks.iter().enumerate() {
            if at > 0 {
                line(&mut out, 2, "\\par\\medskip");
            }
            write_block(&mut out, grid, fit, block);
        }
        line(&mut out, 0, &format!("\\end{{{environment}}}"));
    }
    out
}

/// Writes caption and label, unless empty. Further pages repeat the number of the first, without a label.
fn write_caption(out: &mut String, caption: &str, label: &str, page: usize) {
    match (page, caption) {
        (_, "") => {}
        (0, _) => line(out, 2, &format!("\\caption{{{}}}", escaped(caption))),
        _ => {
            line(out, 2, "\\addtocounter{table}{-1}");
            line(out, 2, "\\caption[]{(continued)}");
        }
    }
    if page == 0 && !label.is_empty() {
        line(out, 2, &format!("\\label{{{}}}", referable(label)));
    }
    if caption.is_empty() {
        return;
    }
    // Many classes leave no space below a caption, because they expect it below the table.
    line(out, 2, "\\smallskip");
}

/// Writes a `tabular` environment.
fn write_block(out: &mut String, grid: &Grid, fit: &Fit, block: &Block) {
    let columns = &grid.columns[block.columns.clone()];
    let alignment: String = columns.iter().map(|column| if column.is_text { 'l' } else { 'r' }).collect();
    let names = fit.names_pt.map_or_else(|| "l".to_owned(), |points| format!("p{{{points}pt}}"));
    line(out, 2, &format!("\\begin{{tabular}}{{@{{}}{names}{alignment}@{{}}}}"));
    line(out, 4, "\\toprule");
    write_heads(out, &grid.head, columns);
    line(out, 4, "\\midrule");
    let lines = &grid.lines[block.lines.clone()];
    let rows = columns_of_text(lines.iter().map(|row| {
        let name = escaped(&row.name);
        // Prevents LaTeX from stretching the name to the width of the column.
        let name = if fit.names_pt.is_some() { format!("\\raggedright {name}") } else { name };
        std::iter::once(name).chain(row.cells[block.columns.clone()].iter().map(cell)).collect()
    }));
    for (at, (row, text)) in lines.iter().zip(rows).enumerate() {
        if row.is_set_off && at > 0 {
            line(out, 4, "\\midrule");
        }
        line(out, 4, &text);
    }
    line(out, 4, "\\bottomrule");
    line(out, 2, "\\end{tabular}");
}

fn line(out: &mut String, indent: usize, text: &str) {
    out.push_str(&" ".repeat(indent));
    out.push_str(text);
    out.push('\n');
}

/// Formats rows of cells with aligned ampersands.
fn columns_of_text(rows: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows.collect();
    let length = |cell: &String| cell.chars().count();
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(length).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let pad = |(column, (cell, width)): (usize, (&String, &usize))| {
        let blanks = " ".repeat(width - length(cell));
        if column == 0 { format!("{cell}{blanks}") } else { format!("{blanks}{cell}") }
    };
    rows.iter()
        .map(|row| {
            let cells: Vec<String> = row.iter().zip(&widths).enumerate().map(pad).collect();
            format!("{} \\\\", cells.join(" & "))
        })
        .collect()
}

/// Writes the heads of groups with lines below them, then the heads of columns, aligned at the bottom.
fn write_heads(out: &mut String, head: &str, columns: &[ColumnHead]) {
    let mut groups = String::new();
    let mut lines = String::new();
    let mut first = 2;
    for group in columns.chunk_by(|one, other| !one.group.is_empty() && one.group == other.group) {
        let last = first + group.len() - 1;
        let name = &group[0].group;
        if name.is_empty() {
            groups.push_str(" &");
        } else {
            let _ = write!(groups, " & \\multicolumn{{{}}}{{c}}{{{}}}", group.len(), escaped(name));
            let _ = write!(lines, " \\cmidrule(lr){{{first}-{last}}}");
        }
        first = last + 1;
    }
    if !lines.is_empty() {
        line(out, 4, &format!("{} \\\\", groups.trim_start()));
        line(out, 4, lines.trim_start());
    }
    let own = |column: &ColumnHead| heads::wrapped(&column.head);
    let heads: Vec<Vec<String>> =
        std::iter::once(heads::wrapped(head)).chain(columns.iter().map(own)).collect();
    let height = heads.iter().map(Vec::len).max().unwrap_or(0);
    let row = |level: usize| {
        let part = |head: &Vec<String>| {
            let above = height - head.len();
            level.checked_sub(above).map_or_else(String::new, |part| escaped(&head[part]))
        };
        heads.iter().map(part).collect::<Vec<String>>()
    };
    for text in columns_of_text((0..height).map(row)) {
        line(out, 4, &text);
    }
}

fn cell(cell: &Printed) -> String {
    match &cell.shown {
        Shown::Absent => "--".to_owned(),
        Shown::Text(text) => escaped(text),
        Shown::Number { value, around, power } => {
            let mut text = number(value, cell.is_grouped);
            let mut needs_math = value.negative || *power != 0;
            match around {
                Around::Nothing => {}
                Around::Deviation(deviation) => {
                    let _ = write!(text, " \\pm {}", number(deviation, cell.is_grouped));
                    needs_math = true;
                }
                Around::Ends(low, high) => {
                    let (low, high) = (number(low, cell.is_grouped), number(high, cell.is_grouped));
                    let _ = write!(text, "\\;[{low}, {high}]");
                    needs_math = true;
                }
            }
            if *power != 0 {
                let together = matches!(around, Around::Nothing);
                text = if together { text } else { format!("({text})") };
                let _ = write!(text, "\\times10^{{{power}}}");
            }
            let text = match (cell.is_bold, needs_math) {
                (false, false) => text,
                (true, false) => format!("\\textbf{{{text}}}"),
                (false, true) => format!("${text}$"),
                (true, true) => format!("$\\mathbf{{{text}}}$"),
            };
            if cell.lacks.is_empty() { text } else { format!("{text}\\phantom{{{}}}", cell.lacks) }
        }
    }
}

/// Formats a number with its sign, and with thin spaces between thousands if `is_grouped`.
fn number(number: &Rounded, is_grouped: bool) -> String {
    let whole = number.whole();
    let mut text = if number.negative { "-".to_owned() } else { String::new() };
    for (position, digit) in whole.chars().enumerate() {
        if is_grouped && position > 0 && (whole.len() - position).is_multiple_of(3) {
            text.push_str("\\,");
        }
        text.push(digit);
    }
    text + number.fraction()
}

/// Escapes text so that LaTeX prints its characters: none of them begins a command, and no two form a dash or a
/// quotation mark. A straight double quotation mark becomes a closing one. Tabs and line ends become spaces.
pub(super) fn escaped(text: &str) -> String {
    let text = lbaf_text::line(&blank(text)).into_owned();
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    for character in text.chars() {
        // Two of these form a dash or a quotation mark. A backquote after ! or ? forms an inverted mark.
        let joins = match character {
            '-' | '\'' | ',' => before == Some(character),
            '`' => matches!(before, Some('`' | '!' | '?')),
            '"' => before == Some('\''),
            _ => false,
        };
        if joins {
            out.push_str("{}");
        }
        match character {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(character);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            // This character begins a command in German documents, and is a closing quotation mark in old fonts.
            '"' => out.push_str("''"),
            '[' | ']' => {
                // At the beginning of a row, a bracket would be an argument of the preceding line break.
                out.push('{');
                out.push(character);
                out.push('}');
            }
            '\u{b5}' | '\u{3bc}' => out.push_str("$\\mu$"),
            character => out.push(character),
        }
        before = Some(if character == '"' { '\'' } else { character });
    }
    out
}

/// Returns a label that every command can refer to.
fn referable(label: &str) -> String {
    let kept = |character: char| character.is_ascii_alphanumeric() || ":-._".contains(character);
    label.chars().map(|character| if kept(character) { character } else { '-' }).collect()
}
