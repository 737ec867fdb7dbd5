//! The library's systems `propagate` and `propagate_changed`: values that are combined along a
//! relation.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::Bundle;
use ecs::prelude::*;
use ecs::relation::{ChildOf, ExclusiveRelation, HasRelation, Propagate, propagate, propagate_changed};
use ecs::save::{Baseline, Replica, Selection};
use ecs_tests::random::random_cases;
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

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

/// The same for `propagate_changed`.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(tracked, removed)]
struct Letter(u64);
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Word(u64);

impl Propagate for Letter {
    type Combined = Word;
    fn combine(&self, above: Option<&Word>) -> Word {
        Word(above.map_or(0, |above| above.0).wrapping_mul(31).wrapping_add(self.0))
    }
}

/// Relations without cycles, one for each effect on the sources of a despawned target.
#[derive(Relation, Clone, Copy, Serialize, Deserialize)]
#[relation(exclusive, acyclic, gone = keep)]
struct Keeps(Entity);
#[derive(Relation, Clone, Copy, Serialize, Deserialize)]
#[relation(exclusive, acyclic, gone = remove)]
struct Drops(Entity);
/// A relation that may form cycles.
#[derive(Relation, Clone, Copy, Serialize, Deserialize)]
#[relation(exclusive, gone = keep)]
struct Circles(Entity);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Library { components { ChildOf, Keeps, Drops, Circles, Letter, Word } }
    schedule tick_child_of { propagate_changed::<Letter, ChildOf> }
    schedule tick_keeps { propagate_changed::<Letter, Keeps> }
    schedule tick_drops { propagate_changed::<Letter, Drops> }
    schedule tick_circles { propagate_changed::<Letter, Circles> }
    schedule all_child_of { propagate::<Letter, ChildOf> }
    schedule all_keeps { propagate::<Letter, Keeps> }
    schedule all_drops { propagate::<Letter, Drops> }
    schedule all_circles { propagate::<Letter, Circles> }
}

/// A change of the world; indices are those of entities that were spawned.
#[derive(Clone, Debug)]
enum Step {
    Spawn {
        letter: Option<u64>,
        above: Option<prop::sample::Index>,
    },
    Change(prop::sample::Index, u64),
    Remove(prop::sample::Index),
    /// A letter, with the word that belongs to it.
    Insert(prop::sample::Index, u64),
    Move(prop::sample::Index, prop::sample::Index),
    Detach(prop::sample::Index),
    Despawn(prop::sample::Index),
    Regroup,
    Load,
    Snapshot,
    Restore,
    /// A delta to another world, which runs the systems, too.
    Send,
    Run,
}

fn step() -> impl Strategy<Value = Step> {
    use prop::sample::Index;
    let index = any::<Index>;
    prop_oneof![
        4 => (prop::option::weighted(0.8, 1_u64..9), prop::option::weighted(0.8, index()))
            .prop_map(|(letter, above)| Step::Spawn { letter, above }),
        3 => (index(), 1_u64..9).prop_map(|(entity, letter)| Step::Change(entity, letter)),
        1 => index().prop_map(Step::Remove),
        1 => (index(), 1_u64..9).prop_map(|(entity, letter)| Step::Insert(entity, letter)),
        3 => (index(), index()).prop_map(|(entity, above)| Step::Move(entity, above)),
        1 => index().prop_map(Step::Detach),
        1 => index().prop_map(Step::Despawn),
        1 => Just(Step::Regroup),
        1 => Just(Step::Load),
        1 => Just(Step::Snapshot),
        1 => Just(Step::Restore),
        3 => Just(Step::Send),
        6 => Just(Step::Run),
    ]
}

/// Runs `changed`, and compares the result with that of `all` on a clone of the world.
fn run(library: &mut Library, changed: fn(&mut Library), all: fn(&mut Library)) -> Result<(), TestCaseError> {
    let mut copy = library.clone();
    all(&mut copy);
    changed(library);
    let words = |library: &Library| -> Vec<(Entity, Word)> {
        library.query::<(Entity, &Word)>().iter().map(|(entity, word)| (entity, *word)).collect()
    };
    prop_assert_eq!(words(library), words(&copy));
    Ok(())
}

/// Runs `propagate_changed` between random changes, also in a world that gets deltas, and compares
/// each result with that of `propagate` on a clone of the world.
fn same_words<R: ExclusiveRelation + Bundle<Library> + Serialize + DeserializeOwned>(
    steps: &[Step],
    relation: fn(Entity) -> R,
    changed: fn(&mut Library),
    all: fn(&mut Library),
) -> Result<(), TestCaseError>
where
    Library: HasRelation<R>,
{
    let mut library = Library::new();
    let mut ids: Vec<Entity> = Vec::new();
    let snapshot = |library: &mut Library, ids: &[Entity]| (library.snapshot(), ids.to_vec());
    let mut earlier = snapshot(&mut library, &ids);
    // words are not sent
    let selection = Selection::of::<(Letter, R)>();
    let (mut receiver, mut replica, mut baseline, mut frame) =
        (Library::new(), Replica::new(), Baseline::nothing(), 0);
    for step in steps {
        let pick = |index: &prop::sample::Index| if ids.is_empty() { None } else { Some(*index.get(&ids)) };
        match step {
            Step::Spawn { letter, above } => {
                let entity = library.spawn(());
                if let Some(letter) = letter {
                    library.insert(entity, (Letter(*letter), Word(0))).unwrap();
                }
                if let Some(above) = above.as_ref().and_then(pick) {
                    // despawned targets are refused
                    let _ = library.insert(entity, relation(above));
                }
                ids.push(entity);
            }
            Step::Change(entity, letter) => {
                let value = pick(entity).and_then(|entity| library.get_tracked::<Letter>(entity));
                if let Some(mut value) = value {
                    value.0 = *letter;
                }
            }
            Step::Remove(entity) => {
                if let Some(entity) = pick(entity).filter(|&entity| library.contains(entity)) {
                    library.remove::<Letter>(entity).unwrap();
                }
            }
            Step::Insert(entity, letter) => {
                if let Some(entity) = pick(entity).filter(|&entity| library.contains(entity)) {
                    library.insert(entity, (Letter(*letter), Word(0))).unwrap();
                }
            }
            Step::Move(entity, above) => {
                if let (Some(entity), Some(above)) = (pick(entity), pick(above)) {
                    // what would make a cycle is refused
                    let _ = library.insert(entity, relation(above));
                }
            }
            Step::Detach(entity) => {
                if let Some(entity) = pick(entity).filter(|&entity| library.contains(entity)) {
                    library.remove::<R>(entity).unwrap();
                }
            }
            Step::Despawn(entity) => {
                let _ = pick(entity).map(|entity| library.despawn(entity));
            }
            Step::Regroup => {
                let moved = library.regroup();
                ids.iter_mut().for_each(|id| *id = moved.current(*id));
            }
            Step::Load => library = Library::load(&library.to_bytes().unwrap()).unwrap(),
            Step::Snapshot => earlier = snapshot(&mut library, &ids),
            Step::Restore => {
                library.restore(&earlier.0);
                ids.clone_from(&earlier.1);
            }
            Step::Send => {
                frame += 1;
                let delta = selection.delta(&baseline, &library, frame).unwrap();
                selection.apply(&mut receiver, &mut replica, &delta).unwrap();
                baseline = selection.baseline(&mut library, frame);
                let new: Vec<Entity> = receiver.query::<Entity>().filter::<Without<Word>>().iter().collect();
                for entity in new {
                    receiver.insert(entity, Word(0)).unwrap();
                }
                run(&mut receiver, changed, all)?;
            }
            Step::Run => run(&mut library, changed, all)?,
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(random_cases(128))]
    #[test]
    fn those_that_changed_and_all_give_the_same(steps in prop::collection::vec(step(), 1..80)) {
        same_words(&steps, ChildOf, Library::tick_child_of, Library::all_child_of)?;
        same_words(&steps, Keeps, Library::tick_keeps, Library::all_keeps)?;
        same_words(&steps, Drops, Library::tick_drops, Library::all_drops)?;
        same_words(&steps, Circles, Library::tick_circles, Library::all_circles)?;
    }
}

/// Only entities below a change are computed: the word that another system has broken stays where
/// nothing changed.
#[test]
fn entities_without_a_change_above_them_are_not_computed() {
    let mut library = Library::new();
    let [still, moved] = [1, 2].map(|letter| library.spawn((Letter(letter), Word(0))));
    let below = [still, moved].map(|root| library.spawn((Letter(3), Word(0), ChildOf(root))));
    library.tick_child_of();
    for entity in below {
        library.get_mut::<Word>(entity).unwrap().0 = 0;
    }
    library.get_tracked::<Letter>(moved).unwrap().0 = 4;
    library.tick_child_of();
    assert_eq!(below.map(|entity| library.get::<Word>(entity).unwrap().0), [0, 4 * 31 + 3]);
    let other = library.spawn((Letter(5), Word(0), ChildOf(still)));
    library.tick_child_of();
    assert_eq!([below[0], other].map(|entity| library.get::<Word>(entity).unwrap().0), [31 + 3, 31 + 5]);
}

thread_local! {
    /// Whether [`Fuse`] panics when it is combined.
    static LIT: Cell<bool> = const { Cell::new(false) };
}

#[derive(Component, Clone, Copy)]
#[component(tracked, removed, requires(Burnt))]
struct Fuse(u64);
#[derive(Component, Clone, Copy, Default, PartialEq, Debug)]
struct Burnt(u64);

impl Propagate for Fuse {
    type Combined = Burnt;
    fn combine(&self, above: Option<&Burnt>) -> Burnt {
        assert!(!LIT.get(), "a fuse is lit");
        Burnt(above.map_or(0, |above| above.0) + self.0)
    }
}

world! {
    struct Fuses { components { ChildOf, Fuse, Burnt } }
    schedule burn { propagate_changed::<Fuse, ChildOf> }
}

#[test]
fn the_run_after_a_panic_computes_what_was_not_computed() {
    let changes: [fn(&mut Fuses, Entity); 2] = [
        |fuses, root| _ = fuses.remove::<Fuse>(root).unwrap(),
        |fuses, root| fuses.get_tracked::<Fuse>(root).unwrap().0 = 0,
    ];
    for change in changes {
        let mut fuses = Fuses::new();
        let root = fuses.spawn(Fuse(10));
        let leaf = fuses.spawn((Fuse(1), ChildOf(root)));
        fuses.burn();
        assert_eq!(fuses.get(leaf), Some(&Burnt(11)));
        change(&mut fuses, root);
        LIT.set(true);
        assert!(catch_unwind(AssertUnwindSafe(|| fuses.burn())).is_err());
        LIT.set(false);
        fuses.burn();
        assert_eq!(fuses.get(leaf), Some(&Burnt(1)));
    }
}
