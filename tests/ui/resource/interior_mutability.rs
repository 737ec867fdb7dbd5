use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use ecs::prelude::*;

#[derive(Resource, Default)]
struct Counter(AtomicU32);

#[derive(Resource, Default)]
struct Cache {
    size: usize,
    known: Option<Mutex<BTreeMap<u32, u32>>>,
}

#[derive(Resource, Default)]
#[resource(shared)]
struct Numbers(AtomicU32);

world! {
    struct Game { resources { Counter, Cache, Numbers } }
    schedule tick { count, count_too }
}

#[system(Game)]
fn count(counter: Res<Counter>, cache: Res<Cache>) {
    counter.0.fetch_add(cache.size as u32, Ordering::Relaxed);
}

#[system(Game)]
fn count_too(counter: Res<Counter>, cache: Res<Cache>, numbers: Res<Numbers>) {
    counter.0.fetch_add(cache.known.iter().len() as u32, Ordering::Relaxed);
    numbers.0.fetch_add(1, Ordering::Relaxed);
}

fn main() {
    Game::default().tick();
}
