//! CPU load of this program and of others, and how many workers may run beside the others. Reads `/proc`; not available
//! outside Linux.

use std::fs::read_to_string;
use std::time::{Duration, Instant};

/// `/proc` counts in hundredths of a second on every machine.
const MILLISECONDS_PER_TICK: u64 = 10;
/// Load of other programs up to this many processors is ignored.
const IGNORED_LOAD: f64 = 0.25;
/// The load is sampled at this interval; workers resume after `CALM_SAMPLES` samples with low load.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);
const CALM_SAMPLES: usize = 3;

/// CPU time used up to a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CpuTime {
    /// By everything on the machine.
    all: Duration,
    /// By this program.
    own: Duration,
}

/// Samples the CPU load and keeps the last samples.
pub struct CpuLoadMonitor {
    processors: usize,
    begun: (Instant, CpuTime),
    last: (Instant, CpuTime),
    /// Processors used by other programs, the last sample first.
    others: [f64; CALM_SAMPLES],
}

impl CpuLoadMonitor {
    /// Starts monitoring; `None` if the system does not report its load.
    pub fn begin() -> Option<CpuLoadMonitor> {
        // Under Wine a program for Windows finds the files of Linux, but not itself in them.
        if !cfg!(target_os = "linux") {
            return None;
        }
        let processors = processors(&read_to_string("/proc/stat").ok()?).max(1);
        let now = (Instant::now(), read_cpu_time()?);
        Some(CpuLoadMonitor { processors, begun: now, last: now, others: [0.0; CALM_SAMPLES] })
    }

    /// Number of processors of the machine.
    pub fn processors(&self) -> usize {
        self.processors
    }

    /// This program's share of all CPU time since the start, 0 to 1.
    pub fn share(&self) -> Option<f64> {
        let (begun, before) = self.begun;
        let own = read_cpu_time()?.own.saturating_sub(before.own);
        let all = begun.elapsed().as_secs_f64() * self.processors as f64;
        Some(own.as_secs_f64() / all.max(0.001))
    }

    /// Takes a sample if the interval has passed; returns how many of `workers` may run.
    pub fn sample(&mut self, workers: usize) -> Option<usize> {
        let (then, before) = self.last;
        let elapsed = then.elapsed();
        if elapsed < SAMPLE_INTERVAL {
            return None;
        }
        let now = read_cpu_time()?;
        self.last = (Instant::now(), now);
        self.others.rotate_right(1);
        self.others[0] = other_load(before, now) / elapsed.as_secs_f64();
        Some(allowed_workers(workers, self.processors, &self.others))
    }
}

/// How many workers may run on `processors` while others use some of them. The highest of the last samples counts:
/// workers pause at once and resume after a calm while.
pub fn allowed_workers(workers: usize, processors: usize, others: &[f64]) -> usize {
    let others = others.iter().copied().fold(0.0, f64::max);
    let free = processors as f64 - others + IGNORED_LOAD;
    workers.min(free.max(0.0) as usize)
}

fn other_load(before: CpuTime, now: CpuTime) -> f64 {
    let all = now.all.saturating_sub(before.all);
    all.saturating_sub(now.own.saturating_sub(before.own)).as_secs_f64()
}

fn read_cpu_time() -> Option<CpuTime> {
    Some(CpuTime {
        all: parse_machine_time(&read_to_string("/proc/stat").ok()?)?,
        own: parse_process_time(&read_to_string("/proc/self/stat").ok()?)?,
    })
}

fn processors(stat: &str) -> usize {
    let is_one = |line: &&str| {
        line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()))
    };
    stat.lines().filter(is_one).count()
}

/// Parses `/proc/stat`: user, nice, system, idle, iowait, irq, softirq; the rest is included in the first two or
/// belongs to other virtual machines.
fn parse_machine_time(stat: &str) -> Option<Duration> {
    let numbers: Vec<u64> =
        stat.strip_prefix("cpu ")?.lines().next()?.split_whitespace().flat_map(str::parse).collect();
    let &[user, nice, system, _, _, hard, soft, ..] = &numbers[..] else { return None };
    Some(ticks(user + nice + system + hard + soft))
}

/// Parses `/proc/self/stat`: the name in parentheses may contain anything; fields 12 and 13 after it are user and
/// system time.
fn parse_process_time(stat: &str) -> Option<Duration> {
    let (_, numbers) = stat.rsplit_once(')')?;
    let mut times = numbers.split_whitespace().skip(11).map(str::parse::<u64>);
    Some(ticks(times.next()?.ok()? + times.next()?.ok()?))
}

fn ticks(count: u64) -> Duration {
    Duration::from_millis(count.saturating_mul(MILLISECONDS_PER_TICK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowed_workers_leaves_processors_to_others() {
        for (workers, processors, others, wanted) in [
            (2, 2, 0.0, 2),
            (2, 2, 0.2, 2),
            (2, 2, 0.5, 1),
            (2, 2, 1.1, 1),
            (2, 2, 1.4, 0),
            (2, 2, 2.0, 0),
            (1, 2, 1.0, 1),
            (16, 16, 3.1, 13),
            (4, 16, 11.9, 4),
            (4, 16, 15.0, 1),
            (8, 4, 0.0, 4),
            (3, 2, 7.5, 0),
        ] {
            assert_eq!(allowed_workers(workers, processors, &[others]), wanted, "{workers} {processors} {others}");
        }
    }

    #[test]
    fn allowed_workers_drops_at_once_and_recovers_after_calm_samples() {
        assert_eq!(allowed_workers(2, 2, &[2.0, 0.0, 0.0]), 0);
        assert_eq!(allowed_workers(2, 2, &[0.0, 0.0, 2.0]), 0);
        assert_eq!(allowed_workers(2, 2, &[0.0, 0.1, 0.0]), 2);
    }

    #[test]
    fn proc_files_are_parsed() {
        let stat =
            "cpu  100 20 30 4000 50 6 7 80 90 10\ncpu0 50 10 15 2000 25 3 3 40 45 5\ncpu1 50 10 15 2000\nintr 5\n";
        assert_eq!(processors(stat), 2);
        assert_eq!(parse_machine_time(stat), Some(Duration::from_millis(1630)));
        let own = "77 (a) b (c) S 1 77 77 0 -1 4194304 100 0 0 0 250 31 0 0 20 0 3 0 9 1 2 3";
        assert_eq!(parse_process_time(own), Some(Duration::from_millis(2810)));
        for nonsense in ["", "cpu ", "cpu  1 2 x\n", "7 (x) S 1"] {
            assert_eq!((parse_machine_time(nonsense), parse_process_time(nonsense)), (None, None), "{nonsense:?}");
        }
    }
}
