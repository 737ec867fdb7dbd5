//! Relations with wrong targets, with panics, and with rules of another world.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use ecs::__private::ComponentOf;
use ecs::__private::{Immutable, Kind, RelationRule};
use ecs::component::ComponentSet;
use ecs::prelude::*;
use ecs::relation::{ExclusiveRelation, Gone};
use ecs::{ChildOf, RelatedTo, Sources, Target, TargetOf, Up};
use ecs_tests::fuse::{blows_up, burn};

use super::ground::{Ledger, Token};

/// A relation with another target at every call.
static QUESTIONS: AtomicU32 = AtomicU32::new(0);

/// Any id: of a live entity, of a despawned one, or of none.
fn anybody() -> Entity {
    let n = QUESTIONS.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9) >> 7;
    let slot = if n.is_multiple_of(50) { u32::MAX - n % 3 } else { n % 90 };
    let generation = u64::from(Court::new().spawn(()).generation().get()) + u64::from(n % 2);
    Entity::from_bits(generation << 32 | u64::from(slot)).unwrap()
}

macro_rules! many_liars {
    ($($name:ident, $gone:ident, $symmetric:literal;)*) => {$(
        struct $name(Token);

        impl Relation for $name {
            const RELATION_NAME: &'static str = stringify!($name);
            const RELATION_GONE: Gone = Gone::$gone;
            const RELATION_SYMMETRIC: bool = $symmetric;
            type Stored = Many<Self>;
            type Kind = Kind<Immutable, false, RelationRule<Many<Self>>>;
            fn target(&self) -> Entity {
                anybody()
            }
            fn with_target(&self, _: Entity) -> Option<Self> {
                Some(Self(self.0.clone()))
            }
        }
    )*};
}

macro_rules! exclusive_liars {
    ($($name:ident, $gone:ident, $symmetric:literal, $acyclic:literal;)*) => {$(
        struct $name(Token);

        impl Relation for $name {
            const RELATION_NAME: &'static str = stringify!($name);
            const RELATION_GONE: Gone = Gone::$gone;
            const RELATION_SYMMETRIC: bool = $symmetric;
            const RELATION_ACYCLIC: bool = $acyclic;
            type Stored = Self;
            type Kind = Kind<Immutable, false, RelationRule<Self>>;
            fn target(&self) -> Entity {
                anybody()
            }
            fn with_target(&self, _: Entity) -> Option<Self> {
                (!QUESTIONS.fetch_add(1, Ordering::Relaxed).is_multiple_of(5)).then(|| Self(self.0.clone()))
            }
        }

        impl ecs::__private::IsComponent for $name {
            type Kind = <Self as Relation>::Kind;
        }
        impl Component for $name {
            const COMPONENT_NAME: &'static str = stringify!($name);
        }
        impl<W: World> ComponentOf<W> for $name {
            type Kind = <Self as Relation>::Kind;
            const DIRECT: ComponentSet = ComponentSet::EMPTY;
        }
    )*};
}

many_liars! {
    ManyRemove, Remove, false;
    ManyKeep, Keep, false;
    ManyCascade, Cascade, true;
    ManySymmetric, Remove, true;
}

exclusive_liars! {
    OneRemove, Remove, false, false;
    OneKeep, Keep, true, false;
    OneCascade, Cascade, false, true;
    OneSymmetric, Remove, true, false;
}

world! {
    struct Court {
        components {
            many_remove: Many<ManyRemove>, many_keep: Many<ManyKeep>, many_cascade: Many<ManyCascade>,
            many_symmetric: Many<ManySymmetric>, OneRemove, OneKeep, OneCascade, OneSymmetric,
        }
    }
}

fn lie<R: Relation>(court: &mut Court, ledger: &Ledger, new: fn(Token) -> R)
where
    Court: ecs::HasRelation<R>,
{
    let ids: Vec<Entity> = (0..80).map(|_| court.spawn(())).collect();
    for round in 0..400_usize {
        let [a, b] = [ids[round % 80], ids[round * 7 % 80]];
        match round % 9 {
            0..=4 => drop(court.relate(a, new(ledger.token()))),
            5 => drop(court.relate_at(a, new(ledger.token()), round % 3)),
            6 => drop(court.unrelate::<R>(a, b)),
            7 => drop(court.remove_one::<R::Stored>(b)),
            _ => _ = court.despawn(b),
        }
        let listed: usize = court.query::<Sources<R>>().iter().map(|sources| sources.len()).sum();
        let targets = court.entities().filter::<TargetOf<R>>().iter().count();
        assert!(listed >= targets || targets <= 80);
        assert!(court.related::<R>().dangling().count() <= ledger.alive());
    }
}

/// Reads a value of the entity to which a relation leads, which is another one at each question: an
/// item panics if there is none any more.
fn follow<R: ExclusiveRelation + Relation>(court: &Court)
where
    Court: ecs::HasRelation<R>,
{
    let mut read = 0;
    for _ in 0..200 {
        let one = || {
            let all = court.query::<Target<R, (Entity, &OneRemove)>>();
            all.iter()
                .filter(|item| item.0 == item.entity())
                .map(|item| item.1.0.clone())
                .collect::<Vec<_>>()
                .len()
        };
        let far = || {
            let all = court.query::<Option<Up<R, &OneRemove>>>();
            all.iter().flatten().map(|item| item.0.clone()).collect::<Vec<_>>().len()
        };
        let sources = || {
            let all = court.query::<Sources<R, &OneRemove>>();
            all.iter()
                .flat_map(|sources| sources.values())
                .map(|value| value.0.clone())
                .collect::<Vec<_>>()
                .len()
        };
        let filtered = || court.entities().filter::<RelatedTo<R, With<OneRemove>>>().iter().count();
        let all: [&dyn Fn() -> usize; 4] = [&one, &far, &sources, &filtered];
        read += all.iter().filter_map(|f| catch_unwind(AssertUnwindSafe(f)).ok()).sum::<usize>();
    }
    assert!(read > 0, "nothing was read");
}

#[test]
fn relations_that_lie_about_their_targets_only_confuse_themselves() {
    let (ledger, mut court) = (Ledger::new(), Court::new());
    lie(&mut court, &ledger, ManyRemove);
    lie(&mut court, &ledger, ManyKeep);
    lie(&mut court, &ledger, ManyCascade);
    lie(&mut court, &ledger, ManySymmetric);
    lie(&mut court, &ledger, OneRemove);
    lie(&mut court, &ledger, OneKeep);
    lie(&mut court, &ledger, OneCascade);
    lie(&mut court, &ledger, OneSymmetric);
    for entity in court.entities().iter().collect::<Vec<_>>() {
        _ = court.insert(entity, (OneRemove(ledger.token()), OneKeep(ledger.token())));
    }
    follow::<OneRemove>(&court);
    follow::<OneKeep>(&court);
    follow::<OneCascade>(&court);
    follow::<OneSymmetric>(&court);
    let tree = court.related::<OneCascade>();
    for entity in &court.entities() {
        let ends = tree.ancestors(entity).count() + tree.descendants(entity).count();
        assert!(ends <= 2 * court.stats().entities.max(1) * 64 + tree.descendants_bottom_up(entity).count());
    }
    assert!(tree.roots().count() <= court.entities().len());
    court.clear();
    assert_eq!(ledger.alive(), 0);
    drop(court);
    ledger.assert_settled();
}

/// A relation that burns the fuse in `Clone` and `Drop`.
macro_rules! mines {
    ($($name:ident [$($option:tt)*];)*) => {$(
        #[derive(Relation)]
        #[relation($($option)*)]
        #[component(removed)]
        struct $name { #[target] to: Entity, token: Token }
        impl Clone for $name {
            fn clone(&self) -> Self {
                burn("a clone");
                Self { to: self.to, token: self.token.clone() }
            }
        }
        impl Drop for $name {
            fn drop(&mut self) {
                burn("a drop");
            }
        }
    )*};
}

mines! {
    Tree [exclusive, acyclic, gone = cascade];
    Guards [exclusive, gone = remove];
    Pair [exclusive, symmetric];
    Owes [many, gone = remove];
    Knows [many, symmetric];
}

world! {
    #[derive(Clone)]
    struct Mined {
        components { Tree, Guards, Pair, owes: Many<Owes>, knows: Many<Knows> }
    }
}

/// Ten entities, each with every kind of relation to others.
fn mined(ledger: &Ledger) -> (Mined, Vec<Entity>) {
    let mut game = Mined::new();
    let ids: Vec<Entity> = (0..10).map(|_| game.spawn(())).collect();
    let token = || ledger.token();
    for n in 1..10 {
        let (source, to) = (ids[n], ids[n / 2]);
        game.relate(source, Tree { to, token: token() }).unwrap();
        game.relate(source, Guards { to, token: token() }).unwrap();
        game.relate(source, Pair { to: ids[(n * 3) % 10], token: token() }).ok();
        for other in [1, 2, 5] {
            let to = ids[(n + other) % 10];
            game.relate(source, Owes { to, token: token() }).unwrap();
            game.relate(source, Knows { to, token: token() }).unwrap();
        }
    }
    (game, ids)
}

/// Asserts that both ends of the remaining relations agree.
fn agrees<R: Relation>(game: &Mined)
where
    Mined: ecs::HasRelation<R>,
{
    for entity in &game.entities() {
        for edge in game.relations::<R>(entity) {
            assert!(!game.contains(edge.target()) || game.sources::<R>(edge.target()).contains(&entity));
        }
        for &source in game.sources::<R>(entity) {
            assert!(
                game.related::<R>().relation(source, entity).is_some(),
                "{} of {source} to {entity}",
                R::RELATION_NAME
            );
        }
    }
}

fn agree(game: &Mined) {
    agrees::<Tree>(game);
    agrees::<Guards>(game);
    agrees::<Pair>(game);
    agrees::<Owes>(game);
    agrees::<Knows>(game);
}

#[test]
fn both_ends_agree_wherever_a_drop_panics_when_entities_die() {
    for victim in 0..10 {
        for at in [1, 2, 3, 5, 8, 13, 21] {
            let ledger = Ledger::new();
            let (mut game, ids) = mined(&ledger);
            let blown = blows_up(at, || game.despawn(ids[victim]));
            assert!(blown || at > 3 || !game.contains(ids[victim]));
            assert!(!game.contains(ids[victim]));
            agree(&game);
            assert!(game.related::<Tree>().dangling().next().is_none(), "who was to die has died");
            assert!(game.related::<Guards>().dangling().next().is_none());
            assert!(game.related::<Owes>().dangling().next().is_none());
            drop(game);
            ledger.assert_settled();
        }
    }
}

#[test]
fn both_ends_agree_if_a_clone_or_a_drop_panics_in_relate() {
    for at in 1..8 {
        let ledger = Ledger::new();
        let (mut game, ids) = mined(&ledger);
        for n in 0..10 {
            let (source, to) = (ids[n], ids[(n + 4) % 10]);
            blows_up(at, || drop(game.relate(source, Pair { to, token: ledger.token() })));
            agree(&game);
            blows_up(at, || drop(game.relate(source, Knows { to, token: ledger.token() })));
            agree(&game);
            blows_up(at, || drop(game.insert(source, Many::one(Owes { to, token: ledger.token() }))));
            agree(&game);
            blows_up(at, || drop(game.unrelate::<Knows>(source, to)));
            agree(&game);
            blows_up(at, || drop(game.remove::<(Pair, Guards)>(source)));
            agree(&game);
            blows_up(at, || drop(game.insert(source, Guards { to, token: ledger.token() })));
            agree(&game);
        }
        blows_up(at, || drop(game.clone()));
        agree(&game);
        blows_up(at, || game.clear());
        assert!(game.entities().is_empty());
        drop(game);
        ledger.assert_settled();
    }
}

/// A method's result is dropped if another drop panics first: that of a replaced edge, or of the
/// edge at the other end.
#[test]
fn edges_that_are_replaced_are_dropped_wherever_a_drop_panics() {
    let pairs = [(0, 1), (1, 0), (0, 2), (3, 1), (2, 3)];
    let mut blown = 0;
    for at in 1..12 {
        let ledger = Ledger::new();
        let mut game = Mined::new();
        let ids: Vec<Entity> = (0..4).map(|_| game.spawn(())).collect();
        let token = || ledger.token();
        for (source, to) in pairs.into_iter().flat_map(|pair| [pair, pair]) {
            let (source, to) = (ids[source], ids[to]);
            // a `Drop` that panics while the method holds its result
            blown += u32::from(blows_up(at, || drop(game.relate(source, Knows { to, token: token() }))));
            agree(&game);
            blown += u32::from(blows_up(at, || drop(game.relate(source, Pair { to, token: token() }))));
            agree(&game);
            blown += u32::from(blows_up(at, || drop(game.relate(source, Owes { to, token: token() }))));
            agree(&game);
            blown += u32::from(blows_up(at, || drop(game.insert(source, Pair { to, token: token() }))));
            agree(&game);
            blown += u32::from(blows_up(at, || {
                let knows = [Knows { to, token: token() }, Knows { to: ids[3], token: token() }];
                drop(game.insert(source, knows.into_iter().collect::<Many<Knows>>()))
            }));
            agree(&game);
        }
        for (source, to) in pairs {
            blown += u32::from(blows_up(at, || drop(game.unrelate::<Knows>(ids[source], ids[to]))));
            agree(&game);
            blown += u32::from(blows_up(at, || drop(game.unrelate::<Pair>(ids[source], ids[to]))));
            agree(&game);
            blown += u32::from(blows_up(at, || drop(game.remove::<(Owes2, Knows2)>(ids[source]))));
            agree(&game);
        }
        drop(game);
        ledger.assert_settled();
    }
    assert!(blown > 50, "{blown}");
}

type Owes2 = Many<Owes>;
type Knows2 = Many<Knows>;

/// A world with accessible fields.
mod inside {
    use super::*;

    #[derive(Relation, Clone)]
    #[relation(exclusive, symmetric)]
    struct Pair(Entity);

    world! {
        #[derive(Clone)]
        struct Here { components { child_of: ChildOf, pair: Pair, owes: Many<Hears> } }
    }

    #[derive(Relation, Clone)]
    #[relation(many, gone = cascade)]
    struct Hears(Entity);

    fn here(count: usize) -> (Here, Vec<Entity>) {
        let mut world = Here::new();
        let ids: Vec<Entity> = (0..count).map(|_| world.spawn(())).collect();
        for n in 1..count {
            world.insert(ids[n], ChildOf(ids[n - 1])).unwrap();
            world.insert(ids[n], Pair(ids[count - 1 - n])).ok();
            world.relate(ids[n], Hears(ids[n / 3])).unwrap();
        }
        (world, ids)
    }

    #[test]
    fn columns_of_another_world_only_confuse() {
        let ((mut one, ids), (mut two, others)) = (here(300), here(70));
        std::mem::swap(&mut one.child_of, &mut two.child_of);
        std::mem::swap(&mut one.pair, &mut two.pair);
        two.owes = std::mem::take(&mut one.owes);
        for (world, ids) in [(&mut one, ids), (&mut two, others)] {
            for (n, &entity) in ids.iter().enumerate() {
                let _ = world.insert(entity, ChildOf(ids[(n * 7) % ids.len()]));
                let _ = world.relate(entity, Pair(ids[(n * 3) % ids.len()]));
                let _ = world.relate(entity, Hears(ids[(n * 5) % ids.len()]));
                let tree = world.related::<ChildOf>();
                let walked = tree.ancestors(entity).count() + tree.descendants(entity).count();
                assert!(walked <= 2 * 64 * 64 && tree.roots().count() <= ids.len());
                assert!(
                    world.query::<Sources<Pair>>().iter().map(|sources| sources.len()).sum::<usize>() <= 600
                );
                if n.is_multiple_of(4) {
                    let _ = world.despawn(entity);
                }
            }
            let mut copy = world.clone();
            copy.clear();
            assert!(copy.entities().is_empty());
        }
    }
}
