//! Saving and loading: a loaded world continues as if it had never stopped.

use std::collections::BTreeMap;
use std::time::Duration;

use ecs::prelude::*;
use ecs::save::{LoadError, LoadOptions, SaveError, Skip, diff};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Position([f32; 2]);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(tracked)]
struct Health {
    points: i32,
    max: u8,
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(removed)]
struct Name(String);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
enum Mind {
    Idle,
    Hunts { whom: Entity, path: Vec<(i16, i16)> },
    Thinks(BTreeMap<String, Option<f64>>),
}
#[derive(Component, Clone, Serialize, Deserialize)]
struct Frozen;
#[derive(Component, Clone, PartialEq, Debug)]
#[component(skip)]
struct Sprite(&'static str);

#[derive(Resource, Clone, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Tally {
    hits: u64,
    born: Vec<Entity>,
    lost: Vec<String>,
    changed: usize,
}
#[derive(Resource, Clone, Default)]
#[resource(skip)]
struct Window(u32);
#[derive(Event, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Hit(Entity, u32);
#[derive(Event, Clone)]
#[event(skip)]
struct Sound;

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Position, Health, Name, Mind, Frozen, Sprite }
        resources { tally: Tally, Window, time: FixedTime = FixedTime::new(Duration::from_millis(10)) }
        events { Hit(keep = 100), Sound(external) }
    }
    schedule tick {
        read if often;
        strike, breed;
        watch, hear;
        bury if often;
    }
}

#[system(Game)]
fn often(mut count: Local<u32>) -> bool {
    *count += 1;
    !count.is_multiple_of(3)
}

#[system(Game)]
fn strike(mut bodies: Query<(Entity, Mut<Health>)>, mut hits: EventWriter<Hit>, mut seed: Local<u32>) {
    for (entity, mut health) in &mut bodies {
        *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if *seed >> 30 == 0 {
            health.points -= 1;
            hits.send(Hit(entity, *seed));
        }
    }
}

#[system(Game)]
fn breed(mut commands: Commands<Game>, mut turns: Local<Option<u8>>, mut cache: Local<Skip<Vec<u8>>>) {
    let turn = turns.unwrap_or(0);
    *turns = Some((turn + 1) % 7);
    cache.push(turn);
    let parent = commands.spawn((Position([turn.into(), 0.0]), Health { points: 3, max: 9 }));
    for _ in 0..turn {
        commands
            .spawn((Mind::Hunts { whom: parent, path: vec![(1, -1)] }, Name(format!("child of {parent}"))));
    }
}

#[system(Game)]
fn watch(
    born: Entered<With<Health>>,
    gone: Exited<With<Mind>>,
    changed: Query<Entity, Changed<Health>>,
    mut lost: Removed<Name>,
    mut tally: ResMut<Tally>,
) {
    tally.born.extend(born.iter().chain(gone.iter()));
    tally.changed += changed.len();
    let names = lost.iter().map(|(entity, name)| format!("{entity} {}", name.0));
    tally.lost.extend(names);
}

#[system(Game)]
fn read(mut hits: EventReader<Hit>, mut tally: ResMut<Tally>) {
    tally.hits += hits.iter().map(|hit| u64::from(hit.1) + u64::from(hit.0.slot())).sum::<u64>();
}

#[system(Game)]
fn hear(mut hits: EventReader<Hit>, again: EventReader<Hit>, mut tally: ResMut<Tally>) {
    tally.hits ^= hits.iter().len() as u64 + again.len() as u64;
}

#[system(Game)]
fn bury(bodies: Query<(Entity, &Health)>, minds: Query<Entity, With<Mind>>, mut commands: Commands<Game>) {
    for (entity, _) in bodies.iter().filter(|(_, health)| health.points < 2) {
        commands.despawn(entity);
    }
    for entity in minds.iter().step_by(5) {
        commands.despawn(entity);
    }
}

fn game() -> Game {
    let mut game = Game::new(Tally::default(), Window(3));
    for i in 0..200u8 {
        let entity = game.spawn((Position([0.1, f32::from(i)]), Health { points: i32::from(i), max: i }));
        match i % 5 {
            0 => drop(game.despawn(entity)),
            1 => drop(game.insert(entity, (Frozen, Sprite("red")))),
            2 => {
                drop(game.insert(entity, Mind::Thinks([("a".into(), Some(0.1)), ("b".into(), None)].into())))
            }
            3 => drop(game.insert(entity, (Mind::Idle, Name("x".into())))),
            _ => {}
        }
    }
    game.spawn_batch((0..20).map(|i| Name(i.to_string())));
    for _ in 0..10 {
        game.tick();
    }
    game.resource_mut::<FixedTime>().advance(Duration::from_millis(25));
    game
}

/// Asserts that both worlds run alike.
fn go_on_alike(mut one: Game, mut two: Game) {
    assert_eq!(diff(&one, &two), []);
    assert_eq!(one.hash(), two.hash());
    for run in 0..30 {
        one.tick();
        two.tick();
        for game in [&mut one, &mut two] {
            let entity = game.spawn((Health { points: run, max: 1 }, Position([0.0, 0.0])));
            if run % 3 == 0 {
                game.despawn(entity).unwrap();
            }
            game.spawn_batch((0..run).map(|i| Position([0.0, i as f32])));
        }
        assert_eq!(diff(&one, &two), [], "after {run} runs");
    }
    assert_eq!(one.hash(), two.hash());
}

#[test]
fn a_world_continues_after_ron() {
    let game = game();
    let text = ron::ser::to_string_pretty(&game, ron::ser::PrettyConfig::default()).unwrap();
    go_on_alike(ron::from_str(&text).unwrap(), game);
}

#[test]
fn keys_may_be_sorted() {
    let game = game();
    let sorted = serde_json::to_value(&game).unwrap();
    let loaded: Game = serde_json::from_value(sorted).unwrap();
    assert_eq!(loaded.hash(), game.hash());
}

#[test]
fn a_save_of_a_loaded_world_is_the_same() {
    let game = game();
    let bytes = game.to_bytes().unwrap();
    assert_eq!(Game::load(&bytes).unwrap().to_bytes().unwrap(), bytes);
}

#[test]
fn skipped_types_are_not_saved() {
    let mut game = game();
    game.send(Sound);
    assert!(game.query::<&Sprite>().iter().count() > 0);
    let bytes = game.to_bytes().unwrap();
    let mut loaded = Game::load(&bytes).unwrap();
    assert_eq!(loaded.query::<&Sprite>().iter().count(), 0);
    assert_eq!(loaded.resource::<Window>().0, 0);
    assert_eq!(loaded.drain::<Sound>().count(), 0);
    let given = Game::load_with(&bytes, LoadOptions::new().resource(Window(9))).unwrap();
    assert_eq!(given.resource::<Window>().0, 9);
    let text = serde_json::to_string(&game).unwrap();
    assert!(!text.contains("\"red\""));
}

#[test]
fn a_system_that_is_off_stays_off() {
    let mut game = game();
    game.enable::<strike>(false);
    let loaded = Game::load(&game.to_bytes().unwrap()).unwrap();
    assert!(!loaded.is_enabled::<strike>() && loaded.is_enabled::<breed>());
    go_on_alike(loaded, game);
}

#[test]
fn a_file_by_hand_needs_entities_and_resources_only() {
    let text = r#"{
        "entities": {
            "3v1@7": { "Position": [1.0, 2.0], "Frozen": null },
            "70v5@7": { "Mind": { "Hunts": { "whom": "3v1@7", "path": [] } } }
        },
        "resources": { "Tally": { "hits": 7, "born": [], "lost": [], "changed": 0 } }
    }"#;
    let mut game: Game = serde_json::from_str(text).unwrap();
    let ids: Vec<Entity> = game.entities().iter().collect();
    assert_eq!(ids.iter().map(ToString::to_string).collect::<Vec<_>>(), ["3v1", "70v5"]);
    assert_eq!(game.get(ids[0]), Some(&Position([1.0, 2.0])));
    assert_eq!(game.get(ids[1]), Some(&Mind::Hunts { whom: ids[0], path: vec![] }));
    let new: Vec<Entity> = (0..200).map(|_| game.spawn(Frozen)).collect();
    assert!(new.iter().all(|new| !ids.contains(new)) && game.contains(ids[0]));
    assert_eq!(game.entities().len(), 202);
    game.tick();
}

#[test]
fn unknown_names_are_reported() {
    let refused = |text: &str| serde_json::from_str::<Game>(text).unwrap_err().to_string();
    let wrong = refused(r#"{ "entities": { "3v1@7": { "Positon": [1.0, 2.0] } } }"#);
    assert!(wrong.contains("world `Game` has no component `Positon`; did you mean `Position`?"), "{wrong}");
    let wrong = refused(r#"{ "entities": {}, "resources": { "Talley": {} } }"#);
    assert!(wrong.contains("no resource `Talley`; did you mean `Tally`?"), "{wrong}");
    let wrong = refused(r#"{ "entities": { "3v1@7": { "Position": [1.0, "x"] } } }"#);
    assert!(wrong.contains("component `Position` of entity 3v1: invalid type: string \"x\""), "{wrong}");
    let wrong = refused(r#"{ "entities": { "3v1@7": {}, "3v2@7": {} } }"#);
    assert!(wrong.contains("two entities have the slot"), "{wrong}");
    let wrong = refused(r#"{ "entities": { "4000000000v1@7": {} } }"#);
    assert!(wrong.contains("entity 4000000000v1 is out of range"), "{wrong}");
    let wrong = refused(r#"{ "about": { "world": "Chess", "version": 1 } }"#);
    assert!(wrong.contains("the file contains world `Chess`, expected world `Game`"), "{wrong}");
    let dropped = LoadOptions::<Game>::new().drop_unknown();
    let text = r#"{ "entities": { "3v1@7": { "Positon": [1.0, 2.0] } }, "resources": { "Old": [1] } }"#;
    let game =
        serde::de::DeserializeSeed::deserialize(dropped, &mut serde_json::Deserializer::from_str(text));
    assert_eq!(game.unwrap().entities().len(), 1);
}

#[test]
fn exclusive_systems_save_the_world_that_they_run_in() {
    #[derive(Resource, Default, Serialize, Deserialize)]
    struct Slot(#[serde(skip)] Vec<u8>);
    world! {
        #[derive(Serialize, Deserialize)]
        struct Small { components { Position } resources { Slot } }
        schedule tick { store; grow }
    }
    #[system(Small)]
    fn store(world: &mut Small, mut times: Local<u32>) {
        *times += 1;
        let bytes = world.to_bytes().unwrap();
        world.resource_mut::<Slot>().0 = bytes;
    }
    #[system(Small)]
    fn grow(mut commands: Commands<Small>) {
        commands.spawn(Position([0.0, 0.0]));
    }
    let mut small = Small::new(Slot::default());
    small.tick();
    small.tick();
    let mut loaded = Small::load(&small.resource::<Slot>().0).unwrap();
    assert_eq!(loaded.entities().len(), 1);
    loaded.tick();
    assert_eq!(loaded.entities().len(), 2);
}

#[test]
fn a_value_that_cannot_be_written_is_named() {
    #[derive(Component, Serialize, Deserialize)]
    struct Deep(Option<Box<Deep>>);
    #[derive(Component, Serialize, Deserialize)]
    struct Mixed {
        #[serde(flatten)]
        map: BTreeMap<String, u8>,
    }
    world! { #[derive(Serialize, Deserialize)] struct Well { components { Deep } } }
    world! { #[derive(Serialize, Deserialize)] struct Bag { components { Mixed } } }
    let mut well = Well::new();
    well.spawn(Deep(None));
    let deep = (0..300).fold(Deep(None), |inner, _| Deep(Some(Box::new(inner))));
    let entity = well.spawn(deep);
    let error = well.to_bytes().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "world `Well` was not saved: component `Deep` of entity {entity}: values are nested more than 200 times"
        )
    );
    let mut bag = Bag::new();
    bag.spawn(Mixed { map: [("x".into(), 1)].into() });
    let SaveError::Value { place, .. } = bag.to_bytes().unwrap_err() else { panic!() };
    assert_eq!(place, "component `Mixed`");
    let text = serde_json::to_string(&bag).unwrap();
    assert_eq!(diff(&bag, &serde_json::from_str(&text).unwrap()), []);
}

#[test]
fn a_type_whose_serialize_and_deserialize_differ_is_not_saved() {
    #[derive(Component, Serialize, Deserialize)]
    struct Half {
        #[serde(skip_deserializing)]
        lost: u32,
        kept: u32,
    }
    world! { #[derive(Serialize, Deserialize)] struct Odd { components { Half } } }
    let mut odd = Odd::new();
    let entity = odd.spawn(Half { lost: 1, kept: 2 });
    let half = odd.get::<Half>(entity).unwrap();
    assert_eq!(half.lost + half.kept, 3);
    let error = odd.to_bytes().unwrap_err().to_string();
    assert!(error.contains("`Deserialize` cannot read the output of `Serialize`"), "{error}");
}

#[test]
fn a_failing_writer_is_an_error() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let game = game();
    let length = game.to_bytes().unwrap().len();
    for room in (0..length).step_by(97) {
        let SaveError::Io(error) = game.save(Full(room)).unwrap_err() else { panic!() };
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    }
    game.save(Full(length)).unwrap();
}

#[test]
fn other_bytes_are_refused() {
    let bytes = game().to_bytes().unwrap();
    assert_eq!(Game::load(b"hello").unwrap_err(), LoadError::NotASave);
    for text in
        [serde_json::to_string(&game()).unwrap(), ron::to_string(&game()).unwrap(), "\n {}".to_owned()]
    {
        assert_eq!(Game::load(text.as_bytes()).unwrap_err(), LoadError::ReadableForm);
    }
    assert_eq!(Game::load(&bytes[..bytes.len() - 1]).unwrap_err(), LoadError::Damaged);
    let mut newer = bytes.clone();
    newer[8] += 1;
    assert_eq!(Game::load(&newer).unwrap_err(), LoadError::Version { found: 2, known: 1 });
    world! { #[derive(Serialize, Deserialize)] struct Other { components { Position } } }
    let error = Other::load(&bytes).err();
    assert_eq!(error, Some(LoadError::OtherWorld { found: "Game".into(), world: "Other" }));
}

#[test]
fn an_unknown_resource_is_named() {
    #[derive(Resource, Serialize, Deserialize)]
    struct Needed(u8);
    mod before {
        ecs::world! { #[derive(serde::Serialize, serde::Deserialize)] pub struct Small {} }
    }
    world! { #[derive(Serialize, Deserialize)] struct Small { resources { Needed } } }
    use ecs::save::Saved as _;
    let bytes = before::Small::new().to_bytes().unwrap();
    let error = Small::load(&bytes).err();
    assert_eq!(error, Some(LoadError::Missing { resource: "Needed", world: "Small" }));
    let small = Small::load_with(&bytes, LoadOptions::new().resource(Needed(4))).unwrap();
    assert_eq!(small.resource::<Needed>().0, 4);
}

#[test]
fn a_merge_maps_every_id_however_deep() {
    use ecs::save::DanglingIds;
    let mut room = Game::new(Tally::default(), Window(0));
    let whom = room.spawn(Frozen);
    let hunter = room.spawn((
        Mind::Hunts { whom, path: vec![(1, 2)] },
        Position([1.0, 0.0]),
        Health { points: 1, max: 1 },
    ));
    let bytes = room.to_bytes().unwrap();

    let mut game = game();
    game.tick();
    let (count, hits) = (game.entities().len(), game.resource::<Tally>().hits);
    let merged = game.merge(&bytes, DanglingIds::Refuse).unwrap();
    assert_eq!((merged.len(), game.entities().len()), (2, count + 2));
    let (new, prey) = (merged.get(hunter).unwrap(), merged.get(whom).unwrap());
    assert_eq!(game.get(new), Some(&Mind::Hunts { whom: prey, path: vec![(1, 2)] }));
    assert!(game.has::<Frozen>(prey) && game.get(new) == Some(&Position([1.0, 0.0])));
    assert_eq!(game.resource::<Tally>().hits, hits);
    let born = game.resource::<Tally>().born.len();
    game.tick();
    assert!(game.resource::<Tally>().born[born..].contains(&new));
}

#[test]
fn a_dangling_id_is_refused_or_kept_dangling() {
    use ecs::save::DanglingIds;
    let mut room = Game::new(Tally::default(), Window(0));
    let whom = room.spawn(Frozen);
    let hunter = room.spawn(Mind::Hunts { whom, path: vec![] });
    room.despawn(whom).unwrap();
    let bytes = room.to_bytes().unwrap();

    let mut game = game();
    let before = game.hash();
    let error = game.merge(&bytes, DanglingIds::Refuse).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "saved world `Game`, component `Mind` of entity {hunter}: it contains the id {whom}, which is no entity of the file"
        )
    );
    assert_eq!(game.hash(), before);
    let merged = game.merge(&bytes, DanglingIds::Keep).unwrap();
    let Some(&Mind::Hunts { whom, .. }) = game.get(merged.get(hunter).unwrap()) else { panic!() };
    assert!(!game.contains(whom));
    let new: Vec<Entity> = (0..500).map(|_| game.spawn(Frozen)).collect();
    assert!(!new.contains(&whom));
}

#[test]
fn values_of_any_length_survive() {
    #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
    struct Small(u8, Vec<u16>);
    #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
    struct Boxed(Box<([[u64; 4]; 4], [u128; 9])>, u8);
    #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
    struct Text(Option<String>, Vec<String>, Vec<(u8, Vec<u32>)>);
    #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
    struct Large([[u128; 8]; 8]);
    world! {
        #[derive(Serialize, Deserialize)]
        struct Game { components { Small, Boxed, Text, Large } }
    }
    let mut game = Game::new();
    for i in 0..700u32 {
        let id = game.spawn(Small(i as u8, (0..i as u16 % 70).collect()));
        let number = u128::from(i) << 100 | u128::from(i);
        if i % 3 != 0 {
            game.insert(id, Boxed(Box::new(([[u64::from(i); 4]; 4], [number; 9])), i as u8)).unwrap();
        }
        if i % 5 != 1 {
            let text = |length: u32| "x".repeat(length as usize);
            let of = (i % 2 == 0).then(|| text(i));
            let parts = (0..i % 9).map(|part| (part as u8, (0..i % 40).collect())).collect();
            game.insert(id, Text(of, (0..i % 4).map(text).collect(), parts)).unwrap();
        }
        if i % 7 == 0 {
            game.insert(id, Large([[number; 8]; 8])).unwrap();
        }
    }
    // a text that is longer than the pieces that are written
    game.spawn(Small(1, vec![7; 100_000]));
    let bytes = game.to_bytes().unwrap();
    let loaded = Game::load(&bytes).unwrap();
    assert!(diff(&game, &loaded).is_empty());
    assert_eq!(loaded.to_bytes().unwrap(), bytes);
    assert_eq!(loaded.query::<&Small>().len(), 701);
}

#[test]
fn the_hash_covers_the_state_that_decides_the_future() {
    let mut game = game();
    let mut seen = vec![game.hash()];
    let mut differs = |game: &Game| {
        let hash = game.hash();
        assert!(!seen.contains(&hash));
        seen.push(hash);
    };
    let entity = game.spawn(Position([0.0, 0.0]));
    differs(&game);
    game.get_mut::<Position>(entity).unwrap().0[0] = -0.0;
    differs(&game);
    game.send(Hit(entity, 1));
    differs(&game);
    game.resource_mut::<Tally>().hits += 1;
    differs(&game);
    game.despawn(entity).unwrap();
    differs(&game);
    game.run::<often>();
    game.tick();
    differs(&game);
    let before = game.hash();
    game.resource_mut::<Window>().0 += 1;
    assert_eq!(game.hash(), before, "what is skipped does not count");
}

#[test]
fn differences_are_named() {
    let one = game();
    let mut two = one.clone();
    let ids: Vec<Entity> = two.query::<Entity>().filter::<With<Position>>().iter().collect();
    two.get_mut::<Position>(ids[0]).unwrap().0[1] = 7.5;
    two.insert(ids[1], Name("new".into())).unwrap();
    two.despawn(ids[2]).unwrap();
    two.resource_mut::<Tally>().born.push(ids[0]);
    let found: Vec<String> = diff(&one, &two).iter().map(ToString::to_string).collect();
    let was = one.get::<Position>(ids[0]).unwrap().0[1];
    assert_eq!(found[0], format!("{} Position[1]: {was:?} -> 7.5", ids[0]));
    assert_eq!(found[1], format!("{} Name: only in the second", ids[1]));
    assert_eq!(found[2], format!("{}: only in the first", ids[2]));
    assert!(found.iter().any(|line| line.starts_with("resource Tally.born[")), "{found:#?}");
}
