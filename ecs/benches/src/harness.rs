//! Takes samples: one of each library in each round, so that other load of the machine affects all
//! libraries alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::effort::{Effort, MOST_TOGETHER};
use crate::library::Library;
use crate::probe::{Probe, Samples};
use crate::results::{Cell, Row};
use crate::workload::{Measure, Workload};

/// A workload as one library does it.
struct Case {
    entrant: Library,
    workload: &'static str,
    begin: Box<dyn Fn(u32) -> Box<dyn Sampled>>,
}

/// All cases of all libraries.
pub(crate) struct Suite {
    entrant: Option<Library>,
    cases: Vec<Case>,
    probe: Probe,
}

impl Suite {
    /// No cases.
    pub(crate) fn new() -> Self {
        Self { entrant: None, cases: Vec::new(), probe: Probe::new() }
    }

    /// The cases that follow are of this library.
    pub(crate) fn begin(&mut self, library: Library) {
        self.entrant = Some(library);
    }

    /// Adds a workload: `make` a world for so many entities, `run` (the only part that is timed),
    /// and a `checksum` of all that the run was to compute.
    pub(crate) fn case<S: 'static>(
        &mut self,
        workload: &'static Workload,
        make: fn(u32) -> S,
        run: impl Fn(&mut S) + Copy + 'static,
        checksum: fn(&mut S) -> u64,
    ) {
        let begin = move |count| -> Box<dyn Sampled> {
            match workload.measure {
                Measure::Time => Box::new(Resident { state: make(count), run, checksum }),
                Measure::TimeOfPrepared => unreachable!("`{}` says what is prepared", workload.name),
                Measure::TimeOfFresh => Box::new(Fresh { make, run, checksum, count, sum: 0 }),
                Measure::Memory => Box::new(Memory { make, run, checksum, count, sum: 0 }),
            }
        };
        self.add(workload, Box::new(begin));
    }

    /// Adds a workload that is measured as [`Measure::TimeOfPrepared`]: before each run, `prepare`
    /// is called.
    pub(crate) fn prepared_case<S: 'static>(
        &mut self,
        workload: &'static Workload,
        make: impl Fn(u32) -> S + 'static,
        prepare: fn(&mut S),
        run: impl Fn(&mut S) + Copy + 'static,
        checksum: fn(&mut S) -> u64,
    ) {
        let begin = move |count| -> Box<dyn Sampled> {
            Box::new(Prepared { state: make(count), prepare, run, checksum })
        };
        self.add(workload, Box::new(begin));
    }

    fn add(&mut self, workload: &'static Workload, begin: Box<dyn Fn(u32) -> Box<dyn Sampled>>) {
        let entrant = self.entrant.expect("a library began");
        self.cases.push(Case { entrant, workload: workload.name, begin });
    }

    /// Measures a workload with all libraries that have it, can have so many entities, and are
    /// asked for; nothing if there are none.
    ///
    /// Up to [`MOST_TOGETHER`] entities, the libraries take turns; with more, they are sampled one
    /// after the other.
    pub(crate) fn measure(
        &self,
        workload: &Workload,
        count: u32,
        effort: Effort,
        takes: impl Fn(&str) -> bool,
    ) -> Option<Row> {
        let cases: Vec<_> = self
            .cases
            .iter()
            .filter(|case| case.workload == workload.name && takes(case.entrant.name))
            .filter(|case| count <= case.entrant.most_entities())
            .collect();
        if cases.is_empty() {
            return None;
        }
        let at_once = if count <= MOST_TOGETHER { cases.len() } else { 1 };
        let mut cells = Vec::new();
        let (mut calm, mut taken) = (0, 0);
        for cases in cases.chunks(at_once) {
            for mut turns in self.sample(cases, workload, count, effort) {
                calm += turns.samples.calm_count(&self.probe);
                taken += turns.samples.len();
                let checksum = turns.first_checksum.unwrap_or_else(|| turns.sampled.checksum());
                cells.push(Cell::new(turns.entrant.name, turns.samples.kept(&self.probe), checksum));
            }
        }
        Some(Row {
            machine: None,
            workload: workload.name.to_owned(),
            what: workload.what.to_owned(),
            measure: workload.measure,
            entities: count,
            visited: (workload.visited)(count),
            calm: Some(calm as f64 / taken as f64),
            cells,
        })
    }

    /// Samples these cases in turns.
    ///
    /// [`turn`] says who is next in a round. The first round wakes the allocator and the processor,
    /// and is not recorded unless there are more than [`MOST_TOGETHER`] entities. Its length says
    /// how many rounds there is time for. Samples that were taken while the machine was busy with
    /// something else are taken again, as far as the effort allows.
    fn sample(&self, cases: &[&Case], workload: &Workload, count: u32, effort: Effort) -> Vec<Turns> {
        let begin = |case: &&Case| Turns {
            entrant: case.entrant,
            sampled: (case.begin)(count),
            samples: Samples::default(),
            first_checksum: None,
        };
        let mut running: Vec<_> = cases.iter().map(begin).collect();
        let visited = (workload.visited)(count);
        let runs = effort.runs(workload, visited);
        let is_alone = count > MOST_TOGETHER;
        let unrecorded = usize::from(!is_alone);
        let mut rounds = 1;
        let mut round = 0;
        let suffice = |turns: &Turns, rounds| turns.samples.suffice(rounds, &self.probe);
        while round < unrecorded + rounds
            || round < unrecorded + rounds * effort.most_repeats()
                && !running.iter().all(|turns| suffice(turns, rounds))
        {
            let start = Instant::now();
            let mut before = self.probe.take();
            for i in 0..running.len() {
                let at = turn(round, i, running.len());
                let Turns { sampled, samples, .. } = &mut running[at];
                let figure = sampled.sample(runs) / (f64::from(runs) * f64::from(visited));
                let after = self.probe.take();
                if round >= unrecorded {
                    samples.push(figure, before.max(after));
                }
                before = after;
            }
            if round == 0 {
                rounds = effort.samples(start.elapsed(), workload.measure, is_alone);
                if is_alone {
                    running.iter_mut().for_each(Turns::take_first_checksum);
                }
            }
            round += 1;
        }
        running
    }
}

/// A library whose world is sampled, and its samples.
struct Turns {
    entrant: Library,
    sampled: Box<dyn Sampled>,
    samples: Samples,
    /// After the first round, of a library that is sampled alone: the number of its rounds follows
    /// from its speed, and each round changes the checksum.
    first_checksum: Option<u64>,
}

impl Turns {
    fn take_first_checksum(&mut self) {
        self.first_checksum = Some(self.sampled.checksum());
    }
}

/// The library, of `count`, whose turn it is after `i` others in this round.
///
/// Each round begins with another library, and every second series of rounds goes backwards, so
/// that no library always follows the same one, and all follow themselves equally often. A library
/// that follows itself finds its world in the cache: when every second round went backwards from
/// the last library, only the first and the last followed themselves.
fn turn(round: usize, i: usize, count: usize) -> usize {
    let at = (round + i) % count;
    if (round / count).is_multiple_of(2) { at } else { count - 1 - at }
}

/// A case with a world.
trait Sampled {
    /// The nanoseconds, or bytes, of so many runs.
    fn sample(&mut self, runs: u32) -> f64;
    /// The checksum of all runs.
    fn checksum(&mut self) -> u64;
}

/// One world for all samples. Each sample begins with a run that is not timed, since the others
/// have used the caches.
struct Resident<S, R> {
    state: S,
    run: R,
    checksum: fn(&mut S) -> u64,
}

impl<S, R: Fn(&mut S)> Sampled for Resident<S, R> {
    fn sample(&mut self, runs: u32) -> f64 {
        (self.run)(black_box(&mut self.state));
        let start = Instant::now();
        for _ in 0..runs {
            (self.run)(black_box(&mut self.state));
        }
        black_box(&mut self.state);
        nanoseconds(start.elapsed())
    }

    fn checksum(&mut self) -> u64 {
        (self.checksum)(&mut self.state)
    }
}

/// One world for all samples, to which something is done before each run. Each sample begins with a
/// run that is not timed, as above.
struct Prepared<S, R> {
    state: S,
    prepare: fn(&mut S),
    run: R,
    checksum: fn(&mut S) -> u64,
}

impl<S, R: Fn(&mut S)> Sampled for Prepared<S, R> {
    fn sample(&mut self, runs: u32) -> f64 {
        let mut time = Duration::ZERO;
        for run in 0..=runs {
            (self.prepare)(black_box(&mut self.state));
            let start = Instant::now();
            (self.run)(black_box(&mut self.state));
            if run > 0 {
                time += start.elapsed();
            }
        }
        nanoseconds(time)
    }

    fn checksum(&mut self) -> u64 {
        (self.checksum)(&mut self.state)
    }
}

/// A new world for each run, all gone before the next library's. Before them there is one that is
/// not timed, so that the allocator is as this library leaves it, not as the one before does.
struct Fresh<S, R> {
    make: fn(u32) -> S,
    run: R,
    checksum: fn(&mut S) -> u64,
    count: u32,
    sum: u64,
}

impl<S, R: Fn(&mut S)> Sampled for Fresh<S, R> {
    fn sample(&mut self, runs: u32) -> f64 {
        let mut state = (self.make)(self.count);
        (self.run)(black_box(&mut state));
        drop(state);
        let mut states: Vec<S> = (0..runs).map(|_| (self.make)(self.count)).collect();
        let start = Instant::now();
        for state in &mut states {
            (self.run)(black_box(state));
        }
        black_box(&mut states);
        let time = start.elapsed();
        self.sum = self.sum.rotate_left(7).wrapping_add((self.checksum)(&mut states[0]));
        nanoseconds(time)
    }

    fn checksum(&mut self) -> u64 {
        self.sum
    }
}

/// The bytes that a world has allocated after one run.
struct Memory<S, R> {
    make: fn(u32) -> S,
    run: R,
    checksum: fn(&mut S) -> u64,
    count: u32,
    sum: u64,
}

impl<S, R: Fn(&mut S)> Sampled for Memory<S, R> {
    fn sample(&mut self, runs: u32) -> f64 {
        let before = crate::allocator::live();
        let mut state = (self.make)(self.count);
        (self.run)(black_box(&mut state));
        let bytes = crate::allocator::live() - before;
        self.sum = (self.checksum)(&mut state);
        bytes as f64 * f64::from(runs)
    }

    fn checksum(&mut self) -> u64 {
        self.sum
    }
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::workload::simple_iter;

    #[test]
    fn all_libraries_follow_each_other_equally_often() {
        for count in 2..=11 {
            let rounds = count * 2 * 20;
            let turns: Vec<usize> =
                (0..rounds).flat_map(|round| (0..count).map(move |i| turn(round, i, count))).collect();
            assert!((0..count).all(|at| turns.iter().filter(|&&turn| turn == at).count() == rounds));
            for round in turns.chunks(count) {
                assert!((0..count).all(|at| round.contains(&at)));
            }
            let follows_itself = |at: usize| turns.windows(2).filter(|pair| **pair == [at, at]).count();
            let all: Vec<usize> = (0..count).map(follows_itself).collect();
            assert!(all.iter().all(|&times| times == all[0]), "{count}: {all:?}");
        }
    }

    /// A state of numbers that counts its runs, with a pause in each.
    fn slow_counter(suite: &mut Suite, at: usize, pause: fn()) {
        suite.begin(library::ALL[at].0);
        let run = move |runs: &mut u64| {
            pause();
            *runs += 1;
        };
        suite.case(&simple_iter::FOR, |_| 0, run, |runs| *runs);
    }

    #[test]
    fn libraries_of_different_speed_agree_if_they_are_sampled_alone() {
        let mut suite = Suite::new();
        slow_counter(&mut suite, 0, || ());
        slow_counter(&mut suite, 1, || std::thread::sleep(Duration::from_millis(100)));
        // on a calm machine, the first takes three samples and the second takes one
        let row = suite.measure(&simple_iter::FOR, MOST_TOGETHER + 1, Effort::QUICK_SWEEP, |_| true);
        assert!(row.expect("two cases").agree());
    }
}
