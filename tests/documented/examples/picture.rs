//! Draws the world:
//! `cargo run -p documented-game --example picture -- --into tests/documented/pictures`.
#![forbid(unsafe_code)]

use documented_game::{Game, Settings};
use ecs_picture::{CommandError, WorldPicture};
use parts_library::Bounces;

fn main() -> Result<(), CommandError> {
    let game = Game::new(Bounces::default(), Settings { paused: false });
    WorldPicture::of(&game).command(std::env::args().skip(1))
}
