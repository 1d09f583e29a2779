//! Training lowers the loss, and continues after an interruption without a difference.

use super::support::new_archive;
use crate::common::Folder;
use chuhe_engine::nnue::Network;
use chuhe_engine::score::Score;
use chuhe_lab::training::game_format::{EndReason, LabelledMove, SelfplayGame};
use chuhe_lab::training::model::{ForwardBuffers, Model, ModelShape};
use chuhe_lab::training::samples::{MemoryLimits, PackedSample, TrainingData};
use chuhe_lab::training::settings::Settings;
use chuhe_lab::training::trainer::{self, CheckpointError, Trainer, TrainingObserver};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::path::{Path, PathBuf};
use xiangqi::PieceKind::{self, Bishop, Cannon, Horse, Pawn, Rook};
use xiangqi::{Color, Position};

/// Games of random moves with the material balance as score, which a network can learn.
pub fn counted_games(folder: &Folder, count: u64) -> PathBuf {
    let mut random = StdRng::seed_from_u64(11);
    let mut writer = new_archive(folder, "counted.games");
    for number in 0..count {
        let mut position = Position::start();
        let mut plies = Vec::new();
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.random_range(0..moves.len())];
            plies.push(LabelledMove { mv, score: balance(&position), effort: None });
            position.play_unchecked(mv);
        }
        let game = SelfplayGame { number, start: Position::start(), plies, red_half_points: 1, end: EndReason::Length };
        writer.add(&game).expect("room on the disk");
    }
    writer.flush().expect("room on the disk");
    folder.path("counted.games")
}

fn balance(position: &Position) -> Score {
    const VALUES: [(PieceKind, Score); 5] = [(Rook, 300), (Cannon, 150), (Horse, 150), (Pawn, 40), (Bishop, 50)];
    let count =
        |color: Color| VALUES.iter().map(|&(kind, worth)| position.count(color, kind) as Score * worth).sum::<Score>();
    count(position.side()) - count(!position.side())
}

pub fn settings(words: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    for (name, value) in [("hidden", "32"), ("epochs", "4"), ("batch", "256")].iter().chain(words) {
        settings.set(name, value).expect("a setting");
    }
    settings
}

/// Reads the positions of a file into memory.
pub fn samples(file: &Path, settings: &Settings) -> TrainingData {
    let files = [file.to_path_buf()];
    TrainingData::read(&files, settings, file, MemoryLimits::default()).expect("games")
}

/// All training positions in the order of an epoch with this seed.
pub fn in_turn(samples: &TrainingData, seed: u64) -> Vec<PackedSample> {
    samples.training.shuffled(seed, |mut shuffled| {
        let mut all = Vec::new();
        shuffled.fill(&mut all, samples.training.positions()).expect("they can be read");
        all
    })
}

pub struct Nobody;

impl TrainingObserver for Nobody {
    type Error = CheckpointError;

    fn progress(&mut self, _: usize, _: f64, _: f32, _: f64) {}
    fn epoch_done(&mut self, _: &Trainer, _: f32) -> Result<(), CheckpointError> {
        Ok(())
    }
}

/// Writes a checkpoint after an epoch and stops.
pub struct Interrupter<'a>(pub PathBuf, pub &'a Settings);

impl TrainingObserver for Interrupter<'_> {
    type Error = CheckpointError;

    fn progress(&mut self, _: usize, _: f64, _: f32, _: f64) {}
    fn epoch_done(&mut self, fit: &Trainer, _: f32) -> Result<(), CheckpointError> {
        trainer::write_checkpoint(&self.0, fit, self.1)?;
        if fit.epochs.len() == 2 { Err(CheckpointError::Damaged(self.0.clone())) } else { Ok(()) }
    }
}

/// A network that was trained on these positions, with its epochs.
pub fn trained(mut trainer: Trainer, samples: &TrainingData, settings: &Settings) -> Trainer {
    trainer.run(samples, settings, 2, &mut Nobody).expect("nobody objects");
    trainer
}

fn exported(trainer: &Trainer) -> Network {
    trainer.model.export(330, String::new()).expect("its numbers fit")
}

#[test]
fn training_lowers_the_loss_for_every_architecture() {
    let folder = Folder::new();
    let file = counted_games(&folder, 150);
    for (kings, heads) in [("plain", "pieces"), ("mirrored", "one"), ("six", "attackers")] {
        let settings = settings(&[("king_buckets", kings), ("output_buckets", heads)]);
        let samples = samples(&file, &settings);
        assert!(samples.training.positions() > 5_000 && samples.validation.len() > 50);
        let fit = trained(Trainer::new(&settings), &samples, &settings);
        let (first, last) = (fit.epochs[0], fit.epochs[3]);
        assert!(last.train_loss < first.train_loss * 0.6, "{kings} {heads}: {:?}", fit.epochs);
        assert!(last.validation_loss < 0.01, "{kings} {heads}: {:?}", fit.epochs);
        let network = exported(&fit);
        assert_eq!(network.architecture.hidden, 32);
    }
}

#[test]
fn output_weights_can_train_alone() {
    let folder = Folder::new();
    let settings = settings(&[("feature_rate", "0")]);
    let samples = samples(&counted_games(&folder, 60), &settings);
    let mut fit = Trainer::new(&settings);
    let (feature_weights, before) = (fit.model.shape.feature_weights(), fit.model.values.clone());
    fit.run(&samples, &settings, 2, &mut Nobody).expect("nobody objects");
    assert!(fit.model.values[..feature_weights] == before[..feature_weights], "no feature weight moves");
    assert!(fit.epochs[3].validation_loss < fit.epochs[0].validation_loss * 0.9, "{:?}", fit.epochs);
}

/// Parameters of every kind change the output by the gradient of the backward pass.
#[test]
fn gradients_equal_finite_differences() {
    const STEP: f32 = 0.001;
    let folder = Folder::new();
    let file = counted_games(&folder, 50);
    let mut random = StdRng::seed_from_u64(3);
    for (kings, heads) in [("plain", "attackers"), ("mirrored", "one"), ("three", "pieces")] {
        let settings = settings(&[("king_buckets", kings), ("output_buckets", heads)]);
        let samples = samples(&file, &settings);
        let shape = ModelShape::of(&settings);
        let mut model = Model::random(shape, &settings);
        let mut scratch = ForwardBuffers::new(shape);
        let (mut compared, mut unlike) = (0, 0);
        for (number, packed) in in_turn(&samples, 1).iter().take(20).enumerate() {
            let sample = &packed.unpack();
            let mirrored = number % 2 == 1;
            let mut slopes = Model::zero(shape);
            model.forward(sample, mirrored, &mut scratch);
            model.backward(sample, 1.0, &mut scratch, &mut slopes);
            let pulling: Vec<usize> = (0..shape.size()).filter(|&index| slopes.values[index] != 0.0).collect();
            assert!(pulling.len() > 500, "{kings} {heads}: {}", pulling.len());
            for turn in 0..250 {
                // Mostly a parameter with a gradient, sometimes any.
                let index = match turn % 5 {
                    0 => random.random_range(0..shape.size()),
                    _ => pulling[random.random_range(0..pulling.len())],
                };
                let kept = model.values[index];
                let mut stepped = |step: f32| {
                    model.values[index] = kept + step;
                    model.forward(sample, mirrored, &mut scratch)
                };
                let shown = (stepped(STEP) - stepped(-STEP)) / (2.0 * STEP);
                model.values[index] = kept;
                compared += 1;
                let slope = slopes.values[index];
                unlike += usize::from((shown - slope).abs() > 0.002 + 0.02 * slope.abs());
            }
        }
        // A step may cross the limit of a clamp.
        assert!(unlike * 100 < compared, "{kings} {heads}: {unlike} of {compared}");
    }
}

#[test]
fn resumed_training_equals_uninterrupted_training() {
    let folder = Folder::new();
    let file = counted_games(&folder, 60);
    let settings = settings(&[]);
    let samples = samples(&file, &settings);
    let whole = trained(Trainer::new(&settings), &samples, &settings);

    let kept = folder.path("kept.checkpoint");
    let mut begun = Trainer::new(&settings);
    begun.run(&samples, &settings, 2, &mut Interrupter(kept.clone(), &settings)).expect_err("interrupted");
    let mut resumed = trainer::read_checkpoint(&kept, &settings).expect("a checkpoint");
    assert_eq!(resumed.epochs.len(), 2);
    resumed.run(&samples, &settings, 2, &mut Nobody).expect("nobody objects");
    assert_eq!(resumed.epochs, whole.epochs);
    assert!(resumed.model.values == whole.model.values);

    let mut other = settings.clone();
    other.set("rate", "0.001").expect("a setting");
    assert!(matches!(trainer::read_checkpoint(&kept, &other), Err(CheckpointError::Settings(_))));
    let bytes = std::fs::read(&kept).expect("a file");
    std::fs::write(&kept, &bytes[..bytes.len() - 9]).expect("a file");
    assert!(matches!(trainer::read_checkpoint(&kept, &settings), Err(CheckpointError::Damaged(_))));
}

#[test]
fn training_continues_from_a_network() {
    let folder = Folder::new();
    let file = counted_games(&folder, 100);
    let begin = |words: &[(&str, &str)]| {
        let settings = settings(words);
        let samples = samples(&file, &settings);
        (settings, samples)
    };
    for kings in ["plain", "mirrored", "six"] {
        let (first, samples) = begin(&[("king_buckets", kings), ("output_buckets", "attackers")]);
        let fit = trained(Trainer::new(&first), &samples, &first);
        let network = exported(&fit);
        let again = Trainer::from(&network, &first).expect("the same shape");
        assert!(exported(&again) == network, "{kings}");
    }

    let (first, samples) = begin(&[("output_buckets", "one")]);
    let fit = trained(Trainer::new(&first), &samples, &first);
    let network = exported(&fit);
    let known = fit.epochs[3].validation_loss;
    // A compatible architecture starts from the network's weights; any other is refused.
    for (kings, heads) in [("plain", "one"), ("three", "one"), ("plain", "pieces"), ("six", "attackers")] {
        let (more, samples) =
            begin(&[("king_buckets", kings), ("output_buckets", heads), ("epochs", "1"), ("rate", "0.0001")]);
        let fit = trained(Trainer::from(&network, &more).expect("it fits in"), &samples, &more);
        assert!(fit.epochs[0].validation_loss < known * 1.1, "{kings} {heads}: {:?} after {known}", fit.epochs);
    }
    let (six, _) = begin(&[("king_buckets", "six"), ("output_buckets", "one")]);
    let sixfold = exported(&Trainer::from(&network, &six).expect("it fits in"));
    assert!(Trainer::from(&sixfold, &first).is_err());
    assert!(Trainer::from(&network, &settings(&[("hidden", "64"), ("output_buckets", "one")])).is_err());
}

#[test]
fn training_goes_on_from_a_checkpoint_without_rounding() {
    let folder = Folder::new();
    let settings = settings(&[("epochs", "1")]);
    let samples = samples(&counted_games(&folder, 60), &settings);
    let fit = trained(Trainer::new(&settings), &samples, &settings);
    let kept = folder.path("kept.checkpoint");
    trainer::write_checkpoint(&kept, &fit, &settings).expect("written");
    assert!(trainer::is_checkpoint(&kept) && !trainer::is_checkpoint(&folder.path("counted.games")));
    let (made_with, earlier) = trainer::open_checkpoint(&kept).expect("a checkpoint");
    assert_eq!(made_with, settings);
    let mut more = Trainer::continuing(earlier, &Settings::continuing(&made_with)).expect("the same shape");
    assert!(more.model.values == fit.model.values && more.adam_moments == fit.adam_moments);
    assert!(more.epochs.is_empty() && more.steps == 0);

    // With the moments of the first run the first steps are small ones.
    let known = fit.epochs[0].validation_loss;
    let mut slow = settings.clone();
    slow.set("rate", "0.0001").expect("a setting");
    more.run(&samples, &slow, 2, &mut Nobody).expect("nobody objects");
    assert!(more.epochs[0].validation_loss < known, "{:?} after {known}", more.epochs);
    let wide = self::settings(&[("hidden", "64")]);
    assert!(Trainer::continuing(more, &wide).is_err());
}

#[test]
fn rounded_epochs_compute_with_the_weights_of_the_network() {
    let folder = Folder::new();
    let file = counted_games(&folder, 60);
    for kings in ["plain", "six"] {
        let settings = settings(&[("king_buckets", kings), ("epochs", "2"), ("rounded_epochs", "1")]);
        let samples = samples(&file, &settings);
        let fit = trained(Trainer::new(&settings), &samples, &settings);
        assert!(fit.epochs[1].train_loss < fit.epochs[0].train_loss, "{kings}: {:?}", fit.epochs);
        // The weights themselves stay unrounded, and rounding them is what the exported network holds.
        let mut rounded = Model::zero(fit.model.shape);
        fit.model.round_into(&mut rounded);
        assert!(rounded.values != fit.model.values);
        let network = exported(&fit);
        assert!(rounded.export(330, String::new()).expect("its numbers fit") == network, "{kings}");
        let read = Model::of(&network, fit.model.shape).expect("the same shape");
        assert!(rounded.values == read.values, "{kings}");
    }
}

#[test]
fn loss_follows_its_settings() {
    let folder = Folder::new();
    let file = counted_games(&folder, 60);
    let first_loss = |words: &[(&str, &str)]| {
        let settings = settings(&[&[("epochs", "1"), ("rate", "0.000001"), ("rate_end", "0.000001")], words].concat());
        trained(Trainer::new(&settings), &samples(&file, &settings), &settings).epochs[0]
    };
    let plain = first_loss(&[]);
    let sharp = first_loss(&[("loss_scale", "200")]);
    // Expectations lie farther apart, and are measured as before.
    assert!(sharp.train_loss > 1.2 * plain.train_loss, "{sharp:?} {plain:?}");
    assert!((sharp.validation_loss - plain.validation_loss).abs() < 0.02 * plain.validation_loss);
    assert!(first_loss(&[("loss_scale", "330")]) == plain, "330 is the scale");
    assert!(first_loss(&[("exponent", "2.5")]).train_loss < plain.train_loss);
    // A rate that rises for longer than the run lasts has hardly changed anything.
    let [warm, cold] = ["1000000", "0"].map(|warmup| first_loss(&[("rate", "0.01"), ("warmup", warmup)]));
    assert!(warm.validation_loss > cold.validation_loss, "{warm:?} {cold:?}");
}

#[test]
fn checkpoint_is_read_or_refused_wherever_it_is_cut_or_changed() {
    let folder = Folder::new();
    let settings = settings(&[]);
    let kept = folder.path("kept.checkpoint");
    trainer::write_checkpoint(&kept, &Trainer::new(&settings), &settings).expect("written");
    let whole = std::fs::read(&kept).expect("a file");
    let step = whole.len() / 50;
    for place in (0..300).chain((300..whole.len()).step_by(step)) {
        let mut changed = whole.clone();
        changed[place] ^= 0xFF;
        // The same with a checksum that fits.
        let mut sound = changed.clone();
        let end = sound.len() - 4;
        let sum = crc32fast::hash(&sound[..end]);
        sound[end..].copy_from_slice(&sum.to_le_bytes());
        for (bytes, is_refused) in [(&whole[..place], true), (&changed, true), (&sound, false)] {
            std::fs::write(&kept, bytes).expect("written");
            assert!(trainer::read_checkpoint(&kept, &settings).is_err() || !is_refused, "byte {place}");
        }
    }
}
