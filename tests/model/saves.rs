//! Saves of random worlds, intact and damaged: an intact save is loaded as the same world; a
//! damaged one is refused, or gives a valid world. There are no panics and no leaks.

use std::collections::BTreeMap;

use ecs::__private::save::reseal;
use ecs::prelude::*;
use ecs::save::{DanglingIds, diff};
use ecs_tests::random::random_cases;
use ecs_tests::{Counted, Ledger};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Plain([f32; 3]);
#[derive(Component, Serialize, Deserialize)]
#[component(tracked)]
struct Owned(Counted, Option<Entity>);
#[derive(Component, Serialize, Deserialize, Clone)]
#[component(removed)]
struct Text(String, BTreeMap<u8, Vec<Entity>>);
#[derive(Component, Serialize, Deserialize)]
struct Tag;
#[derive(Component, Serialize, Deserialize)]
enum Tree {
    Leaf(bool, char),
    Node { left: Box<Tree>, right: Box<Tree> },
}
#[derive(Resource, Serialize, Deserialize, Default)]
struct Heap(Vec<Counted>);
#[derive(Event, Serialize, Deserialize)]
struct Sent(Counted, Entity);

world! {
    #[derive(Serialize, Deserialize)]
    struct Forest {
        components { Plain, Owned, Text, Tag, Tree }
        resources { heap: Heap = Heap::default() }
        events { Sent(external) }
    }
    schedule tick { grow; react }
}

#[system(Forest)]
fn grow(tags: Query<Entity, With<Tag>>, mut commands: Commands<Forest>, mut count: Local<u32>) {
    *count = count.wrapping_add(1);
    for entity in tags.iter().take(3) {
        commands.spawn((Plain([*count as f32; 3]), Owned(Counted::new(*count), Some(entity))));
        if count.is_multiple_of(2) {
            commands.despawn(entity);
        }
    }
}

#[system(Forest)]
fn react(
    new: Entered<With<Owned>>,
    mut lost: Removed<Text>,
    changed: Query<Entity, Changed<Owned>>,
    mut sent: EventReader<Sent>,
    mut heap: ResMut<Heap>,
    mut last: Local<Option<String>>,
) {
    heap.0.truncate(10);
    heap.0.push(Counted::new((new.len() + changed.len() + sent.iter().len()) as u32));
    for (_, text) in &mut lost {
        *last = Some(text.0.clone());
    }
}

#[derive(Clone, Debug)]
enum Step {
    Plain(u8),
    Owned(u32),
    Text(String),
    Tag,
    Tree(u8),
    Batch(u8),
    Despawn(u16),
    Send(u32),
    Tick,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        any::<u8>().prop_map(Step::Plain),
        any::<u32>().prop_map(Step::Owned),
        "[a-z]{0,5}".prop_map(Step::Text),
        Just(Step::Tag),
        (0..5u8).prop_map(Step::Tree),
        (0..150u8).prop_map(Step::Batch),
        any::<u16>().prop_map(Step::Despawn),
        any::<u32>().prop_map(Step::Send),
        Just(Step::Tick),
    ];
    prop::collection::vec(step, 0..25)
}

fn tree(depth: u8) -> Tree {
    if depth == 0 {
        return Tree::Leaf(true, 'ä');
    }
    Tree::Node { left: Box::new(tree(depth - 1)), right: Box::new(tree(depth / 2)) }
}

fn forest(steps: &[Step]) -> Forest {
    let mut forest = Forest::new();
    for step in steps {
        let ids: Vec<Entity> = forest.entities().iter().collect();
        match step {
            Step::Plain(of) => {
                forest.spawn(Plain([f32::from(*of); 3]));
            }
            Step::Owned(of) => {
                forest.spawn((Owned(Counted::new(*of), ids.last().copied()), Tag));
            }
            Step::Text(of) => {
                let all = [(3, ids.iter().copied().take(3).collect())];
                forest.spawn(Text(of.clone(), all.into()));
            }
            Step::Tag => {
                forest.spawn(Tag);
            }
            Step::Tree(depth) => {
                forest.spawn((tree(*depth), Tag));
            }
            Step::Batch(count) => {
                forest.spawn_batch((0..*count).map(|_| (Plain([0.5; 3]), Tag)));
            }
            Step::Despawn(at) if !ids.is_empty() => forest.despawn(ids[*at as usize % ids.len()]).unwrap(),
            Step::Despawn(_) => {}
            Step::Send(of) => {
                if let Some(&first) = ids.first() {
                    forest.send(Sent(Counted::new(*of), first));
                }
            }
            Step::Tick => forest.tick(),
        }
    }
    forest
}

/// The damage of a save. The checksum is corrected afterwards.
#[derive(Clone, Debug)]
enum Break {
    Flip(prop::sample::Index, u8),
    Byte(prop::sample::Index, u8),
    Number(prop::sample::Index, u32),
    Cut(prop::sample::Index, u8),
    Double(prop::sample::Index, u8),
    Truncate(prop::sample::Index),
}

fn breaks() -> impl Strategy<Value = Vec<Break>> {
    let at = || any::<prop::sample::Index>();
    let one = prop_oneof![
        4 => (at(), 0..8u8).prop_map(|(at, bit)| Break::Flip(at, bit)),
        4 => (at(), any::<u8>()).prop_map(|(at, byte)| Break::Byte(at, byte)),
        3 => (at(), prop_oneof![Just(u32::MAX), Just(0), Just(1 << 31), any::<u32>(), 0..70u32])
            .prop_map(|(at, number)| Break::Number(at, number)),
        1 => (at(), 1..32u8).prop_map(|(at, count)| Break::Cut(at, count)),
        1 => (at(), 1..32u8).prop_map(|(at, count)| Break::Double(at, count)),
        1 => at().prop_map(Break::Truncate),
    ];
    prop::collection::vec(one, 1..4)
}

fn broken(mut bytes: Vec<u8>, breaks: &[Break]) -> Vec<u8> {
    for of in breaks {
        if bytes.len() < 40 {
            break;
        }
        let length = bytes.len();
        match of {
            Break::Flip(at, bit) => bytes[at.index(length)] ^= 1 << bit,
            Break::Byte(at, byte) => bytes[at.index(length)] = *byte,
            Break::Number(at, number) => {
                let at = at.index(length - 4);
                bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
            }
            Break::Cut(at, count) => {
                let at = at.index(length - 32);
                bytes.drain(at..at + usize::from(*count));
            }
            Break::Double(at, count) => {
                let at = at.index(length - 32);
                let again = bytes[at..at + usize::from(*count)].to_vec();
                bytes.splice(at..at, again);
            }
            Break::Truncate(at) => bytes.truncate(at.index(length)),
        }
    }
    bytes
}

/// Uses all methods of an accepted world.
fn use_up(mut forest: Forest) {
    let before: Vec<Entity> = forest.entities().iter().collect();
    for round in 0..2 {
        forest.tick();
        let new = forest.spawn((Plain([0.0; 3]), Tag));
        assert!(!before.contains(&new));
        forest.spawn_batch((0..20).map(|_| Owned(Counted::new(round), None)));
    }
    for entity in forest.entities().iter().collect::<Vec<_>>() {
        forest.despawn(entity).unwrap();
    }
    assert_eq!(forest.query::<&Plain>().iter().count() + forest.query::<&Owned>().iter().count(), 0);
}

proptest! {
    #![proptest_config(random_cases(60))]

    #[test]
    fn whole_saves_come_back(steps in steps()) {
        {
            let mut one = forest(&steps);
            let mut two = Forest::load(&one.to_bytes().unwrap()).unwrap();
            let mut three: Forest = serde_json::from_str(&serde_json::to_string(&one).unwrap()).unwrap();
            for _ in 0..4 {
                prop_assert_eq!(diff(&one, &two), vec![]);
                prop_assert_eq!(diff(&one, &three), vec![]);
                for forest in [&mut one, &mut two, &mut three] {
                    forest.tick();
                    forest.spawn((Tag, Plain([1.0; 3])));
                }
            }
            prop_assert_eq!(one.hash(), two.hash());
            let bytes = two.to_bytes().unwrap();
            let count = one.entities().len();
            prop_assert_eq!(one.merge(&bytes, DanglingIds::Keep).unwrap().len(), count);
            prop_assert_eq!(one.entities().len(), 2 * count);
            use_up(one);
            use_up(two);
            use_up(three);
        }
        Ledger::of_thread().assert_settled();
    }
}

proptest! {
    #![proptest_config(random_cases(60))]

    #[test]
    fn broken_saves_are_refused_or_are_worlds(
        steps in steps(),
        breaks in prop::collection::vec(breaks(), 20),
    ) {
        {
            let bytes = forest(&steps).to_bytes().unwrap();
            for breaks in &breaks {
                let mut bytes = broken(bytes.clone(), breaks);
                reseal(&mut bytes);
                let mut target = Forest::new();
                let before = target.hash();
                match target.merge(&bytes, DanglingIds::Keep) {
                    Ok(_) => use_up(target),
                    Err(_) => prop_assert_eq!(target.hash(), before),
                }
                if let Ok(forest) = Forest::load(&bytes) {
                    use_up(forest);
                }
            }
        }
        Ledger::of_thread().assert_settled();
    }

    #[test]
    fn broken_text_is_refused_or_is_a_world(
        steps in steps(),
        places in prop::collection::vec((any::<prop::sample::Index>(), "[0-9a-z{},\"]{0,2}"), 10),
    ) {
        {
            let text = serde_json::to_string(&forest(&steps)).unwrap();
            for (at, other) in &places {
                let at = at.index(text.len() - 3);
                let Some((before, after)) = text.split_at_checked(at) else { continue };
                let Some(after) = after.get(other.len()..) else { continue };
                if let Ok(forest) = serde_json::from_str::<Forest>(&format!("{before}{other}{after}")) {
                    use_up(forest);
                }
            }
        }
        Ledger::of_thread().assert_settled();
    }
}

#[test]
fn every_bit_that_flips_is_found() {
    let steps =
        [Step::Plain(1), Step::Owned(2), Step::Text("x".into()), Step::Tick, Step::Tree(1), Step::Send(1)];
    let bytes = forest(&steps).to_bytes().unwrap();
    for bit in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(Forest::load(&bytes).is_err(), "bit {bit}");
    }
    for end in 0..bytes.len() {
        assert!(Forest::load(&bytes[..end]).is_err());
        let mut cut = bytes[..end].to_vec();
        reseal(&mut cut);
        assert!(Forest::load(&cut).is_err(), "{end}");
    }
}
