//! The key of an index is a reference to the key's type, or to a borrowed form of it.
use ecs::component::Name;
use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u8);

world! {
    struct Game { components { Team, Name } }
}

fn main() {
    let game = Game::new();
    let _ = game.find::<Team>(1);
    let _ = game.find_one::<Name>(String::from("bob"));
}
