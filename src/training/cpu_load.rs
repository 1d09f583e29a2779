//! How busy the machine is, with this program and with others, and how many workers may run beside those. Linux tells it in
//! files; of other systems it is not known.

use std::fs::read_to_string;
use std::time::{Duration, Instant};

/// The files count in hundredths of a second, whatever the machine's own clock is.
const MILLISECONDS_PER_TICK: u64 = 10;
/// Others who take less than this part of a processor take none from a worker.
const IGNORED_LOAD: f64 = 0.25;
/// What others took is looked at so often, and a worker goes on after so many times without them.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(1);
const CALM_SAMPLES: usize = 3;

/// Processor time that has been used up to a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CpuTime {
    /// By everything on the machine.
    all: Duration,
    /// By this program.
    own: Duration,
}

/// Watches the machine, and remembers what others took of it lately.
pub struct CpuLoadMonitor {
    processors: usize,
    begun: (Instant, CpuTime),
    last: (Instant, CpuTime),
    /// Processors that others kept busy, the last time first.
    others: [f64; CALM_SAMPLES],
}

impl CpuLoadMonitor {
    /// Begins; `None` where the system does not say how busy it is.
    pub fn begin() -> Option<CpuLoadMonitor> {
        let processors = processors(&read_to_string("/proc/stat").ok()?).max(1);
        let now = (Instant::now(), read_cpu_time()?);
        Some(CpuLoadMonitor { processors, begun: now, last: now, others: [0.0; CALM_SAMPLES] })
    }

    /// Processors of the machine.
    pub fn processors(&self) -> usize {
        self.processors
    }

    /// What part of all processor time since the beginning was this program's, 0 to 1.
    pub fn share(&self) -> Option<f64> {
        let (begun, before) = self.begun;
        let own = read_cpu_time()?.own.saturating_sub(before.own);
        let all = begun.elapsed().as_secs_f64() * self.processors as f64;
        Some(own.as_secs_f64() / all.max(0.001))
    }

    /// Looks again, if it is time to: how many of these workers may run from now on?
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

/// How many workers may run on so many processors while others keep so many of them busy. The most of the last looks
/// counts: workers pause at once, and go on when it has been calm for a while.
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

/// What `/proc/stat` says of all processors: user, nice, system, idle, waiting, interrupts of two kinds, and then times that
/// are in the first two already or that another machine took.
fn parse_machine_time(stat: &str) -> Option<Duration> {
    let numbers: Vec<u64> =
        stat.strip_prefix("cpu ")?.lines().next()?.split_whitespace().flat_map(str::parse).collect();
    let &[user, nice, system, _, _, hard, soft, ..] = &numbers[..] else { return None };
    Some(ticks(user + nice + system + hard + soft))
}

/// What `/proc/self/stat` says: the name, which may hold anything, in parentheses, then numbers of which the twelfth and the
/// thirteenth are the times of the program and of the system for it.
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
    fn workers_give_way_to_others() {
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
    fn they_pause_at_once_and_go_on_when_it_is_calm() {
        assert_eq!(allowed_workers(2, 2, &[2.0, 0.0, 0.0]), 0);
        assert_eq!(allowed_workers(2, 2, &[0.0, 0.0, 2.0]), 0);
        assert_eq!(allowed_workers(2, 2, &[0.0, 0.1, 0.0]), 2);
    }

    #[test]
    fn the_files_of_linux_are_read() {
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
