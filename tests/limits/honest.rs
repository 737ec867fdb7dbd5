//! The saves of real worlds are loaded with the default limits.

use ecs::prelude::*;
use ecs::save::LoadOptions;
use serde::{Deserialize, Serialize};

use super::counting::most;

#[derive(Component, Clone, Serialize, Deserialize)]
struct Mark(u8);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Wanted(u32, Vec<Entity>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Marks { components { Mark } resources { wanted: Wanted = Wanted::default() } }
    schedule tick { mark }
}

#[system(Marks)]
fn mark(mut commands: Commands<Marks>, mut wanted: ResMut<Wanted>) {
    for _ in 0..std::mem::take(&mut wanted.0) {
        commands.spawn(Mark(1));
    }
    for entity in std::mem::take(&mut wanted.1) {
        commands.despawn(entity);
    }
}

/// Commands spawn into blocks that became empty while the allocator listed them as blocks with
/// holes, and return them: each block is listed twice then.
#[test]
fn a_block_that_commands_give_back_does_not_spoil_the_save() {
    let mut marks = Marks::default();
    let ids: Vec<Entity> = (0..200).map(|n| marks.spawn(Mark(n as u8))).collect();
    let ticks = |marks: &mut Marks, spawned: u32, despawned: &[Entity], count: u32| {
        *marks.resource_mut::<Wanted>() = Wanted(spawned, despawned.to_vec());
        (0..count).for_each(|_| marks.tick());
    };
    ticks(&mut marks, 100, &[], 10);
    ids[..128].iter().for_each(|&id| marks.despawn(id).unwrap());
    for spawned in [29, 20, 21] {
        ticks(&mut marks, spawned, &[], 1);
    }
    let first: Vec<Entity> = marks.entities().iter().filter(|entity| entity.slot() < 64).collect();
    ticks(&mut marks, 27, &first[..10], 5);
    let bytes = marks.to_bytes().unwrap();
    let mut loaded = Marks::load(&bytes).unwrap();
    assert_eq!(loaded.to_bytes().unwrap(), bytes);
    for _ in 0..300 {
        assert_eq!(loaded.spawn(Mark(2)), marks.spawn(Mark(2)));
    }
    let text = serde_json::to_string(&marks).unwrap();
    assert_eq!(serde_json::from_str::<Marks>(&text).unwrap().hash(), marks.hash());
}

#[derive(Component, Clone, Serialize, Deserialize)]
struct Seen(u8);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Watched { components { Seen } }
    schedule tick { watch }
}

#[system(Watched)]
fn watch(
    a: Entered<With<Seen>>,
    b: Exited<With<Seen>>,
    c: Entered<Without<Seen>>,
    d: Exited<Without<Seen>>,
    e: Entered<Or<(With<Seen>, Without<Seen>)>>,
    f: Exited<Or<(With<Seen>, Without<Seen>)>>,
    g: Entered<With<Seen>>,
    h: Exited<With<Seen>>,
) {
    let _ = [a.len(), c.len(), e.len(), g.len(), b.len() + d.len() + f.len() + h.len()];
}

/// A world that had `slots` entities at its peak, of which few are left.
fn shrunk(slots: usize) -> Watched {
    let mut watched = Watched::new();
    let ids: Vec<Entity> = watched.spawn_batch((0..slots).map(|_| Seen(1))).collect();
    watched.tick();
    for (n, id) in ids.into_iter().enumerate() {
        if n % 50_000 != 49_999 {
            watched.despawn(id).unwrap();
        }
    }
    watched.tick();
    watched
}

/// The history of a filter takes memory for each of its entities while it is loaded, not for each
/// slot.
#[test]
fn states_of_parameters_are_loaded_for_any_number_of_slots() {
    let slots = std::env::var("SLOTS").map_or(400_000, |slots| slots.parse().unwrap());
    let mut watched = shrunk(slots);
    let (bytes, text) = (watched.to_bytes().unwrap(), serde_json::to_string(&watched).unwrap());
    let hash = watched.hash();
    // lists of slots take up to 300 bytes for each 64
    let limit = (slots / 64 * 300 + (1 << 20)) as u64;
    let (loaded, taken) = most(|| Watched::load_with(&bytes, LoadOptions::new().memory(limit)).unwrap());
    assert_eq!(loaded.hash(), hash);
    assert!(taken < slots / 64 * 700 + bytes.len() + (1 << 20), "{taken} bytes for {slots} slots");
    let mut loaded: Watched = serde_json::from_str(&text).unwrap();
    assert_eq!(loaded.hash(), hash);
    for _ in 0..3 {
        watched.tick();
        loaded.tick();
        assert_eq!(loaded.hash(), watched.hash());
    }
    drop(loaded);
    assert_eq!(Watched::load(&bytes).unwrap().hash(), hash);
}
