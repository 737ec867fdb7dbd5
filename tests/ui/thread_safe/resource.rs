//! A resource that cannot move to another thread, in a world whose systems use it in every way.
use std::rc::Rc;

use ecs::prelude::*;

#[derive(Component, Clone)]
struct Position(f32);

#[derive(Resource, Clone)]
struct Window(Rc<u32>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Position }
        resources { window: Window }
    }
    schedule tick { movement, draw if open; many }
}

#[system(Game)]
fn movement(position: &mut Position, window: Res<Window>) {
    position.0 += *window.0 as f32;
}

#[system(Game)]
fn draw(positions: Query<&Position>, mut window: ResMut<Window>) {
    window.0 = Rc::new(positions.len() as u32);
}

#[system(Game)]
fn open(window: Res<Window>) -> bool {
    *window.0 == 1
}

#[system(Game, par)]
fn many(position: &mut Position, window: Res<Window>) {
    position.0 += *window.0 as f32;
}

fn main() {
    let mut game = Game::new(Window(Rc::new(1)));
    game.tick();
    game.run::<draw>();
    let before = game.snapshot();
    game.resource_mut::<Window>().0 = Rc::new(2);
    game.restore(&before);
}
