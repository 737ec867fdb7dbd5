//! Aspects with values that panic when they are made or dropped, and wrong manual impls.

use ecs::error::{NoneOfError, PresentError};
use ecs::prelude::*;
use ecs::{Aspect, MetaAspect, World};

use ecs_tests::fuse::{blows_up, burn};
use ecs_tests::{Ledger, Token};

#[derive(Component, Debug)]
struct Held(#[allow(dead_code)] Token);
#[derive(Component, Debug)]
#[component(requires(Fragile))]
struct Needy(#[allow(dead_code)] Token);
#[derive(Component, Debug, PartialEq)]
struct Fragile(u32);
#[derive(Component, Default, Debug)]
struct Tag;

impl Default for Fragile {
    fn default() -> Self {
        burn("a default");
        Self(1)
    }
}

fn token() -> Token {
    burn("a factory");
    Ledger::of_thread().token()
}

#[derive(Aspect, Debug)]
struct Inner {
    #[aspect(default = Held(token()))]
    held: Held,
    #[aspect(default = Needy(token()))]
    needy: Needy,
}

#[derive(Aspect, Debug)]
struct Outer {
    #[aspect(.held = Held(token()))]
    inner: Inner,
    tag: Tag,
}

world! {
    struct Cave { components { Held, Needy, Fragile, Tag } }
}

fn settled() {
    Ledger::of_thread().assert_settled();
}

#[test]
fn a_panicking_factory_leaks_nothing_and_spawns_no_entity() {
    for at in 1..=3 {
        assert!(blows_up(at, Outer::fresh));
        settled();
    }
    for at in [1, 2, 3, 50, 191, 192, 193, 300] {
        let mut cave = Cave::new();
        assert!(blows_up(at, || cave.spawn_batch((0..100).map(|_| Outer::fresh())).len()));
        let whole = cave.query::<(&Held, &Needy, &Fragile, &Tag)>().len();
        assert_eq!((whole, cave.query::<&Held>().len()), (cave.entities().len(), whole));
        drop(cave);
        settled();
    }
}

#[test]
fn a_panic_while_an_aspect_is_added_leaves_a_valid_world() {
    let mut cave = Cave::new();
    let entity = cave.spawn(());
    let outer = Outer::fresh();
    assert!(blows_up(1, || cave.add_aspect(entity, outer)), "the default of what is required");
    assert!(cave.contains(entity));
    let has = (cave.has::<Held>(entity), cave.has::<Needy>(entity), cave.has::<Tag>(entity));
    assert!(has == (true, true, true) || has == (false, false, false), "{has:?}");
    assert!(cave.add_aspect(entity, Outer::fresh()).is_err() || cave.has::<Fragile>(entity));
    cave.despawn(entity).unwrap();
    drop(cave);
    settled();
}

#[test]
fn a_refused_value_is_dropped_once() {
    let mut cave = Cave::new();
    let entity = cave.spawn(Tag);
    for _ in 0..10 {
        assert!(cave.add_aspect(entity, Outer::fresh()).is_err());
    }
    assert!(cave.remove_aspect::<Outer>(entity).is_err());
    drop(cave.remove_aspect::<Inner>(entity));
    drop(cave);
    settled();
}

/// A wrong impl of `MetaAspect`: `take_from` takes nothing, and `add_to` despawns the entity.
struct Liar;

impl MetaAspect<Cave> for Liar {
    const META_ASPECT_NAME: &'static str = "";
    const ALTERNATIVES: &'static [&'static str] = &["Everything"];
    fn is_in(_: &Cave, _: Entity) -> bool {
        true
    }
    fn take_from(cave: &mut Cave, entity: Entity) -> Option<Self> {
        cave.despawn(entity).ok().map(|()| Self)
    }
    fn add_to(self, cave: &mut Cave, _: Entity) -> Result<(), PresentError> {
        cave.clear();
        Ok(())
    }
}

#[test]
fn alternatives_that_lie_are_harmless() {
    let mut cave = Cave::new();
    let (one, two) = (cave.spawn(Outer::fresh()), cave.spawn(Outer::fresh()));
    assert!(cave.take_one_of::<Liar>(one).is_ok() && !cave.contains(one));
    assert!(cave.has_one_of::<Liar>(one));
    assert!(matches!(cave.take_one_of::<Liar>(one), Err(NoneOfError::NoSuchEntity(_))));
    assert!(cave.add_one_of(two, Liar).is_ok() && !cave.contains(two));
    drop(cave);
    settled();
}

#[derive(MetaAspect)]
enum Either {
    #[allow(dead_code)]
    Outer(Outer),
    #[allow(dead_code)]
    Tag(Tag),
}

#[test]
fn ids_of_other_worlds_and_despawned_entities_have_no_alternative() {
    let mut cave = Cave::new();
    let entity = cave.spawn(Outer::fresh());
    let dead = cave.spawn(Tag);
    cave.despawn(dead).unwrap();
    let reused = cave.spawn(Tag);
    for stranger in [dead, Entity::from_bits(1 << 32 | 900).unwrap()] {
        assert!(cave.take_one_of::<Either>(stranger).is_err() && !cave.has_one_of::<Either>(stranger));
        assert!(cave.add_one_of(stranger, Either::Tag(Tag)).is_err());
        assert!(!cave.has_aspect::<Outer>(stranger) && cave.remove_aspect::<Outer>(stranger).is_err());
    }
    assert!(cave.has::<Tag>(reused) && cave.has_aspect::<Outer>(entity));
    let taken = cave.take_one_of::<Either>(entity);
    assert!(matches!(taken, Ok(Either::Outer(_))));
    drop((taken, cave));
    settled();
}
