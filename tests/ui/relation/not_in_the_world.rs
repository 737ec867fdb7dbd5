use ecs::ChildOf;
use ecs::prelude::*;

world! {
    struct Game { components {} }
}

fn main() {
    let mut game = Game::new();
    let entity = game.spawn(());
    let _ = game.sources::<ChildOf>(entity);
}
