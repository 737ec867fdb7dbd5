//! Structs, tuples and sets of parameters: exchanged, leaked, dropped, and put together so that
//! they would clash.

use std::mem;

use ecs::prelude::*;
use ecs::query::{Filter, QueryFilter};
use ecs::system::QuerySet;
use ecs::{Schedule, SystemParam};
use ecs_tests::{Ledger, Token};

#[derive(Component)]
struct Held(Token, u64);
#[derive(Component)]
struct Marked;
#[derive(Resource)]
struct Mint(Ledger);
#[derive(Resource, Default)]
struct Count(u64);

world! {
    struct Game {
        components { Held, Marked }
        resources { Mint, Count = Count::default() }
    }
    schedule tick { exchange, both; leak }
    schedule alone { single }
}

type Set<'w> = ParamSet<
    'w,
    (Query<'static, &'static mut Held>, Query<'static, (Entity, &'static mut Held), With<Marked>>),
>;

/// Two sets in one struct would clash: their queries are in one set.
#[derive(SystemParam)]
struct Parts<'w> {
    set: Set<'w>,
    mint: Res<'w, Mint>,
    kept: Local<'w, Vec<u64>>,
}

impl Drop for Parts<'_> {
    fn drop(&mut self) {
        self.kept.push(self.set.p0().len() as u64);
    }
}

#[system(Game)]
fn exchange(mut parts: Parts) {
    let mint = parts.mint.0.clone();
    let mut many = Vec::new();
    for held in parts.set.p0() {
        many.push(mem::replace(&mut held.0, mint.token()));
    }
    for (_, held) in parts.set.p1() {
        held.1 += 1;
        many.push(mem::replace(&mut held.0, mint.token()));
    }
}

/// The values of a nested tuple and of a struct beside it.
#[system(Game)]
fn both((mut count, (marked,)): (ResMut<Count>, (Query<Entity, With<Marked>>,)), mint: Res<Mint>) {
    count.0 += marked.len() as u64 + u64::from(mint.0.alive() > 0);
}

#[system(Game)]
fn leak(parts: Parts) {
    mem::forget(parts);
}

#[system(Game)]
fn single(entity: Entity, _: With<Marked>, mut only: Option<Single<&mut Held, Without<Marked>>>) {
    let Some(only) = &mut only else { return };
    let mut lent = only.reborrow();
    lent.1 += u64::from(entity.slot());
    let again = lent.get_mut();
    again.1 = 5;
    only.1 += 1;
}

fn game() -> (Game, Ledger) {
    let ledger = Ledger::new();
    let mut game = Game::new(Mint(ledger.clone()));
    game.spawn_batch((0..200).map(|n| Held(ledger.token(), n)));
    game.spawn_batch((0..70).map(|n| (Held(ledger.token(), n), Marked)));
    (game, ledger)
}

#[test]
fn structs_of_parameters_are_dropped_and_leaked_without_harm() {
    let (mut game, ledger) = game();
    for _ in 0..4 {
        game.tick();
    }
    assert_eq!((ledger.alive(), game.resource::<Count>().0), (270, 4 * 71));
    assert!(game.query::<&Held>().filter::<With<Marked>>().iter().zip(4..).all(|(held, n)| held.1 == n));
    drop(game);
    ledger.assert_settled();
}

#[test]
fn sets_of_two_worlds_may_change_places() {
    let (mut one, first) = game();
    let (mut two, second) = game();
    two.spawn((Held(second.token(), 7), Marked));
    {
        let (mut a, mut b): (Set<'_>, Set<'_>) = (ParamSet::of(&mut one), ParamSet::of(&mut two));
        mem::swap(&mut a, &mut b);
        assert_eq!((a.p1().len(), b.p1().len()), (71, 70));
        a.p0().for_each(|held| held.1 += 1);
        let mut lent = a.p1();
        let entity = lent.iter().next().unwrap().0;
        assert!(lent.get_mut(entity).is_some() && b.p1().get_mut(entity).is_some());
    }
    drop((one, two));
    first.assert_settled();
    second.assert_settled();
}

#[test]
fn a_single_entity_is_lent_anew_for_each_entity() {
    let (mut game, ledger) = game();
    game.alone();
    assert!(
        game.query::<&Held>().filter::<Without<Marked>>().iter().map(|held| held.1).eq(0..200),
        "there are many"
    );
    let many: Vec<Entity> = game.query::<Entity>().filter::<(With<Held>, Without<Marked>)>().iter().collect();
    many[1..].iter().for_each(|&entity| game.despawn(entity).unwrap());
    game.alone();
    assert_eq!(game.query::<&Held>().filter::<Without<Marked>>().single().unwrap().1, 6);
    drop(game);
    ledger.assert_settled();
}

/// A struct whose fields clash, as a library may export it: each field alone is right.
#[derive(SystemParam)]
struct Clash<'w> {
    one: Query<'w, &'static mut Held>,
    other: Query<'w, &'static mut Held, With<Marked>>,
}

#[derive(SystemParam)]
struct Generic<'w, F: QueryFilter<Game> + Filter + 'static> {
    one: Query<'w, &'static mut Held, F>,
    nested: (Query<'w, &'static mut Held, With<Marked>>, Local<'w, u8>),
}

#[system(Game)]
fn generic<F: QueryFilter<Game> + Filter + 'static>(param: Generic<'_, F>) -> usize {
    param.one.len() + param.nested.0.len()
}

#[test]
fn parameters_that_clash_never_run() {
    let (mut game, ledger) = game();
    let mut schedule = Schedule::<Game>::new("late");
    let closure = |mut clash: Clash| {
        for (one, other) in clash.one.iter_mut().zip(clash.other.iter_mut()) {
            mem::swap(one, other);
        }
    };
    let error = schedule.add_fn(&mut game, "clash", 0, closure).unwrap_err().to_string();
    assert!(error.contains("`1st.one` and `1st.other` both access component `Held`"), "{error}");
    let nested = |_: (Query<&Marked>, (Local<u8>, Clash))| ();
    let error = schedule.add_fn(&mut game, "nested", 0, nested).unwrap_err().to_string();
    assert!(error.contains("`1st.1.1.one` and `1st.1.1.other`"), "{error}");
    let beside = |_: Set<'_>, _: Query<&Held>| ();
    let error = schedule.add_fn(&mut game, "beside", 0, beside).unwrap_err().to_string();
    assert!(error.contains("`1st.p0` and `2nd` both access component `Held`"), "{error}");
    let twice = |_: Set<'_>, _: Set<'_>| ();
    assert!(schedule.add_fn(&mut game, "twice", 0, twice).is_err());
    assert!(schedule.is_empty());
    // `generic::<()>` would not compile, since its fields clash for this type
    assert_eq!(game.run::<generic<Without<Marked>>>(), 270);
    drop((schedule, game));
    ledger.assert_settled();
}

/// A type that calls itself a set of queries.
struct Forged;
impl QuerySet for Forged {
    type Queries<'w> = (&'w mut u8, &'w mut u8);
}
static_assertions::assert_not_impl_any!(ParamSet<'static, Forged>: SystemParam<Game>);
