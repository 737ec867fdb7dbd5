//! A world that is changed by name has the same values, ticks, journal, removed values and drops as
//! its twin that is changed by type.

use std::sync::Arc;

use ecs::prelude::*;
use ecs::reflect::{DynamicValue, ReflectWorld};
use ecs::system::Tick;
use ecs_tests::random::random_cases;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Reflect, Debug, PartialEq)]
struct Plain(u32);
#[derive(Component, Clone, Reflect, Debug, PartialEq)]
#[component(tracked)]
struct Text(String);
#[derive(Component, Clone, Reflect, Debug, PartialEq)]
#[component(storage = "packed")]
struct Packed(Vec<u32>);
#[derive(Component, Clone, Reflect, Debug, PartialEq)]
struct Tag;
#[derive(Component, Clone, Reflect, Debug, PartialEq)]
#[component(removed = 100)]
struct Logged(String);
#[derive(Component, Clone, Reflect, Debug, PartialEq, Eq, Hash)]
#[component(index)]
struct Cell(u32);

/// A value whose drops are counted.
#[derive(Component, Clone, Serialize, Deserialize, Debug, Default)]
struct Shared(#[serde(with = "shared")] Arc<()>);

/// Reads and writes an `Arc` as nothing.
mod shared {
    use std::sync::Arc;

    pub(super) fn serialize<S: serde::Serializer>(_: &Arc<()>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_unit()
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Arc<()>, D::Error> {
        serde::Deserialize::deserialize(from).map(|()| Arc::new(()))
    }
}

world! {
    #[derive(Clone, Reflect, Serialize, Deserialize)]
    #[world(journal = 100_000)]
    struct Twin {
        components { Plain, Text, Packed, Tag, Logged, Cell, Shared }
        resources { Seen = Seen::default() }
    }
    schedule tick { changes; gone }
}

/// What the systems have seen.
#[derive(Resource, Clone, Reflect, Debug, Default, PartialEq)]
struct Seen(Vec<(String, Entity)>);

#[system(Twin)]
fn changes(
    added: Query<(Entity, &Text), Added<Text>>,
    changed: Query<(Entity, &Text), Changed<Text>>,
    mut seen: ResMut<Seen>,
) {
    seen.0.extend(added.iter().map(|(entity, text)| (format!("added {}", text.0), entity)));
    seen.0.extend(changed.iter().map(|(entity, text)| (format!("changed {}", text.0), entity)));
}

#[system(Twin)]
fn gone(mut logged: Removed<Logged>, mut seen: ResMut<Seen>) {
    seen.0.extend(logged.iter().map(|(entity, value)| (format!("removed {}", value.0), entity)));
}

#[derive(Clone, Debug)]
enum Step {
    Insert(usize, u8, u32),
    Remove(usize, u8),
    Despawn(usize),
    Snapshot,
    Restore,
    Tick,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => (0..100usize, 0..6u8, 0..50u32).prop_map(|(at, kind, value)| Step::Insert(at, kind, value)),
        5 => (0..100usize, 0..6u8).prop_map(|(at, kind)| Step::Remove(at, kind)),
        1 => (0..100usize).prop_map(Step::Despawn),
        1 => Just(Step::Snapshot),
        1 => Just(Step::Restore),
        2 => Just(Step::Tick),
    ];
    prop::collection::vec(step, 0..60)
}

const NAMES: [&str; 6] = ["Plain", "Text", "Packed", "Tag", "Logged", "Cell"];

/// Inserts a value by name.
fn insert_named(twin: &mut Twin, entity: Entity, kind: u8, value: u32) {
    let value: DynamicValue = match kind {
        0 | 5 => value.into(),
        1 | 4 => value.to_string().into(),
        2 => serde_json::from_str(&format!("[{value}, 1]")).unwrap(),
        _ => ().into(),
    };
    twin.reflect_mut().insert(entity, NAMES[kind as usize], value).unwrap();
}

/// Inserts the same value by type.
fn insert_typed(twin: &mut Twin, entity: Entity, kind: u8, value: u32) {
    match kind {
        0 => drop(twin.insert(entity, Plain(value)).unwrap()),
        1 => drop(twin.insert(entity, Text(value.to_string())).unwrap()),
        2 => drop(twin.insert(entity, Packed(vec![value, 1])).unwrap()),
        3 => drop(twin.insert(entity, Tag).unwrap()),
        4 => drop(twin.insert(entity, Logged(value.to_string())).unwrap()),
        _ => drop(twin.insert(entity, Cell(value)).unwrap()),
    }
}

/// Removes a value by type.
fn remove_typed(twin: &mut Twin, entity: Entity, kind: u8) {
    match kind {
        0 => drop(twin.remove::<Plain>(entity)),
        1 => drop(twin.remove::<Text>(entity)),
        2 => drop(twin.remove::<Packed>(entity)),
        3 => drop(twin.remove::<Tag>(entity)),
        4 => drop(twin.remove::<Logged>(entity)),
        _ => drop(twin.remove::<Cell>(entity)),
    }
}

/// Whether both worlds are the same to everyone who asks.
fn assert_same(named: &Twin, typed: &Twin) {
    assert_eq!(named.hash(), typed.hash());
    assert_eq!(named.to_bytes().unwrap(), typed.to_bytes().unwrap());
    let journal = |twin: &Twin| twin.journal_since(Tick::default()).map(|changes| format!("{changes:?}"));
    assert!(journal(named).ok() == journal(typed).ok(), "the journals differ");
    assert_eq!(named.resource::<Seen>(), typed.resource::<Seen>());
    for cell in 0..50 {
        assert!(named.find::<Cell>(&Cell(cell)).eq(typed.find::<Cell>(&Cell(cell))), "{cell}");
    }
}

proptest! {
    #![proptest_config(random_cases(300))]

    #[test]
    fn by_name_and_by_type_do_the_same(steps in steps()) {
        let (mut named, mut typed) = (Twin::new(), Twin::new());
        let mut entities = Vec::new();
        let mut kept = None;
        for _ in 0..70 {
            entities.push(named.spawn(()));
            typed.spawn(());
        }
        for step in steps {
            match step {
                Step::Insert(at, kind, value) => if let Some(&entity) = entities.get(at).filter(|&&at| named.contains(at)) {
                    insert_named(&mut named, entity, kind, value);
                    insert_typed(&mut typed, entity, kind, value);
                },
                Step::Remove(at, kind) => if let Some(&entity) = entities.get(at).filter(|&&at| named.contains(at)) {
                    named.reflect_mut().remove(entity, NAMES[kind as usize]).unwrap();
                    remove_typed(&mut typed, entity, kind);
                },
                Step::Despawn(at) => if let Some(&entity) = entities.get(at) {
                    let _ = (named.despawn(entity), typed.despawn(entity));
                },
                Step::Snapshot => kept = Some((named.snapshot(), typed.snapshot())),
                Step::Restore => if let Some((of_named, of_typed)) = &kept {
                    named.restore(of_named);
                    typed.restore(of_typed);
                },
                Step::Tick => {
                    named.tick();
                    typed.tick();
                }
            }
            assert_same(&named, &typed);
        }
    }
}

#[test]
fn a_value_that_is_replaced_by_name_is_dropped_once() {
    let mut twin = Twin::new();
    let shared = Arc::new(());
    let entity = twin.spawn(Shared(shared.clone()));
    let first = twin.reflect().read(entity, "Shared").unwrap();
    assert_eq!(Arc::strong_count(&shared), 2);
    twin.reflect_mut().insert(entity, "Shared", first).unwrap();
    assert_eq!(Arc::strong_count(&shared), 1, "the old value is dropped");
    let inner = twin.get::<Shared>(entity).unwrap().0.clone();
    assert_eq!(Arc::strong_count(&inner), 2);
    assert!(twin.reflect_mut().remove(entity, "Shared").unwrap());
    assert_eq!(Arc::strong_count(&inner), 1);
    drop(twin);
    assert_eq!((Arc::strong_count(&inner), Arc::strong_count(&shared)), (1, 1));
}
