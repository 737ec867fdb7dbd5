//! Has `cargo` compile the programs, and takes the time.
//!
//! The programs are workspaces of their own, in a folder beside this program; those of one library share a target
//! folder, so that its dependencies are compiled once, before anything is timed. A task that is to begin with nothing
//! begins with `cargo clean --package`, which is not timed: it takes what the compiler keeps for the next time as
//! well. What `cargo` itself does before it calls the compiler is timed, as it is when one waits for it.

use std::io;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Instant;

use super::leaf::{self, Leaf};
use super::plan::Plan;
use super::{COUNTS, Figure, MANY, Results, SCHEDULERS, Size, Task};
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
    samples: Vec<(Task, Vec<f64>)>,
}

/// Compiles all programs so many times, all libraries in turn.
pub(super) fn measure(rounds: usize) -> io::Result<Results> {
    let mut programs = prepare()?;
    for of_size in programs.chunk_by_mut(|one, next| one.size == next.size) {
        for round in 0..rounds {
            let Size { components, systems } = of_size[0].size;
            eprintln!("{components} components, {systems} systems: round {} of {rounds}", round + 1);
            for i in 0..of_size.len() {
                // in reverse order every second time, so that no library always follows the same other library
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

/// Writes all programs, by size, and compiles what they depend on.
fn prepare() -> io::Result<Vec<Program>> {
    let program = std::env::current_exe()?;
    let base = program.with_file_name("compile-time");
    let mut programs = Vec::new();
    for size in COUNTS.map(Size::even).into_iter().chain([MANY]) {
        let tasks = if size == MANY { &[Task::CheckMany][..] } else { &Task::ALL };
        for leaf in leaf::ALL.into_iter().filter(|leaf| size != MANY || SCHEDULERS.contains(&leaf.entrant)) {
            let of_library = base.join(leaf.entrant);
            let (folder, target) = (of_library.join(Leaf::name(size)), of_library.join("target"));
            leaf.write(size, &folder)?;
            let samples = tasks.iter().map(|task| (*task, Vec::new())).collect();
            programs.push(Program { leaf, size, folder, target, edits: 0, samples });
        }
    }
    for program in programs.iter().filter(|program| program.size == Size::even(COUNTS[0])) {
        eprintln!("{}: dependencies", program.leaf.entrant);
        program.cargo(&["check"])?;
        program.cargo(&["build"])?;
    }
    Ok(programs)
}

impl Program {
    /// Runs every task once. The built program runs after each, which shows after the rebuild that the compiler saw the change.
    fn round(&mut self) -> io::Result<()> {
        for at in 0..self.samples.len() {
            let task = self.samples[at].0;
            match task {
                Task::Check | Task::CheckMany | Task::Build => self.clean()?,
                Task::Rebuild => self.edit()?,
            }
            let start = Instant::now();
            self.cargo(match task {
                Task::Check | Task::CheckMany => &["check"],
                Task::Build | Task::Rebuild => &["build"],
            })?;
            let samples = &mut self.samples[at].1;
            samples.push(start.elapsed().as_secs_f64());
            match task {
                Task::Check => {}
                Task::Build | Task::Rebuild => self.run()?,
                // it is built once, to see that it is the same program
                Task::CheckMany if samples.len() == 1 => {
                    self.cargo(&["build"])?;
                    self.run()?;
                }
                Task::CheckMany => {}
            }
        }
        Ok(())
    }

    fn clean(&self) -> io::Result<()> {
        self.cargo(&["clean", "--package", &Leaf::name(self.size)])
    }

    fn edit(&mut self) -> io::Result<()> {
        self.edits += 1;
        self.leaf.write_program(&self.plan(), &self.folder)
    }

    fn plan(&self) -> Plan {
        Plan::new(self.size, self.edits)
    }

    fn cargo(&self, words: &[&str]) -> io::Result<()> {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        for name in FORGOTTEN {
            command.env_remove(name);
        }
        command.args(words).current_dir(&self.folder).env("CARGO_TARGET_DIR", &self.target);
        output(&mut command).map(drop)
    }

    /// Runs the built program, and checks its output against the plan.
    fn run(&self) -> io::Result<()> {
        let name = Leaf::name(self.size) + std::env::consts::EXE_SUFFIX;
        let output = output(&mut Command::new(self.target.join("debug").join(name)))?;
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
            samples.sort_by(f64::total_cmp);
            let (entrant, version) = (leaf.entrant.into(), versions::of(leaf.package).into());
            Figure { entrant, version, count: size.systems, task, samples }
        })
    }
}

/// The version of the compiler that `cargo` calls.
fn compiler() -> io::Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Ok(String::from_utf8_lossy(&output(Command::new(rustc).arg("--version"))?.stdout).trim().into())
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
