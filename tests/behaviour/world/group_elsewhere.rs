//! Groups, labels and arguments outside of plain runs: among observers, in saves, in runs that are
//! undone, and beside schedules that are built at run time.

use ecs::prelude::*;
use ecs_tests::fuse::{burn, disarm};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[component(tracked)]
struct Health(i32);
#[derive(Event, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Hit(Entity, i32);
#[derive(Resource, Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Log(Vec<String>);
#[derive(Resource, Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Open {
    answer: bool,
    times: u32,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Health }
        resources { Log = Log::default(), Open = Open { answer: true, times: 0 } }
        events { Hit(external) }
    }
    observers {
        (wound(2), (report("wounded") as wounded, report("changed")) if any_wounded) if open,
        count as seen
    } max 8
    schedule tick {
        count;
        (count as second, add(10) as ten, (count as third) every 2) if open;
        add(1) every 3;
    }
    schedule risky { (say("before"), explode) if open; say("after") }
}

#[system(Game)]
fn open(mut open: ResMut<Open>) -> bool {
    open.times += 1;
    open.answer
}
#[system(Game)]
fn any_wounded(healths: Query<&Health>) -> bool {
    healths.iter().any(|health| health.0 < 10)
}
#[system(Game)]
fn wound(factor: In<i32>, mut hits: EventReader<Hit>, mut healths: Query<Mut<Health>>) {
    for Hit(target, damage) in &mut hits {
        if let Some(mut health) = healths.get_mut(*target) {
            health.0 -= *damage * *factor;
        }
    }
}
#[system(Game)]
fn report(what: In<&'static str>, changed: Query<&Health, Changed<Health>>, mut log: ResMut<Log>) {
    log.0.extend(changed.iter().map(|health| format!("{} {}", *what, health.0)));
}
#[system(Game)]
fn count(changed: Query<Entity, Changed<Health>>, mut runs: Local<u32>, mut log: ResMut<Log>) {
    *runs += 1;
    log.0.push(format!("run {} sees {}", *runs, changed.len()));
}
#[system(Game)]
fn add(number: In<u32>, mut sum: Local<u32>, mut log: ResMut<Log>) {
    *sum += *number;
    log.0.push(format!("sum {}", *sum));
}
#[system(Game)]
fn say(what: In<&'static str>, mut log: ResMut<Log>) {
    log.0.push((*what).to_owned());
}
#[system(Game)]
fn explode() {
    burn("a system in a group");
}

fn log(game: &mut Game) -> Vec<String> {
    std::mem::take(&mut game.resource_mut::<Log>().0)
}

#[test]
fn a_group_of_observers_keeps_its_triggers_until_its_condition_holds() {
    let mut game = Game::new();
    let hero = game.spawn(Health(10));
    game.run_observers();
    assert_eq!(log(&mut game), ["run 1 sees 1"], "the inner group does not hold: no one is wounded");
    game.resource_mut::<Open>().answer = false;
    game.send(Hit(hero, 3));
    game.run_observers();
    assert_eq!((log(&mut game), game.get(hero)), (vec![], Some(&Health(10))));
    game.resource_mut::<Open>().answer = true;
    game.run_observers();
    assert_eq!(game.get(hero), Some(&Health(4)));
    assert_eq!(log(&mut game), ["wounded 4", "changed 4", "run 2 sees 1"], "in the order of the text");
    game.run_observers();
    assert_eq!(log(&mut game), [""; 0]);
}

#[test]
fn observers_of_a_group_have_names_and_are_switched_off_by_them() {
    let mut game = Game::new();
    let hero = game.spawn(Health(10));
    game.send(Hit(hero, 1));
    assert_eq!((game.enable_named("wounded", false), game.enable_named("seen", false)), (1, 1));
    game.run_observers();
    assert_eq!(log(&mut game), ["changed 8"]);
    assert_eq!((game.enable_named("wounded", true), game.enable_named("seen", true)), (1, 1));
    game.run_observers();
    assert_eq!(log(&mut game), ["wounded 8", "run 1 sees 1"], "the trigger has waited");
}

/// Four runs, with the entities of each: the states of places are counted and named.
fn run(game: &mut Game) {
    for _ in 0..4 {
        game.spawn(Health(20));
        game.tick();
    }
}

#[test]
fn places_with_labels_arguments_and_periods_go_on_after_a_load() {
    let mut game = Game::new();
    for _ in 0..3 {
        run(&mut game);
        let mut copies = [
            game.clone(),
            Game::load(&game.to_bytes().unwrap()).unwrap(),
            serde_json::from_str(&serde_json::to_string(&game).unwrap()).unwrap(),
        ];
        log(&mut game);
        run(&mut game);
        let expected = (log(&mut game), game.hash());
        for copy in &mut copies {
            log(copy);
            run(copy);
            assert_eq!((log(copy), copy.hash()), expected);
        }
    }
}

mod renamed {
    use super::*;

    world! {
        #[world(alias = "Game")]
        #[derive(Clone, Serialize, Deserialize)]
        pub struct Later {
            components { Health }
            resources { Log = Log::default(), Open = Open { answer: true, times: 0 } }
            events { Hit(external) }
        }
        // the places of `Game` in another order, and one that is new
        schedule tick { recount as second, recount as new; recount }
    }

    #[system(Later)]
    fn recount(mut log: ResMut<Log>, runs: Local<u32>) {
        log.0.push(format!("{}", *runs));
    }
}

#[test]
fn a_file_is_loaded_by_a_world_whose_schedule_has_other_places() {
    let mut game = Game::new();
    run(&mut game);
    let mut later = renamed::Later::load(&game.to_bytes().unwrap()).unwrap();
    later.resource_mut::<Log>().0.clear();
    later.tick();
    let log = &later.resource::<Log>().0;
    assert_eq!(log.len(), 3);
    assert_eq!(log[1], "0", "a new place begins anew");
}

#[test]
fn a_run_that_panics_in_a_group_is_undone_with_the_answer_of_the_group() {
    let mut game = Game::new();
    ecs_tests::fuse::arm(1);
    let error = game.try_run(|game| game.risky());
    disarm();
    assert!(error.is_err());
    assert_eq!((game.resource::<Open>().times, log(&mut game)), (0, vec![]));
    game.resource_mut::<Open>().answer = false;
    game.try_run(|game| game.risky()).unwrap();
    assert_eq!((game.resource::<Open>().times, log(&mut game)), (1, vec!["after".to_owned()]));
    game.resource_mut::<Open>().answer = true;
    game.try_run(|game| game.risky()).unwrap();
    assert_eq!(log(&mut game), ["before", "after"], "the group is asked anew");
}

#[test]
fn a_panic_in_a_group_without_undoing_leaves_the_group_closed_for_the_next_run_to_ask() {
    let mut game = Game::new();
    assert!(ecs_tests::fuse::blows_up(1, || game.risky()));
    assert_eq!(log(&mut game), ["before"]);
    game.resource_mut::<Open>().answer = false;
    game.risky();
    assert_eq!(log(&mut game), ["after"]);
}

#[system(Game)]
fn whole(game: &mut Game) {
    game.tick();
}

#[test]
fn a_schedule_of_run_time_runs_groups_of_the_world_and_takes_arguments() {
    let mut game = Game::new();
    let mut outer = Schedule::<Game>::new("outer");
    outer.add::<whole>(&mut game, 1).unwrap();
    outer.add_with::<say>(&mut game, "between", 2, "between").unwrap();
    outer.add::<count>(&mut game, 3).unwrap();
    game.spawn(Health(20));
    outer.run(&mut game).unwrap();
    let first = ["run 1 sees 1", "run 1 sees 1", "run 1 sees 1", "sum 10", "between", "run 1 sees 1"];
    assert_eq!(log(&mut game), first, "an observer, `tick`, and the schedule");
    game.resource_mut::<Open>().answer = false;
    outer.run(&mut game).unwrap();
    assert_eq!(log(&mut game), ["run 2 sees 0", "between", "run 2 sees 0"]);
    // undone together with the states of the places
    game.resource_mut::<Open>().answer = true;
    ecs_tests::fuse::arm(1);
    let failed = game.try_run(|game| {
        game.tick();
        game.risky();
    });
    disarm();
    assert!(failed.is_err() && log(&mut game).is_empty());
    outer.run(&mut game).unwrap();
    assert_eq!(
        log(&mut game),
        ["run 3 sees 0", "run 2 sees 0", "sum 20", "run 1 sees 1", "sum 1", "between", "run 3 sees 0"]
    );
    outer.close(&mut game);
}
