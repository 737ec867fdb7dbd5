//! A system whose error may not leave its thread.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
    schedule tick -> Result { movement }
}

#[system(Game)]
fn movement(position: Query<&Position>) -> Result<(), Box<dyn std::error::Error>> {
    let _: u32 = "4".parse()?;
    println!("{}", position.len());
    Ok(())
}

fn main() {
    Game::new().tick().unwrap();
}
