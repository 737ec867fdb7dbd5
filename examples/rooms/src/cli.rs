//! The command line.

use std::path::PathBuf;

use lexopt::prelude::*;

pub const HELP: &str = "\
A server with four rooms, and bots who walk and collect coins, over UDP on this machine. Each bot has a copy of what it sees, and compares
it with the server's by hash. In the middle the server is killed, and comes back from its last save. A hostile client sends damaged, old, long
and forbidden messages.

usage: rooms [OPTIONS]

  --ticks N     the ticks of the game, 60 in a second (default: 1200)
  --bots N      the number of bots (default: 20)
  --hostile N   the number of hostile clients (default: 1)
  --loss N      the messages that are lost, of 100 (default: 20)
  --kill N      the tick at which the server is killed; 0 for never (default: half of the ticks)
  --server      only the server
  --port N      its port (default: one that is free)
  --save FILE   its save (default: a file in the folder for temporary files)
  --help        print this
";

#[derive(Clone, Debug)]
pub struct Options {
    pub ticks: u64,
    pub bots: u64,
    pub hostile: u64,
    pub loss: u32,
    pub kill: Option<u64>,
    pub server: bool,
    pub port: u16,
    pub save: PathBuf,
    pub help: bool,
}

impl Options {
    pub fn read() -> Result<Self, lexopt::Error> {
        let file = format!("ecs-rooms-{}.json", std::process::id());
        let mut options = Self {
            ticks: 1_200,
            bots: 20,
            hostile: 1,
            loss: 20,
            kill: None,
            server: false,
            port: 0,
            save: std::env::temp_dir().join(file),
            help: false,
        };
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("ticks") => options.ticks = arguments.value()?.parse()?,
                Long("bots") => options.bots = arguments.value()?.parse()?,
                Long("hostile") => options.hostile = arguments.value()?.parse()?,
                Long("loss") => options.loss = arguments.value()?.parse()?,
                Long("kill") => options.kill = Some(arguments.value()?.parse()?),
                Long("server") => options.server = true,
                Long("port") => options.port = arguments.value()?.parse()?,
                Long("save") => options.save = arguments.value()?.into(),
                Long("help") => options.help = true,
                _ => return Err(argument.unexpected()),
            }
        }
        if options.loss > 90 {
            return Err("--loss is at most 90".into());
        }
        if options.bots == 0 || options.bots > 1_000 {
            return Err("--bots is 1 to 1000".into());
        }
        if options.hostile > 20 {
            return Err("--hostile is at most 20".into());
        }
        Ok(options)
    }
}
