use ecs::ChildOf;
use ecs::prelude::*;

world! {
    struct Game { components { ChildOf } }
}

fn main() {
    let mut game = Game::new();
    let root = game.spawn(());
    let child = game.spawn(ChildOf(root));
    game.get_mut::<ChildOf>(child).unwrap().0 = child;
}
