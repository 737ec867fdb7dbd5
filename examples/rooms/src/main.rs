//! Replication over UDP: `cargo run --release -p rooms -- --help`.
//!
//! The program starts itself again as the server. The rules are in `game.rs`; `server.rs` and
//! `bots.rs` pass messages between `ecs_replication` and the transport, which is `renet`.

mod bots;
mod cli;
mod game;
mod net;
mod server;

use std::error::Error;
use std::net::UdpSocket;
use std::process::{Child, Command, ExitCode};

use cli::Options;

fn main() -> ExitCode {
    let done = Options::read().map_err(Into::into).and_then(|options| match (options.help, options.server) {
        (true, _) => {
            print!("{}", cli::HELP);
            Ok(())
        }
        (_, true) => server::run(&options),
        _ => play(options),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rooms: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The process of the server, which ends with this one.
struct ServerProcess(Child);

impl ServerProcess {
    fn start(options: &Options) -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new(std::env::current_exe()?);
        let number = |name: &str, value: u64| [format!("--{name}"), value.to_string()];
        command.arg("--server").arg("--save").arg(&options.save);
        command.args(number("port", options.port.into())).args(number("ticks", options.ticks));
        command
            .args(number("bots", options.bots))
            .args(number("hostile", options.hostile))
            .args(number("loss", options.loss.into()));
        Ok(Self(command.spawn()?))
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // it is gone already, unless an error has ended this program
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the server, plays the bots, and kills the server in the middle.
fn play(mut options: Options) -> Result<(), Box<dyn Error>> {
    if options.port == 0 {
        options.port = UdpSocket::bind("127.0.0.1:0")?.local_addr()?.port();
    }
    let mut kill = options.kill.unwrap_or(options.ticks / 2);
    let mut server = ServerProcess::start(&options)?;
    let address = ([127, 0, 0, 1], options.port).into();
    let summary = bots::run(&options, address, |frame| {
        if kill > 0 && frame >= kill {
            server.0.kill()?;
            server.0.wait()?;
            println!("the server was killed at tick {frame}");
            server = ServerProcess::start(&options)?;
            kill = 0;
        }
        Ok(())
    })?;
    println!(
        "{} bots: tick {}, {} states were compared by hash, {} connections were made again, {} coins",
        options.bots, summary.frame, summary.checked, summary.reconnected, summary.coins
    );
    let ended = server.0.wait()?;
    std::fs::remove_file(&options.save)?;
    if ended.success() { Ok(()) } else { Err(format!("the server ended with {ended}").into()) }
}
