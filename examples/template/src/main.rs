//! Plays the game in a window.

use std::process::ExitCode;

fn main() -> ExitCode {
    match my_game::window::play() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("my-game: {error}");
            ExitCode::from(2)
        }
    }
}
