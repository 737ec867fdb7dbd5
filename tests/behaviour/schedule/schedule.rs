//! Schedules: systems run in source order, conditions run just before their system, each place has
//! its own state.

use ecs::prelude::*;
use ecs_tests::fuse::{blows_up, burn};

#[derive(Resource, Default, Clone, Debug)]
struct Log(Vec<&'static str>);
#[derive(Resource, Default, Clone, Copy)]
struct Flags {
    a: bool,
    b: bool,
    c: bool,
}
#[derive(Resource, Default, Clone)]
struct Sum(u32);

macro_rules! writers {
    ($world:ident: $($name:ident)*) => {$(
        #[system($world)]
        fn $name(mut log: ResMut<Log>) {
            log.0.push(stringify!($name));
        }
    )*};
}

macro_rules! flags {
    ($world:ident: $($name:ident)*) => {$(
        #[system($world)]
        fn $name(flags: Res<Flags>) -> bool {
            flags.$name
        }
    )*};
}

world! {
    #[derive(Clone)]
    struct Game {
        resources { Log, Flags, Sum }
    }
    schedule order {
        third, first;
        second, fifth;

        fourth
    }
    schedule stages { first; second; third; }
    schedule empty {}
    schedule conditions {
        first if a;
        second if !a;
        third if a && b;
        fourth if a || b && c;
        fifth if !(a || b) && !c;
        sixth if (a || b) && (!c || a && b);
    }
    schedule turns { first, set_a if !a, second if a, clear_a if a, third if a, fourth if !a }
    schedule counting { count; again if odd }
    schedule counting_too { count }
    schedule fails { first; fuse; second }
}

writers!(Game: first second third fourth fifth sixth);
flags!(Game: a b c);

#[system(Game)]
fn set_a(mut flags: ResMut<Flags>) {
    flags.a = true;
}

#[system(Game)]
fn clear_a(mut flags: ResMut<Flags>) {
    flags.a = false;
}

#[system(Game)]
fn count(mut runs: Local<u32>, mut sum: ResMut<Sum>) {
    *runs += 1;
    sum.0 = *runs;
}

#[system(Game)]
fn again(mut log: ResMut<Log>) {
    log.0.push("odd");
}

/// A condition with a `Local`.
#[system(Game)]
fn odd(mut asked: Local<u32>) -> bool {
    *asked += 1;
    *asked % 2 == 1
}

#[system(Game)]
fn fuse(mut runs: Local<u32>, mut sum: ResMut<Sum>) {
    *runs += 1;
    sum.0 = *runs;
    burn("a system");
}

fn take(game: &mut Game) -> Vec<&'static str> {
    std::mem::take(&mut game.resource_mut::<Log>().0)
}

#[test]
fn systems_run_in_the_written_order() {
    let mut game = Game::default();
    game.order();
    assert_eq!(take(&mut game), ["third", "first", "second", "fifth", "fourth"]);
    game.stages();
    assert_eq!(take(&mut game), ["first", "second", "third"]);
    game.empty();
    assert!(take(&mut game).is_empty());
}

#[test]
fn conditions_follow_their_truth_table() {
    let mut game = Game::default();
    for bits in 0..8 {
        let (a, b, c) = (bits & 1 == 1, bits & 2 == 2, bits & 4 == 4);
        *game.resource_mut::<Flags>() = Flags { a, b, c };
        let expected: Vec<&str> = [
            ("first", a),
            ("second", !a),
            ("third", a && b),
            ("fourth", a || b && c),
            ("fifth", !(a || b || c)),
            ("sixth", (a || b) && (!c || a && b)),
        ]
        .into_iter()
        .filter_map(|(name, runs)| runs.then_some(name))
        .collect();
        game.conditions();
        assert_eq!(take(&mut game), expected, "a {a}, b {b}, c {c}");
    }
}

#[test]
fn conditions_run_just_before_their_system() {
    let mut game = Game::default();
    game.turns();
    assert_eq!(take(&mut game), ["first", "second", "fourth"]);
}

#[test]
fn a_condition_remembers() {
    let mut game = Game::default();
    for _ in 0..5 {
        game.counting();
    }
    assert_eq!(take(&mut game), ["odd", "odd", "odd"]);
}

#[test]
fn every_place_has_its_own_local() {
    let mut game = Game::default();
    for _ in 0..3 {
        game.counting();
    }
    assert_eq!(game.resource::<Sum>().0, 3);
    game.counting_too();
    assert_eq!(game.resource::<Sum>().0, 1);
    game.run::<count>();
    assert_eq!(game.resource::<Sum>().0, 1);
    game.counting();
    assert_eq!(game.resource::<Sum>().0, 4);
}

#[test]
fn worlds_of_one_type_have_their_own_locals() {
    let (mut one, mut two) = (Game::default(), Game::default());
    one.counting();
    one.counting();
    two.counting();
    assert_eq!((one.resource::<Sum>().0, two.resource::<Sum>().0), (2, 1));
}

#[test]
fn a_panicking_system_leaves_world_and_places_valid() {
    let mut game = Game::default();
    game.fails();
    take(&mut game);
    assert!(blows_up(1, || game.fails()));
    assert_eq!(take(&mut game), ["first"]);
    game.fails();
    assert_eq!((take(&mut game), game.resource::<Sum>().0), (vec!["first", "second"], 3));
}

#[test]
fn a_world_may_have_many_schedules_with_stages_of_entities() {
    #[derive(Component)]
    struct Age(u32);
    world! {
        struct Life { components { Age } }
        schedule year { grow; die; birth }
        schedule winter { die }
    }
    #[system(Life)]
    fn grow(age: &mut Age) {
        age.0 += 1;
    }
    #[system(Life)]
    fn die(life: &mut Life) {
        let old: Vec<Entity> = life
            .query::<(Entity, &Age)>()
            .iter()
            .filter(|(_, age)| age.0 > 3)
            .map(|(entity, _)| entity)
            .collect();
        for entity in old {
            life.despawn(entity).unwrap();
        }
    }
    #[system(Life)]
    fn birth(life: &mut Life) {
        life.spawn(Age(0));
    }
    let mut life = Life::new();
    for _ in 0..20 {
        life.year();
        life.winter();
    }
    let mut ages: Vec<u32> = life.query::<&Age>().iter().map(|age| age.0).collect();
    ages.sort_unstable();
    assert_eq!(ages, [0, 1, 2, 3]);
}
