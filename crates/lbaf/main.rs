// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `lbaf` command. No other crate parses arguments, prints or exits.
#![forbid(unsafe_code)]

mod anomalies;
mod arguments;
mod backtrace;
mod bar;
mod cli;
mod colour;
mod compare;
mod config;
mod console;
mod convert;
mod data;
mod defects;
mod diff;
mod direct;
mod directories;
mod dry_run;
mod error;
mod info;
mod init;
mod inputs;
mod launcher;
mod make;
mod memory;
mod milp;
mod new_files;
mod plot;
mod progress;
mod provenance;
mod quantities;
mod report;
mod restore;
mod run;
mod shell;
mod signals;
mod simulate;
mod spec;
mod strategies;
mod study;
mod tasks;
mod threads;
mod validate;

use lbaf_run::Messages as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use lbaf_reader::is_there;
use lbaf_strategies::Cancel;

use arguments::{CommonArgs, OverrideArgs};
use cli::{Cli, Command};
use error::Error;
use lbaf_text::Shown as _;
use progress::{Messages, Verbosity};
use study::{StudyArgs, StudyCommand};

fn main() -> ExitCode {
    backtrace::of_panics_only();
    ExitCode::from(defects::guarded(command))
}

/// Runs the command of the command line. Returns its exit code.
fn command() -> u8 {
    let cli = parse();
    let cancel = Cancel::new();
    let grace = if cli.polls_cancel() { signals::GRACE } else { Duration::ZERO };
    let interrupt = match signals::handle(&cancel, grace) {
        Ok(interrupt) => interrupt,
        Err(error) => {
            progress::error(&error);
            return error.exit_code();
        }
    };
    match dispatch(&cli, &cancel) {
        Ok(()) => 0,
        Err(error @ (Error::Cancelled(_) | Error::CancelledStudy)) => {
            progress::error(&error);
            interrupt.exit_code()
        }
        // The difference is a result, which was printed.
        Err(error @ Error::Different) => error.exit_code(),
        Err(error) => {
            // Faults of invalid files were printed before.
            if !matches!(error, Error::Invalid) {
                progress::error(&error);
            }
            error.exit_code()
        }
    }
}

/// Default configuration of LBAF's form of the command.
const DEFAULT_CONFIGURATION: &str = "conf.yaml";

/// Parses the command line. Prints a message and exits if it is wrong or requests the help or the version.
fn parse() -> Cli {
    // Without arguments, `lbaf` runs `conf.yaml` as LBAF does, or prints the help.
    let has_default = is_there(Path::new(DEFAULT_CONFIGURATION));
    let command = Cli::command().arg_required_else_help(!has_default);
    let parsed = command.try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    parsed.unwrap_or_else(|error| {
        let first = std::env::args_os().nth(1).unwrap_or_default();
        let first = Path::new(&first);
        let is_configuration = first.extension().is_some_and(|suffix| suffix == "yaml" || suffix == "yml");
        if error.kind() == ErrorKind::InvalidSubcommand && is_configuration {
            let first = first.shown();
            let message = format!("'{first}' is a configuration; did you mean `lbaf run {first}`?");
            Cli::command().error(ErrorKind::InvalidSubcommand, message).exit()
        }
        visible(error).exit()
    })
}

/// Returns the error without control characters, which messages of clap repeat from arguments.
fn visible(error: clap::Error) -> clap::Error {
    let is_help = !error.use_stderr();
    let written: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let shown: Vec<String> = written.iter().map(|word| lbaf_text::line(word).into_owned()).collect();
    if is_help || shown == written {
        return error;
    }
    // The same arguments without control characters usually cause the same error, in colour. If they do not, the
    // message loses its colours.
    let again =
        Cli::command().try_get_matches_from(&shown).err().filter(|again| again.kind() == error.kind());
    again.unwrap_or_else(|| {
        let message = lbaf_text::lines(&error.render().to_string()).into_owned();
        let message = message.strip_prefix("error: ").unwrap_or(&message);
        clap::Error::raw(error.kind(), message)
    })
}

/// Runs the command. Commands that poll `cancel` end early once it is set.
fn dispatch(cli: &Cli, cancel: &Cancel) -> Result<(), Error> {
    match &cli.command {
        Some(Command::Run(args)) => {
            let messages = start(args.steps.common, args.steps.verbose)?;
            let (layers, overrides) = args.layers()?;
            if args.dry_run {
                let (prepared, messages) = run::prepare_layers(layers, &overrides, false, messages)?;
                return print(&dry_run::describe(&prepared, messages)?);
            }
            report(run::run_layers(layers, &overrides, messages, cancel)?, &args.overrides, messages)
        }
        Some(Command::Info(args)) => {
            print_titled(&info::info(args, start(args.common, false)?)?, args.output_form.json)
        }
        Some(Command::Init(args)) => {
            let messages = start(args.common, false)?;
            print(&init::init(args, messages)?)
        }
        Some(Command::Convert(args)) => {
            let messages = start(args.common, false)?;
            print_unless_quiet(&convert::convert(args, messages)?, messages)
        }
        Some(Command::Extract(args)) => {
            let messages = start(args.common, false)?;
            print_unless_quiet(&convert::extract(args, messages)?, messages)
        }
        Some(Command::Tasks(args)) => print(&tasks::tasks(args, start(args.common, false)?)?),
        Some(Command::Make(args)) => {
            let messages = start(args.common, false)?;
            print_unless_quiet(&make::make(args, messages)?, messages)
        }
        Some(Command::Milp(args)) => {
            let messages = start(args.steps.common, args.steps.verbose)?;
            match milp::milp(args, messages, cancel)? {
                milp::Done::Program(text) => print(&text),
                milp::Done::Written(text) => print_unless_quiet(&text, messages),
                milp::Done::Ran(finished) => report(*finished, &args.overrides, messages),
            }
        }
        Some(Command::Plot(args)) => {
            let messages = start(args.common, false)?;
            print_unless_quiet(&plot::plot(args)?, messages)
        }
        Some(Command::Report(args)) => {
            let messages = start(args.common, false)?;
            print_unless_quiet(&report::report(args, messages)?, messages)
        }
        Some(Command::Simulate(args)) => {
            let messages = start(args.steps.common, args.steps.verbose)?;
            let text = simulate::simulate(args, messages, cancel)?;
            print_report(&text, args.overrides.json, messages)
        }
        Some(Command::Study(args)) => study_command(args, cancel),
        Some(Command::Compare(args)) => {
            let messages = start(args.common, false)?;
            let done = compare::compare(args, messages, cancel).map_err(Error::of_study)?;
            print_report(&done.text, done.is_json, messages)?;
            done.failed.map_or(Ok(()), Err)
        }
        Some(Command::Anomalies(args)) => {
            let messages = start(args.common, false)?;
            print_report(&anomalies::anomalies(args, messages)?, args.output_form.json, messages)
        }
        Some(Command::Provenance(args)) => {
            let messages = start(args.command.common(), false)?;
            let (text, is_json) = provenance::provenance(&args.command, messages)?;
            print_report(&text, is_json, messages)
        }
        Some(Command::Spec(args)) => print_titled(&spec::spec(args)?, args.json),
        Some(Command::Strategies(args)) => {
            print_titled(&strategies::strategies(args)?, args.json || args.yaml || args.name.is_none())
        }
        Some(Command::Diff(args)) => {
            let verdict = diff::diff(args, start(args.common, false)?)?;
            print(&verdict.text)?;
            if verdict.equal { Ok(()) } else { Err(Error::Different) }
        }
        Some(Command::Validate(args)) => {
            print_checked(validate::validate(args, start(args.common, false)?)?, args.json)
        }
        Some(Command::Config(args)) => print_raw(&config::schema(args)),
        Some(Command::Completions(args)) => print_raw(&shell::completions(args, Cli::command())),
        Some(Command::Man(args)) => print_raw(&shell::man(args, Cli::command())?),
        Some(Command::Restore(args)) => {
            let messages = start(args.common, false)?;
            print_unless_quiet(&restore::restore(args)?, messages)
        }
        None => run_as_lbaf(cli, cancel),
    }
}

/// Runs `lbaf study` or one of its subcommands.
fn study_command(args: &StudyArgs, cancel: &Cancel) -> Result<(), Error> {
    let common = match &args.command {
        Some(StudyCommand::Merge(merge)) => merge.common,
        Some(StudyCommand::Status(status)) => status.common,
        None => args.common,
    };
    let messages = start(common, false)?;
    let done = match &args.command {
        Some(StudyCommand::Merge(merge)) => study::merge(merge, messages, cancel),
        Some(StudyCommand::Status(status)) => return print(&study::status(status)?),
        None => study::study(args, messages, cancel),
    };
    let done = done.map_err(Error::of_study)?;
    print_report(&done.text, done.is_json, messages)?;
    done.failed.map_or(Ok(()), Err)
}

/// Runs LBAF's form of the command: lists quantities if requested, then runs the configuration. With a list, the
/// configuration may be missing.
fn run_as_lbaf(cli: &Cli, cancel: &Cancel) -> Result<(), Error> {
    let messages = start(cli.common, false)?;
    let level = cli.verbosity.unwrap_or(0);
    let list = quantities::list(level);
    if cli.overrides.json {
        // Standard output is reserved for JSON.
        let _ = write!(io::stderr(), "{list}");
    } else {
        print_unless_quiet(&list, messages)?;
    }
    let default = PathBuf::from(DEFAULT_CONFIGURATION);
    let file = match &cli.configuration {
        Some(file) => file.clone(),
        None if is_there(&default) => {
            messages.note("no configuration was given; running conf.yaml");
            default
        }
        None if level > 0 => return Ok(()),
        None => {
            let message = "no configuration was given, and the working directory has no conf.yaml";
            return Err(Error::Usage(message.to_owned()));
        }
    };
    let finished = run::run(&[file], &cli.overrides.overrides()?, messages, cancel)?;
    report(finished, &cli.overrides, messages)
}

fn report(finished: run::Finished, overrides: &OverrideArgs, messages: Messages) -> Result<(), Error> {
    let summary = &finished.summary;
    if overrides.json {
        let json = serde_json::to_string_pretty(summary).expect("invariant: plain data with finite numbers");
        print(&(json + "\n"))?;
    } else if messages.verbosity > Verbosity::Quiet {
        let text = crate::console::report(summary, &finished.data, &finished.output_dir);
        let sentences: Vec<String> =
            summary.sentences.iter().map(|text| lbaf_text::line(text).into()).collect();
        print_emphasized(&text, &sentences)?;
    }
    finished.infeasible.map_or(Ok(()), Err)
}

/// Sets the memory limit of a command and its verbosity, and starts its threads.
fn start(common: CommonArgs, verbose: bool) -> Result<Messages, Error> {
    memory::set_limit(common.memory_limit);
    threads::start(match common.threads {
        // With 0, rayon takes the number of threads from this variable.
        0 if std::env::var_os("RAYON_NUM_THREADS").is_some() => 0,
        0 => launcher::threads(),
        n => n.into(),
    })?;
    Ok(Messages::start(cli::verbosity(common.quiet, verbose)))
}

fn print_unless_quiet(text: &str, messages: Messages) -> Result<(), Error> {
    if messages.verbosity > Verbosity::Quiet { print(text) } else { Ok(()) }
}

/// Prints a text with its title emphasized, or data as they are.
fn print_titled(text: &str, is_data: bool) -> Result<(), Error> {
    if is_data { print(text) } else { print_emphasized(text, &[]) }
}

/// Prints the findings in files. If files are invalid, the last line of the text is marked as an error.
fn print_checked(checked: validate::Checked, is_json: bool) -> Result<(), Error> {
    let text = lbaf_text::lines(&checked.text);
    match &checked.verdict {
        Err(_) if !is_json => written(anstream::stdout().lock(), &colour::refused(&text))?,
        _ => print_raw(&text)?,
    }
    checked.verdict
}

/// Prints JSON, or text unless the command is quiet.
fn print_report(text: &str, is_json: bool, messages: Messages) -> Result<(), Error> {
    match is_json {
        true => print(text),
        false if messages.verbosity > Verbosity::Quiet => print_emphasized(text, &[]),
        false => Ok(()),
    }
}

/// Prints to standard output without control characters.
fn print(text: &str) -> Result<(), Error> {
    print_raw(&lbaf_text::lines(text))
}

/// Prints a report without control characters, with title and sentences emphasized on terminals.
fn print_emphasized(text: &str, sentences: &[String]) -> Result<(), Error> {
    written(anstream::stdout().lock(), &colour::emphasized(&lbaf_text::lines(text), sentences))
}

/// Prints to standard output. A pipe that was closed, for example by `head`, is not an error.
fn print_raw(text: &str) -> Result<(), Error> {
    written(io::stdout().lock(), text)
}

fn written(mut stdout: impl Write, text: &str) -> Result<(), Error> {
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Stdout(error)),
        _ => Ok(()),
    }
}
