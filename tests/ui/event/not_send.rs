//! An event that cannot move to another thread.
use std::rc::Rc;

use ecs::prelude::*;

#[derive(Event)]
struct Said(Rc<str>);

world! {
    struct Game {
        events { Said(external) }
    }
}

fn main() {}
