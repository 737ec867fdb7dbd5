//! Differences between worlds: their paths and their text, for every kind of value.

use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs::save::diff;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
enum Mind {
    Idle,
    Counts(u8),
    Pair(u8, u8),
    Hunts { whom: Option<u8>, path: Vec<(i16, f32)> },
}
#[derive(Component, Clone, Serialize, Deserialize)]
struct Bag(BTreeMap<String, u8>);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Flag;

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game { components { Mind, Bag, Flag } }
}

/// The differences of two entities with these values, without the entity's id.
fn of<T: ecs::Bundle<Game>>(one: T, two: T) -> Vec<String> {
    let mut first = Game::new();
    let entity = first.spawn(one);
    let mut second = Game::new();
    assert_eq!(second.spawn(two), entity);
    diff(&first, &second).iter().map(|found| found.to_string().replace(&format!("{entity} "), "")).collect()
}

fn hunts(whom: Option<u8>, path: &[(i16, f32)]) -> Mind {
    Mind::Hunts { whom, path: path.to_vec() }
}

#[test]
fn equal_values_do_not_differ() {
    for mind in [Mind::Idle, Mind::Counts(1), Mind::Pair(1, 2), hunts(Some(1), &[(2, f32::NAN)])] {
        assert_eq!(of(mind.clone(), mind), [""; 0]);
    }
}

#[test]
fn a_part_of_a_variant_has_the_variant_in_its_path() {
    assert_eq!(of(Mind::Counts(1), Mind::Counts(2)), ["Mind.Counts: 1 -> 2"]);
    assert_eq!(of(Mind::Pair(1, 2), Mind::Pair(1, 3)), ["Mind.Pair[1]: 2 -> 3"]);
    assert_eq!(
        of(hunts(None, &[(1, 0.0), (2, 0.5)]), hunts(Some(7), &[(1, -0.0)])),
        [
            "Mind.Hunts.whom: None -> 7",
            "Mind.Hunts.path[0][1]: 0.0 -> -0.0",
            "Mind.Hunts.path[1]: only in the first"
        ]
    );
}

#[test]
fn another_variant_is_written_with_its_parts() {
    let path = [(1, 0.5), (-2, 1.0)];
    assert_eq!(
        of(Mind::Idle, hunts(Some(7), &path)),
        ["Mind: Idle -> Hunts{whom: 7, path: [[1, 0.5], [-2, 1.0]]}"]
    );
    assert_eq!(of(Mind::Counts(1), Mind::Pair(1, 2)), ["Mind: Counts(1) -> Pair[1, 2]"]);
    assert_eq!(of(hunts(None, &[]), Mind::Idle), ["Mind: Hunts{whom: None, path: []} -> Idle"]);
}

#[test]
fn entries_of_maps_are_compared_by_key() {
    let bag = |pairs: &[(&str, u8)]| Bag(pairs.iter().map(|(key, value)| ((*key).into(), *value)).collect());
    let (one, two) = (bag(&[("a", 1), ("b", 2), ("d", 4)]), bag(&[("b", 3), ("c", 9), ("d", 4)]));
    assert_eq!(
        of(one, two),
        ["Bag[\"a\"]: only in the first", "Bag[\"b\"]: 2 -> 3", "Bag[\"c\"]: only in the second"]
    );
}

#[test]
fn components_and_entities_of_one_world_are_named() {
    let mut first = Game::new();
    let both = first.spawn((Mind::Idle, Flag));
    let mut second = first.clone();
    let gone = first.spawn(Flag);
    second.insert(both, Bag(BTreeMap::new())).unwrap();
    second.remove::<Flag>(both).unwrap();
    let found: Vec<String> = diff(&first, &second).iter().map(ToString::to_string).collect();
    let expected = [
        format!("{both} Bag: only in the second"),
        format!("{both} Flag: only in the first"),
        format!("{gone}: only in the first"),
    ];
    assert_eq!(found[..3], expected);
    assert!(found[3..].iter().all(|line| line.starts_with("allocator.")), "{found:#?}");
}

/// A value that cannot be serialized.
#[derive(Component, Clone, Deserialize)]
struct Unwritten;
impl Serialize for Unwritten {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("no words"))
    }
}
world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Mute { components { Unwritten } }
}

#[test]
fn a_value_that_cannot_be_written_is_the_text_of_the_error() {
    let mut first = Mute::new();
    let entity = first.spawn(());
    let mut second = first.clone();
    second.insert(entity, Unwritten).unwrap();
    let found = diff(&first, &second);
    assert_eq!(found[0].second.as_deref(), Some("<no words>"));
}
