//! Shuffles any number of training positions: each is assigned to a random bucket on disk, and a bucket is shuffled in
//! memory when it is read. At most two buckets are in memory: the current one and the next. If all positions fit into
//! one bucket, they stay in memory.

use super::samples::{PACKED_SIZE, PackedSample};
use chuhe_support::files::{At, FileError};
use chuhe_support::language::{NoThread, tr};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use thiserror::Error;

/// Target maximum of positions per bucket: 128 MB.
pub const BUCKET_POSITIONS: usize = 1 << 22;
/// Positions of a bucket written at once.
const CHUNK_POSITIONS: usize = 1 << 12;

/// The buckets cannot be written to disk.
#[derive(Debug, Error)]
#[error("{}", tr!("{source}; positions that wait for their turn need about {megabytes} MB there", source, megabytes))]
pub struct BucketSpaceError {
    source: FileError,
    megabytes: u64,
}

/// Assigns positions to buckets.
pub struct BucketWriter {
    /// Maximum positions in memory and per bucket.
    bucket: usize,
    /// The bucket file is created next to this file.
    near: PathBuf,
    rng: StdRng,
    /// Positions kept until there are more than fit into one bucket.
    in_memory: Vec<PackedSample>,
    file: Option<BucketFile>,
}

/// All positions, in memory or in buckets on disk.
pub struct ShuffleBuckets {
    positions: usize,
    kept: BucketStorage,
}

enum BucketStorage {
    Memory(Vec<PackedSample>),
    Disk(BucketFile),
}

/// A temporary file, unlinked at once where the system allows it, otherwise removed on drop. The chunks of all buckets
/// are interleaved in it.
struct BucketFile {
    path: PathBuf,
    file: File,
    is_named: bool,
    length: u64,
    /// Expected number of positions.
    expected: u64,
    buckets: Vec<Bucket>,
}

#[derive(Default)]
struct Bucket {
    /// Offset and length of each chunk.
    chunks: Vec<(u64, usize)>,
    /// Bytes not written yet.
    pending: Vec<u8>,
}

impl BucketWriter {
    /// Creates a writer; the same seed assigns the same positions equally.
    pub fn new(bucket: usize, beside: &Path, seed: u64) -> BucketWriter {
        BucketWriter {
            bucket,
            near: beside.to_path_buf(),
            rng: StdRng::seed_from_u64(seed),
            in_memory: Vec::new(),
            file: None,
        }
    }

    /// Adds a position; `share` is the fraction of the input read so far.
    pub fn push(&mut self, position: PackedSample, share: f64) -> Result<(), BucketSpaceError> {
        if let Some(file) = &mut self.file {
            return file.assign(position, &mut self.rng);
        }
        if self.in_memory.len() < self.bucket {
            self.in_memory.push(position);
            return Ok(());
        }
        let expected = (self.in_memory.len() as f64 / share.clamp(1e-6, 1.0)) as u64;
        // Plan for buckets three quarters full, since the estimate may be too low; at least two.
        let count = expected.div_ceil((self.bucket as u64 * 3 / 4).max(1)).max(2);
        let mut file = BucketFile::beside(&self.near, count, expected)?;
        for position in std::mem::take(&mut self.in_memory).into_iter().chain([position]) {
            file.assign(position, &mut self.rng)?;
        }
        self.file = Some(file);
        Ok(())
    }

    /// Ends the input.
    pub fn finish(self) -> Result<ShuffleBuckets, BucketSpaceError> {
        let Some(mut file) = self.file else {
            return Ok(ShuffleBuckets { positions: self.in_memory.len(), kept: BucketStorage::Memory(self.in_memory) });
        };
        for index in 0..file.buckets.len() {
            file.write(index)?;
        }
        Ok(ShuffleBuckets { positions: (file.length / PACKED_SIZE as u64) as usize, kept: BucketStorage::Disk(file) })
    }
}

impl ShuffleBuckets {
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Number of buckets on disk.
    pub fn on_disk(&self) -> usize {
        match &self.kept {
            BucketStorage::Memory(_) => 0,
            BucketStorage::Disk(file) => file.buckets.len(),
        }
    }

    /// Iterates over all positions once, in an order given by the seed.
    pub fn shuffled<T>(&self, seed: u64, work: impl FnOnce(ShuffledPositions) -> T) -> T {
        // A rendezvous channel: the sender reads one bucket ahead and no more.
        let (sender, receiver) = sync_channel(0);
        std::thread::scope(|scope| {
            let spawned = std::thread::Builder::new().spawn_scoped(scope, move || self.send(seed, &sender));
            let receiver = spawned.map_or_else(|error| failed(NoThread(error)), |_| receiver);
            work(ShuffledPositions { receiver, bucket: Vec::new(), taken: 0 })
        })
    }

    fn send(&self, seed: u64, sender: &SyncSender<Result<Vec<PackedSample>, FileError>>) {
        let mut random = StdRng::seed_from_u64(seed);
        let mut order: Vec<usize> = (0..self.on_disk().max(1)).collect();
        order.shuffle(&mut random);
        for index in order {
            let bucket = match &self.kept {
                BucketStorage::Memory(positions) => Ok(positions.clone()),
                BucketStorage::Disk(file) => file.read(index),
            };
            let shuffled = bucket.map(|mut bucket| {
                bucket.shuffle(&mut random);
                bucket
            });
            // The receiver stopped early.
            if sender.send(shuffled).is_err() {
                return;
            }
        }
    }
}

/// A channel with this error alone.
fn failed(error: NoThread) -> Receiver<Result<Vec<PackedSample>, FileError>> {
    let (sender, receiver) = sync_channel(1);
    let _ = sender.send(Err(FileError { path: PathBuf::new(), source: io::Error::other(error) }));
    receiver
}

/// All positions in shuffled order.
pub struct ShuffledPositions {
    receiver: Receiver<Result<Vec<PackedSample>, FileError>>,
    bucket: Vec<PackedSample>,
    taken: usize,
}

impl ShuffledPositions {
    /// Fills a batch with the next `size` positions; fewer at the end.
    pub fn fill(&mut self, batch: &mut Vec<PackedSample>, size: usize) -> Result<(), FileError> {
        batch.clear();
        while batch.len() < size {
            let next = &self.bucket[self.taken..];
            if next.is_empty() {
                // Free the bucket before receiving the next one, since then another one is read.
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
    fn beside(path: &Path, buckets: u64, expected: u64) -> Result<BucketFile, BucketSpaceError> {
        let path = temporary_path(path);
        let file = File::options().read(true).write(true).create_new(true).open(&path);
        let file = file.at(&path).map_err(|source| out_of_space(source, expected))?;
        // An unlinked file is freed when the program ends, even by a crash.
        let is_named = !cfg!(unix) || std::fs::remove_file(&path).is_err();
        let buckets = (0..buckets).map(|_| Bucket::default()).collect();
        Ok(BucketFile { path, file, is_named, length: 0, expected, buckets })
    }

    /// Appends a position to a random bucket.
    fn assign(&mut self, position: PackedSample, random: &mut StdRng) -> Result<(), BucketSpaceError> {
        let index = random.random_range(0..self.buckets.len());
        let waiting = &mut self.buckets[index].pending;
        waiting.extend_from_slice(&position.0);
        if waiting.len() < CHUNK_POSITIONS * PACKED_SIZE { Ok(()) } else { self.write(index) }
    }

    /// Writes the pending bytes of a bucket.
    fn write(&mut self, index: usize) -> Result<(), BucketSpaceError> {
        let chunk = std::mem::take(&mut self.buckets[index].pending);
        let written = self.file.write_all(&chunk).at(&self.path);
        written.map_err(|source| out_of_space(source, self.expected))?;
        self.buckets[index].chunks.push((self.length, chunk.len()));
        self.length += chunk.len() as u64;
        Ok(())
    }

    /// Reads all positions of a bucket.
    fn read(&self, index: usize) -> Result<Vec<PackedSample>, FileError> {
        let chunks = &self.buckets[index].chunks;
        let mut positions = Vec::with_capacity(chunks.iter().map(|chunk| chunk.1).sum::<usize>() / PACKED_SIZE);
        let (mut file, mut bytes) = (&self.file, Vec::new());
        for &(begin, length) in chunks {
            bytes.resize(length, 0);
            file.seek(SeekFrom::Start(begin)).and_then(|_| file.read_exact(&mut bytes)).at(&self.path)?;
            positions.extend(bytes.as_chunks().0.iter().map(|&bytes| PackedSample(bytes)));
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

fn out_of_space(source: FileError, expected: u64) -> BucketSpaceError {
    BucketSpaceError { source, megabytes: expected * PACKED_SIZE as u64 / 1_000_000 }
}

/// The path of a file for positions beside another file; each call names another one.
fn temporary_path(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}-{number}.positions", std::process::id()));
    path.with_file_name(name)
}
