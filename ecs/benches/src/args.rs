//! What the command line asks for.

use std::path::PathBuf;
use std::time::Duration;

use crate::library::NAMES;
use crate::workload::{ALL, Measure};

/// What to measure; without names, everything.
#[derive(Default)]
pub(crate) struct Args {
    only: Vec<String>,
    with: Vec<String>,
    pub(crate) quick: bool,
    pub(crate) compile: Option<Compile>,
}

/// What to do with the programs for the compiler.
pub(crate) enum Compile {
    Measure,
    /// Write one as a crate.
    Source {
        library: String,
        count: usize,
        folder: PathBuf,
    },
}

impl Args {
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut args = Self::default();
        while let Some(word) = words.next() {
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
                "--compile" => args.compile = Some(Compile::Measure),
                "--compile-source" => {
                    let (library, count, folder) = (words.next(), words.next(), words.next());
                    let count = count.and_then(|count| count.parse().ok()).filter(|count| *count >= 50);
                    let (Some(library), Some(count), Some(folder)) = (library, count, folder) else {
                        return Err(format!("`{word}` takes a library, a number from 50 on, and a folder"));
                    };
                    args.compile = Some(Compile::Source { library, count, folder: folder.into() });
                }
                _ => {
                    return Err(format!(
                        "unknown option `{word}`; there are `--only WORKLOAD`, `--with LIBRARY` (both may be repeated), \
                         `--quick`, `--compile` and `--compile-source LIBRARY COUNT FOLDER`"
                    ));
                }
            }
        }
        Ok(args)
    }

    pub(crate) fn measures(&self, workload: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == workload)
    }

    pub(crate) fn takes(&self, library: &str) -> bool {
        self.with.is_empty() || self.with.iter().any(|name| name == library)
    }

    /// How many samples are taken of each library, if a round of all takes so long.
    pub(crate) fn samples(&self, round: Duration, measure: Measure) -> usize {
        let (most, time) = if self.quick { (11, 2.0) } else { (51, 20.0) };
        match measure {
            Measure::Memory => 1,
            _ => ((time / round.as_secs_f64()) as usize).clamp(11, most),
        }
    }
}
