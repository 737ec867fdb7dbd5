//! Ranges of a component with a hash index, and of one without an index.
use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[component(index)]
struct Score(u32);
#[derive(Component, PartialEq, Eq, PartialOrd, Ord)]
struct Age(u32);

world! {
    struct Game { components { Score, Age } }
    schedule tick { best }
}

#[system(Game)]
fn best(scores: Lookup<Score>) {
    let _ = scores.find_range(..).next_back();
}

fn main() {
    let mut game = Game::new();
    game.tick();
    let _ = game.find_range::<Score>(Score(3)..);
    let _ = game.find_last::<Age>();
}
