// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf convert` and `lbaf extract`: other forms, and selected phases, of data sets and single files.

mod arguments;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub(crate) use arguments::{ConvertArgs, ExtractArgs};
use arguments::{FileArgs, Form, IdForm};
use lbaf_config::Selection;
use lbaf_reader::{Findings, LoadedFile, Request, is_there};
use lbaf_run::Messages as _;
use lbaf_text::Shown as _;
use lbaf_text::number::{bytes, counted};
use lbaf_vom::{Encoding, Generation};
use lbaf_writer::{Conversion, Ids, Known, Losses};

use crate::data;
use crate::directories;
use crate::error::Error;
use crate::inputs;
use crate::memory;
use crate::new_files::NewFiles;
use crate::progress::Messages;

enum Target {
    Files(Generation),
    Tables(lbaf_columns::Format),
}

impl Form {
    fn target(self) -> Result<Target, Error> {
        Ok(match self {
            Form::Text => Target::Files(Generation::Text),
            Form::NodeStats => Target::Files(Generation::NodeStats),
            Form::LbData => Target::Files(Generation::LbData),
            Form::SeqId => Target::Files(Generation::SeqId),
            Form::Csv => Target::Tables(lbaf_columns::Format::Csv),
            Form::Parquet => Target::Tables(tables::parquet()?),
        })
    }
}

/// Converts a data set or a file. Returns the text to print.
pub(crate) fn convert(args: &ConvertArgs, messages: Messages) -> Result<String, Error> {
    if args.ids == IdForm::Packed && args.to.is_some_and(|form| form != Form::LbData) {
        return Err(Error::Usage(
            "--ids packed requires --to lb-data: other forms have no packed ids".to_owned(),
        ));
    }
    let target = match args.to.map(Form::target).transpose()? {
        Some(Target::Tables(format)) => return tables(args, format, messages),
        Some(Target::Files(generation)) => Some(generation),
        None => None,
    };
    let task = Task {
        target,
        ids: match args.ids {
            IdForm::Keep => Ids::Keep,
            IdForm::Packed => Ids::Packed,
        },
        lossy: args.lossy,
        renumber: false,
        phases: &args.phases,
        files: &args.files,
    };
    task.run(&args.paths.input, &args.paths.output, messages)
}

/// Writes the tables of a data set; refuses a single file.
fn tables(args: &ConvertArgs, format: lbaf_columns::Format, messages: Messages) -> Result<String, Error> {
    let FileArgs { output_suffix, brotli, .. } = &args.files;
    let of_files =
        [("--lossy", args.lossy), ("--brotli", *brotli), ("--output-suffix", output_suffix.is_some())];
    if let Some((option, _)) = of_files.into_iter().find(|(_, is_given)| *is_given) {
        return Err(Error::Usage(format!("{option} does not apply to tables")));
    }
    if is_there(&args.paths.input) {
        let message = "tables need a whole data set; give the path of its files up to the rank";
        return Err(Error::Usage(format!("{}: {message}", args.paths.input.display())));
    }
    // The output directory may also hold the data.
    directories::restore_beside(&args.paths.output)?;
    let located = data::locate(&args.paths.input, args.files.data.suffix.as_deref())?;
    let selection = data::selection(&args.phases)?;
    let written =
        tables::write(&located, &selection, &args.paths.output, format, args.files.replace.force, messages)?;
    for warning in &written.warnings {
        messages.warning(warning);
    }
    let line = |table: &tables::Table| {
        let rows = counted(table.n_rows as usize, "row");
        format!("{}: {rows}; {}\n", table.path.shown(), bytes(table.n_bytes as f64))
    };
    Ok(written.tables.iter().map(line).collect())
}

/// Extracts phases of a data set. Returns the text to print.
pub(crate) fn extract(args: &ExtractArgs, messages: Messages) -> Result<String, Error> {
    let task = Task {
        target: None,
        ids: Ids::Keep,
        lossy: false,
        renumber: args.renumber,
        phases: &args.phases,
        files: &args.files,
    };
    task.run(&args.paths.input, &args.paths.output, messages)
}

/// Conversion to perform.
struct Task<'a> {
    target: Option<Generation>,
    ids: Ids,
    lossy: bool,
    renumber: bool,
    phases: &'a str,
    files: &'a FileArgs,
}

/// Files to convert.
struct Input {
    files: Vec<PathBuf>,
    suffix: String,
    /// Rank of the first file.
    first_rank: u32,
    is_single: bool,
}

impl Task<'_> {
    fn run(&self, input: &Path, output: &Path, messages: Messages) -> Result<String, Error> {
        let selection = data::selection(self.phases)?;
        // The output directory may also hold the data.
        directories::restore_beside(output)?;
        let input = self.find(input)?;
        let files = load(&input, &selection, messages)?;
        let findings = Findings { phases_recorded: lbaf_reader::phases_of(&files), ..Findings::default() };
        data::check_selection(&selection, &findings)?;
        let wanted: Vec<u64> =
            findings.phases_recorded.into_iter().filter(|&phase| selection.contains(phase)).collect();
        let mut known = Known::of(&files, !input.is_single);
        if self.ids == Ids::Packed {
            known = known.with_homes(&files, input.first_rank)?;
        }
        if matches!(self.target, Some(Generation::NodeStats | Generation::SeqId)) {
            known = known.with_collections(&files)?;
        }
        if self.target.is_some() && self.ids == Ids::Keep {
            known.check_apart().map_err(|source| Error::Convert { path: files[0].path.clone(), source })?;
        }
        let conversion = Conversion {
            target: self.target,
            ids: self.ids,
            phases: &|phase| selection.contains(phase),
            renumbered: if self.renumber {
                (wanted.iter().copied()).zip(0..).collect()
            } else {
                BTreeMap::new()
            },
            lossy: self.lossy,
            known: &known,
        };
        let suffix = self.suffix(&input, &files);
        let new = if input.is_single {
            NewFiles::of_path(output, self.files.replace.force)?
        } else {
            NewFiles::of_stem(output, &suffix, self.files.replace.force)?
        };
        let losses = std::sync::Mutex::new(Losses::default());
        let make = |position: usize| {
            let file = &files[position];
            let rank = input.first_rank + position as u32;
            let converted = lbaf_writer::convert(file, rank, &conversion)
                .map_err(|source| Error::Convert { path: file.path.clone(), source })?;
            losses.lock().expect("invariant: adding does not panic").add(&converted.losses);
            Ok(self.encode(file, converted.document))
        };
        if input.is_single {
            new.put(&make(0)?)?;
        } else {
            new.put_ranks(&suffix, files.len(), make)?;
        }
        let size = new.publish()?;
        let has_other_ids = |file: &LoadedFile| file.rows.generation != Generation::LbData;
        if self.target == Some(Generation::LbData) && self.ids == Ids::Keep && files.iter().any(has_other_ids)
        {
            messages.warning(
                "the numbers of objects are kept; vt misreads them unless they are packed ids (--ids packed converts \
                 them)",
            );
        }
        if self.target == Some(Generation::Text) {
            let gone = without_lines(&files, &selection);
            if !gone.is_empty() {
                let gone = lbaf_config::ranges(&gone);
                messages.warning(&format!(
                    "phases without tasks and communication have no line in the new files: {gone}"
                ));
            }
        }
        for file in &files {
            let path = file.path.display();
            file.rows.warnings.iter().for_each(|warning| messages.warning(&format!("{path}: {warning}")));
        }
        if let Some(sentence) = lbaf_reader::duplicate_objects(&files) {
            messages.warning(&format!("{sentence}; commands that balance or show such data refuse them"));
        }
        for sentence in losses.into_inner().expect("invariant: adding does not panic").sentences() {
            messages.warning(&sentence);
        }
        let what = if input.is_single {
            output.shown()
        } else {
            format!("{}.<rank>.{suffix}: {}", output.shown(), counted(files.len(), "rank"))
        };
        let phases: Vec<u64> =
            wanted.iter().map(|phase| conversion.renumbered.get(phase).copied().unwrap_or(*phase)).collect();
        let forms: BTreeSet<&str> =
            files.iter().map(|file| self.target.unwrap_or(file.rows.generation).name()).collect();
        Ok(format!(
            "{what}, {}, {}; {}\n",
            forms.into_iter().collect::<Vec<_>>().join(" and "),
            lbaf_config::named_phases(&phases),
            bytes(size as f64)
        ))
    }

    /// Finds the files of a stem, or a single file.
    fn find(&self, input: &Path) -> Result<Input, Error> {
        if is_there(input) {
            directories::check_whole_beside(input)?;
            inputs::note(input);
            let first_rank = rank_in_name(input);
            return Ok(Input {
                files: vec![input.to_owned()],
                suffix: String::new(),
                first_rank,
                is_single: true,
            });
        }
        let located = data::locate(input, self.files.data.suffix.as_deref())?;
        Ok(Input { files: located.files, suffix: located.suffix, first_rank: 0, is_single: false })
    }

    /// Returns the suffix of the new files. The default is that of the data, unless a file changes between text and
    /// JSON.
    fn suffix(&self, input: &Input, files: &[LoadedFile]) -> String {
        let is_text = |generation: Generation| generation == Generation::Text;
        let changes =
            |file: &LoadedFile| self.target.is_some_and(|to| is_text(to) != is_text(file.rows.generation));
        match (&self.files.output_suffix, self.target) {
            (Some(suffix), _) => suffix.clone(),
            (None, Some(Generation::Text)) if files.iter().any(changes) => "vom".to_owned(),
            (None, _) if files.iter().any(changes) => "json".to_owned(),
            (None, _) => input.suffix.clone(),
        }
    }

    /// Compresses a document if `--brotli` is given, or if its file was compressed and `--plain` is not given.
    fn encode(&self, file: &LoadedFile, document: Vec<u8>) -> Vec<u8> {
        let compress = self.files.brotli || file.encoding == Encoding::Brotli && !self.files.plain;
        if compress { lbaf_vom::compress(&document, self.files.brotli_quality.quality) } else { document }
    }
}

fn load(input: &Input, selection: &Selection, messages: Messages) -> Result<Vec<LoadedFile>, Error> {
    let request = memory::request();
    // Each document is needed for its own file only, so most are read again instead of kept. Their rows are kept,
    // because the home, migratability and collection of an object can depend on its tasks in any file and phase.
    let record_memory_bytes = request.record_memory_bytes.min(request.row_memory_bytes as u64);
    let phases = &|phase| selection.contains(phase);
    let request = Request { phases, records: true, record_memory_bytes, ..request };
    let bar = messages.progress("reading", input.files.len());
    Ok(lbaf_reader::load(&input.files, input.first_rank, &request, &|done| bar.set(done))?)
}

/// Returns the selected phases without a task or communication in any file.
fn without_lines(files: &[LoadedFile], selection: &Selection) -> Vec<u64> {
    let mut has_line = BTreeMap::new();
    for rows in files.iter().flat_map(|file| &file.rows.phases).filter(|rows| selection.contains(rows.id)) {
        *has_line.entry(rows.id).or_insert(false) |=
            !rows.tasks.is_empty() || !rows.communications.is_empty();
    }
    has_line.into_iter().filter(|&(_, has_line)| !has_line).map(|(phase, _)| phase).collect()
}

/// Returns the rank in the name of a file, or 0 without one.
fn rank_in_name(path: &Path) -> u32 {
    let groups = lbaf_reader::group_files([path.to_owned()]);
    let rank = groups.iter().flat_map(|group| &group.files).find_map(|file| file.rank);
    rank.and_then(|rank| u32::try_from(rank).ok()).unwrap_or(0)
}
