//! Compile times of a program that uses the library, compared with the peers.
//!
//! ```text
//! cargo run --release -p ecs-bench -- --compile [--quick]
//! cargo run --release -p ecs-bench -- --compile-long [--quick]
//! cargo run --release -p ecs-bench -- --compile-games [--quick]
//! cargo run --release -p ecs-bench -- --compile-source LIBRARY[-game|-saved-game] COUNT FOLDER
//! ```
//!
//! A [`plan`] describes the content of a program, the same for each library. Most programs have as
//! many systems as components; one has three times as many systems, in one schedule, and is only
//! checked. The smallest program is also built with its dependencies, from an empty target folder.
//! Games have components with texts, lists and options, and are measured twice: as they are, and
//! with saving, loading and access by name.
//! [`leaf`] writes the program as a crate for each library, and [`build`] compiles it with `cargo`
//! and measures the time. For all other tasks, dependencies are compiled before. Every program must
//! print the result that the plan predicts. [`goals`] judges the figures and [`table`] shows them.
//! The last form only writes a crate, to look at or to profile.

mod build;
mod goals;
mod leaf;
mod plan;
mod table;

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub(crate) use table::{page, print};

/// The numbers of components, and of systems, of the programs.
const COUNTS: [usize; 4] = [50, 100, 200, 400];

/// The size of the program that is built for release: the rounds of all sizes would take half an
/// hour.
const RELEASE: usize = 200;
/// The size of the program that is built with its dependencies.
const FIRST: usize = 50;

/// The program with many systems.
const MANY: Size = Size { components: 100, systems: 300, content: Content::Numbers };
/// The tasks that are measured with one size, and the systems of that program.
const OF_ONE_SIZE: [(Task, usize); 3] =
    [(Task::Release, RELEASE), (Task::FirstBuild, FIRST), (Task::CheckMany, MANY.systems)];
/// The libraries that can put many systems into a schedule.
const SCHEDULERS: [&str; 2] = ["ecs", "bevy"];

/// The sizes of games.
const GAMES: [usize; 2] = [50, 200];

/// The size and the content of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Size {
    components: usize,
    systems: usize,
    content: Content,
}

/// What components have, and what the program does with them besides its ticks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
enum Content {
    /// One to three numbers.
    #[default]
    Numbers,
    /// Three numbers, a text, a list and an option.
    Game,
    /// As a game; all of it is saved, loaded, and reached by name. The worlds of this library are
    /// cloned and hashed as well.
    SavedGame,
}

/// What is measured in one run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Checks, builds and rebuilds of programs of numbers.
    Short,
    /// Their release builds and first builds.
    Long,
    /// All tasks of games.
    Games,
}

impl Size {
    /// As many systems as components, of numbers.
    const fn even(count: usize) -> Self {
        Self { components: count, systems: count, content: Content::Numbers }
    }
}

/// All measured figures.
#[derive(Serialize, Deserialize)]
pub(crate) struct Results {
    /// The output of `rustc --version`.
    compiler: String,
    /// Threads that `cargo` may use.
    threads: usize,
    figures: Vec<Figure>,
}

/// The times of one task with one library.
#[derive(Serialize, Deserialize)]
struct Figure {
    #[serde(rename = "library")]
    entrant: String,
    version: String,
    /// Systems, and, but for [`Task::CheckMany`], as many components.
    count: usize,
    #[serde(default)]
    content: Content,
    task: Task,
    /// Seconds, ascending.
    samples: Vec<f64>,
    /// Seconds of processor time, ascending: of first builds and games, where the system tells them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    processor: Vec<f64>,
}

/// A task of the compiler. Except for [`Task::FirstBuild`], dependencies are compiled before.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Task {
    /// `cargo check`, nothing of the program there.
    Check,
    /// `cargo check` after a number in the body of one system was changed.
    Recheck,
    /// `cargo build` in the `dev` profile, nothing of the program there.
    Build,
    /// `cargo build` after a number in the body of one system was changed.
    Rebuild,
    /// `cargo build --release`, nothing of the program there.
    Release,
    /// `cargo build` with all dependencies, in an empty target folder.
    FirstBuild,
    /// `cargo check` of the program with many systems.
    CheckMany,
}

impl Task {
    /// Those for programs of all sizes that have as many systems as components.
    const ALL: [Self; 3] = [Self::Check, Self::Build, Self::Rebuild];
    /// Those for games.
    const OF_GAMES: [Self; 5] = [Self::Check, Self::Recheck, Self::Build, Self::Rebuild, Self::Release];

    /// Whether it is measured by `--compile-long` only, for programs of numbers.
    fn is_long(self) -> bool {
        matches!(self, Self::Release | Self::FirstBuild)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Recheck => "check after a change",
            Self::Build => "build",
            Self::Rebuild => "rebuild",
            Self::Release => "release",
            Self::FirstBuild => "first build",
            Self::CheckMany => "check of many systems",
        }
    }

    fn what(self) -> &'static str {
        match self {
            Self::Check => "`cargo check` of the program, nothing of it there",
            Self::Recheck => "`cargo check` after a change in the body of one system",
            Self::Build => "`cargo build` (dev) of the program, nothing of it there",
            Self::Rebuild => "`cargo build` (dev) after a change in the body of one system",
            Self::Release => "`cargo build --release` of the program with 200, nothing of it there",
            Self::FirstBuild => {
                "`cargo build` (dev) of the program with 50 and all its dependencies, offline, in an empty target folder"
            }
            Self::CheckMany => {
                "`cargo check` of a program with 100 components and one schedule of 300 systems"
            }
        }
    }
}

impl Figure {
    fn median(&self) -> f64 {
        median(&self.samples)
    }

    fn minimum(&self) -> f64 {
        self.samples[0]
    }
}

/// The median of ascending samples.
fn median(samples: &[f64]) -> f64 {
    f64::midpoint(samples[(samples.len() - 1) / 2], samples[samples.len() / 2])
}

impl Results {
    /// The figure of a program of numbers.
    fn figure(&self, library: &str, count: usize, task: Task) -> Option<&Figure> {
        self.figure_of(library, count, Content::Numbers, task)
    }

    fn figure_of(&self, library: &str, count: usize, content: Content, task: Task) -> Option<&Figure> {
        let of = |figure: &&Figure| {
            (figure.entrant == library && figure.count == count)
                && (figure.content == content && figure.task == task)
        };
        self.figures.iter().find(of)
    }

    /// These figures, with those of `earlier` of tasks that were not measured again.
    pub(crate) fn with(mut self, earlier: Self) -> Self {
        let key = |figure: &Figure| (figure.task, figure.content);
        let measured: Vec<(Task, Content)> = self.figures.iter().map(key).collect();
        self.figures.extend(earlier.figures.into_iter().filter(|figure| !measured.contains(&key(figure))));
        self
    }

    /// The median of a figure.
    fn median(&self, library: &str, count: usize, task: Task) -> Option<f64> {
        self.figure(library, count, task).map(Figure::median)
    }
}

/// Compiles all programs of a part, three times or, if it is to be `quick`, once.
///
/// # Errors
/// When `cargo` fails, a program prints something else than the plan says, or a file cannot be
/// written.
pub(crate) fn measure(quick: bool, part: Part) -> io::Result<Results> {
    build::measure(if quick { 1 } else { 3 }, part)
}

/// Writes a program of so many components as a crate.
///
/// # Errors
/// When there is no such library, or a file cannot be written.
pub(crate) fn write_source(library: &str, count: usize, folder: &Path) -> io::Result<()> {
    let (name, content) = match library.split_once('-') {
        Some((name, "game")) => (name, Content::Game),
        Some((name, "saved-game")) => (name, Content::SavedGame),
        _ => (library, Content::Numbers),
    };
    let Some(leaf) = leaf::ALL.into_iter().find(|leaf| leaf.entrant == name && leaf.has(content)) else {
        let names = leaf::ALL.map(|leaf| leaf.entrant).join(", ");
        return Err(io::Error::other(format!(
            "programs are written for {names}, and with `-game` or `-saved-game` behind the name, not for \
             `{library}`"
        )));
    };
    leaf.write(Size { content, ..Size::even(count) }, folder)
}
