//! The world under test: components of several sizes, one of them a tag, one that requires another,
//! and tokens that are counted.

use ecs::prelude::*;
use ecs_tests::Token;

/// A component with a token, which counts drops.
#[derive(Component, Clone)]
pub struct Held(pub u32, #[allow(dead_code)] pub Token);
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Small(pub u8);
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Large(pub [u64; 40]);
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Tag;
/// A component that requires `Small`.
#[derive(Component, Clone, PartialEq, Debug)]
#[component(requires(Small))]
pub struct Needy(pub u32);

impl Default for Small {
    fn default() -> Self {
        Self(77)
    }
}

#[derive(Bundle)]
pub struct Body {
    pub held: Held,
    pub large: Large,
}

world! {
    #[derive(Clone)]
    pub struct Game { components { Large, Needy, Tag, held: Held, Small } }
    schedule tick { age, harden; wither }
}

/// Increments `Needy` of entities without the tag.
#[system(Game)]
pub fn age(needy: &mut Needy, _: Without<Tag>) {
    needy.0 = needy.0.wrapping_add(1);
}

/// Copies `Small` into `Large`.
#[system(Game)]
pub fn harden(mut rows: Query<(&Small, &mut Large), Or<(With<Held>, Not<With<Needy>>)>>) {
    rows.for_each(|(small, large)| large.0[39] = u64::from(small.0));
}

/// Tags entities with an even `Needy`, and removes the tag from the others.
#[system(Game)]
pub fn wither(rows: Query<(Entity, &Needy)>, mut tags: Storage<Tag>) {
    for (entity, needy) in &rows {
        if needy.0.is_multiple_of(2) {
            tags.insert(entity, Tag).unwrap();
        } else {
            tags.remove(entity);
        }
    }
}
