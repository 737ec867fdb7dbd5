//! Random operations on a world with components that disable entities and components: the queries
//! of all kinds agree with a plain map.

use std::collections::BTreeMap;

use ecs::component::Disabled;
use ecs::prelude::*;
use ecs::query::{AllowDisabled, QueryFilter, SnapshotFilter};
use ecs_tests::random::random_cases;
use proptest::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Place(u32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Speed(u32);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(disables(Speed))]
struct Stunned(u8);

world! {
    #[derive(Clone)]
    struct Game { components { Speed, Stunned, Disabled, Place } }
    schedule tick { drive; rest, all; par_drive }
}

#[system(Game)]
fn drive(place: &mut Place, speed: Ref<Speed>) {
    place.0 = place.0.wrapping_add(speed.0);
}
#[system(Game)]
fn rest(mut resting: Query<&mut Place, Without<Speed>>) {
    resting.for_each(|place| place.0 = place.0.wrapping_add(100));
}
#[system(Game)]
fn all(mut all: Query<Mut<Speed>, (With<Stunned>, AllowDisabled)>) {
    all.for_each(|mut speed| speed.0 = speed.0.wrapping_add(1));
}
#[system(Game, par)]
fn par_drive(place: &mut Place, _: With<Speed>) {
    place.0 = place.0.wrapping_mul(3);
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Row {
    place: u32,
    speed: Option<u32>,
    disabled: bool,
    stunned: bool,
}

type Plain = BTreeMap<Entity, Row>;

fn tick(plain: &mut Plain) {
    for row in plain.values_mut() {
        let moves = row.speed.filter(|_| !row.disabled && !row.stunned);
        if let Some(speed) = moves {
            row.place = row.place.wrapping_add(speed);
        } else if row.speed.is_none() && !row.disabled {
            row.place = row.place.wrapping_add(100);
        }
        if let Some(speed) = row.speed.as_mut().filter(|_| row.stunned) {
            *speed = speed.wrapping_add(1);
        }
        if moves.is_some() {
            row.place = row.place.wrapping_mul(3);
        }
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Spawn(u32, Option<u32>, bool, bool),
    SpawnMany(u8, bool),
    Disable(usize, bool),
    Stun(usize, bool),
    Commands(usize, bool, bool),
    View(usize, bool),
    Speed(usize, Option<u32>),
    Despawn(usize),
    Retain(u32),
    Tick,
    Clone,
    Restore,
    Clear,
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    prop_oneof![
        4 => (any::<u32>(), proptest::option::of(any::<u32>()), any::<bool>(), any::<bool>())
            .prop_map(|(place, speed, disabled, stunned)| Spawn(place, speed, disabled, stunned)),
        2 => (any::<u8>(), any::<bool>()).prop_map(|(number, disabled)| SpawnMany(number, disabled)),
        4 => (any::<usize>(), any::<bool>()).prop_map(|(at, on)| Disable(at, on)),
        4 => (any::<usize>(), any::<bool>()).prop_map(|(at, on)| Stun(at, on)),
        2 => (any::<usize>(), any::<bool>(), any::<bool>()).prop_map(|(at, one, two)| Commands(at, one, two)),
        2 => (any::<usize>(), any::<bool>()).prop_map(|(at, on)| View(at, on)),
        3 => (any::<usize>(), proptest::option::of(any::<u32>())).prop_map(|(at, speed)| Speed(at, speed)),
        2 => any::<usize>().prop_map(Despawn),
        1 => (1..5u32).prop_map(Retain),
        3 => Just(Tick),
        1 => Just(Clone),
        1 => Just(Restore),
        1 => Just(Clear),
    ]
}

fn set<T>(game: &mut Game, entity: Entity, value: T, on: bool)
where
    Game: Has<T>,
    T: Component + PartialEq + Bundle<Game>,
{
    if on {
        game.insert(entity, value).unwrap();
    } else {
        game.remove::<T>(entity).unwrap();
    }
}

fn apply(game: &mut Game, plain: &mut Plain, operation: &Operation) {
    use Operation::*;
    let pick = |at: usize| plain.keys().nth(at % plain.len().max(1)).copied();
    match *operation {
        Spawn(place, speed, disabled, stunned) => {
            let entity = game.spawn(Place(place));
            speed.into_iter().for_each(|speed| game.insert(entity, self::Speed(speed)).map(drop).unwrap());
            set(game, entity, Disabled, disabled);
            set(game, entity, Stunned(1), stunned);
            plain.insert(entity, Row { place, speed, disabled, stunned });
        }
        SpawnMany(number, true) => {
            let values = (0..u32::from(number)).map(|i| (Place(i), Disabled));
            let new: Vec<Entity> = game.spawn_batch(values).collect();
            let row = |i| Row { place: i, disabled: true, ..Row::default() };
            plain.extend(new.into_iter().zip(0..).map(|(entity, i)| (entity, row(i))));
        }
        SpawnMany(number, false) => {
            let values = (0..u32::from(number)).map(|i| (Place(i), self::Speed(i)));
            let new: Vec<Entity> = game.spawn_batch(values).collect();
            let row = |i| Row { place: i, speed: Some(i), ..Row::default() };
            plain.extend(new.into_iter().zip(0..).map(|(entity, i)| (entity, row(i))));
        }
        Disable(at, on) => {
            let Some(entity) = pick(at) else { return };
            set(game, entity, Disabled, on);
            plain.get_mut(&entity).unwrap().disabled = on;
        }
        Stun(at, on) => {
            let Some(entity) = pick(at) else { return };
            set(game, entity, Stunned(2), on);
            plain.get_mut(&entity).unwrap().stunned = on;
        }
        Commands(at, disable, stun) => {
            let Some(entity) = pick(at) else { return };
            game.with_commands(|mut commands| {
                if disable {
                    commands.insert(entity, Disabled)
                } else {
                    commands.remove::<Disabled>(entity)
                };
                if stun {
                    commands.insert(entity, Stunned(3))
                } else {
                    commands.remove::<Stunned>(entity)
                };
            });
            let row = plain.get_mut(&entity).unwrap();
            (row.disabled, row.stunned) = (disable, stun);
        }
        View(at, on) => {
            let Some(entity) = pick(at) else { return };
            let view = &mut game.columns_mut().disabled;
            let had = view.contains(entity);
            if on {
                assert_eq!(view.insert(entity, Disabled).unwrap().is_some(), had);
            } else {
                assert_eq!(view.remove(entity).is_some(), had);
            }
            plain.get_mut(&entity).unwrap().disabled = on;
        }
        Speed(at, speed) => {
            let Some(entity) = pick(at) else { return };
            set(game, entity, self::Speed(speed.unwrap_or(0)), speed.is_some());
            plain.get_mut(&entity).unwrap().speed = speed;
        }
        Despawn(at) => {
            let Some(entity) = pick(at) else { return };
            game.despawn(entity).unwrap();
            plain.remove(&entity);
        }
        Retain(by) => {
            let removed = game.retain::<&Place>(|place| place.0 % by != 1);
            let before = plain.len();
            plain.retain(|_, row| row.disabled || row.place % by != 1);
            assert_eq!(removed, before - plain.len());
        }
        Tick => {
            game.tick();
            tick(plain);
        }
        Clone => *game = game.clone(),
        Restore => {
            let before = game.snapshot();
            game.despawn_all::<Without<Stunned>>();
            game.restore(&before);
        }
        Clear => {
            game.clear();
            plain.clear();
        }
    }
}

fn same<F: QueryFilter<Game> + SnapshotFilter<Game>>(
    game: &mut Game,
    plain: &Plain,
    passes: impl Fn(&Row) -> bool,
) {
    let expected: Vec<(Entity, u32)> =
        plain.iter().filter(|(_, row)| passes(row)).map(|(&entity, row)| (entity, row.place)).collect();
    let of = |(entity, place): (Entity, &Place)| (entity, place.0);
    let before = game.snapshot();
    assert!(before.query::<(Entity, &Place)>().filter::<F>().iter().map(of).eq(expected.iter().copied()));
    let query = game.query::<(Entity, &Place)>().filter::<F>();
    assert!(query.iter().map(of).eq(expected.iter().copied()));
    assert_eq!((query.len(), query.is_empty()), (expected.len(), expected.is_empty()));
    let mut folded = Vec::new();
    query.iter().for_each(|item| folded.push(of(item)));
    assert_eq!(folded, expected);
    for (entity, row) in plain {
        assert_eq!((query.contains(*entity), query.get(*entity).is_some()), (passes(row), passes(row)));
        assert_eq!(game.get(*entity), Some(&Place(row.place)));
    }
    let sorted = query.sorted_by_key(|(entity, place)| (place.0, *entity)).map(of);
    let mut by_place = expected.clone();
    by_place.sort_by_key(|(entity, place)| (*place, *entity));
    assert!(sorted.eq(by_place));
    let mut query = game.query_mut::<(Entity, &mut Place)>().filter::<F>();
    let mapped = query.reborrow().par_map(|(entity, place)| (entity, place.0));
    assert_eq!(mapped, expected);
    let mut chunked = Vec::new();
    for (ids, places) in query.chunks_mut() {
        chunked.extend(ids.zip(places.iter().map(|place| place.0)));
    }
    assert_eq!(chunked, expected);
}

fn agree(game: &mut Game, plain: &Plain) {
    same::<()>(game, plain, |row| !row.disabled);
    same::<AllowDisabled>(game, plain, |_| true);
    same::<With<Disabled>>(game, plain, |row| row.disabled);
    same::<With<Speed>>(game, plain, |row| row.speed.is_some() && !row.disabled && !row.stunned);
    same::<Without<Speed>>(game, plain, |row| row.speed.is_none() && !row.disabled);
    same::<(With<Speed>, With<Stunned>)>(game, plain, |row| {
        row.speed.is_some() && !row.disabled && row.stunned
    });
    same::<(With<Speed>, AllowDisabled)>(game, plain, |row| row.speed.is_some());
    same::<Or<(With<Speed>, With<Stunned>)>>(game, plain, |row| {
        (row.speed.is_some() || row.stunned) && !row.disabled
    });
}

proptest! {
    #![proptest_config(random_cases(200))]

    #[test]
    fn queries_pass_over_the_same_entities_as_a_map(operations in proptest::collection::vec(operation(), 1..40)) {
        let (mut game, mut plain) = (Game::new(), Plain::new());
        for operation in &operations {
            apply(&mut game, &mut plain, operation);
            agree(&mut game, &plain);
        }
    }
}
