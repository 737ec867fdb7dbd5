//! A manual impl of everything that `derive(Component)` implements, without the bounds.
#![forbid(unsafe_code)]
use std::cell::Cell;
use std::rc::Rc;

use ecs::prelude::*;

struct Shared(Rc<Cell<u32>>);

impl<W: World> ecs::__private::ComponentOf<W> for Shared {
    type Kind = ecs::__private::Kind<ecs::__private::Value, false>;
}

world! {
    struct Game {
        components { Shared }
    }
}

fn main() {
    let mut game = Game::new();
    game.query_mut::<&mut Shared>().par_for_each(|shared| shared.0 = Rc::new(Cell::new(1)));
}
