//! Clones of several entities whose components panic.

use ecs::ChildOf;
use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};
use ecs_tests::{Ledger, Token};

/// Each clone and each drop burns the fuse.
#[derive(Component)]
struct Bomb(#[allow(dead_code)] Token);
impl Clone for Bomb {
    fn clone(&self) -> Self {
        burn("clone");
        Self(self.0.clone())
    }
}
impl Drop for Bomb {
    fn drop(&mut self) {
        burn("drop");
    }
}

#[derive(Relation, Clone)]
#[relation(many, gone = cascade)]
struct Holds(Entity);

world! {
    #[derive(Clone)]
    struct Cave { components { Bomb, ChildOf, holds: Many<Holds> } }
}

/// A tree of eight entities whose last ones hold each other.
fn cave(ledger: &Ledger) -> (Cave, Entity) {
    let mut cave = Cave::new();
    let root = cave.spawn(Bomb(ledger.token()));
    let inner: Vec<Entity> = (0..7).map(|_| cave.spawn((Bomb(ledger.token()), ChildOf(root)))).collect();
    cave.relate(inner[5], Holds(inner[6])).unwrap();
    cave.relate(inner[6], Holds(inner[5])).unwrap();
    (cave, root)
}

#[test]
fn a_panic_at_any_step_of_a_clone_leaves_the_world_as_it_was() {
    for n in 1..40 {
        let ledger = Ledger::new();
        let (mut cave, root) = cave(&ledger);
        let blown = blows_up(n, || cave.clone_tree::<ChildOf>(root));
        assert_eq!(blown, n <= 8, "the tree has eight entities, and a success drops nothing");
        let expected = if blown { 8 } else { 16 };
        assert_eq!(cave.entities().len(), expected, "step {n}");
        assert_eq!(cave.sources::<ChildOf>(root).len(), 7);
        assert_eq!(cave.query::<&Bomb>().iter().count(), expected);
        drop(cave);
        assert_eq!(ledger.alive(), 0, "step {n}");
    }
}
