//! The library's system `propagate`: values that are combined along a relation.

use ecs::prelude::*;
use ecs::relation::{ChildOf, Propagate, propagate};
use ecs_tests::random::random_cases;
use proptest::prelude::*;

/// A number that is appended to that of the entity above.
#[derive(Component, Clone, Copy, Debug)]
struct Digit(u64);
#[derive(Component, Clone, Copy, PartialEq, Debug)]
struct Path(u64);

impl Propagate for Digit {
    type Combined = Path;
    fn combine(&self, above: Option<&Path>) -> Path {
        Path(above.map_or(0, |above| above.0).wrapping_mul(10).wrapping_add(self.0))
    }
}

/// A relation that keeps pointing to despawned targets, and may form cycles.
#[derive(Relation, Clone, Copy)]
#[relation(exclusive, gone = keep)]
struct Follows(Entity);

world! {
    #[derive(Clone)]
    struct Forest { components { ChildOf, Follows, Digit, Path } }
    schedule tick { propagate::<Digit, ChildOf> }
    schedule follow { propagate::<Digit, Follows> }
}

const UNSET: Path = Path(u64::MAX);

fn path(world: &Forest, entity: Entity) -> u64 {
    world.get::<Path>(entity).map_or(0, |path| path.0)
}

#[test]
fn a_child_has_the_value_of_its_parent_in_front_of_its_own() {
    let mut forest = Forest::new();
    let root = forest.spawn((Digit(1), UNSET));
    let arm = forest.spawn((Digit(2), UNSET, ChildOf(root)));
    let hand = forest.spawn((Digit(3), UNSET, ChildOf(arm)));
    let leg = forest.spawn((Digit(4), UNSET, ChildOf(root)));
    forest.tick();
    assert_eq!([root, arm, hand, leg].map(|entity| path(&forest, entity)), [1, 12, 123, 14]);
    forest.insert(hand, ChildOf(leg)).unwrap();
    forest.get_mut::<Digit>(root).unwrap().0 = 7;
    forest.tick();
    assert_eq!([root, arm, hand, leg].map(|entity| path(&forest, entity)), [7, 72, 743, 74]);
}

#[test]
fn an_entity_without_a_value_passes_on_that_above_it() {
    let mut forest = Forest::new();
    let bare_root = forest.spawn(());
    let top = forest.spawn((Digit(1), UNSET, ChildOf(bare_root)));
    let bare = forest.spawn((UNSET, ChildOf(top)));
    let unstored = forest.spawn((Digit(2), ChildOf(bare)));
    let leaf = forest.spawn((Digit(3), UNSET, ChildOf(unstored)));
    forest.tick();
    assert_eq!(path(&forest, top), 1);
    assert_eq!(forest.get(bare), Some(&UNSET), "there is no value of its own to combine");
    assert!(!forest.has::<Path>(unstored));
    assert_eq!(path(&forest, leaf), 123);
}

#[test]
fn an_entity_whose_target_is_gone_has_none_above_and_cycles_stay_as_they_are() {
    let mut forest = Forest::new();
    let leader = forest.spawn((Digit(1), UNSET));
    let second = forest.spawn((Digit(2), UNSET, Follows(leader)));
    let third = forest.spawn((Digit(3), UNSET, Follows(second)));
    let (one, other) = (forest.spawn((Digit(4), UNSET)), forest.spawn((Digit(5), UNSET)));
    forest.insert(one, Follows(other)).unwrap();
    forest.insert(other, Follows(one)).unwrap();
    forest.follow();
    assert_eq!([leader, second, third].map(|entity| path(&forest, entity)), [1, 12, 123]);
    assert_eq!([one, other].map(|entity| forest.get(entity).copied()), [Some(UNSET); 2]);
    forest.despawn(leader).unwrap();
    forest.follow();
    assert_eq!([second, third].map(|entity| path(&forest, entity)), [2, 23]);
}

/// The value of an entity by the definition: digits from the farthest entity above to the entity.
fn by_definition(forest: &Forest, entity: Entity) -> u64 {
    let tree = forest.related::<ChildOf>();
    let mut line: Vec<Entity> = tree.ancestors(entity).collect();
    line.reverse();
    line.push(entity);
    let digits = line.into_iter().filter_map(|entity| forest.get::<Digit>(entity));
    digits.fold(0, |path: u64, digit| path.wrapping_mul(10).wrapping_add(digit.0))
}

proptest! {
    #![proptest_config(random_cases(64))]
    #[test]
    fn all_trees_are_as_defined(
        entities in prop::collection::vec((0_u64..10, any::<bool>(), any::<bool>(), any::<prop::sample::Index>()), 1..120),
        moves in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..20),
    ) {
        let mut forest = Forest::new();
        let mut ids: Vec<Entity> = Vec::new();
        for (digit, has_digit, has_path, parent) in entities {
            let entity = forest.spawn(());
            if has_digit {
                forest.insert(entity, Digit(digit)).unwrap();
            }
            if has_path {
                forest.insert(entity, UNSET).unwrap();
            }
            if digit != 0 && !ids.is_empty() {
                forest.insert(entity, ChildOf(*parent.get(&ids))).unwrap();
            }
            ids.push(entity);
        }
        for (child, parent) in moves {
            // an insert that would make a cycle, or a child of itself, is refused
            let _ = forest.insert(*child.get(&ids), ChildOf(*parent.get(&ids)));
        }
        forest.tick();
        for &entity in &ids {
            let expected = match (forest.has::<Digit>(entity), forest.has::<Path>(entity)) {
                (_, false) => None,
                (false, true) => Some(UNSET),
                (true, true) => Some(Path(by_definition(&forest, entity))),
            };
            prop_assert_eq!(forest.get(entity).copied(), expected);
        }
    }
}
