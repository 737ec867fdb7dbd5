//! Inputs of systems: arguments in schedules, pipes, and `run_with`.

use ecs::prelude::*;
use ecs::system::Pipe;

#[derive(Component, Clone, Debug, PartialEq)]
struct Health(u32);
#[derive(Resource, Default, Clone)]
struct Log(Vec<String>);

world! {
    #[derive(Clone)]
    struct Game {
        components { Health }
        resources { Log = Log::default() }
    }
}

#[system(Game)]
fn heal(amount: In<u32>, health: &mut Health) {
    health.0 += *amount;
}

#[system(Game, par)]
fn hurt(amount: In<u32>, health: &mut Health) {
    health.0 -= *amount;
}

#[system(Game)]
fn total(healths: Query<&Health>) -> u32 {
    healths.iter().map(|health| health.0).sum()
}

#[system(Game)]
fn scaled(In(value): In<u32>, mut calls: Local<u32>) -> (u32, &'static str) {
    *calls += 1;
    (value * 10 + *calls, "scaled")
}

#[system(Game)]
fn log(value: In<u32>, name: In<&str>, mut log: ResMut<Log>) {
    log.0.push(format!("{} {}", *name, *value));
}

#[test]
fn run_with_gives_the_input_and_a_pipe_passes_it_on() {
    let mut game = Game::new();
    game.spawn_batch([1, 2].map(Health));
    game.run_with::<heal>(5);
    game.run_with::<hurt>(1);
    assert_eq!(game.run::<total>(), 11);
    assert_eq!(game.run::<Pipe<total, scaled>>(), (111, "scaled"));
    game.run::<Pipe<Pipe<total, scaled>, log>>();
    game.run_with::<log>((7, "seven"));
    assert_eq!(game.resource::<Log>().0, ["scaled 111", "seven 7"]);
}

#[system(Game)]
fn noted(mut log: ResMut<Log>) -> (u32, &'static str) {
    log.0.push("noted".to_owned());
    (1, "one")
}

#[test]
fn both_systems_of_a_pipe_may_write_the_same_data() {
    let mut game = Game::new();
    game.run::<Pipe<noted, log>>();
    assert_eq!(game.resource::<Log>().0, ["noted", "one 1"]);
}

#[test]
fn a_system_with_an_input_is_called_as_a_function() {
    let mut health = Health(1);
    heal(In(4), &mut health);
    assert_eq!(health, Health(5));
    assert_eq!(scaled(In(4), Local::new(&mut 6)), (47, "scaled"));
}

/// The greatest health that is weak.
const WEAK: u32 = 10;

mod scheduled {
    use std::time::Duration;

    use ecs::prelude::*;
    use ecs::time::{Clock, every_nth, every_period};

    use super::{Health, Log, WEAK};

    #[derive(Resource, Default, Clone)]
    struct Order(Vec<&'static str>);
    enum Play {}

    world! {
        #[derive(Clone)]
        struct Rpg {
            components { Health }
            resources {
                Log = Log::default(),
                Order = Order::default(),
                Clock = Clock::new(),
                play: Clock<Play> = Clock::new(),
            }
            events { Healed }
        }
        schedule tick { heal(1), heal(WEAK / 2) as rest if all_below(WEAK), total | log | count_lines; heard }
        schedule periods { say("2") every 2; say("half") every 0.5 s if !quiet, say("play") if every_period::<Play>(Duration::from_millis(750)); say("3") if every_nth(3) }
        schedule logic { say("and") if yes("a") && no("b") && yes("c"); say("or") if no("d") || yes("e") || yes("f") }
        schedule labels { counted; counted as second; counted as third if yes("g") }
        schedule wide { (total | forget, heal(1)) if all_below(WEAK) }
    }

    #[derive(Event, Clone)]
    struct Healed;

    #[system(Rpg, par)]
    fn heal(amount: In<u32>, health: &mut Health, mut healed: EventWriter<Healed>) {
        health.0 += *amount;
        healed.send(Healed);
    }
    #[system(Rpg)]
    fn heard(mut healed: EventReader<Healed>, mut order: ResMut<Order>) {
        (&mut healed).into_iter().for_each(|_| order.0.push("healed"));
    }
    #[system(Rpg)]
    fn all_below(limit: In<u32>, healths: Query<&Health>) -> bool {
        healths.iter().all(|health| health.0 < *limit)
    }
    #[system(Rpg)]
    fn total(healths: Query<&Health>) -> u32 {
        healths.iter().map(|health| health.0).sum()
    }
    #[system(Rpg)]
    fn log(total: In<u32>, mut log: ResMut<Log>) -> usize {
        log.0.push(total.to_string());
        log.0.len()
    }
    #[system(Rpg)]
    fn count_lines(In(lines): In<usize>, mut seen: Local<usize>, mut log: ResMut<Log>) {
        *seen += lines;
        log.0.push(format!("{} lines", *seen));
    }
    #[system(Rpg)]
    fn forget(_: In<u32>) {}
    #[system(Rpg)]
    fn say(what: In<&'static str>, mut order: ResMut<Order>) {
        order.0.push(*what);
    }
    #[system(Rpg)]
    fn yes(what: In<&'static str>, mut order: ResMut<Order>) -> bool {
        order.0.push(*what);
        true
    }
    #[system(Rpg)]
    fn no(what: In<&'static str>, mut order: ResMut<Order>) -> bool {
        order.0.push(*what);
        false
    }
    #[system(Rpg)]
    fn quiet(clock: Res<Clock>) -> bool {
        clock.elapsed() > Duration::from_secs(1)
    }
    #[system(Rpg)]
    fn counted(mut runs: Local<u32>, mut log: ResMut<Log>) {
        *runs += 1;
        log.0.push(runs.to_string());
    }

    fn order(game: &mut Rpg) -> Vec<&'static str> {
        std::mem::take(&mut game.resource_mut::<Order>().0)
    }

    #[test]
    fn a_schedule_gives_arguments_and_pipes() {
        for parallelism in [ecs::schedule::Parallelism::Never, ecs::schedule::Parallelism::Always] {
            let mut game = Rpg::new();
            game.set_parallelism(parallelism);
            let hero = game.spawn(Health(1));
            game.tick();
            assert_eq!(game.get::<Health>(hero), Some(&Health(7)));
            game.tick();
            game.tick();
            assert_eq!(game.get::<Health>(hero), Some(&Health(14)));
            assert_eq!(game.resource::<Log>().0, ["7", "1 lines", "13", "4 lines", "14", "9 lines"]);
            assert_eq!(order(&mut game), ["healed"; 5]);
            let copy = game.clone();
            assert_eq!(copy.schedule_graph().schedules[0].nodes[2].system, "total | log | count_lines");
        }
    }

    #[test]
    fn periods_count_runs_of_the_place_or_time_of_a_clock() {
        let mut game = Rpg::new();
        let mut runs = Vec::new();
        for _ in 0..6 {
            game.resource_mut::<Clock>().advance(Duration::from_millis(250));
            game.resource_mut::<Clock<Play>>().advance(Duration::from_millis(250));
            game.periods();
            runs.push(order(&mut game));
        }
        assert_eq!(
            runs,
            [vec![], vec!["2", "half"], vec!["play", "3"], vec!["2", "half"], vec![], vec!["2", "play", "3"]]
        );
    }

    #[test]
    fn the_operators_of_conditions_evaluate_their_right_side_only_if_it_decides() {
        let mut game = Rpg::new();
        game.logic();
        assert_eq!(order(&mut game), ["a", "b", "d", "e", "or"]);
    }

    #[test]
    fn a_system_has_a_state_and_a_name_at_each_of_its_places() {
        let mut game = Rpg::new();
        game.labels();
        assert_eq!(game.enable_named("second", false), 1);
        game.time_systems(true);
        game.labels();
        assert_eq!(game.resource::<Log>().0, ["1", "1", "1", "2", "2"]);
        let names: Vec<_> =
            game.timings().iter().filter(|timing| timing.runs > 0).map(|timing| timing.system).collect();
        assert_eq!(names, ["counted", "third"]);
        assert_eq!(game.enable::<counted>(false), 3);
        assert!(!game.is_enabled_named("third") && game.is_enabled_named("heard"));
    }

    #[test]
    fn a_pipe_in_a_group_runs_with_it() {
        let mut game = Rpg::new();
        let hero = game.spawn(Health(8));
        (0..4).for_each(|_| game.wide());
        assert_eq!(game.get::<Health>(hero), Some(&Health(10)));
    }
}
