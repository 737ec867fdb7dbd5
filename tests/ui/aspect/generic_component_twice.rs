//! A generic component that an aspect contains twice, in two spellings: only the check in a world finds it.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Timer<T: Send + Sync + 'static>(T);

type Short = u8;

#[derive(Aspect)]
struct Clocks {
    one: Timer<u8>,
    two: Timer<Short>,
}

world! {
    struct Game {
        components { timer: Timer<u8> }
    }
}

fn main() {
    Game::new().spawn(Clocks::fresh());
}
