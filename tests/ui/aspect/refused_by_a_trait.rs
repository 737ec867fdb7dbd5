//! Several mistakes of one kind (aspect) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component)]
struct Name(String);
#[derive(Aspect)]
struct Monster {
    name: Name,
}
#[derive(Component, Default)]
struct Timer<T: Send + Sync + 'static>(T);
type Short = u8;
#[derive(Aspect)]
struct Clocks {
    one: Timer<u8>,
    two: Timer<Short>,
}

world! {
    struct Game { components { Health, timer: Timer<u8> } }
}

// `new`, which aspects do not have.
fn new_aspect() {
    Game::new().spawn(Monster::new());
}

// Adding a component as if it were an aspect.
fn add_a_component() {
    let mut game = Game::new();
    let rat = game.spawn(());
    let _ = game.add_aspect(rat, Health { now: 1, max: 1 });
}

// A generic component that an aspect contains twice, in two spellings: only the check in a world
// finds it.
fn generic_component_twice() {
    Game::new().spawn(Clocks::fresh());
}

fn main() {}
