//! Worlds of ten and a hundred million small entities, beside one of a million.

use std::hint::black_box;
use std::time::Instant;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::median;
use crate::math::shuffled;

/// The entities of the smallest world.
const LEAST: u32 = 1_000_000;
/// The entities that are looked up, changed and despawned, at random.
const SOME: u32 = 100_000;
/// The worlds of each size.
const WORLDS: usize = 3;

/// The figures of a number of entities, in nanoseconds for each entity that is visited.
#[derive(Serialize, Deserialize)]
pub(super) struct Size {
    pub(super) entities: u32,
    pub(super) figures: Vec<(String, f64)>,
    /// For each entity.
    pub(super) bytes: f64,
}

#[derive(Component)]
struct Number(u32);
#[derive(Component)]
struct Speed(u32);
#[derive(Component)]
struct Mark(u32);

world! {
    struct Many { components { Number, Speed, Mark } }
}

/// Measures worlds of ten times as many entities each, up to `most`.
pub(super) fn measure(most: u32) -> Vec<Size> {
    let sizes = std::iter::successors(Some(LEAST), |entities| entities.checked_mul(10));
    sizes.take_while(|entities| *entities <= most).map(size).collect()
}

fn size(entities: u32) -> Size {
    let worlds: Vec<_> = (0..WORLDS).map(|_| world(entities)).collect();
    let bytes = worlds[0].1;
    let names = worlds[0].0.iter().map(|(name, _)| *name);
    let figures = names.enumerate().map(|(at, name)| {
        (name.to_owned(), median(worlds.iter().map(|(figures, _)| figures[at].1).collect()))
    });
    Size { entities, figures: figures.collect(), bytes }
}

/// The figures of one world, and the bytes for each of its entities.
fn world(entities: u32) -> (Vec<(&'static str, f64)>, f64) {
    let before = crate::allocator::live();
    let mut figures = Vec::new();
    let mut timed = |name, visited: u32, run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        figures.push((name, start.elapsed().as_secs_f64() * 1e9 / f64::from(visited)));
    };
    let mut many = Many::new();
    // ids of entities all over the world, in random order
    let step = entities / SOME;
    let mut ids = Vec::new();
    timed("`spawn_batch` of two components", entities, &mut || {
        let all = many.spawn_batch((0..entities).map(|i| (Number(i), Speed(1))));
        ids = all.step_by(step as usize).take(SOME as usize).collect();
    });
    let bytes = (crate::allocator::live() - before) as f64 / f64::from(entities);
    let ids: Vec<Entity> = shuffled(SOME).into_iter().map(|at| ids[at as usize]).collect();
    timed("`for_each` over both", entities, &mut || {
        let all = many.query_mut::<(&mut Number, &Speed)>();
        all.for_each(|(number, speed)| number.0 = number.0.wrapping_add(speed.0));
    });
    timed("`get` at random", SOME, &mut || {
        let numbers = ids.iter().filter_map(|id| many.get::<Number>(*id));
        black_box(numbers.fold(0_u32, |sum, number| sum.wrapping_add(number.0)));
    });
    let insert = |many: &mut Many, mark| {
        ids.iter().for_each(|id| drop(many.insert(*id, Mark(mark))));
    };
    timed("`insert` of the third, at random", SOME, &mut || {
        insert(&mut many, 3);
    });
    timed("the same again", SOME, &mut || insert(&mut many, 4));
    timed("`for_each` over these", SOME, &mut || {
        let mut sum = 0_u32;
        many.query::<(&Number, &Mark)>().for_each(|(number, mark)| {
            sum = sum.wrapping_add(number.0 ^ mark.0);
        });
        black_box(sum);
    });
    timed("`despawn` at random", SOME, &mut || {
        ids.iter().for_each(|id| many.despawn(*id).expect("an entity that is there"));
    });
    timed("`spawn` in their places", SOME, &mut || {
        for i in 0..SOME {
            many.spawn((Number(i), Speed(2)));
        }
    });
    assert_eq!(many.entities().len(), entities as usize);
    timed("the world dropped", entities, &mut || drop(std::mem::take(&mut many)));
    (figures, bytes)
}
