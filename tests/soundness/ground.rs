//! The worlds of these tests, and the checks at their end.

use ecs::prelude::*;
pub use ecs_tests::{Ledger, Token};

/// Implements `Drop`, `Clone`, `Eq` and `Hash` of types with a number and a token; each function
/// calls another one with its name first.
macro_rules! watched {
    ($call:ident: $($name:ident)+) => {$(
        impl Drop for $name {
            fn drop(&mut self) {
                $call("a drop");
            }
        }
        impl Clone for $name {
            fn clone(&self) -> Self {
                $call("a clone");
                Self(self.0, self.1.clone())
            }
        }
        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                $call("an eq");
                self.0 == other.0
            }
        }
        impl Eq for $name {}
        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                $call("a hash");
                self.0.hash(state);
            }
        }
    )+};
}
pub(super) use watched;

#[derive(Component, Clone)]
pub struct Left(pub Token);
#[derive(Component, Clone)]
pub struct Right(pub Token);
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Number(pub u32);
#[derive(Component, Clone)]
pub struct Tag;

world! {
    #[derive(Clone)]
    pub struct One {
        components { left: Left, right: Right, Number, Tag }
    }
}

world! {
    #[derive(Clone)]
    pub struct Two {
        components { Tag, Number, right: Right, left: Left }
    }
}

pub fn bundle(ledger: &Ledger, n: u32) -> (Left, Right, Number) {
    (Left(ledger.token()), Right(ledger.token()), Number(n))
}

/// A world after `count` spawns. Every third entity is despawned, every fifth lacks `Right`.
pub fn one(ledger: &Ledger, count: u32) -> (One, Vec<Entity>) {
    let mut world = One::new();
    let ids: Vec<Entity> = (0..count).map(|n| world.spawn(bundle(ledger, n))).collect();
    let mut alive = Vec::new();
    for (n, id) in ids.into_iter().enumerate() {
        if n % 3 == 2 {
            world.despawn(id).unwrap();
            continue;
        }
        if n % 5 == 0 {
            drop(world.remove::<Right>(id).unwrap());
            world.insert(id, Tag).unwrap();
        }
        alive.push(id);
    }
    (world, alive)
}

/// Reads the whole world in every way, and checks that the ways agree. It touches the values, so
/// that a sanitizer finds invalid ones.
pub fn exercise(world: &mut One) {
    let numbers: Vec<u32> = world.query::<&Number>().iter().map(|number| number.0).collect();
    let mut folded = Vec::new();
    world.query_mut::<&mut Number>().for_each(|number| {
        folded.push(number.0);
        number.0 = number.0.wrapping_add(1);
    });
    assert_eq!((folded.len(), &folded), (world.query::<&Number>().len(), &numbers));
    let chunked: usize = world.query_mut::<&mut Number>().chunks_mut().map(|chunk| chunk.len()).sum();
    assert_eq!(chunked, numbers.len());
    for (entity, left) in &world.query::<(Entity, &Left)>() {
        assert!(left.0.number() > 0 && entity.to_bits() > 0);
    }
    for (left, right, is) in &world.query::<(Option<&Left>, Option<&Right>, Is<Tag>)>() {
        assert!(
            left.is_none_or(|left| left.0.number() > 0) && right.is_none_or(|right| right.0.number() > 0)
        );
        let _: bool = *is;
    }
    let mut query = world.query_mut::<(Entity, &mut Left, &mut Right)>().filter::<Without<Tag>>();
    let (count, mut looped) = (query.len(), 0);
    for (_, left, right) in &mut query {
        std::mem::swap(&mut left.0, &mut right.0);
        looped += 1;
    }
    assert_eq!((looped, query.is_empty()), (count, count == 0));
    let mut pairs = 0;
    if count < 200 {
        query.pairs_mut(|(_, one, _), (_, _, two)| {
            std::mem::swap(&mut one.0, &mut two.0);
            pairs += 1;
        });
        assert_eq!(pairs, count * count.saturating_sub(1) / 2);
    }
    let living: Vec<Entity> = world.entities().iter().collect();
    assert_eq!(living.len(), world.entities().len());
    for &entity in &living {
        assert!(world.contains(entity));
        let names = world.entity(entity).unwrap().components().count();
        assert!(names <= 4);
        assert_eq!(world.has::<Left>(entity), world.get::<Left>(entity).is_some());
    }
    let columns = world.columns();
    assert_eq!(
        columns.left.iter().map(|(_, left)| left.0.number()).filter(|&n| n > 0).count(),
        columns.left.iter().count()
    );
    assert!(!format!("{world:?} {}", world.stats()).is_empty());
}

/// The same, and then spawns, inserts, removes and despawns all entities.
pub fn wear_out(mut world: One, ledger: &Ledger) {
    exercise(&mut world);
    let new: Vec<Entity> = (0..70).map(|n| world.spawn(bundle(ledger, n))).collect();
    let batch: Vec<Entity> = world.spawn_batch((0..130).map(|n| bundle(ledger, n))).collect();
    exercise(&mut world);
    for &id in new.iter().chain(&batch).step_by(2) {
        drop(world.insert(id, (Left(ledger.token()), Tag)).unwrap());
        drop(world.remove::<(Right, Number)>(id).unwrap());
    }
    exercise(&mut world);
    let living: Vec<Entity> = world.entities().iter().collect();
    for id in living {
        world.despawn(id).unwrap();
        assert!(!world.contains(id));
    }
    assert!(world.entities().is_empty());
    world.clear();
    assert_eq!((world.query::<&Left>().len(), world.query::<&Right>().len()), (0, 0));
    drop(world);
    ledger.alive();
}
