//! The command line.

use std::net::SocketAddr;

use lexopt::prelude::*;

pub const HELP: &str = "\
Two tanks, in one terminal or over the network, with rollback.

usage: duel                                             two players at one keyboard
       duel --player 1 --port 7001 --connect HOST:7002  against another program, which is started with
       duel --player 2 --port 7002 --connect HOST:7001
       duel --synctest FRAMES                           runs each frame again, and prints the time and the hash
       duel --headless                                  two processes without a terminal, over a bad network

  --player N       1 has the left tank, 2 the right one
  --port PORT      the UDP port of this program (default: any free port)
  --address ADDR   the address on which this program listens (default: 127.0.0.1)
  --connect ADDR   the address of the other program
  --frames N       the frames of --headless (default: 600)
  --loss P         loses each message with this probability (default of --headless: 0.2)
  --delay N        delays each message by up to N frames (default of --headless: 5)
  --help           print this

keys: w a s d and space; arrows and enter; q quits
";

#[derive(Debug, PartialEq)]
pub enum Mode {
    Local,
    Network,
    SyncTest(u32),
    /// Starts the second process, unless there is one to connect to.
    Headless,
    Help,
}

#[derive(Debug)]
pub struct Options {
    pub mode: Mode,
    /// From 0.
    pub player: usize,
    pub port: u16,
    pub address: String,
    pub connect: Option<SocketAddr>,
    pub frames: u32,
    pub loss: Option<f32>,
    pub delay: Option<u32>,
}

impl Options {
    pub fn read() -> Result<Self, lexopt::Error> {
        let mut options = Self {
            mode: Mode::Local,
            player: 0,
            port: 0,
            address: "127.0.0.1".into(),
            connect: None,
            frames: 600,
            loss: None,
            delay: None,
        };
        let mut arguments = lexopt::Parser::from_env();
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("player") => {
                    let player: usize = arguments.value()?.parse()?;
                    options.player =
                        player.checked_sub(1).filter(|&player| player < 2).ok_or("player 1 or 2")?;
                }
                Long("port") => options.port = arguments.value()?.parse()?,
                Long("address") => options.address = arguments.value()?.string()?,
                Long("connect") => options.connect = Some(arguments.value()?.parse()?),
                Long("frames") => options.frames = arguments.value()?.parse()?,
                Long("loss") => options.loss = Some(arguments.value()?.parse()?),
                Long("delay") => options.delay = Some(arguments.value()?.parse()?),
                Long("synctest") => options.mode = Mode::SyncTest(arguments.value()?.parse()?),
                Long("headless") => options.mode = Mode::Headless,
                Long("help") => options.mode = Mode::Help,
                _ => return Err(argument.unexpected()),
            }
        }
        if options.mode == Mode::Local && options.connect.is_some() {
            options.mode = Mode::Network;
        }
        Ok(options)
    }
}
