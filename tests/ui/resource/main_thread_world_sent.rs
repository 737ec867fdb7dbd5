//! A world with a resource of the main thread is not sent to another thread.

use std::rc::Rc;

use ecs::prelude::*;

#[derive(Resource, Default)]
#[resource(main_thread)]
struct Window(Rc<u32>);

world! {
    struct Game { resources { Window } }
}

fn main() {
    let game = Game::default();
    std::thread::spawn(move || drop(game));
}
