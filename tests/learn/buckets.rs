//! Shuffle buckets: positions on disk train as well as those in memory.

use super::fits::{Interrupter, Nobody, counted_games, in_turn, samples, settings, trained};
use super::support::random_game;
use crate::common::Folder;
use chuhe_engine::nnue::architecture::piece_index;
use chuhe_lab::training::samples::{MemoryLimits, PackedSample, TrainingData};
use chuhe_lab::training::settings::Settings;
use chuhe_lab::training::trainer::{self, Trainer};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::path::Path;
use xiangqi::{Color, Piece};

/// Reads a file with at most `bucket` positions per bucket.
fn in_buckets(file: &Path, settings: &Settings, bucket: usize) -> TrainingData {
    let memory = MemoryLimits { bucket, ..MemoryLimits::default() };
    let beside = file.with_file_name("some.net");
    TrainingData::read(&[file.to_path_buf()], settings, &beside, memory).expect("games")
}

#[test]
fn packed_sample_roundtrips() {
    let mut random = StdRng::seed_from_u64(8);
    for number in 0..100 {
        let game = random_game(number, &mut random);
        let mut position = game.start;
        for ply in game.plies {
            let score = random.random_range(-20_000..=20_000);
            let (red_half_points, mirrored_first) = (random.random_range(0..=2), random.random());
            let sample = PackedSample::of(&position, score, red_half_points, mirrored_first).unpack();
            let mut wanted: Vec<u16> = Vec::new();
            let mut attackers = 0;
            for color in Color::ALL {
                for (kind, square) in position.pieces(color) {
                    wanted.push((piece_index(Piece::new(color, kind)) * 90 + square.dense()) as u16);
                    attackers += u8::from(kind.is_major());
                }
            }
            let mut pieces = sample.pieces().to_vec();
            wanted.sort_unstable();
            pieces.sort_unstable();
            assert_eq!(pieces, wanted);
            assert_eq!((sample.attackers, i32::from(sample.score)), (attackers, score));
            assert_eq!(sample.side(), position.side());
            let red = f32::from(red_half_points) / 2.0;
            assert_eq!(sample.result(), if position.side() == Color::Red { red } else { 1.0 - red });
            assert!((0..4).all(|pass| sample.is_mirrored(pass) == (mirrored_first == (pass % 2 == 0))));
            position.play_unchecked(ply.mv);
        }
    }
}

#[test]
fn buckets_of_any_size_yield_each_position_once_per_epoch() {
    let folder = Folder::new();
    let file = counted_games(&folder, 150);
    let settings = settings(&[]);
    let whole = samples(&file, &settings);
    assert_eq!(whole.training.on_disk(), 0);
    let sorted = |mut positions: Vec<PackedSample>| {
        positions.sort_unstable();
        positions
    };
    let wanted = sorted(in_turn(&whole, 1));
    assert!(wanted.len() > 5000);
    // Half of them are mirrored in an epoch.
    let mirrored = wanted.iter().filter(|packed| packed.unpack().is_mirrored(0)).count();
    assert_eq!(mirrored, wanted.len().div_ceil(2));
    for bucket in [1, 40, 700, 5000] {
        let dealt = in_buckets(&file, &settings, bucket);
        let count = dealt.training.on_disk();
        // The first few positions give a poor estimate of the total.
        assert!(count > 1 && (bucket < 700 || count > wanted.len() / bucket), "{count} of {bucket}");
        assert_eq!(dealt.training.positions(), wanted.len());
        let (first, second) = (in_turn(&dealt, 1), in_turn(&dealt, 2));
        assert!(first == in_turn(&dealt, 1), "the same seed, the same order");
        assert!(first == in_turn(&in_buckets(&file, &settings, bucket), 1), "nor does a new start change it");
        assert!(first != second);
        assert!(sorted(first) == wanted && sorted(second) == wanted, "buckets of {bucket}");
        assert_eq!(dealt.validation, whole.validation);
    }
    // Batches continue across buckets.
    let sizes = in_buckets(&file, &settings, 40).training.shuffled(1, |mut shuffled| {
        let (mut sizes, mut batch) = (Vec::new(), Vec::new());
        loop {
            shuffled.fill(&mut batch, 64).expect("they can be read");
            if batch.is_empty() {
                return sizes;
            }
            sizes.push(batch.len());
        }
    });
    assert_eq!(sizes.len(), wanted.len().div_ceil(64));
    assert!(sizes[..sizes.len() - 1].iter().all(|&size| size == 64));
}

#[test]
fn tiny_buckets_train_as_well_and_leave_no_files() {
    let folder = Folder::new();
    let file = counted_games(&folder, 150);
    let settings = settings(&[("seed", "5")]);
    let last = |samples: &TrainingData| trained(Trainer::new(&settings), samples, &settings).epochs[3];
    let (whole, dealt) = (samples(&file, &settings), in_buckets(&file, &settings, 200));
    let (by_whole, by_dealt) = (last(&whole), last(&dealt));
    assert!(by_dealt.train_loss < by_whole.train_loss * 1.15, "{by_dealt:?}, {by_whole:?}");
    assert!(by_dealt.validation_loss < by_whole.validation_loss * 1.3, "{by_dealt:?}, {by_whole:?}");

    // Interrupted in the middle and resumed.
    let kept = folder.path("kept.checkpoint");
    let mut begun = Trainer::new(&settings);
    begun.run(&dealt, &settings, 2, &mut Interrupter(kept.clone(), &settings)).expect_err("interrupted");
    let mut resumed = trainer::read_checkpoint(&kept, &settings).expect("a checkpoint");
    let again = in_buckets(&file, &settings, 200);
    resumed.run(&again, &settings, 2, &mut Nobody).expect("nobody objects");
    assert_eq!(resumed.epochs[3], by_dealt);

    drop((dealt, again));
    assert_eq!(folder.names(), ["counted.games", "kept.checkpoint"]);
}

#[test]
fn bucket_file_that_cannot_be_created_is_an_error() {
    let folder = Folder::new();
    let file = counted_games(&folder, 60);
    let memory = MemoryLimits { bucket: 500, ..MemoryLimits::default() };
    let error = TrainingData::read(&[file], &settings(&[]), &folder.path("nowhere/some.net"), memory);
    let told = error.err().expect("no folder, no room").to_string();
    assert!(told.contains("nowhere") && told.contains("MB"), "{told}");
    assert_eq!(folder.names(), ["counted.games"]);
}

#[test]
fn validation_positions_are_sampled_evenly() {
    let folder = Folder::new();
    let file = counted_games(&folder, 400);
    let settings = settings(&[]);
    let all = samples(&file, &settings);
    assert_eq!(all.validation.len() as u64, all.validation_total);
    let memory = MemoryLimits { validation_positions: 100, ..MemoryLimits::default() };
    let few = TrainingData::read(std::slice::from_ref(&file), &settings, &file, memory).expect("games");
    assert_eq!(few.validation_total, all.validation_total);
    assert!((50..=100).contains(&few.validation.len()), "{} of {}", few.validation.len(), few.validation_total);
    let step = all.validation.len().div_ceil(few.validation.len());
    assert!(all.validation.iter().step_by(step).eq(&few.validation));
}
