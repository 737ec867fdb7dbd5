//! Disjoint queries that write one component: the compile-time proof compared with all sets of
//! components, and concurrent writes within one word.

use std::marker::PhantomData;

use ecs::error::ScheduleError;
use ecs::prelude::*;
use ecs::query::{Filter, QueryData, QueryFilter, ReadData};
use ecs::schedule::Parallelism;
use ecs::{Schedule, WorldData};

#[derive(Component, Clone, PartialEq, Debug)]
struct Value(i64);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Heat(i64);
#[derive(Component, Clone)]
struct A;
#[derive(Component, Clone)]
#[component(tracked)]
struct B;
#[derive(Component, Clone)]
struct C(#[allow(dead_code, reason = "a component with a page of values")] u8);
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Seen(Vec<(Entity, i64)>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Value, Heat, A, B, C }
        resources { Seen }
    }
    schedule tick { any, none, first, second; look }
}

/// An entity for each set of `A`, `B` and `C`; `of` gives its other components.
fn subsets(game: &mut Game) -> Vec<Entity> {
    (0..8)
        .map(|set| {
            let entity = game.spawn(Value(0));
            if set & 1 != 0 {
                game.insert(entity, A).unwrap();
            }
            if set & 2 != 0 {
                game.insert(entity, B).unwrap();
            }
            if set & 4 != 0 {
                game.insert(entity, C(0)).unwrap();
            }
            entity
        })
        .collect()
}

/// Data and filter of a query.
struct Shape<D, F>(PhantomData<fn() -> (D, F)>);

trait IsShape: 'static {
    type Data: QueryData<Game> + ReadData + WorldData<Game>;
    type Filter: QueryFilter<Game> + Filter;
}

impl<D: QueryData<Game> + ReadData + WorldData<Game> + 'static, F: QueryFilter<Game> + 'static> IsShape
    for Shape<D, F>
{
    type Data = D;
    type Filter = F;
}

type Writing<'w, S> = Query<'w, (&'static mut Value, <S as IsShape>::Data), <S as IsShape>::Filter>;

/// Asserts that a system may take both queries exactly if no set of components matches both, and
/// that it runs then.
fn check<S: IsShape, T: IsShape>(apart: &mut [usize; 2]) {
    let mut game = Game::default();
    let entities = subsets(&mut game);
    let matches = |entity| {
        let one = game.query::<S::Data>().filter::<S::Filter>().contains(entity);
        one && game.query::<T::Data>().filter::<T::Filter>().contains(entity)
    };
    let truth = !entities.iter().any(|&entity| matches(entity));
    let mut schedule = Schedule::new("pair");
    let added =
        schedule.add_fn(&mut game, "both", 0, |mut one: Writing<'_, S>, mut other: Writing<'_, T>| {
            let (mut ones, mut others) = (one.iter_mut(), other.iter_mut());
            loop {
                match (ones.next(), others.next()) {
                    (None, None) => break,
                    (one, other) => {
                        one.into_iter().chain(None).for_each(|(value, _)| value.0 += 1);
                        other.into_iter().for_each(|(value, _)| value.0 += 1);
                    }
                }
            }
        });
    let names = std::any::type_name::<(S, T)>();
    assert_eq!(added.is_ok(), truth, "{names}");
    apart[usize::from(truth)] += 1;
    match added {
        Ok(()) => {
            schedule.run(&mut game).unwrap();
            assert!(game.query::<&Value>().iter().all(|value| value.0 <= 1), "{names}");
        }
        Err(error) => assert!(matches!(error, ScheduleError::Clash(_)), "{names}: {error}"),
    }
}

macro_rules! pairs {
    ($test:ident: $($data:ty, $filter:ty;)*) => {
        #[test]
        fn $test() {
            let mut apart = [0; 2];
            pairs!(@ apart [$([$data, $filter])*] [$([$data, $filter])*]);
            assert!(apart.iter().all(|&found| found > 30), "{apart:?}");
        }
    };
    (@ $apart:ident [$([$data:ty, $filter:ty])*] $others:tt) => {
        $(pairs!(# $apart [$data, $filter] $others);)*
    };
    (# $apart:ident [$data:ty, $filter:ty] [$([$others:ty, $filters:ty])*]) => {
        $(check::<Shape<$data, $filter>, Shape<$others, $filters>>(&mut $apart);)*
    };
}

pairs! { queries_are_accepted_together_exactly_where_no_entity_matches_both:
    Entity, ();
    Entity, Or<(With<A>, With<B>)>;
    &'static A, Without<B>;
    (Option<&'static A>, Is<B>), (Without<A>, Without<B>);
    (&'static A, Option<&'static B>), Or<(With<C>, Without<B>)>;
    (Entity, (&'static B, &'static C)), ();
    Option<&'static C>, Not<Or<(With<A>, And<(With<B>, With<C>)>)>>;
    &'static C, Not<And<(With<A>, With<B>)>>;
    Is<A>, Or<(And<(With<A>, Without<B>)>, And<(With<B>, Without<A>)>)>;
    Entity, Or<(And<(With<A>, With<B>)>, And<(Without<B>, Without<A>)>)>;
    ecs::Ref<'static, B>, Or<(Without<A>, Without<C>)>;
    Entity, Or<(Changed<B>, With<C>)>;
    Entity, And<(With<A>, Or<(Added<B>, With<C>)>)>;
    Entity, (Or<(With<A>, With<B>)>, Or<(With<B>, With<C>)>, Or<(With<A>, With<C>)>);
}

#[test]
fn whether_something_changed_keeps_no_entities_apart() {
    let mut game = Game::default();
    let mut schedule = Schedule::new("pair");
    let added = schedule.add_fn(
        &mut game,
        "both",
        0,
        |_: Query<&mut Value, Changed<B>>, _: Query<&mut Value, Not<Changed<B>>>| {},
    );
    assert!(matches!(added, Err(ScheduleError::Clash(_))));
}

#[system(Game)]
fn any(mut values: Query<(Entity, &mut Value), Or<(With<A>, With<B>)>>) {
    for (entity, value) in &mut values {
        value.0 = value.0.wrapping_mul(31).wrapping_add(entity.to_bits() as i64);
    }
}
#[system(Game)]
fn none(value: &mut Value, _: Without<A>, _: Without<B>) {
    value.0 = value.0.wrapping_sub(1);
}
#[system(Game)]
fn first(
    mut heats: Query<(Mut<Heat>, &Value), Or<(And<(With<A>, Without<B>)>, And<(With<B>, Without<A>)>)>>,
) {
    heats.par_for_each(|(mut heat, value)| {
        if value.0 % 3 == 0 {
            heat.0 = heat.0.wrapping_add(value.0);
        }
    });
}
#[system(Game)]
fn second(
    heats: Query<
        (Mut<Heat>, &Value, Is<A>, Is<B>),
        Not<Or<(And<(With<A>, Without<B>)>, And<(With<B>, Without<A>)>)>>,
    >,
) {
    for (mut heat, value, a, b) in heats {
        assert_eq!(*a, *b);
        if value.0 % 2 == 0 {
            heat.0 = heat.0.wrapping_sub(value.0);
        }
    }
}
#[system(Game)]
fn look(heats: Query<(Entity, &Heat), Changed<Heat>>, mut seen: ResMut<Seen>) {
    seen.0.extend(heats.iter().map(|(entity, heat)| (entity, heat.0)));
}

#[test]
fn systems_with_disjoint_ors_share_a_wave_and_words() {
    let graph = Game::default().schedule_graph().only("tick");
    let waves: Vec<_> = graph.schedules[0].nodes.iter().map(|node| (node.system, node.wave)).collect();
    // `first` and `second` read the component that `any` and `none` write
    assert_eq!(waves, [("any", 0), ("none", 0), ("first", 1), ("second", 1), ("look", 0)]);
    let mut game = Game::default();
    for turn in 0..300 {
        for entity in subsets(&mut game) {
            game.insert(entity, (Value(turn), Heat(0))).unwrap();
        }
    }
    let mut spread = game.clone();
    game.set_parallelism(Parallelism::Never);
    spread.set_parallelism(Parallelism::Always);
    for turn in 0..20 {
        // after a snapshot, both systems record written pages at the same time
        let snapshots = (turn % 5 == 0).then(|| (game.snapshot(), spread.snapshot()));
        game.tick();
        spread.tick();
        for world in [&game, &spread] {
            assert!(!world.resource::<Seen>().0.is_empty());
        }
        let states = |game: &Game| {
            let rows = game.query::<(Entity, &Value, &Heat)>();
            rows.iter().map(|(entity, value, heat)| (entity, value.0, heat.0)).collect::<Vec<_>>()
        };
        assert_eq!(states(&game), states(&spread));
        assert_eq!(game.resource::<Seen>(), spread.resource::<Seen>());
        if let Some((one, other)) = snapshots.filter(|_| turn % 10 == 0) {
            game.restore(&one);
            spread.restore(&other);
            assert_eq!(states(&game), states(&spread));
        }
    }
}
