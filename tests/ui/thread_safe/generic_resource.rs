//! A generic resource whose argument cannot move to another thread.
use std::rc::Rc;

use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Resource)]
struct Shared<T>(T);

world! {
    struct Game {
        components { Position }
        resources { window: Shared<Rc<u32>> }
    }
    schedule tick { movement; draw }
}

#[system(Game)]
fn movement(position: &mut Position, window: Res<Shared<Rc<u32>>>) {
    position.0 += *window.0 as f32;
}

#[system(Game)]
fn draw(mut window: ResMut<Shared<Rc<u32>>>) {
    window.0 = Rc::new(2);
}

fn main() {
    let mut game = Game::new(Shared(Rc::new(1)));
    game.tick();
    game.run::<draw>();
}
