//! The command line.

use std::path::PathBuf;

use lexopt::prelude::*;

pub const HELP: &str = "\
An epidemic among agents who walk, in parts that run on several threads, processes or machines. The result is the same for each number
of them.

usage: epidemic [OPTIONS]

  --agents N        the number of agents (default: 100000)
  --ticks N         the number of ticks (default: 60)
  --seed N          the seed of all that is random (default: 1)
  --threads N       the threads of each worker (default: 1)
  --workers N       the workers of each process; each has a part of the agents (default: 1)
  --processes N     the processes, which this one starts on this machine (default: 1)
  --hosts FILE      the processes of several machines: line n of the file is the address HOST:PORT at which process n listens;
                    start this program on each of them, with the same options
  --process N       the number of this process, from 0 (default with --hosts: SLURM_PROCID, or that at the end of HOSTNAME)
  --key FILE        a secret that all processes have, so that no others connect
  --connect N       the seconds within which all processes must be connected (default: 30)
  --checkpoint DIR  writes checkpoints, and resumes from the newest one
  --every N         the ticks between two checkpoints, which are written beside the next ticks (default: 10)
  --whole-every N   each N-th checkpoint is whole, and the others have what has changed (default: 8)
  --timeout N       the seconds after which a worker that sends nothing counts as hanging (default: 60)
  --stats           prints a line for each tick: agents by health, times, bytes for each worker
  --picture FILE    writes a picture of the last state as PNG
  --arrays          runs hand-written arrays beside one worker, and compares times and results
  --quiet           shows no progress, and no picture in the terminal
  --help            print this
";

#[derive(Clone, Debug)]
pub struct Options {
    pub agents: u64,
    pub ticks: u64,
    pub seed: u64,
    pub workers: usize,
    pub threads: usize,
    pub processes: usize,
    pub hosts: Option<PathBuf>,
    pub process: Option<usize>,
    pub key: Option<PathBuf>,
    /// In seconds.
    pub connect: u64,
    /// The address of the process that has started this one.
    pub join: Option<String>,
    pub checkpoint: Option<PathBuf>,
    /// The ticks between two checkpoints.
    pub every: u64,
    pub whole_every: u64,
    /// In seconds.
    pub timeout: u64,
    pub stats: bool,
    pub picture: Option<PathBuf>,
    pub arrays: bool,
    pub quiet: bool,
    pub help: bool,
}

impl Options {
    pub fn read() -> Result<Self, lexopt::Error> {
        let mut options = Self {
            agents: 100_000,
            ticks: 60,
            seed: 1,
            workers: 1,
            threads: 1,
            processes: 1,
            hosts: None,
            process: None,
            key: None,
            connect: 30,
            join: None,
            checkpoint: None,
            every: 10,
            whole_every: 8,
            timeout: 60,
            stats: false,
            picture: None,
            arrays: false,
            quiet: false,
            help: false,
        };
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("agents") => options.agents = arguments.value()?.parse()?,
                Long("ticks") => options.ticks = arguments.value()?.parse()?,
                Long("seed") => options.seed = arguments.value()?.parse()?,
                Long("workers") => options.workers = arguments.value()?.parse()?,
                Long("threads") => options.threads = arguments.value()?.parse()?,
                Long("processes") => options.processes = arguments.value()?.parse()?,
                Long("hosts") => options.hosts = Some(arguments.value()?.into()),
                Long("process") => options.process = Some(arguments.value()?.parse()?),
                Long("key") => options.key = Some(arguments.value()?.into()),
                Long("connect") => options.connect = arguments.value()?.parse::<u64>()?.max(1),
                Long("join") => options.join = Some(arguments.value()?.string()?),
                Long("checkpoint") => options.checkpoint = Some(arguments.value()?.into()),
                Long("every") => options.every = arguments.value()?.parse::<u64>()?.max(1),
                Long("whole-every") => options.whole_every = arguments.value()?.parse::<u64>()?.max(1),
                Long("timeout") => options.timeout = arguments.value()?.parse::<u64>()?.max(1),
                Long("stats") => options.stats = true,
                Long("picture") => options.picture = Some(arguments.value()?.into()),
                Long("arrays") => options.arrays = true,
                Long("quiet") => options.quiet = true,
                Long("help") => options.help = true,
                _ => return Err(argument.unexpected()),
            }
        }
        if options.workers == 0 || options.threads == 0 || options.processes == 0 {
            return Err("there is at least one process, with one worker, with one thread".into());
        }
        if options.process.is_some() && options.hosts.is_none() && options.join.is_none() {
            return Err(
                "--process N needs --hosts FILE: without it, this program starts its processes itself".into(),
            );
        }
        Ok(options)
    }

    /// A hash of the options on which the result depends, apart from the number of ticks.
    pub fn settings(&self) -> u64 {
        fold(&[self.agents, self.seed])
    }

    /// A hash of the options that all processes must have in common.
    pub fn fingerprint(&self) -> u64 {
        let flags =
            [self.stats, self.picture.is_some(), self.quiet, self.checkpoint.is_some()].map(u64::from);
        fold(&[self.settings(), self.ticks, self.every, self.whole_every, fold(&flags)])
    }
}

fn fold(numbers: &[u64]) -> u64 {
    let fold = |hash: u64, number: &u64| (hash ^ number).wrapping_mul(0x0100_0000_01b3).rotate_left(17);
    numbers.iter().fold(0xcbf2_9ce4_8422_2325, fold)
}
