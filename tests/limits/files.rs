//! Files with numbers that no real world has.

use std::time::{Duration, Instant};

use ecs::__private::save::reseal;
use ecs::prelude::*;
use ecs::save::{DanglingIds, LoadOptions};
use ecs::{FixedTime, Schedule};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::counting::most;
use super::terrain::{MIB, Terrain, flat, terrain};

/// A component without bytes in a file that requires 16 KiB for each of its entities.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(requires(Cache))]
struct Chunk;
#[derive(Component, Clone)]
#[component(skip)]
struct Cache(#[allow(dead_code)] [u64; 2048]);

impl Default for Cache {
    fn default() -> Self {
        Self(flat())
    }
}

/// A value with 16 KiB in memory for each byte in a file.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Layers(Vec<Option<Layer>>);
#[derive(Clone, Serialize, Deserialize)]
struct Layer(#[serde(with = "nothing")] [u64; 2048]);

mod nothing {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(_: &[u64; 2048], serializer: S) -> Result<S::Ok, S::Error> {
        ().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u64; 2048], D::Error> {
        <()>::deserialize(deserializer).map(|()| [0; 2048])
    }
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct Seen(u8);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Plain(u8);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Land { components { Terrain, Chunk, Cache, Layers, Seen, Plain } }
    schedule tick { look; breed }
}

#[system(Land)]
fn look(_new: Entered<With<Plain>>) {}

#[system(Land)]
fn breed(mut commands: Commands<Land>, chunks: Query<Entity, With<Plain>>) {
    for _ in chunks.iter().take(100) {
        commands.spawn(Seen(1));
    }
}

/// A world of `count` times 64 entities, in which `give` adds components to every 64th.
fn sparse(count: usize, mut give: impl FnMut(&mut Land, Entity)) -> Land {
    let mut land = Land::new();
    let entities: Vec<Entity> = land.spawn_batch((0..count * 64).map(|_| ())).collect();
    for entity in entities.into_iter().step_by(64) {
        give(&mut land, entity);
    }
    land
}

/// The memory that a file of so many bytes may take.
fn allowance(bytes: usize) -> usize {
    64 * MIB + 64 * bytes
}

#[test]
fn forty_kilobytes_take_no_gigabyte() {
    let land = sparse(1500, |land, entity| drop(land.insert(entity, terrain())));
    let bytes = land.to_bytes().unwrap();
    assert!(bytes.len() < 80_000, "{}", bytes.len());
    let (loaded, taken) = most(|| Land::load(&bytes));
    let error = loaded.unwrap_err().to_string();
    assert!(error.contains("component `Terrain` of entity"), "{error}");
    assert!(error.contains("too much memory") && error.contains("LoadOptions::memory"), "{error}");
    assert!(taken < allowance(bytes.len()), "{taken}");
    // a looser limit of the caller
    let loaded = Land::load_with(&bytes, LoadOptions::new().memory(2 << 30)).unwrap();
    assert_eq!(loaded.query::<&Terrain>().len(), 1500);
    // a stricter limit
    let (loaded, taken) = most(|| Land::load_with(&bytes, LoadOptions::new().memory(MIB as u64)));
    assert!(loaded.is_err() && taken < 2 * MIB, "{taken}");
}

/// A value of one byte in a file and 264 bytes in memory, of a column in which each value has a
/// place of its own.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(storage = "packed")]
struct Ore {
    seed: u8,
    #[serde(skip, default = "vein")]
    _vein: [u64; 32],
}

fn vein() -> [u64; 32] {
    [0; 32]
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Mine { components { Ore } }
}

/// Values side by side, in every second slot, in runs of 63, and far apart.
#[test]
fn memory_of_packed_values_is_counted() {
    type Has = fn(usize) -> bool;
    let layouts: [(usize, Has); 4] = [
        (50_000, |_| true),
        (100_000, |n| n % 2 == 0),
        (50_000, |n| n % 64 != 0),
        (400_000, |n| n % 64 == 0),
    ];
    for (count, has) in layouts {
        let mut mine = Mine::new();
        let entities: Vec<Entity> = mine.spawn_batch((0..count).map(|_| ())).collect();
        let without = mine.to_bytes().unwrap();
        for entity in entities.into_iter().enumerate().filter(|&(n, _)| has(n)).map(|(_, entity)| entity) {
            mine.insert(entity, Ore { seed: 1, _vein: vein() }).unwrap();
        }
        let (bytes, text) = (mine.to_bytes().unwrap(), serde_json::to_string(&mine).unwrap());
        drop(mine);
        let limited = |limit: usize| LoadOptions::<Mine>::new().memory(limit as u64);
        let from_text = |limit| {
            let from = &mut serde_json::Deserializer::from_str(&text);
            serde::de::DeserializeSeed::deserialize(limited(limit), from)
        };
        // the entities take memory, too
        let (empty, entities) = most(|| Mine::load_with(&without, limited(1 << 30)).unwrap());
        drop(empty);
        let loaded = Mine::load_with(&bytes, limited(1 << 30)).unwrap();
        let column = loaded.stats().columns[0].bytes;
        assert!(column > 1_600_000, "{column}");
        drop(loaded);
        let (loaded, taken) = most(|| Mine::load_with(&bytes, limited(column * 3 / 4)));
        let error = loaded.err().unwrap_or_else(|| panic!("{column} bytes were loaded")).to_string();
        assert!(error.contains("component `Ore` of entity"), "{error}");
        assert!(error.contains("too much memory") && error.contains("LoadOptions::memory"), "{error}");
        assert!(
            taken < column * 3 / 4 + entities,
            "{taken} of {column} bytes and {entities} for the entities"
        );
        let error = from_text(column * 3 / 4).err().unwrap().to_string();
        assert!(error.contains("component `Ore` of entity") && error.contains("too much memory"), "{error}");
        // a limit that suffices
        let enough = column * 5 / 4 + entities;
        assert!(
            Mine::load_with(&bytes, limited(enough)).is_ok(),
            "{column} bytes, {entities} for the entities"
        );
        assert!(from_text(enough).is_ok(), "{column} bytes, {entities} for the entities");
    }
}

#[test]
fn text_takes_no_more_than_bytes_do() {
    let land = sparse(1500, |land, entity| drop(land.insert(entity, terrain())));
    let text = serde_json::to_string(&land).unwrap();
    let (loaded, taken) = most(|| serde_json::from_str::<Land>(&text));
    let error = loaded.unwrap_err().to_string();
    assert!(error.contains("component `Terrain` of entity") && error.contains("too much memory"), "{error}");
    assert!(taken < allowance(text.len()) + 64 * text.len(), "{taken}");
    let seed = LoadOptions::<Land>::new().memory(2 << 30);
    let loaded =
        serde::de::DeserializeSeed::deserialize(seed, &mut serde_json::Deserializer::from_str(&text));
    assert_eq!(loaded.unwrap().query::<&Terrain>().len(), 1500);
    // a minimal file, written by hand
    let entities: Vec<String> =
        (0..8000).map(|n| format!("\"{}v1@7\":{{\"Terrain\":{{\"seed\":1}}}}", n * 64)).collect();
    let text = format!("{{\"entities\":{{{}}}}}", entities.join(","));
    let (loaded, taken) = most(|| serde_json::from_str::<Land>(&text));
    assert!(loaded.is_err() && taken < allowance(text.len()) + MIB, "{taken}");
}

#[test]
fn a_merge_takes_no_more_than_a_load() {
    let land = sparse(1500, |land, entity| drop(land.insert(entity, terrain())));
    let (bytes, text) = (land.to_bytes().unwrap(), serde_json::to_string(&land).unwrap());
    drop(land);
    let mut other = Land::new();
    other.spawn(Plain(1));
    let before = other.to_bytes().unwrap();
    let (merged, taken) = most(|| other.merge(&bytes, DanglingIds::Refuse));
    assert!(merged.unwrap_err().to_string().contains("too much memory"));
    assert!(taken < allowance(bytes.len()) + 2 * MIB, "{taken}");
    let (merged, taken) =
        most(|| other.merge_from(&mut serde_json::Deserializer::from_str(&text), DanglingIds::Refuse));
    assert!(merged.unwrap_err().to_string().contains("too much memory"));
    assert!(taken < allowance(text.len()) + 64 * text.len(), "{taken}");
    assert_eq!(other.to_bytes().unwrap(), before);
    let merged = other.merge_with(&bytes, DanglingIds::Refuse, LoadOptions::new().memory(4 << 30)).unwrap();
    assert_eq!(merged.len(), 1500 * 64);
    let mut other = Land::new();
    let from = &mut serde_json::Deserializer::from_str(&text);
    let merged = other.merge_from_with(from, DanglingIds::Refuse, LoadOptions::new().memory(1000));
    assert!(merged.is_err() && other.entities().is_empty());
}

#[test]
fn memory_of_required_components_is_counted() {
    let land = sparse(1500, |land, entity| drop(land.insert(entity, Chunk)));
    let bytes = land.to_bytes().unwrap();
    drop(land);
    let (loaded, taken) = most(|| Land::load(&bytes));
    let error = loaded.unwrap_err().to_string();
    assert!(
        error.contains("component `Cache`, which others require") && error.contains("too much memory"),
        "{error}"
    );
    assert!(taken < allowance(bytes.len()), "{taken}");
}

#[test]
fn elements_count_that_are_larger_than_their_bytes() {
    let mut land = Land::new();
    land.spawn(Layers(vec![None; 40_000]));
    let bytes = land.to_bytes().unwrap();
    drop(land);
    assert!(bytes.len() < 60_000, "{}", bytes.len());
    let (loaded, taken) = most(|| Land::load(&bytes));
    assert!(loaded.unwrap_err().to_string().contains("too much memory"));
    // a growing vector has both allocations for a moment
    assert!(taken < 3 * allowance(bytes.len()), "{taken}");
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(removed)]
struct Gone(Layers);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Told(Vec<Option<Layer>>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Past {
        components { Gone }
        events { Told(external) }
    }
    schedule tick { remember, forget if !always }
}

#[system(Past)]
fn always() -> bool {
    true
}

#[system(Past)]
fn remember(mut layers: Local<Vec<Option<Layer>>>, gone: Query<&Gone>) {
    layers.resize_with(gone.iter().map(|gone| gone.0.0.len()).sum(), || None);
}

#[system(Past)]
fn forget(mut gone: Removed<Gone>) {
    gone.clear();
}

/// The same for locals of systems, events and removed values.
#[test]
fn elements_count_wherever_they_are() {
    let layers = || vec![None; 4000];
    let mut remembered = Past::new();
    remembered.spawn(Gone(Layers(layers())));
    remembered.tick();
    // the value itself is removed from the file
    let mut file = serde_json::to_value(&remembered).unwrap();
    file["entities"].as_object_mut().unwrap().values_mut().for_each(|entity| *entity = json!({}));
    let remembered: Past = serde_json::from_value(file).unwrap();
    let (mut removed, mut told) = (Past::new(), Past::new());
    let entity = removed.spawn(Gone(Layers(layers())));
    removed.remove::<Gone>(entity).unwrap();
    told.send(Told(layers()));
    let worlds =
        [(remembered, "remember"), (removed, "removed values of component `Gone`"), (told, "event `Told`")];
    for (past, place) in worlds {
        let bytes = past.to_bytes().unwrap();
        drop(past);
        assert!(bytes.len() < 10_000, "{}", bytes.len());
        let limited = || LoadOptions::new().memory(8 * MIB as u64);
        let (loaded, taken) = most(|| Past::load_with(&bytes, limited()));
        let error = loaded.unwrap_err().to_string();
        assert!(error.contains(place) && error.contains("too much memory"), "{place}: {error}");
        assert!(taken < 3 * 8 * MIB, "{taken}");
        assert!(Past::load_with(&bytes, LoadOptions::new().memory(100 * MIB as u64)).is_ok());
    }
}

#[test]
fn stamps_count() {
    // 16 words of stamps are allocated together
    let mut land = Land::new();
    let entities: Vec<Entity> = land.spawn_batch((0..64 * 16 * 5000).map(|_| ())).collect();
    for entity in entities.into_iter().step_by(64 * 16) {
        land.insert(entity, Seen(1)).unwrap();
    }
    let bytes = land.to_bytes().unwrap();
    drop(land);
    let (loaded, taken) = most(|| Land::load(&bytes));
    assert!(loaded.is_ok() && taken < allowance(bytes.len()) + MIB, "{taken}");
    let (loaded, taken) = most(|| Land::load_with(&bytes, LoadOptions::new().memory(64 * MIB as u64)));
    assert!(loaded.is_err() && taken < 65 * MIB + bytes.len(), "{taken}");
}

fn edited(land: &Land, edit: impl FnOnce(&mut Value)) -> String {
    let mut value = serde_json::to_value(land).unwrap();
    edit(&mut value);
    value.to_string()
}

#[test]
fn a_forged_number_of_reserved_slots_takes_no_memory_later() {
    let mut land = Land::new();
    land.spawn_batch((0..100).map(Plain));
    for count in [1_u64 << 16, 1 << 20, u32::MAX.into()] {
        let text = edited(&land, |file| file["allocator"]["reserved_count"] = json!(count));
        let (_, taken) = most(|| {
            let mut land = serde_json::from_str::<Land>(&text).unwrap();
            (0..10).for_each(|_| land.tick());
            assert_eq!(land.query::<&Seen>().len(), 1000);
            let bytes = land.to_bytes().unwrap();
            assert_eq!(Land::load(&bytes).unwrap().hash(), land.hash());
        });
        assert!(taken < 8 * MIB, "{count} reserved slots: {taken} bytes");
    }
    // all reserved slots are listed as closed
    let text = edited(&land, |file| {
        file["allocator"]["reserved_count"] = json!(1 << 16);
        file["allocator"]["closed_reserved"] = json!((1..1 << 16).collect::<Vec<u32>>());
    });
    let (_, taken) = most(|| {
        let mut land = serde_json::from_str::<Land>(&text).unwrap();
        (0..10).for_each(|_| land.tick());
    });
    assert!(taken < 16 * MIB, "{taken} bytes");
}

/// Loading restores the reserved slots of a used world.
#[test]
fn closed_reserved_slots_of_schedules_are_loaded() {
    let mut land = Land::new();
    land.spawn_batch((0..10).map(Plain));
    let mut schedule = Schedule::<Land>::new("late");
    for name in ["a", "b", "c"] {
        schedule
            .add_fn(&mut land, name, 0, |mut commands: Commands<Land>| {
                commands.spawn(Plain(9));
            })
            .unwrap();
    }
    schedule.run(&mut land).unwrap();
    land.tick();
    let mut loaded = Land::load(&land.to_bytes().unwrap()).unwrap();
    schedule.close(&mut land);
    for _ in 0..5 {
        land.tick();
        loaded.tick();
    }
    let ids = |land: &Land| land.entities().iter().collect::<Vec<_>>();
    assert_eq!(ids(&loaded), ids(&land));
}

#[derive(Resource, Clone, Serialize, Deserialize, Default)]
struct Steps(u64);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Rung(u8);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Newest(u8);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Strict(u8);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(removed = 2, tracked)]
struct Lost(u8);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Clockwork {
        components { Lost }
        resources { time: FixedTime = FixedTime::new(Duration::from_millis(10)), steps: Steps = Steps::default() }
        events { Rung(keep = 2), Newest(keep = 2, full = newest), Strict(keep = 2, full = panic) }
    }
    schedule tick { ring; hear }
    schedule simulate every FixedTime { step }
}

#[system(Clockwork)]
fn step(mut steps: ResMut<Steps>) {
    steps.0 += 1;
}

#[system(Clockwork)]
fn ring(
    mut rung: EventWriter<Rung>,
    mut newest: EventWriter<Newest>,
    mut strict: EventWriter<Strict>,
    mut lost: Storage<Lost>,
    all: Query<Entity>,
) {
    rung.send(Rung(0));
    newest.send(Newest(0));
    strict.send(Strict(0));
    for entity in all.iter() {
        lost.remove(entity);
        let _ = lost.insert(entity, Lost(1));
    }
}

#[system(Clockwork)]
fn hear(
    mut rung: EventReader<Rung>,
    mut newest: EventReader<Newest>,
    mut strict: EventReader<Strict>,
    mut lost: Removed<Lost>,
) {
    let _ = (rung.iter().len(), newest.iter().len(), strict.iter().len(), lost.iter().count());
}

/// A file with one changed number is refused, or gives a world that runs in little time and can be
/// saved and loaded.
fn lives(pointers: &[&str], value: &Value) -> Option<Clockwork> {
    let mut world = Clockwork::new();
    world.spawn(Lost(0));
    world.tick();
    world.resource_mut::<FixedTime>().advance(Duration::from_millis(25));
    let mut file = serde_json::to_value(&world).unwrap();
    for pointer in pointers {
        *file.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is not there")) = value.clone();
    }
    let start = Instant::now();
    let mut world = serde_json::from_value::<Clockwork>(file).ok()?;
    for _ in 0..10 {
        world.tick();
        world.simulate();
        let bytes = world.to_bytes().unwrap();
        let again = Clockwork::load(&bytes).unwrap_or_else(|error| panic!("{pointers:?} = {value}: {error}"));
        assert_eq!(again.to_bytes().unwrap(), bytes, "{pointers:?} = {value}");
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{pointers:?} = {value}: {:?}", start.elapsed());
    Some(world)
}

const EXTREMES: [u64; 14] = [
    0,
    1,
    2,
    64,
    65_536,
    1 << 31,
    u32::MAX as u64,
    (1 << 53) + 1,
    (1 << 62) - 1,
    1 << 62,
    (1 << 62) + 1,
    1 << 63,
    u64::MAX - 1,
    u64::MAX,
];

#[test]
fn a_forged_fixed_time_takes_no_time() {
    for number in EXTREMES {
        for field in
            ["most", "taken", "step/secs", "behind/secs", "dropped/secs", "step/nanos", "behind/nanos"]
        {
            lives(&[&format!("/resources/FixedTime/{field}")], &json!(number));
        }
    }
    // the largest number of steps, each of the least length
    let mut file = serde_json::to_value(Clockwork::new()).unwrap();
    file["resources"]["FixedTime"] = json!({
        "step": { "secs": 0, "nanos": 1 }, "behind": { "secs": u64::MAX, "nanos": 0 },
        "dropped": { "secs": u64::MAX, "nanos": 999_999_999 }, "most": u32::MAX, "taken": u64::MAX,
    });
    let error = serde_json::from_value::<Clockwork>(file.clone()).unwrap_err().to_string();
    assert!(error.contains("resource `FixedTime`") && error.contains("10000"), "{error}");
    file["resources"]["FixedTime"]["most"] = json!(10_000);
    let mut world = serde_json::from_value::<Clockwork>(file).unwrap();
    world.simulate();
    assert_eq!(world.resource::<Steps>().0, 10_000);
    assert_eq!(Clockwork::load(&world.to_bytes().unwrap()).unwrap().hash(), world.hash());
}

#[test]
#[should_panic(expected = "at most 10,000 steps")]
fn catching_up_beyond_the_limit_of_files_panics() {
    let _ = FixedTime::new(Duration::from_millis(1)).catching_up(10_001);
}

#[test]
fn a_tick_at_the_limit_is_saved_again() {
    for number in EXTREMES {
        lives(&["/allocator/tick"], &json!(number));
        lives(&["/allocator/blocks/0/2"], &json!(number));
        lives(&["/allocator/tick", "/systems/tick~1hear/last_run"], &json!(number));
        lives(&["/allocator/tick", "/components/0/stamps/0/1", "/components/0/stamps/0/2"], &json!(number));
    }
    assert!(lives(&["/allocator/tick"], &json!(1_u64 << 62)).is_some());
}

#[test]
fn a_forged_count_of_events_is_saved_again() {
    for number in EXTREMES {
        for event in ["Rung", "Newest", "Strict"] {
            for field in ["before", "sent", "lost"] {
                lives(&[&format!("/events/{event}/{field}")], &json!(number));
            }
            let all = ["before", "sent", "readers/0/seen"].map(|field| format!("/events/{event}/{field}"));
            lives(&all.each_ref().map(String::as_str), &json!(number));
        }
        lives(&["/removed/Lost/before"], &json!(number));
        lives(&["/removed/Lost/before", "/removed/Lost/readers/0/seen"], &json!(number));
    }
    let pointers = ["/events/Rung/before", "/events/Rung/sent", "/events/Rung/readers/0/seen"];
    assert!(lives(&pointers, &json!(1_u64 << 62)).is_some());
}

/// Events beyond the bound are lost as if they were sent now, without a panic.
#[test]
fn a_queue_that_is_longer_than_its_bound_is_cut() {
    let mut file = serde_json::to_value(Clockwork::new()).unwrap();
    for event in ["Rung", "Newest", "Strict"] {
        file["events"][event]["kept"] = json!([1, 2, 3, 4, 5]);
    }
    for reader in ["Rung", "Newest", "Strict"] {
        file["events"][reader]["readers"][0]["seen"] = json!(0);
    }
    let mut world = serde_json::from_value::<Clockwork>(file).unwrap();
    for stats in world.stats().events {
        assert_eq!((stats.kept, stats.sent, stats.lost), (2, 5, 3), "{}", stats.event);
    }
    assert_eq!(Clockwork::load(&world.to_bytes().unwrap()).unwrap().hash(), world.hash());
    let kept: Vec<u8> = world.drain::<Rung>().map(|rung| rung.0).collect();
    assert_eq!(kept, [4, 5]);
    let kept: Vec<u8> = world.drain::<Strict>().map(|strict| strict.0).collect();
    assert_eq!(kept, [1, 2]);
    world.tick();
}

#[test]
fn an_allocation_group_takes_as_many_blocks_as_documented() {
    let mut land = Land::new();
    land.spawn_batch((0..100).map(Plain));
    for next in [0, 3, 63, 65, 4096] {
        let text = edited(&land, |file| file["allocator"]["groups"][2]["next_run"] = json!(next));
        assert!(serde_json::from_str::<Land>(&text).is_err(), "{next}");
    }
    let mut bytes = land.to_bytes().unwrap();
    reseal(&mut bytes);
    assert!(Land::load(&bytes).is_ok());
}
