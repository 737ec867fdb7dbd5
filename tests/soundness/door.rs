//! Wrong manual impls of safe traits.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::__private::{ComponentOf, Kind, Value};
use ecs::component::ComponentSet;
use ecs::prelude::*;
use ecs::{Has, World};

use super::ground::{Ledger, Left, One, Right, Token};

#[derive(Component, Clone)]
struct Plain(#[allow(dead_code)] Token);

/// A manual impl of the derive's traits, with false claims.
struct Claimed(#[allow(dead_code)] Token);

impl ecs::__private::IsComponent for Claimed {
    type Kind = Kind<Value, false>;
}
impl Component for Claimed {
    const COMPONENT_NAME: &'static str = "Plain";
}

impl<W: World + Has<Plain>> ComponentOf<W> for Claimed {
    type Kind = Kind<Value, false>;
    /// A bundle that promises a component and never returns it.
    const DIRECT: ComponentSet = ComponentSet::EMPTY.with(<W as Has<Plain>>::INDEX);
    /// A bundle that returns nothing, though it promises a component.
    fn fill(_: &mut ecs::__private::RequiredInserter<'_, W>) {}
}

world! {
    struct House { components { Plain, Claimed } }
}

/// A bundle with one component twice.
struct Twice<T>(T, T);

/// The shape of bundles by hand.
struct ByHand;

impl<W: World, T> ecs::__private::IsBundle<W> for Twice<T> {
    type Shape = ByHand;
}

impl<W: World + Has<T>, T: 'static> ecs::__private::IntoComponents<W, ByHand> for Twice<T> {
    type BundleComponents = (ecs::__private::OneComponent<T>, ecs::__private::OneComponent<T>);
    type ReplacedValues = (Option<T>, Option<T>);
    fn into_components(self) -> Self::BundleComponents {
        (ecs::__private::OneComponent(self.0), ecs::__private::OneComponent(self.1))
    }
    fn from_components((one, two): Self::BundleComponents) -> Self {
        Self(one.0, two.0)
    }
}

impl<W: World + Has<T>, S, T: 'static> ecs::__private::AddTo<W, S, ByHand> for Twice<T> {
    type Out = S;
}
impl<W: World + Has<T>, S, T: 'static> ecs::__private::Distinct<W, S, ByHand> for Twice<T> {}

#[test]
fn a_requirement_that_is_promised_and_not_kept_is_harmless() {
    let ledger = Ledger::new();
    let mut house = House::new();
    let ids: Vec<Entity> = house.spawn_batch((0..100).map(|_| Claimed(ledger.token()))).collect();
    house.spawn(Claimed(ledger.token()));
    assert_eq!((house.query::<&Claimed>().len(), house.query::<&Plain>().len()), (101, 0));
    for id in ids {
        house.insert(id, Plain(ledger.token())).unwrap();
        house.despawn(id).unwrap();
    }
    drop(house);
    ledger.assert_settled();
}

#[test]
fn a_wrong_bundle_drops_nothing_twice() {
    let ledger = Ledger::new();
    let mut house = House::new();
    let twice = || Twice(Plain(ledger.token()), Plain(ledger.token()));
    let one = house.spawn(twice());
    let replaced = house.insert(one, twice()).unwrap();
    drop(replaced);
    let ids: Vec<Entity> = house.spawn_batch((0..100).map(|_| twice())).collect();
    assert_eq!(house.query::<&Plain>().iter().count(), 101);
    drop(house.remove::<Twice<Plain>>(ids[0]));
    let _ = ecs_tests::fuse::blows_up(u32::MAX, || house.try_remove::<Twice<Plain>>(ids[1]).map(drop));
    house.clear();
    drop(house);
    ledger.alive(); // the overwritten value is leaked; nothing is dropped twice
}

#[derive(Component)]
#[component(storage = "packed")]
struct Scarce(#[allow(dead_code)] Token, [u64; 2]);

#[derive(Component)]
struct Common;

world! {
    struct Yard { components { Scarce, Common } }
}

/// In a packed column, a second reservation of the same slots may free the places of the first.
#[test]
fn a_component_twice_in_a_batch_is_not_written_to_freed_places() {
    let ledger = Ledger::new();
    let scarce = |n| Scarce(ledger.token(), [n; 2]);
    let mut yard = Yard::new();
    yard.spawn_batch((0..6 * 2048).map(|n| (scarce(n), Common)).collect::<Vec<_>>());
    let filler: Vec<Entity> = yard.spawn_batch((0..1024).map(|_| Common).collect::<Vec<_>>()).collect();
    let scattered: Vec<Entity> = yard.spawn_batch((0..1024).map(scarce).collect::<Vec<_>>()).collect();
    yard.spawn_batch((0..7 * 2048).map(|n| (scarce(n), Common)).collect::<Vec<_>>());
    for entity in scattered {
        drop(yard.remove::<Scarce>(entity).unwrap());
    }
    for entity in filler {
        yard.despawn(entity).unwrap();
    }
    let before = yard.query::<&Scarce>().len();
    let bundles: Vec<_> = (0..768).map(|n| Twice(scarce(n), scarce(n))).collect();
    assert_eq!(yard.spawn_batch(bundles).len(), 768);
    let twice = |n| Twice(scarce(n), scarce(n));
    yard.spawn_batch((0..768).map(twice).inspect(|_| ()));
    // an iterator that goes on after its end is not asked again, so that no bundle gets to a faster
    // way
    let mut asked = 0;
    let unfused = std::iter::from_fn(|| {
        asked += 1;
        (asked != 769).then(|| twice(asked))
    });
    assert_eq!(yard.spawn_batch(unfused.take(2000)).len(), 768);
    let query = yard.query::<&Scarce>();
    assert_eq!(query.len(), before + 3 * 768);
    assert!(query.iter().all(|scarce| scarce.1[0] == scarce.1[1]));
    drop(yard);
    ledger.alive(); // the overwritten values are leaked; nothing is dropped twice
}

/// A bundle that panics before it gives its component, if its number is that of the second field.
struct Fragile(Plain, usize, usize);

impl ecs::__private::IsBundle<House> for Fragile {
    type Shape = ByHand;
}

impl ecs::__private::IntoComponents<House, ByHand> for Fragile {
    type BundleComponents = ecs::__private::OneComponent<Plain>;
    type ReplacedValues = Option<Plain>;
    fn into_components(self) -> Self::BundleComponents {
        assert_ne!(self.1, self.2, "fragile");
        ecs::__private::OneComponent(self.0)
    }
    fn from_components(one: Self::BundleComponents) -> Self {
        Self(one.0, 0, 0)
    }
}

impl<S> ecs::__private::AddTo<House, S, ByHand> for Fragile {
    type Out = S;
}
impl<S> ecs::__private::Distinct<House, S, ByHand> for Fragile {}

#[test]
fn a_bundle_that_panics_within_a_batch_is_dropped_once() {
    for (count, fails) in [(100, 0), (100, 1), (100, 99), (9000, 4095), (9000, 4096), (9000, 4097)] {
        for from_vec in [true, false] {
            let ledger = Ledger::new();
            let mut house = House::new();
            let bundles: Vec<Fragile> =
                (0..count).map(|n| Fragile(Plain(ledger.token()), n, fails)).collect();
            let spawn = AssertUnwindSafe(|| match from_vec {
                true => house.spawn_batch(bundles).len(),
                false => house.spawn_batch(bundles.into_iter().inspect(|_| ())).len(),
            });
            assert!(catch_unwind(spawn).is_err());
            assert_eq!((house.query::<&Plain>().len(), house.entities().len()), (fails, fails));
            assert_eq!(ledger.alive(), fails);
            house.spawn_batch((0..10_000).map(|_| Plain(ledger.token())));
            drop(house);
            ledger.assert_settled();
        }
    }
}

/// A hand-written copy of a world is another world, and no snapshot.
mod another {
    use super::*;

    world! {
        struct Odd { components { left: Plain, Tag } }
    }

    #[derive(Component, Clone)]
    struct Tag;

    impl Clone for Odd {
        fn clone(&self) -> Self {
            Odd::new()
        }
    }

    impl ecs::world::SnapshotWorld for Odd {
        fn __freeze(&mut self) -> Self {
            std::mem::take(self)
        }
    }

    #[test]
    fn a_snapshot_that_is_a_world_is_read_without_harm() {
        let ledger = Ledger::new();
        let mut odd = Odd::new();
        let ids: Vec<Entity> = (0..5000).map(|_| odd.spawn((Plain(ledger.token()), Tag))).collect();
        let snapshot: Snapshot<Odd> = odd.snapshot();
        assert_eq!((odd.entities().len(), ledger.alive()), (0, 5000));
        for id in ids {
            let found = (snapshot.contains(id), snapshot.get::<Plain>(id).is_some(), snapshot.has::<Tag>(id));
            assert!(found.0 || !(found.1 || found.2));
        }
        let count = snapshot.entities().count();
        assert!(snapshot.iter::<Plain>().count() <= count && snapshot.iter::<Tag>().count() <= count);
        odd.restore(&snapshot);
        assert_eq!(odd.entities().len(), 0);
        drop((odd, snapshot));
        ledger.assert_settled();
    }
}

#[test]
fn components_that_are_put_by_hand_on_dead_entities_are_harmless() {
    use ecs::__private::{BundleComponents, OneComponent, clone_component};

    let ledger = Ledger::new();
    let mut world = One::new();
    let dead = world.spawn(Left(ledger.token()));
    world.despawn(dead).unwrap();
    let nobody = Entity::from_bits((1 << 32) | 70_000).unwrap();
    for entity in [dead, nobody] {
        let put = |world: &mut One| BundleComponents::put(OneComponent(Left(ledger.token())), world, entity);
        assert!(put(&mut world).is_none());
        assert!(put(&mut world).is_some(), "the first value is there, and dropped once");
        BundleComponents::put_new(OneComponent(Right(ledger.token())), &mut world, entity);
        clone_component::<One, Left>(&mut world, entity, dead, &ecs::__private::CloneMap::default());
        let found = world.query::<(Entity, &Left)>().iter().count();
        assert!(found <= 2, "{found} rows");
    }
    let heirs: Vec<Entity> = world.spawn_batch((0..200).map(|_| Left(ledger.token()))).collect();
    heirs.iter().for_each(|&heir| assert!(world.has::<Left>(heir)));
    world.clear();
    drop(world);
    ledger.alive(); // values that were overwritten are leaked; nothing is dropped twice
}
