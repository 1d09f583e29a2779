//! `chuhe learn fit`: reads games, trains a network, shows progress, and writes the network, its settings, its learning
//! curves, and a checkpoint to resume from.

use super::report_damage;
use crate::cli::error::{CliError, cli_error};
use crate::cli::output::OverwriteArgs;
use crate::cli::values::{number_in, thread_count};
use chuhe_engine::nnue::Network;
use chuhe_lab::chart;
use chuhe_lab::training::archive::game_files;
use chuhe_lab::training::samples::{MemoryLimits, PACKED_SIZE, TrainingData};
use chuhe_lab::training::settings::Settings;
use chuhe_lab::training::trainer::{self, Epoch, Trainer, TrainingObserver};
use chuhe_support::files::{self, At, OverwritePolicy};
use chuhe_support::terminal::ProgressDisplay;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  chuhe learn fit --data games --out my.net
  chuhe learn fit --data games --out small.net --set hidden=64 --set epochs=30
  chuhe learn fit --data games --out my.net --resume      continue after an interruption
  chuhe learn fit --data new --from my.net --out newer.net --set rate=0.0006 --set epochs=4
                              train a network further: other games, other settings, the same architecture

Beside my.net the fit writes my.toml (its settings), my.svg (its learning curves) and my.checkpoint, from which
--resume continues. --from my.checkpoint goes on with its unrounded weights and the moments of its gradients.
The settings and their defaults:
";

/// The files written beside a network.
const COMPANION_EXTENSIONS: [&str; 3] = ["toml", "svg", "checkpoint"];

/// Part of the description of every network that this command trained.
const DESCRIPTION_MARKER: &str = ", held-out loss ";
/// The first line of a settings file written by this command.
const SETTINGS_MARKER: &str = "# Written by chuhe learn fit.\n";

/// Arguments of `chuhe learn fit`.
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}\n{}", Settings::default().to_toml()))]
pub struct FitArgs {
    /// Files of games, or folders of them
    #[arg(long, required = true, num_args = 1.., value_name = "FILE|DIR")]
    data: Vec<PathBuf>,
    /// The network
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Start from this network or checkpoint of a fit, with its architecture and scale
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Settings in a TOML file
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// One setting; comes after those of the file
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Threads [default: as many as the machine runs at once]
    #[arg(long, value_name = "T", value_parser = number_in::<u16>(1..=256))]
    threads: Option<u16>,
    /// Continue from the checkpoint of an earlier fit to the same file
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    over: OverwriteArgs,
}

/// Trains a network.
pub fn run(args: &FitArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let start = args.from.as_deref().map(StartingPoint::open).transpose()?;
    let settings = settings(args, start.as_ref())?;
    let fresh = match start {
        Some(StartingPoint::Network(network)) => Trainer::from(&network, &settings)?,
        Some(StartingPoint::Checkpoint(_, trainer)) => Trainer::continuing(*trainer, &settings)?,
        None => Trainer::new(&settings),
    };
    // Checks before hours of work that the files can be written. The others are written beside the network.
    if COMPANION_EXTENSIONS.iter().any(|extension| args.out == args.out.with_extension(extension)) {
        let (file, names) =
            (args.out.display().to_string(), COMPANION_EXTENSIONS.map(|name| format!(".{name}")).join(", "));
        return Err(cli_error!(
            "{file}: the name of the network must not end in {names}: such files are written beside it",
            file,
            names
        ));
    }
    let check = |path: &Path, marker| OverwritePolicy::IfMarked(marker).or_force(args.over.force).check(path);
    check(&args.out, DESCRIPTION_MARKER.as_bytes())?;
    check(&args.out.with_extension("toml"), SETTINGS_MARKER.as_bytes())?;
    check(&args.out.with_extension("svg"), chart::SVG_PREFIX.as_bytes())?;
    check(&args.out.with_extension("checkpoint"), trainer::CHECKPOINT_MAGIC)?;
    let threads = thread_count(args.threads.map(usize::from));
    let begun = Instant::now();
    let samples = TrainingData::read(&game_files(&args.data, None)?, &settings, &args.out, MemoryLimits::default())?;
    print_samples(&samples, begun, out)?;
    if samples.training.positions() == 0 || samples.validation.is_empty() {
        return Err(cli_error!("too few games: fifty are the least"));
    }
    let checkpoint = args.out.with_extension("checkpoint");
    let mut fit = if args.resume { trainer::read_checkpoint(&checkpoint, &settings)? } else { fresh };
    let mut screen = TrainingDisplay {
        out,
        args,
        settings: &settings,
        positions: samples.training.positions(),
        bar: ProgressDisplay::new(PROGRESS_STEPS),
    };
    write_whole(&args.out.with_extension("toml"), format!("{SETTINGS_MARKER}{}", settings.to_toml()).as_bytes())?;
    fit.run(&samples, &settings, threads, &mut screen)?;
    drop(screen.bar);
    writeln!(out, "{}: done in {:.0} s", args.out.display(), begun.elapsed().as_secs_f64())?;
    Ok(())
}

/// Prints a summary of the training data.
fn print_samples(samples: &TrainingData, begun: Instant, out: &mut dyn Write) -> Result<(), CliError> {
    let TrainingData { training, validation: held_out, validation_total: held_out_of, games, damaged } = samples;
    let seconds = begun.elapsed().as_secs_f64();
    let positions = training.positions();
    writeln!(out, "{games} games: {positions} positions to learn from, {held_out_of} held out ({seconds:.1} s)")?;
    if held_out.len() as u64 != *held_out_of {
        writeln!(out, "{} of those held out, evenly chosen, are used for validation", held_out.len())?;
    }
    if training.on_disk() > 0 {
        let megabytes = positions as u64 * PACKED_SIZE as u64 / 1_000_000;
        writeln!(out, "{megabytes} MB beside the network, in {} buckets, while the fit runs", training.on_disk())?;
    }
    report_damage(*damaged, out)
}

/// What `--from` names.
enum StartingPoint {
    Network(Box<Network>),
    Checkpoint(Box<Settings>, Box<Trainer>),
}

impl StartingPoint {
    fn open(file: &Path) -> Result<StartingPoint, CliError> {
        if trainer::is_checkpoint(file) {
            let (settings, trainer) = trainer::open_checkpoint(file)?;
            return Ok(StartingPoint::Checkpoint(Box::new(settings), Box::new(trainer)));
        }
        Ok(StartingPoint::Network(Box::new(Network::open(file)?)))
    }

    /// The defaults of a fit that begins here.
    fn settings(&self) -> Settings {
        match self {
            StartingPoint::Network(network) => Settings::of(network),
            StartingPoint::Checkpoint(settings, _) => Settings::continuing(settings),
        }
    }
}

fn settings(args: &FitArgs, start: Option<&StartingPoint>) -> Result<Settings, CliError> {
    let mut settings = start.map_or_else(Settings::default, StartingPoint::settings);
    if let Some(file) = &args.settings {
        let text = files::read_text(file).at(file)?;
        let file = file.display().to_string();
        settings.read(&text).map_err(|error| cli_error!("{file}: {error}", file, error))?;
    }
    for setting in &args.set {
        let pair = setting.split_once('=');
        let (name, value) =
            pair.ok_or_else(|| cli_error!("--set {setting}: expected NAME=VALUE", setting = setting.clone()))?;
        settings.set(name.trim(), value.trim())?;
    }
    Ok(settings)
}

fn write_whole(file: &Path, bytes: &[u8]) -> Result<(), CliError> {
    Ok(files::write_atomic(file, bytes).at(file)?)
}

/// Steps of the progress bar.
const PROGRESS_STEPS: u64 = 10_000;

/// Shows progress, and writes the files.
struct TrainingDisplay<'a> {
    out: &'a mut dyn Write,
    args: &'a FitArgs,
    settings: &'a Settings,
    positions: usize,
    bar: ProgressDisplay,
}

impl TrainingDisplay<'_> {
    fn file(&self, extension: &str) -> PathBuf {
        self.args.out.with_extension(extension)
    }
}

impl TrainingObserver for TrainingDisplay<'_> {
    type Error = CliError;

    fn progress(&mut self, pass: usize, share: f64, loss: f32, speed: f64) {
        let passes = self.settings.epochs;
        let text = format!("pass {} of {passes}, loss {loss:.6}, {speed:.0} positions a second", pass + 1);
        let done = (pass as f64 + share) / passes as f64;
        self.bar.set((done * PROGRESS_STEPS as f64) as u64, &text);
    }

    fn epoch_done(&mut self, fit: &Trainer, rounded: f32) -> Result<(), CliError> {
        let pass = fit.epochs[fit.epochs.len() - 1];
        let line = format!(
            "pass {:>2}: loss {:.6}; held out {:.6} against scores ({rounded:.6} in whole numbers), {:.5} against results",
            fit.epochs.len(),
            pass.train_loss,
            pass.validation_loss,
            pass.result_loss
        );
        // A reader that closes the output does not stop the training.
        let _ = self.bar.suspend(|| writeln!(self.out, "{line}"));
        let name = self.args.out.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let title = format!("{name}: {} positions, {} neurons", self.positions, self.settings.hidden);
        let description = format!(
            "{name}: {} positions, {} passes{DESCRIPTION_MARKER}{:.6}",
            self.positions,
            fit.epochs.len(),
            pass.validation_loss
        );
        let network = fit.model.export(self.settings.scale.round() as i32, description)?;
        write_whole(&self.args.out, &network.to_bytes())?;
        if let Some(picture) = learning_curves(&fit.epochs, &title) {
            write_whole(&self.file("svg"), picture.as_bytes())?;
        }
        Ok(trainer::write_checkpoint(&self.file("checkpoint"), fit, self.settings)?)
    }
}

/// The loss of every epoch as a chart, for training and held-out positions; `None` after the first epoch.
fn learning_curves(passes: &[Epoch], title: &str) -> Option<String> {
    let points = |loss: fn(&Epoch) -> f32| {
        let numbered = passes.iter().enumerate();
        numbered.map(|(index, pass)| (index as f64 + 1.0, f64::from(loss(pass)), None)).collect()
    };
    let lines = [
        chart::LineSeries { name: "while learning", points: points(|pass| pass.train_loss) },
        chart::LineSeries { name: "held out", points: points(|pass| pass.validation_loss) },
    ];
    chart::line_chart(title, &lines, "pass")
}
