//! Methods of a user's trait on ids and on `()`, with names for which the library has messages.
#![deny(warnings)]
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

trait Spawned: Sized {
    fn id(self) -> Entity;
    fn insert(&self, game: &mut Game, x: f32) -> Entity;
    fn despawn(self, game: &mut Game) -> bool;
}

impl Spawned for Entity {
    fn id(self) -> Entity {
        self
    }
    fn insert(&self, game: &mut Game, x: f32) -> Entity {
        let _ = game.insert(*self, Position(x));
        *self
    }
    fn despawn(self, game: &mut Game) -> bool {
        World::despawn(game, self).is_ok()
    }
}

trait Done {
    fn spawn(&self) -> u8;
}

impl Done for () {
    fn spawn(&self) -> u8 {
        7
    }
}

pub fn main() {
    let mut game = Game::new();
    let ball = game.spawn(()).id();
    assert_eq!(ball.insert(&mut game, 1.0), ball);
    assert_eq!(game.get::<Position>(ball).map(|position| position.0), Some(1.0));
    assert!(ball.despawn(&mut game));
    assert_eq!(().spawn(), 7);
}
