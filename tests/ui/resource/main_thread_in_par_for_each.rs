//! A resource of the main thread cannot be captured by a closure for several threads.

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

#[system(Game)]
fn draw(mut pixels: Query<&mut Pixel>, window: Res<Window>) {
    pixels.par_for_each(|pixel| pixel.0 = *window.0);
}

fn main() {
    Game::default().tick();
}
