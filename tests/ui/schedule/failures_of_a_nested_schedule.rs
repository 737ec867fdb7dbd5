//! A schedule that returns its failures, in a schedule that returns none.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Count(u32);

world! {
    struct Game { resources { Count = Count::default() } }
    schedule tick { step }
    schedule strict -> Result { step }
    schedule step -> Failures { count }
}

#[system(Game)]
fn count(mut count: ResMut<Count>) -> Result<(), std::fmt::Error> {
    count.0 += 1;
    Ok(())
}

fn main() {
    let mut game = Game::new();
    game.tick();
    game.strict().unwrap();
}
