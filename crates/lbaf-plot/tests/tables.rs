// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables in every format, with typical and unusual data.
#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use insta::assert_snapshot;
use lbaf_plot::{Best, Cell, Entry, Layout, Quantity, Table, TableError};

fn quantity(name: &str, unit: &str, cells: &[Cell]) -> Quantity {
    Quantity {
        name: name.to_owned(),
        group: String::new(),
        unit: unit.to_owned(),
        digits: 3,
        best: Some(Best::Least),
        cells: cells.to_vec(),
    }
}

fn reals(values: &[f64]) -> Vec<Cell> {
    values.iter().copied().map(Cell::Real).collect()
}

fn table(names: &[&str], quantities: Vec<Quantity>) -> Table {
    Table {
        caption: String::new(),
        label: String::new(),
        head: "run".to_owned(),
        layout: Layout::QuantitiesAcross,
        entries: names.iter().copied().map(Entry::compared).collect(),
        quantities,
    }
}

/// Builds a table with every kind of entry, head and cell.
fn full() -> Table {
    let group = |name: &str, values: &[f64]| Quantity {
        group: "max load".to_owned(),
        best: None,
        ..quantity(name, "s", &reals(values))
    };
    let greatest = |quantity: Quantity| Quantity { best: Some(Best::Greatest), ..quantity };
    let spread = |mean, deviation| Cell::Spread { mean, deviation };
    let interval = |value, low, high| Cell::Interval { value, low, high };
    let mut table = table(
        &["start", "a_b & c", "d|e", "all"],
        vec![
            quantity(
                "why",
                "",
                &["", "50% #1", "x", ""].map(|text| match text {
                    "" => Cell::Absent,
                    text => Cell::Text(text.to_owned()),
                }),
            ),
            group("before", &[0.5, 0.25, 0.125, 0.875]),
            group("after", &[0.004, 0.25, 0.1, 0.354]),
            quantity("migrated volume", "B", &[5e6, 1.5e6, 999.0, 6.5e6].map(Cell::Real)),
            quantity("migrations", "", &[0, 12_345, 678, 13_023].map(Cell::Count)),
            greatest(quantity("gain", "", &reals(&[0.0, -1.25, -3.5, -4.75]))),
            quantity("flops", "", &reals(&[1e3, 2.5e9, 2.5e9, 1e-9])),
            quantity("time", "", &[Cell::Absent, spread(1.5, 0.25), spread(1.25, 0.01), Cell::Absent]),
            quantity(
                "median",
                "",
                &[Cell::Absent, interval(2.5e7, 2e7, 3e7), interval(-1.5, -2.0, 3.0), Cell::Absent],
            ),
        ],
    );
    table.entries[0] = Entry::reference("start");
    table.entries[3] = Entry::total("all");
    let (caption, label) = ("50% of {all} runs_1 ~ x^2 \\ y.".to_owned(), "tab:a b".to_owned());
    Table { caption, label, ..table }
}

#[test]
fn latex_has_everything() {
    assert_snapshot!(full().to_latex(None).unwrap(), @r#"
    % Needs \usepackage{booktabs}.
    \begin{table*}
      \centering
      \caption{50\% of \{all\} runs\_1 \textasciitilde{} x\textasciicircum{}2 \textbackslash{} y.}
      \label{tab:a-b}
      \smallskip
      \footnotesize
      \setlength{\tabcolsep}{2.5pt}
      \begin{tabular}{@{}llrrrrrrrr@{}}
        \toprule
        & & \multicolumn{2}{c}{max load (ms)} & & & & & & \\
        \cmidrule(lr){3-4}
            &     &        &       & migrated &            &      &       &      &        \\
            &     &        &       &   volume &            &      &       &      &        \\
        run & why & before & after &     (MB) & migrations & gain & flops & time & median \\
        \midrule
        start        &       -- & 500 &             4.00 & 5.00\phantom{0000} &            0 &   0\phantom{.00} &                1000 &                       -- &                                 -- \\
        \midrule
        a\_b \& c    & 50\% \#1 & 250 & 250\phantom{.00} & 1.50\phantom{0000} &      12\,345 & $\mathbf{-1.25}$ &  $2.50\times10^{9}$ &          $1.50 \pm 0.25$ & $(2.50\;[2.00, 3.00])\times10^{7}$ \\
        d\textbar{}e &        x & 125 & 100\phantom{.00} &  \textbf{0.000999} & \textbf{678} &          $-3.50$ &  $2.50\times10^{9}$ & $\mathbf{1.25 \pm 0.01}$ &    $\mathbf{-1.50\;[-2.00, 3.00]}$ \\
        \midrule
        all          &       -- & 875 & 354\phantom{.00} & 6.50\phantom{0000} &      13\,023 &          $-4.75$ & $1.00\times10^{-9}$ &                       -- &                                 -- \\
        \bottomrule
      \end{tabular}
    \end{table*}
    "#);
}

#[test]
fn markdown_has_everything() {
    assert_snapshot!(full().to_markdown().unwrap(), @r#"
    50% of {all} runs_1 \~ x^2 \\ y.

    | run      | why    | max load (ms), before | max load (ms), after | migrated volume (MB) | migrations |      gain |     flops |            time |                  median |
    | :------- | :----- | --------------------: | -------------------: | -------------------: | ---------: | --------: | --------: | --------------: | ----------------------: |
    | start    | –      |                   500 |                 4.00 |                 5.00 |          0 |         0 |      1000 |               – |                       – |
    | a_b \& c | 50% #1 |                   250 |                  250 |                 1.50 |      12345 | **−1.25** |  2.50×10⁹ |     1.50 ± 0.25 | (2.50 [2.00, 3.00])×10⁷ |
    | d\|e     | x      |                   125 |                  100 |         **0.000999** |    **678** |     −3.50 |  2.50×10⁹ | **1.25 ± 0.01** | **−1.50 [−2.00, 3.00]** |
    | all      | –      |                   875 |                  354 |                 6.50 |      13023 |     −4.75 | 1.00×10⁻⁹ |               – |                       – |
    "#);
}

#[test]
fn comma_separated_values_are_exact() {
    assert_snapshot!(full().to_csv().unwrap(), @r#"
    run,why,"max load, before (s)","max load, after (s)",migrated volume (B),migrations,gain,flops,time,"time, deviation",median,"median, low","median, high"
    start,,0.5,0.004,5000000,0,0,1000,,,,,
    a_b & c,50% #1,0.25,0.25,1500000,12345,-1.25,2500000000,1.5,0.25,25000000,20000000,30000000
    d|e,x,0.125,0.1,999,678,-3.5,2500000000,1.25,0.01,-1.5,-2,3
    all,,0.875,0.354,6500000,13023,-4.75,1e-9,,,,,
    "#);
}

#[test]
fn quantities_as_rows_have_their_own_digits() {
    let mut table = full();
    table.layout = Layout::QuantitiesDown;
    table.head = String::new();
    table.quantities.remove(0);
    assert_snapshot!(table.to_latex(None).unwrap(), @r#"
    % Needs \usepackage{booktabs}.
    \begin{table*}
      \centering
      \caption{50\% of \{all\} runs\_1 \textasciitilde{} x\textasciicircum{}2 \textbackslash{} y.}
      \label{tab:a-b}
      \smallskip
      \begin{tabular}{@{}lrrrr@{}}
        \toprule
         & start & a\_b \& c & d\textbar{}e & all \\
        \midrule
        max load (ms), before &  500 &                                250 &                             125 &                 875 \\
        max load (ms), after  & 4.00 &                                250 &                             100 &                 354 \\
        migrated volume (MB)  & 5.00 &                               1.50 &               \textbf{0.000999} &                6.50 \\
        migrations            &    0 &                            12\,345 &                    \textbf{678} &             13\,023 \\
        gain                  &    0 &                   $\mathbf{-1.25}$ &                         $-3.50$ &             $-4.75$ \\
        flops                 & 1000 &                 $2.50\times10^{9}$ &              $2.50\times10^{9}$ & $1.00\times10^{-9}$ \\
        time                  &   -- &                    $1.50 \pm 0.25$ &        $\mathbf{1.25 \pm 0.01}$ &                  -- \\
        median                &   -- & $(2.50\;[2.00, 3.00])\times10^{7}$ & $\mathbf{-1.50\;[-2.00, 3.00]}$ &                  -- \\
        \bottomrule
      \end{tabular}
    \end{table*}
    "#);
    assert_snapshot!(table.to_markdown().unwrap(), @r#"
    50% of {all} runs_1 \~ x^2 \\ y.

    |                       | start |                a_b \& c |                    d\|e |       all |
    | :-------------------- | ----: | ----------------------: | ----------------------: | --------: |
    | max load (ms), before |   500 |                     250 |                     125 |       875 |
    | max load (ms), after  |  4.00 |                     250 |                     100 |       354 |
    | migrated volume (MB)  |  5.00 |                    1.50 |            **0.000999** |      6.50 |
    | migrations            |     0 |                   12345 |                 **678** |     13023 |
    | gain                  |     0 |               **−1.25** |                   −3.50 |     −4.75 |
    | flops                 |  1000 |                2.50×10⁹ |                2.50×10⁹ | 1.00×10⁻⁹ |
    | time                  |     – |             1.50 ± 0.25 |         **1.25 ± 0.01** |         – |
    | median                |     – | (2.50 [2.00, 3.00])×10⁷ | **−1.50 [−2.00, 3.00]** |         – |
    "#);
    assert!(table.to_csv().unwrap().starts_with(",\"max load, before (s)\","));
}

/// Returns the cells of the first quantity in Markdown, without the blanks around them.
fn cells(table: &Table) -> Vec<String> {
    let text = table.to_markdown().unwrap();
    let cell = |line: &str| line.split(" | ").nth(1).unwrap().trim_end_matches('|').trim().to_owned();
    text.lines().skip(2).map(cell).collect()
}

fn one_column(values: &[f64]) -> Table {
    table(&vec!["x"; values.len()], vec![quantity("work", "", &reals(values))])
}

#[test]
fn numbers_that_are_printed_alike_are_equally_bold() {
    assert_eq!(cells(&one_column(&[1.001, 1.004, 1.006])), ["**1.00**", "**1.00**", "1.01"]);
    assert_eq!(cells(&one_column(&[1.001, 1.004])), ["1.00", "1.00"]);
    assert_eq!(cells(&one_column(&[3.0])), ["3.00"]);
    // 0.09996 is printed as 0.100.
    assert_eq!(cells(&one_column(&[0.099_96, 0.1, 2.0])), ["**0.100**", "**0.100**", "2.00"]);
    assert_eq!(cells(&one_column(&[-1.0, 0.0, -0.0])), ["**\u{2212}1.00**", "0", "0"]);
}

#[test]
fn extremes_are_readable() {
    assert_eq!(
        cells(&one_column(&[9.995, 0.0, 1e-300, 1e300, f64::MAX, 999_600.0])),
        [
            "9.99",
            "**0**",
            "1.00\u{d7}10\u{207b}\u{b3}\u{2070}\u{2070}",
            "1.00\u{d7}10\u{b3}\u{2070}\u{2070}",
            "1.80\u{d7}10\u{b3}\u{2070}\u{2078}",
            "1.00\u{d7}10\u{2076}",
        ]
    );
    let latex = one_column(&[1e-300, 2.0, -0.25]).to_latex(None).unwrap();
    for cell in ["$1.00\\times10^{-300}$ \\\\", " 2.00 \\\\", " $\\mathbf{-0.250}$ \\\\"] {
        assert!(latex.contains(cell), "{latex}");
    }
}

#[test]
fn decimal_points_are_aligned() {
    let latex = one_column(&[120.0, 12.3, 0.5]).to_latex(None).unwrap();
    for cell in [" 120\\phantom{.000} \\\\", " 12.3\\phantom{00} \\\\", " \\textbf{0.500} \\\\"] {
        assert!(latex.contains(cell), "{latex}");
    }
    // A column that contains a power of ten is not aligned.
    assert!(!one_column(&[120.0, 1.5e9]).to_latex(None).unwrap().contains("phantom"));
}

#[test]
fn thousands_are_grouped_in_the_whole_column_or_not_at_all() {
    let counts = |counts: &[u64]| {
        let cells: Vec<Cell> = counts.iter().copied().map(Cell::Count).collect();
        let quantity = Quantity { best: None, ..quantity("n", "", &cells) };
        table(&vec!["x"; counts.len()], vec![quantity]).to_latex(None).unwrap()
    };
    assert!(counts(&[1234, 9999]).contains(" 1234 \\\\"));
    let latex = counts(&[1234, 1_234_567, 10]);
    for cell in [" 1\\,234 \\\\", " 1\\,234\\,567 \\\\", " 10 \\\\"] {
        assert!(latex.contains(cell), "{latex}");
    }
    // A double cannot represent this integer exactly.
    assert!(counts(&[u64::MAX]).contains("18\\,446\\,744\\,073\\,709\\,551\\,615"));
}

#[test]
fn seconds_share_a_prefix_and_bytes_have_their_own() {
    let mut table = table(
        &["a", "b"],
        vec![
            quantity("max load", "s", &reals(&[12.0, 10.0])),
            quantity("mean load", "s", &reals(&[0.5, 0.5])),
            quantity("sent", "B", &reals(&[2e9, 1e9])),
            quantity("moved", "B", &reals(&[2e3, 999.0])),
            quantity("memory", "B", &[Cell::Count(512), Cell::Count(2)]),
        ],
    );
    let markdown = table.to_markdown().unwrap();
    for head in ["max load (s)", "mean load (s)", "sent (GB)", "moved (kB)", "memory (B)"] {
        assert!(markdown.contains(head), "{markdown}");
    }
    for quantity in &mut table.quantities[2..4] {
        quantity.group = "volume".to_owned();
    }
    let markdown = table.to_markdown().unwrap();
    for head in ["volume (GB), sent", "volume (GB), moved"] {
        assert!(markdown.contains(head), "{markdown}");
    }
}

#[test]
fn special_characters_are_escaped() {
    let latex = |text: &str| {
        let latex = table(&[text], vec![quantity("q", "", &reals(&[1.0]))]).to_latex(None).unwrap();
        latex.lines().nth(7).unwrap().trim().trim_end_matches(" & 1.00 \\\\").to_owned()
    };
    let markdown = |text: &str| {
        let markdown = table(&[text], vec![quantity("q", "", &reals(&[1.0]))]).to_markdown().unwrap();
        let line = markdown.lines().nth(2).unwrap().to_owned();
        line.trim_start_matches("| ").trim_end_matches(" | 1.00 |").trim_end().to_owned()
    };
    let cases = [
        ("#$%&_{}", "\\#\\$\\%\\&\\_\\{\\}", "#\\$%\\&\\_{}"),
        ("\\~^", "\\textbackslash{}\\textasciitilde{}\\textasciicircum{}", ""),
        ("<a>|b", "\\textless{}a\\textgreater{}\\textbar{}b", "\\<a\\>\\|b"),
        ("[1] *2*", "{[}1{]} *2*", "\\[1\\] \\*2\\*"),
        ("a--b---c", "a-{}-b-{}-{}-c", "a--b---c"),
        ("``x'' ?` !` ,,", "`{}`x'{}' ?{}` !{}` ,{},", ""),
        ("say \"hi\"", "say ''hi''", "say \"hi\""),
        ("'\"'", "'{}''{}'", "'\"'"),
        ("a_b _c_", "a\\_b \\_c\\_", "a_b \\_c\\_"),
        ("5 \u{b5}s, \u{e9}", "5 $\\mu$s, \u{e9}", "5 \u{b5}s, \u{e9}"),
        ("two\nlines\ttab", "two lines tab", "two lines tab"),
    ];
    for (text, in_latex, in_markdown) in cases {
        assert_eq!(latex(text), in_latex);
        if !in_markdown.is_empty() {
            assert_eq!(markdown(text), in_markdown);
        }
    }
    assert_eq!(markdown("\\~`$"), "\\\\\\~\\`\\$");
}

#[test]
fn refuses_tables_that_cannot_be_printed() {
    let message = |table: &Table| {
        let errors = [table.to_latex(None), table.to_markdown(), table.to_csv()];
        let [latex, markdown, csv] = errors.map(|error| error.unwrap_err().to_string());
        assert_eq!((&markdown, &csv), (&latex, &latex));
        latex
    };
    assert_eq!(message(&table(&["a"], Vec::new())), "the table has no quantities: give at least one");
    assert_eq!(
        message(&table(&[], vec![quantity("q", "", &[])])),
        "the table has no entries: give at least one"
    );
    assert_eq!(
        message(&table(&["a", "b"], vec![quantity("q", "", &reals(&[1.0]))])),
        "`q` has 1 cells for 2 entries: give one for each, `Absent` for a missing value"
    );
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for cell in [
            Cell::Real(bad),
            Cell::Spread { mean: 1.0, deviation: bad },
            Cell::Interval { value: 1.0, low: bad, high: 1.0 },
        ] {
            let bad_table = table(&["a"], vec![quantity("q", "", &[cell])]);
            assert!(matches!(bad_table.to_latex(None), Err(TableError::NotFinite { .. })));
            let expected = format!("`q` of `a` is {bad}: give finite numbers, or `Absent`");
            assert_eq!(message(&bad_table), expected);
        }
    }
}

/// Compiles the tables if LaTeX is installed.
#[test]
fn latex_compiles_the_tables() {
    let directory = tempfile::tempdir().unwrap();
    let mut down = full();
    down.layout = Layout::QuantitiesDown;
    let tables = [full(), down].map(|table| table.to_latex(None).unwrap()).concat();
    let document = format!(
        "\\documentclass{{article}}\\usepackage{{booktabs}}\\begin{{document}}\n{tables}\\end{{document}}\n"
    );
    std::fs::write(directory.path().join("tables.tex"), document).unwrap();
    let latex = std::process::Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "tables.tex"])
        .current_dir(directory.path())
        .output();
    let Ok(latex) = latex else { return };
    let said = String::from_utf8_lossy(&latex.stdout);
    // If booktabs is not installed, a failure is not a fault of the tables.
    assert!(latex.status.success() || said.contains("booktabs.sty' not found"), "{said}");
}
