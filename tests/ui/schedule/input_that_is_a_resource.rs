//! A resource in place of an input, for a system and for a condition.
use ecs::prelude::*;

#[derive(Component)]
struct Goblin;
#[derive(Resource, Default)]
struct Limit(usize);

world! {
    struct Game {
        components { Goblin }
        resources { Limit }
    }
    schedule tick { spawn(Limit) }
    schedule rarely { spawn(3) if fewer_than(Limit) }
}

#[system(Game)]
fn spawn(number: In<usize>, mut commands: Commands<Game>) {
    (0..*number).for_each(|_| _ = commands.spawn(Goblin));
}

#[system(Game)]
fn fewer_than(limit: In<usize>, goblins: Query<&Goblin>) -> bool {
    goblins.len() < *limit
}

fn main() {
    let mut game = Game::default();
    game.tick();
    game.rarely();
}
