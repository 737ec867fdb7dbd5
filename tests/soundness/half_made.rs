//! Panics between the parts of one call: in the conversion of replaced values that a bundle by hand
//! names, and in a required value while the entities of the same call hang from each other. No entity
//! stays half made, and each value is dropped once.

use ecs::__private::{AddTo, Distinct, IntoComponents, IsBundle, OneComponent};
use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};

use super::bomb::token;
use super::ground::{Ledger, Token};

#[derive(Component)]
struct Gold(#[expect(dead_code, reason = "counts drops")] Token);
#[derive(Component)]
struct Iron(#[expect(dead_code, reason = "counts drops")] Token);

world! {
    struct Vault { components { Gold, Iron } }
}

/// A bundle by hand, whose replaced values are of a type of its own.
struct Bar(Gold, Iron);

/// The replaced values of a [`Bar`], in another order. The conversion panics on request.
struct Melted(Option<Iron>, Option<Gold>);

impl From<(Option<Gold>, Option<Iron>)> for Melted {
    fn from((gold, iron): (Option<Gold>, Option<Iron>)) -> Self {
        burn("a conversion");
        Self(iron, gold)
    }
}

/// The shape of a bundle by hand.
struct ByHand;

impl IsBundle<Vault> for Bar {
    type Shape = ByHand;
}

impl IntoComponents<Vault, ByHand> for Bar {
    type BundleComponents = (OneComponent<Gold>, OneComponent<Iron>);
    type ReplacedValues = Melted;
    fn into_components(self) -> Self::BundleComponents {
        (OneComponent(self.0), OneComponent(self.1))
    }
    fn from_components((gold, iron): Self::BundleComponents) -> Self {
        Self(gold.0, iron.0)
    }
}

impl<S> AddTo<Vault, S, ByHand> for Bar {
    type Out = S;
}
impl<S> Distinct<Vault, S, ByHand> for Bar {}

#[test]
fn a_conversion_of_replaced_values_that_panics_comes_after_the_change() {
    let ledger = Ledger::new();
    let bar = || Bar(Gold(ledger.token()), Iron(ledger.token()));
    let mut vault = Vault::new();
    let (one, two) = (vault.spawn(bar()), vault.spawn(bar()));
    // without a panic: the replaced values are those of the type
    let Melted(iron, gold) = vault.insert(one, bar()).unwrap();
    assert!(iron.is_some() && gold.is_some());
    drop((iron, gold));
    assert_eq!(ledger.alive(), 4);

    assert!(blows_up(1, || vault.insert(one, bar()).map(drop)));
    assert_eq!((vault.query::<(&Gold, &Iron)>().len(), ledger.alive()), (2, 4));
    assert!(blows_up(1, || vault.move_components::<Bar>(one, two).map(drop)));
    assert_eq!((vault.has::<Gold>(one), vault.has::<Iron>(two), ledger.alive()), (false, true, 2));
    assert!(blows_up(1, || vault.remove::<Bar>(two).map(drop)));
    assert_eq!((vault.query::<&Gold>().len(), vault.contains(two), ledger.alive()), (0, true, 0));
    vault.insert(two, bar()).map(drop).unwrap();
    // the entity is despawned after the conversion
    assert!(blows_up(1, || vault.take_entity::<Bar>(two).map(drop)));
    assert_eq!((vault.has::<Gold>(two), vault.entities().len(), ledger.alive()), (false, 2, 0));
    assert!(blows_up(1, || vault.entity_mut(two).map(|mut entity| entity.remove::<Bar>()).map(drop)));
    vault.with_commands(|mut commands| commands.insert(two, bar()));
    assert_eq!((vault.query::<(&Gold, &Iron)>().len(), ledger.alive()), (1, 2));
    vault.insert_batch([(one, bar()), (two, bar())]).unwrap();
    assert_eq!((vault.query::<(&Gold, &Iron)>().len(), ledger.alive()), (2, 4));
    drop(vault);
    ledger.assert_settled();
}

#[derive(Relation)]
#[relation(exclusive, gone = cascade)]
#[component(requires(Last))]
struct Hangs {
    #[target]
    from: Entity,
    #[expect(dead_code, reason = "counts drops")]
    token: Token,
}
#[derive(Component)]
struct Last(#[expect(dead_code, reason = "counts drops")] Token);

impl Default for Last {
    fn default() -> Self {
        burn("a last value");
        Self(token())
    }
}

world! {
    #[world(journal = 1000)]
    struct Chain { components { Last, Hangs } }
}

/// A chain with a hook, and `count` entities, each of which hangs from the one that `of` says.
fn rows(ids: &[Entity], hook: Entity, of: fn(usize) -> Option<usize>) -> Vec<Hangs> {
    let from = |at| of(at).map_or(hook, |at| ids[at]);
    (0..ids.len()).map(|at| Hangs { from: from(at), token: token() }).collect()
}

/// Checks that each entity but the hook is complete; returns their number.
fn count_whole(chain: &Chain) -> usize {
    let whole = chain.query::<(&Hangs, &Last)>().len();
    assert_eq!((chain.query::<&Hangs>().len(), chain.query::<&Last>().len()), (whole, whole + 1));
    assert_eq!(chain.entities().len(), whole + 1);
    for (entity, hangs) in &chain.query::<(Entity, &Hangs)>() {
        assert!(chain.contains(hangs.from) && chain.sources::<Hangs>(hangs.from).contains(&entity));
    }
    assert_eq!(Ledger::of_thread().alive(), whole * 2 + 1);
    whole
}

/// Each entity hangs from the one before it, from the first one, or from the hook: the despawn of
/// one takes others along that the same panic despawns.
#[test]
fn entities_of_a_call_that_hang_from_each_other_are_despawned_once() {
    let shapes: [fn(usize) -> Option<usize>; 4] =
        [|at| at.checked_sub(1), |at| (at > 0).then_some(0), |at| at.checked_sub(64), |_| None];
    for count in [3, 70, 200] {
        for of in shapes {
            for at in [1, 2, 3, count - 1, count] {
                let mut chain = Chain::new();
                let hook = chain.spawn(Last(token()));
                // the ids of the next entities: a world of the same past spawns the same
                let ids: Vec<Entity> = {
                    let mut other = Chain::new();
                    let hook = other.spawn(Last(token()));
                    other.spawn_batch((0..count).map(|_| Hangs { from: hook, token: token() })).collect()
                };
                assert!(blows_up(at as u32, || chain.spawn_columns((rows(&ids, hook, of),)).len()));
                assert_eq!(count_whole(&chain), 0, "columns are spawned as a whole");
                chain.clear();

                let hook = chain.spawn(Last(token()));
                let first = chain.spawn(Hangs { from: hook, token: token() });
                let batch = (0..count).map(|_| Hangs { from: first, token: token() });
                assert!(blows_up(at as u32, || chain.spawn_batch(batch).len()));
                assert_eq!(count_whole(&chain), at, "a batch keeps its complete entities");
                chain.despawn(first).unwrap();
                assert_eq!(count_whole(&chain), 0);
                let again: Vec<Entity> = chain
                    .spawn_columns(((0..count)
                        .map(|_| Hangs { from: hook, token: token() })
                        .collect::<Vec<_>>(),))
                    .collect();
                assert!(again.iter().all(|&entity| chain.contains(entity)));
                assert_eq!(count_whole(&chain), count);
                drop(chain);
                Ledger::of_thread().assert_settled();
            }
        }
    }
}

#[derive(Component, Clone)]
#[component(removed = 300, requires(Last))]
struct Link;
#[derive(Resource, Default)]
struct Seen(Vec<Entity>);

world! {
    struct Fence { components { Link, Last } resources { Seen = Seen::default() } }
    schedule tick { see }
}

#[system(Fence)]
fn see(mut removed: Removed<Link>, mut seen: ResMut<Seen>) {
    seen.0 = removed.iter().map(|(entity, _)| entity).collect();
}

/// The order in which slots become free decides which ones are used next.
#[test]
fn incomplete_entities_of_a_batch_are_despawned_in_their_order() {
    let mut fence = Fence::new();
    fence.tick();
    assert!(blows_up(101, || fence.spawn_batch((0..300).map(|_| Link)).len()));
    fence.tick();
    let seen = &fence.resource::<Seen>().0;
    assert_eq!((fence.entities().len(), seen.len()), (100, 200));
    assert!(seen.is_sorted());
    // the panic comes from the iterator
    let links = (0..300).map(|at| {
        assert!(at < 200);
        Link
    });
    assert!(blows_up(u32::MAX, || fence.spawn_batch(links).len()));
    fence.tick();
    assert!(!fence.resource::<Seen>().0.is_empty() && fence.resource::<Seen>().0.is_sorted());
    drop(fence);
    Ledger::of_thread().assert_settled();
}
