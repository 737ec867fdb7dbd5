//! Aspects that come close to what is refused: components of one name, instances of one generic component, a whole value
//! and then a part of it, and alternatives of which the one that asks for more comes first.
#![forbid(unsafe_code)]
#![deny(warnings)]

use ecs::prelude::*;
use ecs::{Aspect, MetaAspect};

mod screen {
    use ecs::prelude::*;

    #[derive(Component, Default)]
    pub struct Place(pub i32);
}

#[derive(Component, Default)]
pub struct Place(pub i32);
#[derive(Component, Default)]
pub struct Timer<T: Default + Send + Sync + 'static>(pub T);
#[derive(Component)]
pub struct Name(pub String);

#[derive(Aspect)]
pub struct Drawn {
    pub place: screen::Place,
    pub timer: Timer<u8>,
}

#[derive(Aspect)]
pub struct Thing<N: Component> {
    #[aspect(.place = screen::Place(3), .place.0 = 4, .timer.0 = 1)]
    pub drawn: Drawn,
    #[aspect(.0 = 5)]
    pub place: Place,
    pub timer: Timer<u16>,
    #[aspect(default = panic!("a thing has no name of its own"))]
    pub name: N,
}

#[derive(MetaAspect)]
pub enum Found {
    Thing(Thing<Name>),
    Drawn(Drawn),
    Place(Place),
}

world! {
    pub struct Game {
        components { Place, pixel: screen::Place, short: Timer<u8>, long: Timer<u16>, Name }
    }
}

pub fn main() {
    let mut game = Game::new();
    let thing = game.spawn((Drawn::fresh(), Place(1)));
    assert!(matches!(game.take_one_of(thing), Ok(Found::Drawn(_))));
    assert!(matches!(game.take_one_of(thing), Ok(Found::Place(Place(1)))));
    assert!(!game.has_aspect::<Thing<Name>>(thing));
}
