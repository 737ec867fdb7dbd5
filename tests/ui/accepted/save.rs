//! Types that cannot be saved, and are skipped.
use ecs::prelude::*;
use ecs::save::Skip;
use serde::{Deserialize, Serialize};

#[derive(Component)]
#[component(skip)]
struct Velocity(#[allow(dead_code)] f32);
#[derive(Component, Serialize, Deserialize)]
#[component(skip)]
struct Both(f32);
#[derive(Component, Serialize, Deserialize, Clone)]
struct Pair<T>(T, T);
#[derive(Resource)]
#[resource(skip)]
struct Window;
#[derive(Event)]
#[event(skip)]
struct Bumped;
#[derive(Default, Clone)]
struct Path(Vec<u8>);

world! {
    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    struct Game {
        components { Pair<u8>, words: Pair<u16> }
    }
    schedule tick { walk, count::<u8> }
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Partly {
        components { Velocity, Both, #[cfg(any())] Missing }
        resources { Window }
        events { Bumped(external) }
    }
}

#[system(Game)]
fn walk(mut path: Local<Skip<Path>>) {
    path.0.push(1);
}

#[system]
fn count<T: Send + Sync + Clone + Serialize + serde::de::DeserializeOwned + 'static>(
    pairs: Query<&Pair<T>>,
    mut most: Local<usize>,
) {
    *most = (*most).max(pairs.len());
}

pub fn main() {
    let mut game = Game::new();
    game.spawn((Pair(1u8, 2), Pair(1u16, 2)));
    game.tick();
    let loaded = Game::load(&game.to_bytes().unwrap()).unwrap();
    assert_eq!(game.hash(), loaded.hash());
    let partly = Partly::new(Window);
    assert!(Partly::load(&partly.to_bytes().unwrap()).is_err());
}
