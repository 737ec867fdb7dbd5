//! Honest saves.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

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

/// Commands spawn into blocks that were emptied while the allocator listed them as blocks with holes, and give them back: each is
/// listed twice then.
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
