//! Tests of systems without a world: a system is a function, and its parameters can be made of
//! plain values.

use ecs::prelude::*;

#[derive(Component, PartialEq, Debug)]
struct Health(i32);

#[derive(Component)]
struct Poison(i32);

#[derive(Event, PartialEq, Debug)]
struct Healed(i32);

#[derive(Resource)]
struct Rules {
    most: i32,
}

world! {
    struct Game {
        components { Health, Poison }
        resources { Rules }
        events { Healed(external) }
    }
    schedule turn { suffer; heal }
}

#[system(Game)]
fn suffer(health: &mut Health, poison: &Poison) {
    health.0 -= poison.0;
}

#[system(Game)]
fn heal(health: &mut Health, rules: Res<Rules>, mut healed: EventWriter<Healed>) {
    let missing = rules.most - health.0;
    if missing > 0 {
        health.0 += 1;
        healed.send(Healed(missing - 1));
    }
}

fn poison_hurts() {
    let mut health = Health(10);
    suffer(&mut health, &Poison(3));
    assert_eq!(health, Health(7));
}

fn healing_stops_at_the_most() {
    let (rules, mut sent) = (Rules { most: 9 }, Vec::new());
    let mut health = Health(8);
    for _ in 0..3 {
        heal(&mut health, Res::new(&rules), EventWriter::new(&mut sent));
    }
    assert_eq!((health, sent), (Health(9), vec![Healed(0)]));
}

fn main() {
    poison_hurts();
    healing_stops_at_the_most();
    println!("2 tests without a world");
    let mut game = Game::new(Rules { most: 9 });
    let hero = game.spawn((Health(9), Poison(3)));
    game.turn();
    println!("and one with it: {:?}", game.get::<Health>(hero));
}
