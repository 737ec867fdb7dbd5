//! Trees of relations: walks of any depth, and despawning of whole trees.

use ecs::error::{InsertError, Reason};
use ecs::prelude::*;
use ecs::{ChildOf, Many};

#[derive(Relation)]
#[relation(many, gone = cascade)]
struct Needs(Entity);

world! {
    struct Forest { components { needs: Many<Needs>, ChildOf } }
}

#[test]
fn a_cascade_goes_from_the_target_through_its_sources_in_order() {
    #[derive(Component)]
    struct Last(u32, std::sync::Arc<std::sync::Mutex<Vec<u32>>>);
    impl Drop for Last {
        fn drop(&mut self) {
            self.1.lock().unwrap().push(self.0);
        }
    }
    world! { struct Yard { components { ChildOf, Last } } }

    let log = std::sync::Arc::default();
    let mut yard = Yard::new();
    let root = yard.spawn(Last(0, std::sync::Arc::clone(&log)));
    let mut child = |number, parent| yard.spawn((Last(number, std::sync::Arc::clone(&log)), ChildOf(parent)));
    let first = child(1, root);
    let second = child(4, root);
    child(2, first);
    child(5, second);
    child(3, first);
    yard.despawn(root).unwrap();
    assert_eq!(*log.lock().unwrap(), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_million_generations_are_walked_despawned_and_dropped() {
    const DEPTH: usize = 1_000_000;
    let mut game = Forest::new();
    let root = game.spawn(());
    let mut last = root;
    for _ in 1..DEPTH {
        last = game.spawn(ChildOf(last));
    }
    let tree = game.related::<ChildOf>();
    assert_eq!(tree.root(last), root);
    assert_eq!((tree.ancestors(last).count(), tree.descendants(root).count()), (DEPTH - 1, DEPTH - 1));
    assert_eq!(tree.descendants(root).last(), Some(last));
    assert_eq!(tree.descendants_bottom_up(root).next(), Some(last));
    let error = game.insert(root, ChildOf(last)).unwrap_err();
    assert!(matches!(error, InsertError::Refused(refused) if refused.reason == Reason::Cycle(last)));
    let copy_of_the_end = tree_end(&mut game, last);
    game.despawn(root).unwrap();
    assert!(game.entities().is_empty() && !game.contains(copy_of_the_end));
}

/// A deep tree, in a world that is dropped.
fn tree_end(game: &mut Forest, last: Entity) -> Entity {
    let mut dropped = Forest::new();
    let mut at = dropped.spawn(());
    for _ in 0..100_000 {
        at = dropped.spawn(ChildOf(at));
    }
    game.spawn(ChildOf(last))
}

#[test]
fn trees_are_walked_in_both_orders() {
    let mut game = Forest::new();
    let root = game.spawn(());
    let [a, b] = [game.spawn(ChildOf(root)), game.spawn(ChildOf(root))];
    let [c, d] = [game.spawn(ChildOf(a)), game.spawn(ChildOf(a))];
    let e = game.spawn(ChildOf(b));
    let alone = game.spawn(());
    let tree = game.related::<ChildOf>();
    assert!(tree.descendants(root).eq([a, c, d, b, e]));
    assert!(tree.descendants_bottom_up(root).eq([c, d, a, e, b]));
    assert!(tree.descendants(e).next().is_none() && tree.descendants_bottom_up(alone).next().is_none());
    assert!(tree.ancestors(d).eq([a, root]));
    assert_eq!((tree.root(e), tree.root(alone)), (root, alone));
    assert!(tree.roots().eq([root]));
}

#[test]
fn a_cascading_source_is_despawned_with_its_first_target() {
    let mut game = Forest::new();
    let [a, b] = [game.spawn(()), game.spawn(())];
    let both = game.spawn(Many::from([Needs(a), Needs(b)]));
    let one = game.spawn(Many::one(Needs(b)));
    game.despawn(a).unwrap();
    assert!(!game.contains(both) && game.contains(one));
    assert_eq!(game.sources::<Needs>(b), [one]);
}
