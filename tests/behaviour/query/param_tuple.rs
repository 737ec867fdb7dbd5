//! Tuples as parameters of systems.

use ecs::prelude::*;
use ecs::{Schedule, SystemParam};

#[derive(Component, Clone, Debug, PartialEq)]
struct Position(i32);
#[derive(Component, Clone, Debug, PartialEq)]
struct Speed(i32);
#[derive(Component, Clone)]
struct Frozen;
#[derive(Resource, Clone, Default, Debug, PartialEq)]
struct Clock(i32);
#[derive(Event, Clone)]
struct Moved;

world! {
    #[derive(Clone)]
    struct Game {
        components { Position, Speed, Frozen }
        resources { Clock = Clock::default() }
        events { Moved(external) }
    }
    schedule tick { movement; once; nested }
    schedule spread { movement_par }
}

/// Elements of a tuple are parameters of a per-entity system.
#[system(Game)]
fn movement(
    (position, Speed(speed)): (&mut Position, &Speed),
    _: (Without<Frozen>, With<Speed>),
    (clock, ..): (Res<Clock>, Local<u8>),
) {
    position.0 += speed * clock.0;
}

#[system(Game, par)]
fn movement_par(
    (position, speed): (&mut Position, &Speed),
    (clock, mut moved): (Res<Clock>, EventWriter<Moved>),
) {
    position.0 += speed.0 * clock.0;
    moved.send(Moved);
}

#[system(Game)]
fn once(
    (mut bodies, frozen): (Query<&mut Position, Without<Frozen>>, Query<&Position, With<Frozen>>),
    mut both: (ResMut<Clock>, Local<i32>),
) {
    *both.1 += 1;
    both.0.0 += *both.1;
    let sum: i32 = frozen.iter().map(|position| position.0).sum();
    bodies.for_each(|position| position.0 += sum);
}

#[system(Game)]
fn nested((.., (mut commands, (count, _))): (Res<Clock>, (Commands<Game>, (Query<&Position>, Res<Clock>)))) {
    if count.len() < 3 {
        commands.spawn((Position(100), Frozen));
    }
}

#[test]
fn elements_of_tuples_are_parameters() {
    let mut game = Game::new();
    game.resource_mut::<Clock>().0 = 1;
    let ball = game.spawn((Position(0), Speed(2)));
    game.tick();
    assert_eq!((game.get(ball), game.resource::<Clock>()), (Some(&Position(2)), &Clock(2)));
    game.tick();
    assert_eq!(game.get(ball), Some(&Position(106)));
    assert_eq!(game.query::<&Frozen>().len(), 2);
    game.spread();
    assert_eq!((game.drain::<Moved>().count(), game.get(ball)), (1, Some(&Position(114))));
}

/// In a system of every world, and with a type parameter.
#[system]
fn stop<T: Component>((speed, _): (&mut Speed, With<T>), (clock,): (Res<Clock>,)) {
    speed.0 = clock.0;
}

#[test]
fn generic_systems_take_tuples() {
    let mut game = Game::new();
    let (ball, ice) = (game.spawn(Speed(2)), game.spawn((Speed(2), Frozen)));
    game.run::<stop<Frozen>>();
    assert_eq!((game.get(ball), game.get(ice)), (Some(&Speed(2)), Some(&Speed(0))));
}

#[test]
fn closures_take_tuples_and_so_any_number_of_parameters() {
    type Numbers<'w> =
        (Local<'w, u8>, Local<'w, u16>, Local<'w, u32>, Local<'w, u64>, Local<'w, i8>, Local<'w, i16>);
    let mut game = Game::new();
    game.spawn((Position(1), Speed(2)));
    let mut schedule = Schedule::<Game>::new("closures");
    schedule
        .add_fn(
            &mut game,
            "many",
            0,
            |mut a: Numbers,
             mut b: (Numbers, Numbers),
             (mut bodies, mut clock): (Query<&mut Position>, ResMut<Clock>)| {
                *a.5 += 1;
                *b.1.3 += 2;
                bodies.for_each(|position| position.0 += i32::from(*a.5));
                clock.0 += *b.1.3 as i32;
            },
        )
        .unwrap();
    schedule.run(&mut game).unwrap();
    schedule.run(&mut game).unwrap();
    assert_eq!(game.query::<&Position>().single(), Ok(&Position(4)));
    assert_eq!(game.resource::<Clock>(), &Clock(6));
}

/// The same parameters in a tuple that the macro sees, behind an alias, and in a struct.
type Aliased<'w> = (Query<'w, (&'static mut Position, &'static Speed)>, Res<'w, Clock>, Local<'w, i32>);

#[derive(SystemParam)]
struct Fields<'w> {
    tuple: (Query<'w, (&'static mut Position, &'static Speed)>, Res<'w, Clock>),
    count: Local<'w, i32>,
}

fn step(mut bodies: Query<(&mut Position, &Speed)>, clock: &Clock, count: &mut i32) {
    *count += 1;
    bodies.for_each(|(position, speed)| position.0 += speed.0 * clock.0 + *count);
}

#[system(Game)]
fn seen((bodies, clock, mut count): (Query<(&mut Position, &Speed)>, Res<Clock>, Local<i32>)) {
    step(bodies, &clock, &mut count);
}

#[system(Game)]
fn aliased((bodies, clock, mut count): Aliased<'_>) {
    step(bodies, &clock, &mut count);
}

#[system(Game)]
fn fields(Fields { tuple: (bodies, clock), mut count }: Fields) {
    step(bodies, &clock, &mut count);
}

#[test]
fn a_tuple_means_the_same_wherever_it_stands() {
    let mut game = Game::new();
    game.resource_mut::<Clock>().0 = 3;
    game.spawn_batch((0..100).map(|n| (Position(n), Speed(n % 7))));
    let ends: Vec<Vec<Position>> = [Schedule::add::<seen>, Schedule::add::<aliased>, Schedule::add::<fields>]
        .into_iter()
        .map(|add| {
            let mut game = game.clone();
            let mut schedule = Schedule::<Game>::new("one");
            add(&mut schedule, &mut game, 0).unwrap();
            (0..3).for_each(|_| schedule.run(&mut game).unwrap());
            game.query::<&Position>().iter().cloned().collect()
        })
        .collect();
    assert!(ends[0] == ends[1] && ends[1] == ends[2] && ends[0][1] == Position(1 + 9 + 6));
}
