//! A resource of the main thread cannot be shared by the threads of a `par` system.

use std::rc::Rc;

use ecs::prelude::*;

#[derive(Resource, Default)]
#[resource(main_thread)]
struct Window(Rc<u32>);
#[derive(Component)]
struct Pixel(u32);

world! {
    struct Game { components { Pixel } resources { Window } }
    schedule tick { draw }
}

#[system(Game, par)]
fn draw(pixel: &mut Pixel, window: Res<Window>) {
    pixel.0 = *window.0;
}

fn main() {
    Game::default().tick();
}
