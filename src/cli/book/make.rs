//! `chuhe book make`: grows a book by searching, with progress, until it is interrupted or complete.

use super::BookError;
use crate::cli::output::OverwriteArgs;
use crate::cli::values::{group_digits, number_in, parse_hours};
use chuhe_lab::book_builder::{BuildPlan, BuildProgress, Graph, Journal, extract_book, run as work};
use chuhe_study::book::{BookFormat, BookWriteError, opening_names};
use chuhe_support::files::OverwritePolicy;
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay as Bar;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often progress is reported on a terminal; elsewhere less often.
const TERMINAL_REPORT_INTERVAL: Duration = Duration::from_secs(1);
const FILE_REPORT_INTERVAL: Duration = Duration::from_secs(60);
/// Part of the note of every book that this command made.
const NOTE_MARKER: &str = " book make: ";

/// Arguments of `make`.
#[derive(Args, Debug, Clone)]
pub struct MakeArgs {
    /// The book to write; beside it, with .journal behind the name, every search is stored
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Positions that the book is to have
    #[arg(long, value_name = "N", default_value_t = 5000)]
    positions: usize,
    /// Nodes of the search that gets to know a position's moves
    #[arg(long, value_name = "N", default_value_t = 60_000, value_parser = number_in::<u64>(1..))]
    survey: u64,
    /// Nodes of the search that proves a position's best move
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = number_in::<u64>(1..))]
    proof: u64,
    /// Moves of each position to get to know
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number_in::<u8>(1..=40))]
    lines: u8,
    /// Searches at a time [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = number_in::<u16>(1..=256))]
    threads: Option<u16>,
    /// Stop after N hours
    #[arg(long, value_name = "H", value_parser = parse_hours)]
    hours: Option<Duration>,
    /// Leave the named systems out, as far as the search does not find them by itself
    #[arg(long)]
    nameless: bool,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Makes a book.
pub fn run(args: &MakeArgs, out: &mut dyn Write) -> Result<(), BookError> {
    // Checks before hours of work whether the file may be written.
    let over = OverwritePolicy::IfMarked(NOTE_MARKER.as_bytes()).or_force(args.over.force);
    over.check(&args.out).map_err(BookWriteError::from)?;
    let systems: Vec<_> = opening_names::named_openings().iter().map(|system| system.moves.clone()).collect();
    let mut graph = Graph::new(if args.nameless { &[] } else { &systems });
    let mut name = args.out.clone().into_os_string();
    name.push(".journal");
    let (mut journal, findings) = Journal::open(name.as_ref())?;
    for finding in &findings {
        if let Err(error) = graph.add(finding) {
            log::warn!("{}: {error}", finding.fen);
        }
    }
    if !findings.is_empty() {
        let searches = group_digits(findings.len() as u64);
        writeln!(out, "{}", tr!("continuing after {searches} searches", searches))?;
    }
    let plan =
        BuildPlan { positions: args.positions, survey: args.survey, proof: args.proof, lines: usize::from(args.lines) };
    let threads = crate::cli::values::thread_count(args.threads.map(usize::from));
    let mut reporter = ProgressReporter::new(args);
    let result = work(&mut graph, &mut journal, plan, threads, &mut |progress| reporter.report(progress));
    drop(reporter);
    // Even an interrupted run leaves a usable book.
    let pages = extract_book(&graph);
    let note = format!(
        "chuhe {}{NOTE_MARKER}{} positions, proofs of {} nodes",
        env!("CARGO_PKG_VERSION"),
        pages.len(),
        args.proof
    );
    super::convert::write_and_report(&args.out, over, &pages, BookFormat::Chuhe, &note, out)?;
    Ok(result?)
}

/// Prints progress, and decides when to stop.
struct ProgressReporter {
    begun: Instant,
    last_report: Instant,
    interval: Duration,
    bar: Bar,
    deadline: Option<Instant>,
    wanted: usize,
}

impl ProgressReporter {
    fn new(args: &MakeArgs) -> ProgressReporter {
        let begun = Instant::now();
        let bar = Bar::new(args.positions as u64);
        let interval = if bar.is_shown() { TERMINAL_REPORT_INTERVAL } else { FILE_REPORT_INTERVAL };
        let deadline = args.hours.and_then(|time| begun.checked_add(time));
        ProgressReporter { begun, last_report: begun, interval, bar, deadline, wanted: args.positions }
    }

    /// Prints the progress; false if the work must stop.
    fn report(&mut self, progress: &BuildProgress) -> bool {
        if self.last_report.elapsed() >= self.interval {
            self.last_report = Instant::now();
            let seconds = self.begun.elapsed().as_secs_f64();
            let text = tr!(
                "{done} of {wanted} positions, {proofs} proofs; {searches} searches, {speed} nodes a second",
                done = group_digits(progress.positions as u64),
                wanted = group_digits(self.wanted as u64),
                proofs = group_digits(progress.proofs as u64),
                searches = group_digits(progress.searches as u64),
                speed = group_digits((progress.nodes as f64 / seconds.max(1e-9)) as u64)
            );
            if self.bar.is_shown() {
                self.bar.set(progress.proofs.min(self.wanted) as u64, &text);
            } else {
                eprintln!("{text}");
            }
        }
        self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }
}
