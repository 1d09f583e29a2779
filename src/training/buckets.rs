//! The positions that teach, however many: chance deals each to one of several buckets on disk, and a bucket is shuffled
//! when its turn comes. As chance has filled them, one after the other they are a shuffle of all positions, while no more
//! than two are in memory: the one that teaches, and the next. What fits into one bucket stays in memory.

use super::packed::{Packed, SIZE};
use chuhe_engine::files::{At, FileError};
use chuhe_engine::language::tr;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use thiserror::Error;

/// What a bucket holds at most, as far as can be foreseen: 128 MB.
pub const BUCKET: usize = 1 << 22;
/// So many positions of a bucket are written at once.
const CHUNK: usize = 1 << 12;

/// The positions found no place on the disk.
#[derive(Debug, Error)]
#[error("{}", tr!("{source}; positions that wait for their turn need about {megabytes} MB there", source, megabytes))]
pub struct RoomError {
    source: FileError,
    megabytes: u64,
}

/// Whoever deals positions to buckets.
pub struct Dealer {
    /// How many positions may stay in memory, and fill a bucket.
    bucket: usize,
    /// The file whose neighbour the buckets become.
    beside: PathBuf,
    chance: StdRng,
    /// Those that came while it was unknown whether there would be more than a bucket of them.
    first: Vec<Packed>,
    file: Option<BucketFile>,
}

/// What was dealt.
pub struct Buckets {
    positions: usize,
    kept: Kept,
}

enum Kept {
    Memory(Vec<Packed>),
    Disk(BucketFile),
}

/// A file without a name of which nothing is left when it is closed (where systems do not know this, it has a name and is
/// removed). Each bucket is scattered over it in chunks.
struct BucketFile {
    path: PathBuf,
    file: File,
    is_named: bool,
    length: u64,
    /// About how many positions there will be.
    expected: u64,
    buckets: Vec<Bucket>,
}

#[derive(Default)]
struct Bucket {
    /// Where each chunk begins, and how many bytes it has.
    chunks: Vec<(u64, usize)>,
    /// What waits to become one.
    waiting: Vec<u8>,
}

impl Dealer {
    /// The same seed deals the same positions in the same way.
    pub fn new(bucket: usize, beside: &Path, seed: u64) -> Dealer {
        Dealer {
            bucket,
            beside: beside.to_path_buf(),
            chance: StdRng::seed_from_u64(seed),
            first: Vec::new(),
            file: None,
        }
    }

    /// Takes a position in, when this share of all that will come has come.
    pub fn take(&mut self, position: Packed, share: f64) -> Result<(), RoomError> {
        if let Some(file) = &mut self.file {
            return file.deal(position, &mut self.chance);
        }
        if self.first.len() < self.bucket {
            self.first.push(position);
            return Ok(());
        }
        let expected = (self.first.len() as f64 / share.clamp(1e-6, 1.0)) as u64;
        // Three quarters full, as it may be some more; one bucket would be none.
        let count = expected.div_ceil((self.bucket as u64 * 3 / 4).max(1)).max(2);
        let mut file = BucketFile::beside(&self.beside, count, expected)?;
        for position in std::mem::take(&mut self.first).into_iter().chain([position]) {
            file.deal(position, &mut self.chance)?;
        }
        self.file = Some(file);
        Ok(())
    }

    /// Everything has come.
    pub fn finish(self) -> Result<Buckets, RoomError> {
        let Some(mut file) = self.file else {
            return Ok(Buckets { positions: self.first.len(), kept: Kept::Memory(self.first) });
        };
        for index in 0..file.buckets.len() {
            file.write(index)?;
        }
        Ok(Buckets { positions: (file.length / SIZE as u64) as usize, kept: Kept::Disk(file) })
    }
}

impl Buckets {
    /// How many positions there are.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// How many buckets there are on disk.
    pub fn on_disk(&self) -> usize {
        match &self.kept {
            Kept::Memory(_) => 0,
            Kept::Disk(file) => file.buckets.len(),
        }
    }

    /// Goes through all positions once, in an order that this seed chooses.
    pub fn shuffled<T>(&self, seed: u64, work: impl FnOnce(Shuffled) -> T) -> T {
        // Whoever sends waits until it is taken: so it reads one bucket ahead, and not more.
        let (sender, receiver) = sync_channel(0);
        std::thread::scope(|scope| {
            scope.spawn(move || self.send(seed, &sender));
            work(Shuffled { receiver, bucket: Vec::new(), taken: 0 })
        })
    }

    fn send(&self, seed: u64, sender: &SyncSender<Result<Vec<Packed>, FileError>>) {
        let mut chance = StdRng::seed_from_u64(seed);
        let mut order: Vec<usize> = (0..self.on_disk().max(1)).collect();
        order.shuffle(&mut chance);
        for index in order {
            let bucket = match &self.kept {
                Kept::Memory(positions) => Ok(positions.clone()),
                Kept::Disk(file) => file.read(index),
            };
            let shuffled = bucket.map(|mut bucket| {
                bucket.shuffle(&mut chance);
                bucket
            });
            // Whoever goes away has broken off.
            if sender.send(shuffled).is_err() {
                return;
            }
        }
    }
}

/// All positions, one after the other.
pub struct Shuffled {
    receiver: Receiver<Result<Vec<Packed>, FileError>>,
    bucket: Vec<Packed>,
    taken: usize,
}

impl Shuffled {
    /// Fills a batch of this size with the next ones; only at the end there are fewer.
    pub fn fill(&mut self, batch: &mut Vec<Packed>, size: usize) -> Result<(), FileError> {
        batch.clear();
        while batch.len() < size {
            let next = &self.bucket[self.taken..];
            if next.is_empty() {
                // Before the next one is taken, which lets another one be read.
                (self.bucket, self.taken) = (Vec::new(), 0);
                match self.receiver.recv() {
                    Ok(bucket) => self.bucket = bucket?,
                    Err(_) => break,
                }
                continue;
            }
            let count = next.len().min(size - batch.len());
            batch.extend_from_slice(&next[..count]);
            self.taken += count;
        }
        Ok(())
    }
}

impl BucketFile {
    fn beside(path: &Path, buckets: u64, expected: u64) -> Result<BucketFile, RoomError> {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}.positions", std::process::id()));
        let path = path.with_file_name(name);
        let file = File::options().read(true).write(true).create_new(true).open(&path);
        let file = file.at(&path).map_err(|source| lacks_room(source, expected))?;
        // Without a name it goes with the program, however that ends.
        let is_named = !cfg!(unix) || std::fs::remove_file(&path).is_err();
        let buckets = (0..buckets).map(|_| Bucket::default()).collect();
        Ok(BucketFile { path, file, is_named, length: 0, expected, buckets })
    }

    /// Gives a position to any bucket.
    fn deal(&mut self, position: Packed, chance: &mut StdRng) -> Result<(), RoomError> {
        let index = chance.random_range(0..self.buckets.len());
        let waiting = &mut self.buckets[index].waiting;
        waiting.extend_from_slice(&position.0);
        if waiting.len() < CHUNK * SIZE { Ok(()) } else { self.write(index) }
    }

    /// Writes what waits for a bucket.
    fn write(&mut self, index: usize) -> Result<(), RoomError> {
        let chunk = std::mem::take(&mut self.buckets[index].waiting);
        let written = self.file.write_all(&chunk).at(&self.path);
        written.map_err(|source| lacks_room(source, self.expected))?;
        self.buckets[index].chunks.push((self.length, chunk.len()));
        self.length += chunk.len() as u64;
        Ok(())
    }

    /// All positions of a bucket.
    fn read(&self, index: usize) -> Result<Vec<Packed>, FileError> {
        let chunks = &self.buckets[index].chunks;
        let mut positions = Vec::with_capacity(chunks.iter().map(|chunk| chunk.1).sum::<usize>() / SIZE);
        let (mut file, mut bytes) = (&self.file, Vec::new());
        for &(begin, length) in chunks {
            bytes.resize(length, 0);
            file.seek(SeekFrom::Start(begin)).and_then(|_| file.read_exact(&mut bytes)).at(&self.path)?;
            positions.extend(bytes.as_chunks().0.iter().map(|&bytes| Packed(bytes)));
        }
        Ok(positions)
    }
}

impl Drop for BucketFile {
    fn drop(&mut self) {
        if self.is_named {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn lacks_room(source: FileError, expected: u64) -> RoomError {
    RoomError { source, megabytes: expected * SIZE as u64 / 1_000_000 }
}
