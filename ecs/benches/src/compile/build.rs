//! Has `cargo` compile the programs, and takes the time.
//!
//! The programs are workspaces of their own, in a folder beside this program; those of one library
//! share a target folder, so that its dependencies are compiled once, before anything is timed. A
//! task that is to begin with nothing begins with `cargo clean --package`, which is not timed: it
//! takes what the compiler keeps for the next time as well. A first build has a target folder of
//! its own, which is removed before. What `cargo` itself does before it calls the compiler is
//! timed, as it is when one waits for it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use super::leaf::{self, Leaf};
use super::plan::Plan;
use super::{COUNTS, Content, FIRST, Figure, GAMES, MANY, Part, RELEASE, Results, SCHEDULERS, Size, Task};
use crate::versions;

/// The environment variables that would change the behaviour of `cargo`.
const FORGOTTEN: [&str; 8] = [
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_TARGET_DIR",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_INCREMENTAL",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTDOCFLAGS",
    "RUSTFLAGS",
];

/// A program of one library and one size, and how long each task took.
struct Program {
    leaf: Leaf,
    size: Size,
    folder: PathBuf,
    target: PathBuf,
    edits: usize,
    /// For each task that is measured.
    samples: Vec<(Task, Vec<Sample>)>,
}

/// The time of one run of a task.
struct Sample {
    seconds: f64,
    /// Seconds of processor time of `cargo` and its compilers, where the system tells them.
    processor: Option<f64>,
}

/// Compiles all programs of a part so many times, all libraries in turn.
pub(super) fn measure(rounds: usize, part: Part) -> io::Result<Results> {
    let mut programs = prepare(part)?;
    // a game without and with saving in turn, too
    let count = |program: &Program| (program.size.components, program.size.systems);
    for of_size in programs.chunk_by_mut(|one, next| count(one) == count(next)) {
        for round in 0..rounds {
            let (components, systems) = count(&of_size[0]);
            eprintln!("{components} components, {systems} systems: round {} of {rounds}", round + 1);
            for i in 0..of_size.len() {
                // in reverse order every second time, so that no library always follows the same
                // other library
                let at = if round % 2 == 0 { i } else { of_size.len() - 1 - i };
                of_size[at].round()?;
            }
        }
    }
    Ok(Results {
        compiler: compiler()?,
        threads: std::thread::available_parallelism()?.get(),
        figures: programs.into_iter().flat_map(Program::figures).collect(),
    })
}

/// The programs of a part, by size, and their tasks.
fn programs(part: Part) -> Vec<(Size, Vec<Task>)> {
    if part == Part::Games {
        let game = |count, content| (Size { content, ..Size::even(count) }, Task::OF_GAMES.to_vec());
        return GAMES
            .into_iter()
            .flat_map(|n| [Content::Game, Content::SavedGame].map(|of| game(n, of)))
            .collect();
    }
    let sizes = COUNTS.map(Size::even).into_iter().chain([MANY]);
    let tasks = sizes.map(|size| {
        let mut tasks = if size == MANY { vec![Task::CheckMany] } else { Task::ALL.to_vec() };
        if size == Size::even(RELEASE) {
            tasks.push(Task::Release);
        }
        if size == Size::even(FIRST) {
            tasks.push(Task::FirstBuild);
        }
        tasks.retain(|task| task.is_long() == (part == Part::Long));
        (size, tasks)
    });
    tasks.collect()
}

/// Writes all programs, by size, and compiles what they depend on.
fn prepare(part: Part) -> io::Result<Vec<Program>> {
    let program = std::env::current_exe()?;
    let base = program.with_file_name("compile-time");
    let mut programs = Vec::new();
    for (size, tasks) in self::programs(part) {
        let fits = |leaf: &Leaf| match size.content {
            Content::Numbers => size != MANY || SCHEDULERS.contains(&leaf.entrant),
            content => leaf.has(content),
        };
        for leaf in leaf::ALL.into_iter().filter(fits) {
            let of_library = base.join(leaf.entrant);
            let folder = of_library.join(Leaf::name(size));
            // with other features the library is another one
            let saved = size.content == Content::SavedGame;
            let target = of_library.join(if saved { "target-saved" } else { "target" });
            leaf.write(size, &folder)?;
            let samples = tasks.iter().map(|task| (*task, Vec::new())).collect();
            programs.push(Program { leaf, size, folder, target, edits: 0, samples });
        }
    }
    for program in programs.iter().filter(|program| program.size.systems == COUNTS[0]) {
        eprintln!("{}: dependencies", program.leaf.entrant);
        if part != Part::Short {
            program.cargo(&["build", "--release"])?;
        }
        if part != Part::Long {
            program.cargo(&["check"])?;
            program.cargo(&["build"])?;
        }
    }
    programs.retain(|program| !program.samples.is_empty());
    Ok(programs)
}

impl Program {
    /// Runs every task once. The built program runs after each, which shows after the rebuild that
    /// the compiler saw the change.
    fn round(&mut self) -> io::Result<()> {
        for at in 0..self.samples.len() {
            let task = self.samples[at].0;
            match task {
                Task::Check | Task::CheckMany | Task::Build => self.clean(&[])?,
                Task::Release => self.clean(&["--release"])?,
                Task::FirstBuild => remove(&self.first_target())?,
                Task::Recheck | Task::Rebuild => self.edit()?,
            }
            let (start, processor) = (Instant::now(), processor_time());
            match task {
                Task::Check | Task::Recheck | Task::CheckMany => self.cargo(&["check"])?,
                Task::Build | Task::Rebuild => self.cargo(&["build"])?,
                Task::Release => self.cargo(&["build", "--release"])?,
                Task::FirstBuild => self.cargo_in(&self.first_target(), &["build", "--offline"])?,
            }
            let seconds = start.elapsed().as_secs_f64();
            let processor = processor
                .zip(processor_time())
                .filter(|_| task == Task::FirstBuild || self.size.content != Content::Numbers)
                .map(|(from, to)| to - from);
            let samples = &mut self.samples[at].1;
            samples.push(Sample { seconds, processor });
            match task {
                Task::Check | Task::Recheck => {}
                Task::Build | Task::Rebuild => self.run(&self.target.join("debug"))?,
                Task::Release => self.run(&self.target.join("release"))?,
                Task::FirstBuild => {
                    self.run(&self.first_target().join("debug"))?;
                    remove(&self.first_target())?;
                }
                // it is built once, to see that it is the same program
                Task::CheckMany if samples.len() == 1 => {
                    self.cargo(&["build"])?;
                    self.run(&self.target.join("debug"))?;
                }
                Task::CheckMany => {}
            }
        }
        Ok(())
    }

    fn clean(&self, profile: &[&str]) -> io::Result<()> {
        let name = Leaf::name(self.size);
        self.cargo(&[&["clean", "--package", &name], profile].concat())
    }

    /// The target folder of first builds.
    fn first_target(&self) -> PathBuf {
        self.target.with_file_name("first-target")
    }

    fn edit(&mut self) -> io::Result<()> {
        self.edits += 1;
        self.leaf.write_program(&self.plan(), &self.folder)
    }

    fn plan(&self) -> Plan {
        Plan::new(self.size, self.edits)
    }

    fn cargo(&self, words: &[&str]) -> io::Result<()> {
        self.cargo_in(&self.target, words)
    }

    fn cargo_in(&self, target: &Path, words: &[&str]) -> io::Result<()> {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        for name in FORGOTTEN {
            command.env_remove(name);
        }
        command.args(words).current_dir(&self.folder).env("CARGO_TARGET_DIR", target);
        output(&mut command).map(drop)
    }

    /// Runs the built program in this folder, and checks its output against the plan.
    fn run(&self, folder: &Path) -> io::Result<()> {
        let name = Leaf::name(self.size) + std::env::consts::EXE_SUFFIX;
        let output = output(&mut Command::new(folder.join(name)))?;
        let (printed, planned) =
            (String::from_utf8_lossy(&output.stdout), format!("{:016x}", self.plan().checksum()));
        if printed.trim() == planned {
            return Ok(());
        }
        Err(io::Error::other(format!(
            "the program `{}` for {} computed {}, not {planned}",
            Leaf::name(self.size),
            self.leaf.entrant,
            printed.trim()
        )))
    }

    fn figures(self) -> impl Iterator<Item = Figure> {
        let Self { leaf, size, samples, .. } = self;
        samples.into_iter().map(move |(task, mut samples)| {
            samples.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
            let mut processor: Vec<f64> = samples.iter().filter_map(|sample| sample.processor).collect();
            processor.sort_by(f64::total_cmp);
            let samples = samples.into_iter().map(|sample| sample.seconds).collect();
            let (entrant, version) = (leaf.entrant.into(), versions::of(leaf.package).into());
            Figure { entrant, version, count: size.systems, content: size.content, task, samples, processor }
        })
    }
}

/// The version of the compiler that `cargo` calls.
fn compiler() -> io::Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Ok(String::from_utf8_lossy(&output(Command::new(rustc).arg("--version"))?.stdout).trim().into())
}

/// Removes a folder that may not be there.
fn remove(folder: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Seconds of processor time of all processes that this one has waited for, and of those that they
/// have waited for. Linux tells them.
fn processor_time() -> Option<f64> {
    /// Linux counts in hundredths of a second there, on every processor.
    const TICK: f64 = 0.01;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // the name of the program, in parentheses, may contain blanks; the times are the fields 16 and
    // 17, and field 3 follows the name
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
    let [user, system] = [fields.next()?, fields.next()?];
    Some((user.parse::<f64>().ok()? + system.parse::<f64>().ok()?) * TICK)
}

/// Waits for a command, which must succeed.
fn output(command: &mut Command) -> io::Result<Output> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("{command:?} failed, {}:\n{said}", output.status)))
}
