//! Experiments: a model run with many parameters and many seeds.
//!
//! A [`Sweep`] is a list of [`Trial`]s. Each of them has parameters and a seed of its own, and can
//! be run alone. What a trial returns is a row with numbers and with **the hash of the world at its
//! end**, so that each row of a table can be checked by running its trial again.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_agents::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize)]
//! struct Sick(bool);
//! #[derive(Resource, Serialize, Deserialize)]
//! struct Risk(f64);
//!
//! world! {
//!     #[derive(Serialize, Deserialize)]
//!     struct Town {
//!         include ecs_agents::random::random;
//!         components { Sick }
//!         resources { Risk }
//!     }
//!     schedule step { include ecs_agents::random::next_step; fall_ill }
//! }
//!
//! #[system(Town, par)]
//! fn fall_ill(entity: Entity, sick: &mut Sick, risk: Res<Risk>, random: Res<Random>) {
//!     sick.0 |= random.of("fall ill", entity).random_bool(risk.0);
//! }
//!
//! fn model(trial: &Trial) -> Outcome {
//!     let mut town = Town::new(Random::new(trial.seed()), Risk(trial.value("risk")));
//!     town.spawn_batch((0..100).map(|_| Sick(false)));
//!     (0..10).for_each(|_| town.step());
//!     let sick = town.query::<&Sick>().iter().filter(|sick| sick.0).count();
//!     Outcome::new(town.hash()).with("sick", sick as f64)
//! }
//!
//! let sweep = Sweep::new(1).vary("risk", [0.01, 0.1]).replicates(5);
//! let results = sweep.run(2, model);
//! assert_eq!(results, sweep.run(1, model), "the same for any number of threads");
//! let row = &results.rows()[7];
//! assert_eq!(model(&row.trial), row.outcome, "a row is checked by running it again");
//! let mut csv = Vec::new();
//! results.write_csv(&mut csv)?;
//! assert!(csv.starts_with(b"trial,risk,replicate,seed,sick,hash\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_philox::splitmix64;

use crate::random::Random;

/// A list of trials: all combinations of values of parameters, each with so many seeds.
#[derive(Clone, PartialEq, Debug)]
pub struct Sweep {
    seed: u64,
    factors: Vec<Factor>,
    replicates: u64,
    /// The number of this part, and of all parts.
    part: (usize, usize),
    #[cfg(feature = "progress")]
    progress: bool,
}

/// Parameters that vary together: each point has a value for each of them.
#[derive(Clone, PartialEq, Debug)]
struct Factor {
    parameters: Vec<String>,
    points: Vec<Vec<f64>>,
}

/// One run of a model: values of its parameters, and a seed.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    number: usize,
    replicate: u64,
    seed: u64,
    values: Vec<(String, f64)>,
}

/// The result of a trial: numbers with names, and the hash of the world at its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The hash of the world.
    pub hash: u64,
    /// The numbers with their names.
    pub values: Vec<(String, f64)>,
}

/// A trial with its outcome.
#[derive(Clone, PartialEq, Debug)]
pub struct TrialRow {
    /// The trial.
    pub trial: Trial,
    /// Its outcome.
    pub outcome: Outcome,
}

/// The rows of all trials, in the order of the trials.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    rows: Vec<TrialRow>,
}

impl Trial {
    /// A trial of no sweep, with this seed and without parameters. With the seed and the parameters of
    /// a row of a table, it repeats the row:
    ///
    /// ```
    /// use ecs_agents::prelude::*;
    ///
    /// let trial = Trial::new(7).with("density", 0.6);
    /// assert_eq!((trial.seed(), trial.value("density")), (7, 0.6));
    /// ```
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { number: 0, replicate: 0, seed, values: Vec::new() }
    }

    /// The trial with this value of a parameter.
    #[must_use]
    pub fn with(mut self, parameter: &str, value: f64) -> Self {
        self.set(parameter, value);
        self
    }

    pub(crate) fn set(&mut self, parameter: &str, value: f64) {
        match self.values.iter_mut().find(|(name, _)| name == parameter) {
            Some((_, known)) => *known = value,
            None => self.values.push((parameter.to_owned(), value)),
        }
    }

    #[cfg(feature = "window")]
    pub(crate) fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The number of the trial in its sweep, from 0.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// The number of the trial among those of the same values, from 0.
    #[must_use]
    pub fn replicate(&self) -> u64 {
        self.replicate
    }

    /// The seed of the trial. It follows from the seed of the sweep and the number of the
    /// replicate, so that two values of a parameter are compared with the same seeds.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The value of a parameter.
    ///
    /// # Panics
    /// If the sweep does not vary a parameter of this name.
    #[must_use]
    pub fn value(&self, parameter: &str) -> f64 {
        let found = self.values.iter().find(|(name, _)| name == parameter);
        found.unwrap_or_else(|| panic!("the sweep does not vary a parameter `{parameter}`")).1
    }

    /// The values of all parameters, with their names.
    #[must_use]
    pub fn values(&self) -> &[(String, f64)] {
        &self.values
    }

    /// The columns that tell which trial it is.
    fn cells(&self) -> Vec<String> {
        let values = self.values.iter().map(|(_, value)| value.to_string());
        let number = std::iter::once(self.number.to_string());
        number.chain(values).chain([self.replicate.to_string(), self.seed.to_string()]).collect()
    }
}

impl Outcome {
    /// An outcome of a world with this hash, `world.hash()`, without numbers.
    #[must_use]
    pub fn new(hash: u64) -> Self {
        Self { hash, values: Vec::new() }
    }

    /// Adds a number. All trials of a sweep have numbers of the same names, in the same order.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64) -> Self {
        self.values.push((name.to_owned(), value));
        self
    }
}

impl Sweep {
    /// A sweep of one trial without parameters. The seeds of all trials follow from this one.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            factors: Vec::new(),
            replicates: 1,
            part: (0, 1),
            #[cfg(feature = "progress")]
            progress: false,
        }
    }

    /// Runs the model with each of these values, and with each combination of them with the values
    /// of other parameters. The parameter that is named first changes least often.
    ///
    /// # Panics
    /// If the parameter is named a second time.
    #[must_use]
    pub fn vary(self, parameter: &str, values: impl IntoIterator<Item = f64>) -> Self {
        self.vary_together([parameter], values.into_iter().map(|value| [value]))
    }

    /// Runs the model with each of these points, which have a value for each of the parameters: a
    /// design that was made elsewhere. The points are combined with the values of other parameters
    /// as the values of [`vary`](Self::vary) are.
    ///
    /// # Panics
    /// If a parameter is named a second time.
    #[must_use]
    pub fn vary_together<const N: usize>(
        self,
        parameters: [&str; N],
        points: impl IntoIterator<Item = [f64; N]>,
    ) -> Self {
        self.with_factor(parameters.to_vec(), points.into_iter().map(Vec::from).collect())
    }

    /// Runs the model with so many points of a Latin hypercube: each range is divided into as many
    /// equal parts as there are points, and each part has one point, at a random place in it. Ten
    /// points for each parameter are a usual number.
    ///
    /// The points follow from the seed of the sweep. They are combined with the values of
    /// other parameters as the values of [`vary`](Self::vary) are, and each has all
    /// [`replicates`](Self::replicates).
    ///
    /// ```
    /// use ecs_agents::prelude::*;
    ///
    /// let sweep = Sweep::new(1).latin_hypercube(20, [("density", 0.2..0.9), ("wind", -1.0..1.0)]);
    /// let trials = sweep.trials();
    /// assert_eq!(trials.len(), 20);
    /// assert_eq!(trials.iter().filter(|trial| trial.value("wind") < 0.0).count(), 10);
    /// ```
    ///
    /// Source: McKay, Beckman and Conover, "A comparison of three methods for selecting values of
    /// input variables in the analysis of output from a computer code", Technometrics 21, 1979.
    ///
    /// # Panics
    /// If a parameter is named a second time, or a range is empty or not finite.
    #[must_use]
    pub fn latin_hypercube<'a>(
        self,
        points: usize,
        ranges: impl IntoIterator<Item = (&'a str, Range<f64>)>,
    ) -> Self {
        let (random, before) = (Random::new(self.seed), self.parameters().count());
        self.sample(points, ranges, |dimension| {
            let mut draws = random.of("latin hypercube", (before + dimension) as u64);
            let mut parts: Vec<usize> = (0..points).collect();
            parts.shuffle(&mut draws);
            parts.iter().map(|&part| (part as f64 + draws.random::<f64>()) / points as f64).collect()
        })
    }

    /// Runs the model with the first points of a Sobol sequence: they fill the space of the
    /// parameters evenly, also in each plane of two of them, and each prefix does so. The best
    /// numbers of points are powers of two.
    ///
    /// The sequence is scrambled by the seed of the sweep, so that several sweeps with other seeds
    /// tell how exact a mean over the space is. Values are exact to a part of 2²⁴ of the range.
    /// They are combined with the values of other parameters as those of [`vary`](Self::vary) are.
    ///
    /// Source: the crate `sobol_burley`: Burley, "Practical hash-based Owen scrambling", Journal of
    /// Computer Graphics Techniques 9, 2020, with the direction numbers of Joe and Kuo, 2008.
    ///
    /// # Panics
    /// If there are more than 65,536 points or 256 parameters, if a parameter is named a second
    /// time, or a range is empty or not finite.
    #[cfg(feature = "sobol")]
    #[must_use]
    pub fn sobol<'a>(self, points: usize, ranges: impl IntoIterator<Item = (&'a str, Range<f64>)>) -> Self {
        assert!(points <= 1 << 16, "a Sobol sequence of {points} points: it has at most 65,536");
        let seed = (splitmix64(self.seed) ^ self.parameters().count() as u64) as u32;
        self.sample(points, ranges, |dimension| {
            let dimension = u32::try_from(dimension).unwrap_or(u32::MAX);
            assert!(dimension < sobol_burley::NUM_DIMENSIONS, "a Sobol sequence has at most 256 parameters");
            (0..points as u32).map(|point| sobol_burley::sample(point, dimension, seed).into()).collect()
        })
    }

    /// Varies parameters together, by the places of the points in the range of each of them: the
    /// places are from 0 up to 1.
    fn sample<'a>(
        self,
        points: usize,
        ranges: impl IntoIterator<Item = (&'a str, Range<f64>)>,
        places: impl Fn(usize) -> Vec<f64>,
    ) -> Self {
        let (mut names, mut rows) = (Vec::new(), vec![Vec::new(); points]);
        for (dimension, (name, Range { start, end })) in ranges.into_iter().enumerate() {
            let finite = start < end && (end - start).is_finite();
            assert!(finite, "the range of `{name}`, {start}..{end}, is empty or not finite");
            names.push(name);
            let values = places(dimension).into_iter().map(|place| start + (end - start) * place);
            rows.iter_mut().zip(values).for_each(|(row, value)| row.push(value));
        }
        self.with_factor(names, rows)
    }

    fn with_factor(mut self, names: Vec<&str>, points: Vec<Vec<f64>>) -> Self {
        let mut parameters: Vec<String> = Vec::new();
        for name in names {
            let is_known = self.parameters().chain(&parameters).any(|known| known == name);
            assert!(!is_known, "the sweep varies `{name}` twice");
            parameters.push(name.to_owned());
        }
        self.factors.push(Factor { parameters, points });
        self
    }

    /// The names of all parameters, in order.
    fn parameters(&self) -> impl Iterator<Item = &String> {
        self.factors.iter().flat_map(|factor| &factor.parameters)
    }

    /// Runs the model with so many seeds for each combination of values.
    #[must_use]
    pub fn replicates(mut self, number: u64) -> Self {
        self.replicates = number;
        self
    }

    /// The part of the sweep that one of several processes or machines runs: the trials with the
    /// numbers `part`, `part + of`, `part + 2 * of` and so on. Each process writes a file of its own
    /// with [`run_into`](Self::run_into), and [`gather`](Self::gather) of the whole sweep makes the
    /// results of all files.
    ///
    /// # Panics
    /// If `part` is not below `of`.
    #[must_use]
    pub fn part(mut self, part: usize, of: usize) -> Self {
        assert!(part < of, "part {part} of {of}: the first part is 0");
        self.part = (part, of);
        self
    }

    /// Shows how many trials have run and about how long the others take, if the standard error is
    /// a terminal.
    #[cfg(feature = "progress")]
    #[must_use]
    pub fn with_progress(mut self) -> Self {
        self.progress = true;
        self
    }

    /// A function to be called after each trial, if so many of all trials have run before.
    fn after_each(&self, all: usize, done: usize) -> impl Fn() + use<> {
        #[cfg(feature = "progress")]
        let bar = self.progress.then(|| crate::progress::bar(all as u64, done as u64));
        #[cfg(not(feature = "progress"))]
        let _ = (self, all, done);
        move || {
            #[cfg(feature = "progress")]
            bar.iter().for_each(|bar| bar.inc(1));
        }
    }

    /// The trials, in order: combinations of values, and within one the replicates.
    #[must_use]
    pub fn trials(&self) -> Vec<Trial> {
        let mut combinations = vec![Vec::new()];
        for Factor { parameters, points } in &self.factors {
            let with = |combination: &Vec<(String, f64)>, point: &Vec<f64>| {
                let point = parameters.iter().cloned().zip(point.iter().copied());
                combination.iter().cloned().chain(point).collect()
            };
            combinations =
                combinations.iter().flat_map(|c| points.iter().map(move |point| with(c, point))).collect();
        }
        let replicates = |values: Vec<(String, f64)>| {
            (0..self.replicates).map(move |replicate| (values.clone(), replicate))
        };
        let (part, of) = self.part;
        let trials = combinations.into_iter().flat_map(replicates).enumerate().skip(part).step_by(of);
        trials.map(|(number, (values, replicate))| self.trial(number, replicate, values)).collect()
    }

    fn trial(&self, number: usize, replicate: u64, values: Vec<(String, f64)>) -> Trial {
        Trial { number, replicate, seed: splitmix64(splitmix64(self.seed).wrapping_add(replicate)), values }
    }

    /// Runs all trials on so many threads. The rows do not depend on the number of threads.
    ///
    /// # Panics
    /// If `threads` is 0, or the model panics.
    pub fn run(&self, threads: usize, model: impl Fn(&Trial) -> Outcome + Sync) -> Results {
        let trials = self.trials();
        let after_each = self.after_each(trials.len(), 0);
        let rows = run_each(threads, trials, &model, |_| {
            after_each();
            Ok(())
        });
        Results { rows: rows.expect("nothing is written") }
    }

    /// Runs all trials on so many threads, and writes the row of each into a file of CSV as soon as
    /// it has run. Trials whose rows are in the file already are not run again: a sweep that was
    /// interrupted goes on, and has lost only the trials that were running. In the end the file has
    /// the rows in the order of the trials.
    ///
    /// # Errors
    /// If the file cannot be read or written, or if it has rows of another sweep. Then nothing is
    /// overwritten.
    ///
    /// # Panics
    /// If `threads` is 0, or the model panics. The file has the rows of the trials that have run.
    pub fn run_into(
        &self,
        path: impl AsRef<Path>,
        threads: usize,
        model: impl Fn(&Trial) -> Outcome + Sync,
    ) -> io::Result<Results> {
        let path = path.as_ref();
        let trials = self.trials();
        let mut rows = match std::fs::read_to_string(path) {
            Ok(text) => read_rows(&text, &trials)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let done: HashSet<usize> = rows.iter().map(|row| row.trial.number).collect();
        let after_each = self.after_each(trials.len(), rows.len());
        let left: Vec<Trial> = trials.into_iter().filter(|trial| !done.contains(&trial.number)).collect();

        // what an interruption has cut off goes before new rows are appended
        write_whole(path, &rows)?;
        let mut file = File::options().append(true).open(path)?;
        let mut named = !rows.is_empty();
        let write = |row: &TrialRow| {
            let mut lines = csv::Writer::from_writer(Vec::new());
            write_rows(&mut lines, std::slice::from_ref(row), !std::mem::replace(&mut named, true))?;
            file.write_all(&lines.into_inner().map_err(csv::IntoInnerError::into_error)?)?;
            after_each();
            Ok(())
        };
        rows.extend(run_each(threads, left, &model, write)?);

        rows.sort_by_key(|row| row.trial.number);
        write_whole(path, &rows)?;
        Ok(Results { rows })
    }

    /// The results of the trials, from files that [`run_into`](Self::run_into) has written, such as
    /// those of all [parts](Self::part). A trial may be in several of them.
    ///
    /// ```
    /// # use ecs_agents::prelude::*;
    /// # fn model(trial: &Trial) -> Outcome { Outcome::new(trial.seed()) }
    /// # let folder = std::env::temp_dir().join(format!("gather-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// let sweep = Sweep::new(1).vary("risk", [0.01, 0.1]).replicates(5);
    /// let files = [0, 1, 2].map(|part| folder.join(format!("part-{part}.csv")));
    /// // each on a machine of its own
    /// for (part, file) in files.iter().enumerate() {
    ///     sweep.clone().part(part, 3).run_into(file, 2, model)?;
    /// }
    /// assert_eq!(sweep.gather(&files)?, sweep.run(2, model));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a file cannot be read or has a row of another sweep, if two files differ in the outcome of
    /// a trial, or if a trial is missing.
    pub fn gather(&self, files: impl IntoIterator<Item = impl AsRef<Path>>) -> io::Result<Results> {
        let trials = self.trials();
        let mut rows: Vec<TrialRow> = Vec::new();
        for file in files {
            rows.extend(read_rows(&std::fs::read_to_string(file)?, &trials)?);
        }
        rows.sort_by_key(|row| row.trial.number);
        let is_same = |a: &TrialRow, b: &TrialRow| a.trial.number == b.trial.number;
        rows.dedup_by(|later, row| is_same(later, row) && same_outcome(&later.outcome, &row.outcome));
        let differs = rows.windows(2).find(|pair| is_same(&pair[0], &pair[1]));
        if let Some([row, _]) = differs {
            return Err(wrong(format!("two files differ in the outcome of trial {}", row.trial.number)));
        }
        let is_there =
            |trial: &&Trial| rows.binary_search_by_key(&trial.number, |row| row.trial.number).is_ok();
        if let Some(missing) = trials.iter().find(|trial| !is_there(trial)) {
            let (there, all) = (rows.len(), trials.len());
            return Err(wrong(format!(
                "the files have {there} of {all} trials: {} is missing",
                missing.number
            )));
        }
        Ok(Results { rows })
    }
}

impl Results {
    /// The rows, in the order of the trials.
    #[must_use]
    pub fn rows(&self) -> &[TrialRow] {
        &self.rows
    }

    /// The means of a number and their standard errors, for each combination of values in the order
    /// of the sweep. The error is NaN where there is one replicate.
    #[must_use]
    pub fn means(&self, name: &str) -> Vec<Mean> {
        let same = |a: &TrialRow, b: &TrialRow| a.trial.values == b.trial.values;
        let means = self.rows.chunk_by(same).map(|rows| {
            let numbers = rows.iter().flat_map(|row| &row.outcome.values).filter(|(other, _)| other == name);
            Mean::of(&rows[0].trial.values, &numbers.map(|(_, value)| *value).collect::<Vec<_>>())
        });
        means.collect()
    }

    /// Writes the rows as CSV: trial, parameters, replicate, seed, the numbers of the outcome, and
    /// the hash of the world in hexadecimal digits.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_csv(&self, to: impl Write) -> io::Result<()> {
        write_rows(&mut csv::Writer::from_writer(to), &self.rows, true)
    }
}

/// The mean of a number over the replicates of one combination of values.
#[derive(Clone, PartialEq, Debug)]
pub struct Mean {
    /// The values of the parameters, with their names.
    pub values: Vec<(String, f64)>,
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
}

impl Mean {
    fn of(values: &[(String, f64)], numbers: &[f64]) -> Self {
        let number = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / number;
        let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (number - 1.0);
        Self { values: values.to_vec(), mean, error: (variance / number).sqrt() }
    }
}

/// Runs trials on so many threads and writes each row. Returns the rows in order.
fn run_each(
    threads: usize,
    trials: Vec<Trial>,
    model: &(impl Fn(&Trial) -> Outcome + Sync),
    write: impl FnMut(&TrialRow) -> io::Result<()> + Send,
) -> io::Result<Vec<TrialRow>> {
    assert!(threads > 0, "a sweep runs on 0 threads");
    let (next, done) = (AtomicUsize::new(0), Mutex::new((Vec::new(), write)));
    let work = || -> io::Result<()> {
        while let Some(trial) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
            let row = TrialRow { outcome: model(trial), trial: trial.clone() };
            let (rows, write) = &mut *done.lock().expect("no thread panics while it writes");
            write(&row)?;
            rows.push(row);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.min(trials.len())).map(|_| scope.spawn(work)).collect();
        let ended = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        ended.collect::<Vec<_>>().into_iter().try_for_each(|ended| match ended {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    let (mut rows, _) = done.into_inner().expect("no thread panics while it writes");
    rows.sort_by_key(|row: &TrialRow| row.trial.number);
    Ok(rows)
}

/// Replaces a file by these rows, at once: an interruption leaves the former file.
fn write_whole(path: &Path, rows: &[TrialRow]) -> io::Result<()> {
    let mut next = path.as_os_str().to_owned();
    next.push(".part");
    write_rows(&mut csv::Writer::from_path(&next)?, rows, true)?;
    std::fs::rename(next, path)
}

/// Writes rows, and before them a line of names if `named`. No rows are no lines.
fn write_rows<O: Write>(csv: &mut csv::Writer<O>, rows: &[TrialRow], named: bool) -> io::Result<()> {
    if let Some(row) = rows.first().filter(|_| named) {
        let parameters = row.trial.values.iter().map(|(name, _)| name.as_str());
        let numbers = row.outcome.values.iter().map(|(name, _)| name.as_str());
        csv.write_record(
            ["trial"]
                .into_iter()
                .chain(parameters)
                .chain(["replicate", "seed"])
                .chain(numbers)
                .chain(["hash"]),
        )?;
    }
    for row in rows {
        let numbers = row.outcome.values.iter().map(|(_, value)| value.to_string());
        csv.write_record(
            row.trial.cells().into_iter().chain(numbers).chain([format!("{:016x}", row.outcome.hash)]),
        )?;
    }
    csv.flush()
}

/// Reads the rows of a file, of which the last line may be cut off.
fn read_rows(text: &str, trials: &[Trial]) -> io::Result<Vec<TrialRow>> {
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut lines = csv::ReaderBuilder::new().has_headers(true).from_reader(whole.as_bytes());
    let names: Vec<String> = lines.headers()?.iter().map(str::to_owned).collect();
    let read = |line: csv::StringRecord| {
        let cells: Vec<String> = line.iter().map(str::to_owned).collect();
        let number = cells.first().and_then(|cell| cell.parse::<usize>().ok());
        let at = number.and_then(|number| trials.binary_search_by_key(&number, |trial| trial.number).ok());
        let trial = at.map(|at| &trials[at]);
        let trial = trial.filter(|trial| cells.starts_with(&trial.cells()) && has_names(trial, &names));
        let trial = trial
            .ok_or_else(|| wrong(format!("the file has a row of another sweep: {}", cells.join(","))))?;
        let numbers = names.iter().zip(&cells).skip(trial.cells().len());
        let outcome =
            outcome(numbers.collect()).ok_or_else(|| wrong(format!("not a row: {}", cells.join(","))))?;
        Ok(TrialRow { trial: trial.clone(), outcome })
    };
    lines.into_records().map(|line| read(line?)).collect()
}

fn wrong(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Whether two outcomes are equal bit for bit, so that a number that is NaN equals itself.
fn same_outcome(a: &Outcome, b: &Outcome) -> bool {
    let bits = |outcome: &Outcome| -> Vec<(String, u64)> {
        outcome.values.iter().map(|(name, value)| (name.clone(), value.to_bits())).collect()
    };
    a.hash == b.hash && bits(a) == bits(b)
}

/// Whether the line of names is that of a sweep with this trial.
fn has_names(trial: &Trial, names: &[String]) -> bool {
    names.iter().skip(1).zip(&trial.values).all(|(name, (parameter, _))| name == parameter)
}

/// The outcome of the last cells of a row, which end with the hash.
fn outcome(mut cells: Vec<(&String, &String)>) -> Option<Outcome> {
    let (_, hash) = cells.pop().filter(|(name, _)| *name == "hash")?;
    let value = |(name, cell): (&String, &String)| Some((name.clone(), cell.parse().ok()?));
    Some(Outcome {
        hash: u64::from_str_radix(hash, 16).ok()?,
        values: cells.into_iter().map(value).collect::<Option<_>>()?,
    })
}
