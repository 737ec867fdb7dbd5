//! A game in a window: a comet in 50,000 grains of dust. `cargo run --release -p ecs-comet`.
//!
//! Arrows or WASD steer, the space bar starts, P pauses, holding R takes back up to ten seconds,
//! and I lets the inspector in. The game ends with the last life or after a minute.
//!
//! | option | meaning |
//! |---|---|
//! | `--grains N` | the number of grains, 50,000 by default |
//! | `--frames N` | ends after so many frames, and prints the time of a frame |
//! | `--headless` | no window: plays recorded input, and prints the score and the hash |
//! | `--picture FILE` | with `--headless`: writes the last frame as a PNG file |

use std::path::PathBuf;
use std::process::ExitCode;

mod draw;
mod game;
mod headless;
mod history;
mod tools;
mod window;

/// The command line.
struct Arguments {
    grains: u32,
    frames: Option<u32>,
    is_headless: bool,
    picture: Option<PathBuf>,
}

impl Arguments {
    fn read() -> Result<Self, lexopt::Error> {
        use lexopt::prelude::*;
        let mut arguments = Self { grains: 50_000, frames: None, is_headless: false, picture: None };
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("grains") => arguments.grains = parser.value()?.parse()?,
                Long("frames") => arguments.frames = Some(parser.value()?.parse()?),
                Long("headless") => arguments.is_headless = true,
                Long("picture") => arguments.picture = Some(parser.value()?.into()),
                other => return Err(other.unexpected()),
            }
        }
        Ok(arguments)
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("comet: {error}");
            return ExitCode::from(2);
        }
    };
    let result = if arguments.is_headless {
        headless::play(arguments.grains, arguments.picture.as_deref()).map_err(|error| (1, error.to_string()))
    } else {
        window::open(arguments.grains, arguments.frames).map_err(|error| (2, error.to_string()))
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, error)) => {
            eprintln!("comet: {error}");
            ExitCode::from(code)
        }
    }
}
