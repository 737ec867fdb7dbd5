//! A component that cannot move to another thread.
use std::rc::Rc;

use ecs::prelude::*;

#[derive(Component)]
struct Sprite(Rc<[u8]>);

world! {
    struct Game {
        components { Sprite }
    }
}

fn main() {}
