//! Takes samples: of every library one, again and again, so that what the machine does meanwhile hits all alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::args::Args;
use crate::library::Library;
use crate::workload::Workload;

/// A workload as one library does it.
struct Case {
    library: Library,
    workload: &'static str,
    begin: Box<dyn Fn(u32, bool) -> Box<dyn Sampled>>,
}

/// All cases of all libraries.
#[derive(Default)]
pub(crate) struct Suite {
    library: Option<Library>,
    cases: Vec<Case>,
}

/// One library's part in a row.
pub(crate) struct Cell {
    pub(crate) library: Library,
    /// Nanoseconds for each entity, ascending.
    samples: Vec<f64>,
    pub(crate) checksum: u64,
}

/// A workload, measured with all libraries.
pub(crate) struct Row {
    pub(crate) workload: &'static Workload,
    pub(crate) count: u32,
    pub(crate) cells: Vec<Cell>,
}

impl Suite {
    /// The cases that follow are of this library.
    pub(crate) fn begin(&mut self, library: Library) {
        self.library = Some(library);
    }

    /// Adds a workload: `make` a world for so many entities, `run` (the only part that is timed), and a `checksum` of
    /// all that the run was to compute.
    pub(crate) fn case<S: 'static>(
        &mut self,
        workload: &'static Workload,
        make: fn(u32) -> S,
        run: impl Fn(&mut S) + Copy + 'static,
        checksum: fn(&mut S) -> u64,
    ) {
        let begin = move |count, fresh| -> Box<dyn Sampled> {
            if fresh {
                Box::new(Fresh { make, run, checksum, count, sum: 0 })
            } else {
                Box::new(Resident { state: make(count), run, checksum })
            }
        };
        let library = self.library.expect("a library began");
        self.cases.push(Case { library, workload: workload.name, begin: Box::new(begin) });
    }

    /// Measures a workload with all libraries that have it and are asked for.
    ///
    /// Every second round goes backwards, so that nobody always follows the same neighbour. The first round is not
    /// recorded: it wakes the allocator and the processor.
    pub(crate) fn measure(&self, workload: &'static Workload, count: u32, args: &Args) -> Row {
        let cases = self.cases.iter().filter(|case| case.workload == workload.name);
        let mut running: Vec<_> = cases
            .filter(|case| args.takes(case.library.name))
            .map(|case| (case.library, (case.begin)(count, workload.fresh), Vec::new()))
            .collect();
        let runs = if workload.fresh { 1 } else { (workload.visits / count).max(1) };
        let visits = f64::from(runs) * f64::from(count);
        for round in 0..=args.samples() {
            for i in 0..running.len() {
                let at = if round % 2 == 0 { i } else { running.len() - 1 - i };
                let (_, sampled, samples) = &mut running[at];
                let time = sampled.sample(runs).as_secs_f64() * 1e9 / visits;
                if round > 0 {
                    samples.push(time);
                }
            }
        }
        let cells = running.into_iter().map(|(library, mut sampled, mut samples)| {
            samples.sort_by(f64::total_cmp);
            Cell { library, samples, checksum: sampled.checksum() }
        });
        Row { workload, count, cells: cells.collect() }
    }
}

impl Cell {
    pub(crate) fn median(&self) -> f64 {
        let (low, high) = ((self.samples.len() - 1) / 2, self.samples.len() / 2);
        f64::midpoint(self.samples[low], self.samples[high])
    }

    pub(crate) fn minimum(&self) -> f64 {
        self.samples[0]
    }
}

impl Row {
    /// Whether all libraries computed the same.
    pub(crate) fn agree(&self) -> bool {
        self.cells.windows(2).all(|pair| pair[0].checksum == pair[1].checksum)
    }
}

/// A case with a world.
trait Sampled {
    /// The time of so many runs.
    fn sample(&mut self, runs: u32) -> Duration;
    /// What all runs computed.
    fn checksum(&mut self) -> u64;
}

/// One world for all samples. Each sample begins with a run that is not timed, since the others have used the caches.
struct Resident<S, R> {
    state: S,
    run: R,
    checksum: fn(&mut S) -> u64,
}

impl<S, R: Fn(&mut S)> Sampled for Resident<S, R> {
    fn sample(&mut self, runs: u32) -> Duration {
        (self.run)(black_box(&mut self.state));
        let start = Instant::now();
        for _ in 0..runs {
            (self.run)(black_box(&mut self.state));
        }
        black_box(&mut self.state);
        start.elapsed()
    }

    fn checksum(&mut self) -> u64 {
        (self.checksum)(&mut self.state)
    }
}

/// A new world for each sample, gone before the next library's. Before it there is one that is not timed, so that the
/// allocator is as this library leaves it, not as the one before does.
struct Fresh<S, R> {
    make: fn(u32) -> S,
    run: R,
    checksum: fn(&mut S) -> u64,
    count: u32,
    sum: u64,
}

impl<S, R: Fn(&mut S)> Sampled for Fresh<S, R> {
    fn sample(&mut self, _: u32) -> Duration {
        let mut state = (self.make)(self.count);
        (self.run)(black_box(&mut state));
        drop(state);
        let mut state = (self.make)(self.count);
        let start = Instant::now();
        (self.run)(black_box(&mut state));
        black_box(&mut state);
        let time = start.elapsed();
        self.sum = self.sum.rotate_left(7).wrapping_add((self.checksum)(&mut state));
        time
    }

    fn checksum(&mut self) -> u64 {
        self.sum
    }
}
