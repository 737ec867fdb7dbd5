//! The command line.

use std::path::PathBuf;

use crate::library::{IS_WHOLE, NAMES};
use crate::workload::ALL;

/// The text about the options, for `--help` and for unknown options.
pub(crate) const OPTIONS: &str = "  \
  --only WORKLOAD  measure this one; may be repeated
  --with LIBRARY   measure with this one; may be repeated
  --quick          few samples, to see that all is well
  --sweep          measure from 1 to 30,000,000 entities, and draw plots, instead of tables
  --compile        measure how long programs take to check, build and rebuild, instead of tables
  --compile-long   measure release builds and first builds, and put them into the report's figures
  --compile-games  measure the compile times of games, without and with saving, likewise
  --compile-source LIBRARY[-game|-saved-game] COUNT FOLDER
                   write one of these programs, of so many components and systems
  --other-processor
                   measure the tables for the columns of a second processor, and write
                   `ecs/benches/results/other-processor.json`
  --default-settings
                   measure the tables for the page about cargo's own settings; for a program of the
                   profile `default-settings`
  --scale          measure loops on threads, and up to 100,000,000 entities, for the report
  --report         measure the tables, the plots and `--compile`, and write `ecs/benches/REPORT.md` and the other pages;
                   with `--only`, the tables of these workloads, beside the earlier figures of all others
  --render         write these pages again from the figures that are there, without measuring
  --help           print this";

/// The workloads to measure; all of them without names.
#[derive(Default, PartialEq, Debug)]
pub(crate) struct Args {
    only: Vec<String>,
    with: Vec<String>,
    pub(crate) quick: bool,
    pub(crate) task: Task,
    /// The program to write, if the task is that.
    pub(crate) source: Option<Source>,
}

/// A program that `--compile` measures, as a folder.
#[derive(PartialEq, Debug)]
pub(crate) struct Source {
    pub(crate) library: String,
    pub(crate) count: usize,
    pub(crate) folder: PathBuf,
}

/// The task.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    #[default]
    Tables,
    Sweep,
    Compile,
    /// The compile times of release builds and first builds; the others remain.
    CompileLong,
    /// The compile times of games; the others remain.
    CompileGames,
    /// One program that is compiled, to be looked at.
    CompileSource,
    /// Tables, plots and the short compile times, and the pages.
    Report,
    /// Tables of a second processor.
    OtherProcessor,
    /// The pages alone.
    Render,
    /// Tables of a program that was built with cargo's own settings.
    DefaultSettings,
    /// Threads and many entities.
    Scale,
    /// Prints the options.
    Help,
}

impl Args {
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut args = Self::default();
        while let Some(word) = words.next() {
            if matches!(word.as_str(), "--help" | "-h") {
                return Ok(Self { task: Task::Help, ..Self::default() });
            }
            let mut name = |valid: &[&str]| match words.next() {
                Some(name) if valid.contains(&name.as_str()) => Ok(name),
                name => Err(format!(
                    "`{word}` takes one of {}, not `{}`",
                    valid.join(", "),
                    name.unwrap_or_default()
                )),
            };
            match word.as_str() {
                "--only" => args.only.push(name(&ALL.map(|workload| workload.name))?),
                "--with" => args.with.push(name(&NAMES)?),
                "--quick" => args.quick = true,
                "--sweep" => args.begin(Task::Sweep)?,
                "--compile" => args.begin(Task::Compile)?,
                "--compile-long" => args.begin(Task::CompileLong)?,
                "--compile-games" => args.begin(Task::CompileGames)?,
                "--compile-source" => {
                    let (library, count, folder) = (words.next(), words.next(), words.next());
                    let count = count.and_then(|count| count.parse().ok()).filter(|count| *count >= 50);
                    let (Some(library), Some(count), Some(folder)) = (library, count, folder) else {
                        return Err(
                            "`--compile-source` takes a library, a number from 50 on, and a folder".into()
                        );
                    };
                    args.source = Some(Source { library, count, folder: folder.into() });
                    args.begin(Task::CompileSource)?;
                }
                "--other-processor" => args.begin(Task::OtherProcessor)?,
                "--default-settings" => args.begin(Task::DefaultSettings)?,
                "--scale" => args.begin(Task::Scale)?,
                "--report" => args.begin(Task::Report)?,
                "--render" => args.begin(Task::Render)?,
                _ => return Err(format!("unknown option `{word}`; there are\n{OPTIONS}")),
            }
        }
        args.check()
    }

    fn begin(&mut self, task: Task) -> Result<(), String> {
        if self.task != Task::Tables && self.task != task {
            return Err(
                "only one of `--sweep`, `--compile`, `--compile-long`, `--compile-games`, `--other-processor`, `--default-settings`, `--scale`, `--report` and `--render` can be asked for"
                    .into()
            );
        }
        self.task = task;
        Ok(())
    }

    /// Refuses options that do not go together: a report of some libraries would look complete, and
    /// `--only` and `--with` mean nothing where no library is measured.
    fn check(self) -> Result<Self, String> {
        if self.task == Task::Report && !IS_WHOLE {
            return Err("`--report` is of all libraries, and this program was built without some".into());
        }
        let narrowed = match (self.only.is_empty(), self.with.is_empty()) {
            (true, true) => return self.check_sweep(),
            (false, _) => "--only",
            (true, false) => "--with",
        };
        match self.task {
            Task::Report if !self.with.is_empty() => {
                Err("`--report` is of all libraries: leave `--with` out".into())
            }
            Task::Render
            | Task::Scale
            | Task::Compile
            | Task::CompileLong
            | Task::CompileGames
            | Task::CompileSource => {
                Err(format!("`{narrowed}` is for what is measured of libraries: leave it out"))
            }
            Task::Tables
            | Task::Report
            | Task::Sweep
            | Task::OtherProcessor
            | Task::DefaultSettings
            | Task::Help => self.check_sweep(),
        }
    }

    fn check_sweep(self) -> Result<Self, String> {
        let swept = |name: &str| ALL.iter().any(|workload| workload.name == name && workload.swept);
        match self.only.iter().find(|name| !swept(name)) {
            Some(name) if self.task == Task::Sweep => {
                let swept = ALL.iter().filter(|workload| workload.swept).map(|workload| workload.name);
                Err(format!("`{name}` has no sweep, which {} have", swept.collect::<Vec<_>>().join(", ")))
            }
            _ => Ok(self),
        }
    }

    pub(crate) fn measures(&self, workload: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == workload)
    }

    /// Whether only some workloads or libraries are asked for.
    pub(crate) fn is_narrowed(&self) -> bool {
        !self.only.is_empty() || !self.with.is_empty()
    }

    pub(crate) fn takes(&self, library: &str) -> bool {
        self.with.is_empty() || self.with.iter().any(|name| name == library)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Args, String> {
        Args::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn names_may_be_repeated() {
        let args = parse("--only frag_iter --with ecs --only add_remove --quick").unwrap();
        assert!(args.measures("frag_iter") && args.measures("add_remove") && !args.measures("memory"));
        assert!(args.takes("ecs") && !args.takes("hecs") && args.quick);
        assert_eq!(args.task, Task::Tables);
        assert!(args.is_narrowed() && !parse("--quick").unwrap().is_narrowed());
    }

    #[test]
    #[cfg_attr(not(feature = "default"), ignore = "this program is not built with all libraries")]
    fn report_is_of_everything() {
        assert_eq!(parse("--report --quick").unwrap().task, Task::Report);
        assert!(parse("--report --only frag_iter").unwrap().measures("frag_iter"));
        assert!(parse("--with ecs --report").unwrap_err().contains("leave `--with` out"));
        assert!(parse("--report --sweep").unwrap_err().contains("only one of"));
    }

    #[test]
    fn sweep_is_of_what_is_swept() {
        assert_eq!(parse("--sweep --only add_remove").unwrap().task, Task::Sweep);
        assert!(parse("--sweep --only memory").unwrap_err().starts_with("`memory` has no sweep"));
    }

    #[test]
    fn help_is_given_whatever_else_is_asked_for() {
        assert_eq!(parse("--report --help --onyl").unwrap().task, Task::Help);
        assert_eq!(parse("-h").unwrap().task, Task::Help);
    }

    #[test]
    fn unknown_words_are_named() {
        assert!(parse("--onyl frag_iter").unwrap_err().contains("`--onyl`"));
        assert!(parse("--only frag").unwrap_err().contains("not `frag`"));
        assert!(parse("--with").unwrap_err().contains("`--with` takes one of arrays"));
    }
}
