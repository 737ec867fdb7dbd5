//! The fast path and the general executor leave the same world, bit for bit: ticks are part of a
//! save.

use std::panic::resume_unwind;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_tests::fuse::panic_message;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct A(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct B(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct C(u32);
#[derive(Component, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[component(index)]
struct Group(u32);
/// The number of the system that panics.
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Bomb(u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { A, B, C, Group }
        resources { Bomb }
    }
    schedule short { a::<1> }
    schedule tick { a::<1>, b::<2>, c::<3>, groups::<4>; c::<5>, a::<6>, groups::<7>, b::<8>, a::<9>; b::<10>, c::<11> }
}

macro_rules! systems {
    ($($name:ident $component:ident)*) => {$(
        #[system(Game)]
        fn $name<const N: u32>(mut all: Query<Mut<$component>>, bomb: Res<Bomb>) {
            if bomb.0 == N {
                resume_unwind(Box::new(format!("bomb {N}")));
            }
            all.iter_mut().filter(|value| value.0 % 3 == N % 3).for_each(|mut value| value.0 += 1);
        }
    )*};
}
systems!(a A b B c C);

#[system(Game)]
fn groups<const N: u32>(all: Query<&Group>, bomb: Res<Bomb>) {
    if bomb.0 == N {
        resume_unwind(Box::new(format!("bomb {N}")));
    }
    assert!(!all.is_empty());
}

/// The file of a world after runs in which the systems with these numbers panic; 0 for a run
/// without a panic.
fn file(bombs: &[u32], timed: bool, parallelism: Parallelism) -> Vec<u8> {
    let mut game = Game::default();
    game.spawn_batch((0..100).map(|n| (A(n), B(n), C(n), Group(n % 7)))).count();
    game.time_systems(timed);
    game.set_parallelism(parallelism);
    game.short();
    for &bomb in bombs {
        game.resource_mut::<Bomb>().0 = bomb;
        match bomb {
            0 => game.tick(),
            _ => assert!(panic_message(|| game.tick()).contains(&format!("bomb {bomb}"))),
        }
    }
    game.resource_mut::<Bomb>().0 = 0;
    game.to_bytes().unwrap()
}

#[test]
fn both_executors_take_the_same_ticks() {
    let runs: Vec<Vec<u32>> = (0..=11).map(|bomb| vec![0, bomb, 0, bomb]).collect();
    for bombs in runs {
        // without measurements and threads the fast path is taken
        let fast = file(&bombs, false, Parallelism::Never);
        for (timed, parallelism) in
            [(true, Parallelism::Never), (true, Parallelism::Always), (false, Parallelism::Always)]
        {
            assert!(file(&bombs, timed, parallelism) == fast, "{bombs:?}, {timed}, {parallelism:?}");
        }
    }
}
