//! A generic component whose argument cannot move to another thread.
use std::rc::Rc;

use ecs::prelude::*;

#[derive(Component)]
struct Shared<T>(T);

world! {
    struct Game {
        components { shared: Shared<Rc<u8>> }
    }
}

fn main() {}
