//! The command line.

use lexopt::prelude::*;

pub const HELP: &str = "\
An epidemic among agents who walk, in parts that run on several threads.

usage: epidemic [OPTIONS]

  --agents N       the number of agents (default: 100000)
  --ticks N        the number of ticks (default: 60)
  --seed N         the seed of all that is random (default: 1)
  --workers N      the number of workers of a process; each has a part of the agents (default: 1)
  --threads N      the threads of each worker (default: 1)
  --stats          prints a line for each tick
  --help           print this
";

#[derive(Clone, Debug)]
pub struct Options {
    pub agents: u64,
    pub ticks: u64,
    pub seed: u64,
    pub workers: usize,
    pub threads: usize,
    pub stats: bool,
    pub help: bool,
}

impl Options {
    pub fn read() -> Result<Self, lexopt::Error> {
        let mut options =
            Self { agents: 100_000, ticks: 60, seed: 1, workers: 1, threads: 1, stats: false, help: false };
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("agents") => options.agents = arguments.value()?.parse()?,
                Long("ticks") => options.ticks = arguments.value()?.parse()?,
                Long("seed") => options.seed = arguments.value()?.parse()?,
                Long("workers") => options.workers = arguments.value()?.parse()?,
                Long("threads") => options.threads = arguments.value()?.parse()?,
                Long("stats") => options.stats = true,
                Long("help") => options.help = true,
                _ => return Err(argument.unexpected()),
            }
        }
        if options.workers == 0 || options.threads == 0 {
            return Err("there is at least one worker, and one thread".into());
        }
        Ok(options)
    }
}
